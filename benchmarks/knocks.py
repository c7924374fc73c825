"""Claps and hits on the table, measured: made ones in simulated rooms, alone and beside a real cry.

    python -m benchmarks.knocks

Prints how many are found beside how many there were, the error of their time (median, nine in ten), and how many
knocks are heard in readers who make none.
Needs `pyroomacoustics`, `soundfile`, `scipy` and `../shared/speech_speakers`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyroomacoustics as pra
import soundfile
from numpy.typing import NDArray
from scipy.signal import butter, fftconvolve, sosfilt

from benchmarks.race_rig import RATE_HZ, ROOM_M, half, race, readers, seating
from benchmarks.races import VOICES
from voiceref.race.knocks import UNCERTAINTY_S, knocks

Sound = NDArray[np.float64]
GAPS_S = (None, -0.3, 0.0, 0.3)
"""Of a knock after a cry; None: no cry."""
_ALIKE_S = 0.02
_SPEED = 343.0
_PEAK_DB = 13.0
"""Of a cry, over its mean."""


def clap(rng: np.random.Generator) -> Sound:
    """Noise around 1 to 3 kHz that decays in 4 to 10 ms."""
    t = np.arange(round(0.06 * RATE_HZ)) / RATE_HZ
    low = rng.uniform(700, 1500)
    band = butter(2, (low, low * rng.uniform(2.5, 4)), "bandpass", fs=RATE_HZ, output="sos")
    return np.asarray(sosfilt(band, rng.standard_normal(len(t)) * np.exp(-t / rng.uniform(0.004, 0.010))))


def hit(rng: np.random.Generator) -> Sound:
    """A fist on a table: damped modes of the top between 90 and 900 Hz, and the click of the knuckles."""
    t = np.arange(round(0.12 * RATE_HZ)) / RATE_HZ
    modes = sum(
        rng.uniform(0.3, 1) * np.sin(2 * np.pi * rng.uniform(90, 900) * t) * np.exp(-t / rng.uniform(0.008, 0.025))
        for _ in range(6)
    )
    return np.asarray(modes + 0.5 * rng.standard_normal(len(t)) * np.exp(-t / 0.002))


def trial(
    which: str,
    make: Callable[[np.random.Generator], Sound],
    gap: float | None,
    snr_db: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float32], float]:
    """A recording of one microphone and the true time of the knock at it; a knock peaks 0 to 6 dB over the cry."""
    table = seating(4, "one", 0.4, rng)
    people = readers(VOICES, which)
    person = people[rng.integers(len(people))]
    spoken = race(table, [(0, person.test[0], 0.0)], snr_db, rng)
    sound = spoken.samples[:, 0].astype(np.float64)
    onset, loudest = spoken.shouts[0][1], np.abs(sound).max()
    if gap is None:
        sound = rng.standard_normal(len(sound)) * loudest * 10 ** (-(snr_db + _PEAK_DB) / 20)
    middle = table.microphones[0]
    hand = middle + (table.seats[1] - middle) * rng.uniform(0.4, 0.7) + np.array([0, 0, rng.uniform(-0.05, 0.1)])
    absorption, order = pra.inverse_sabine(0.4, ROOM_M)
    room = pra.ShoeBox(ROOM_M, fs=RATE_HZ, materials=pra.Material(absorption), max_order=min(order, 12))
    room.add_source(hand)
    room.add_microphone_array(table.microphones.T)
    room.compute_rir()
    wet = fftconvolve(make(rng), room.rir[0][0])
    wet *= loudest * 10 ** (rng.uniform(0, 6) / 20) / np.abs(wet).max()
    begin = round((onset + (gap or 0.0)) * RATE_HZ)
    sound[begin : begin + len(wet)] += wet[: len(sound) - begin]
    late = float(np.linalg.norm(hand - middle)) / _SPEED + pra.constants.get("frac_delay_length") // 2 / RATE_HZ
    return (0.5 * sound / np.abs(sound).max()).astype(np.float32), begin / RATE_HZ + late


def rows(which: str, trials: int, seed: int) -> Iterator[str]:
    """A line for each kind, gap and noise."""
    for name, make in (("clap", clap), ("hit", hit)):
        for snr_db in (20.0, 10.0):
            for gap in GAPS_S:
                rng = np.random.default_rng([seed, round(snr_db), round(1000 * ((gap or 0.0) + 2)), gap is None])
                errors = []
                for _ in range(trials):
                    sound, true = trial(which, make, gap, snr_db, rng)
                    errors.extend([abs(k.t - true) for k in knocks(sound) if abs(k.t - true) < _ALIKE_S][:1])
                inside = sum(error <= UNCERTAINTY_S for error in errors)
                median, most = (1000 * np.quantile(errors, (0.5, 0.9))) if errors else (np.nan, np.nan)
                where = "alone" if gap is None else f"{1000 * gap:+.0f} ms from the cry"
                yield (
                    f"{name}, {where}, {snr_db:.0f} dB: {len(errors)} of {trials}, error {median:.1f} / {most:.1f} ms, "
                    f"within 5 ms {inside} of {len(errors)}"
                )


def false_alarms(folder: Path, which: str) -> str:
    """Knocks heard in whole recordings of people who only read."""
    heard, seconds = 0, 0.0
    for file in sorted(folder.glob("*.flac")):
        if half(file.stem) == which:
            sound, rate = soundfile.read(file, dtype="float32")
            heard, seconds = heard + len(knocks(sound)), seconds + len(sound) / rate
    return f"readers: {heard} in {seconds / 60:.1f} min"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--half", choices=("test", "tuning"), default="test")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(false_alarms(VOICES, options.half), flush=True)
    for row in rows(options.half, options.trials, options.seed):
        print(row, flush=True)


if __name__ == "__main__":
    main()
