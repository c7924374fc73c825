"""Who shouted first, measured: simulated tables, real voices that took no part in any tuning, all from one seed.

    python -m benchmarks.races --setup each --trials 60
    python -m benchmarks.races --setup one --tables 16

`each`: one microphone a player. `one`, `pair10`, `pair20`, `triangle`: one microphone, two or three for all, every
player enrolled with six shouts in the room. `all`: every set-up. Each row gives how often the referee names a first
player, how often that one is right (what the floor of issue 6 asks beside it), and the errors of the stated onsets.
Needs `pyroomacoustics`, `soundfile`, `scipy` and `../shared/speech_speakers`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.race_rig import RATE_HZ, SHOUT_S, Race, Reader, Seating, race, readers, seating
from voiceref import resources
from voiceref.race.attribution import IN_A_RACE, IN_TURN, SURE, Listeners, first_voice
from voiceref.race.channels import own_onsets
from voiceref.race.direction import Delays, calibrated
from voiceref.race.onset import Onset, first_rise, floor_before, levels
from voiceref.race.overlap import OnnxOverlap
from voiceref.race.verdict import Claim, judge
from voiceref.race.voice_print import Embedding, OnnxEncoder, unit
from voiceref.referee.racing import TIE_EACH_S

VOICES = Path(__file__).resolve().parents[2] / "shared" / "speech_speakers"
GAPS_S = (None, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Between two shouters; None: one shouter."""
ENROLMENTS = 6
SETUPS = ("each", "one", "pair10", "pair20", "triangle")
TOGETHER = 0.5
"""Above this probability of two voices, a shout that nobody is named for is an *égalité*."""
FLOORS = {
    "each": {None: 0.99, 0.1: 0.95, 0.2: 0.97, 0.4: 0.99},
    "one": {None: 0.97, 0.1: 0.9, 0.2: 0.9, 0.4: 0.92},
    "pair20": {None: 0.98, 0.1: 0.9, 0.2: 0.93, 0.4: 0.96},
}
"""Least part of right answers (issue 6: N=4, RT60 0.4 s, 20 dB)."""


@dataclass(frozen=True)
class Room:
    """What all trials of a run share."""

    voices: tuple[Reader, ...]
    players: int
    rt60_s: float
    snr_db: float
    seed: int


@dataclass
class Row:
    """Counts of one gap."""

    trials: int = 0
    answered: int = 0
    right: int = 0
    ties: int = 0
    strangers: int = 0
    errors: list[float] = field(default_factory=list)
    inside: int = 0
    seconds: float = 0.0

    def onset(self, found: Onset, true: float) -> None:
        """Count one stated onset of a player who did shout."""
        self.errors.append(abs(found.t - true))
        self.inside += abs(found.t - true) <= found.uncertainty

    def printed(self, gap: float | None, floor: float | None) -> str:
        """One row of a Markdown table."""
        least = "" if floor is None else f"{100 * floor:.0f} %"
        errors = np.array(self.errors or [np.nan]) * 1000
        name = "un seul crie" if gap is None else f"{gap * 1000:.0f} ms"
        return (
            f"| {name} | {self.right}/{self.answered} | {least} | {self.answered}/{self.trials} | {self.ties} "
            f"| {self.strangers} | {np.median(errors):.0f} / {np.quantile(errors, 0.9):.0f} ms "
            f"| {self.inside}/{len(self.errors)} | {1000 * self.seconds / max(self.trials, 1):.0f} ms |"
        )


HEADER = (
    "| écart | premier juste | plancher | nommé | égalités | silencieux nommés | erreur d'attaque, médiane / 9 sur 10 "
    "| dans l'intervalle | calcul |\n|---|---|---|---|---|---|---|---|---|"
)


def shouts(
    room: Room, seats: NDArray[np.int64], gap: float | None, rng: np.random.Generator
) -> list[tuple[int, NDArray[np.float32], float]]:
    """One or two shouts of different players: (seat, dry sound, delay); `seats` maps a seat to its reader."""
    who = rng.choice(room.players, 1 if gap is None else 2, replace=False)
    return [
        (int(seat), tests[rng.integers(len(tests))], place * (gap or 0.0))
        for place, seat in enumerate(who)
        for tests in [room.voices[seats[seat]].test]
    ]


# --- one microphone each ---------------------------------------------------------------------------------------------


def each(room: Room, trials: int) -> Iterator[tuple[float | None, Row]]:
    """`trials` new tables for each gap."""
    for gap in GAPS_S:
        row = Row()
        for trial in range(trials):
            rng = np.random.default_rng([room.seed, trial, round(1000 * (gap or 0))])
            table = seating(room.players, "each", room.rt60_s, rng)
            seats = rng.choice(len(room.voices), room.players, replace=False)
            judged(race(table, shouts(room, seats, gap, rng), room.snr_db, rng), row)
        yield gap, row


def judged(recording: Race, row: Row) -> None:
    """Judge one recording of all microphones and count."""
    began = time.process_time()
    found = own_onsets(recording.samples)
    claims = [Claim(str(seat), onset.t, onset.uncertainty) for seat, onset in enumerate(found) if onset is not None]
    verdict = judge(claims, TIE_EACH_S, SURE)
    row.seconds += time.process_time() - began
    truth = dict(recording.shouts)
    row.trials += 1
    row.answered += verdict.first is not None
    row.right += verdict.first == str(recording.shouts[0][0])
    row.ties += bool(verdict.ties)
    for seat, onset in enumerate(found):
        if onset is not None and seat in truth:
            row.onset(onset, truth[seat])
        row.strangers += onset is not None and seat not in truth


# --- one microphone, a pair or a small array for all -----------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """What enrolment has learnt of a table; `seats` only with an array."""

    voices: dict[str, Embedding]
    seats: dict[str, Delays] | None


def shared(room: Room, setup: str, tables: int, listeners: Listeners) -> Iterator[tuple[float | None, Row]]:
    """`tables` tables, each enrolled once, with three recordings of each gap; last, single cries out of any race."""
    rows = {gap: Row() for gap in GAPS_S}
    in_turn = Row()
    for number in range(tables):
        rng = np.random.default_rng([room.seed, number])
        table = seating(room.players, setup, room.rt60_s, rng)
        seats = rng.choice(len(room.voices), room.players, replace=False)
        known = enrolled(room, table, seats, listeners, rng)
        for gap in GAPS_S:
            for _ in range(3):
                recording = race(table, shouts(room, seats, gap, rng), room.snr_db, rng)
                named(recording, known, listeners, IN_A_RACE, rows[gap])
                if gap is None:
                    named(recording, known, listeners, IN_TURN, in_turn)
    print(f"(hors course) {in_turn.printed(None, None)}")
    yield from rows.items()


def enrolled(
    room: Room, table: Seating, seats: NDArray[np.int64], listeners: Listeners, rng: np.random.Generator
) -> Known:
    """The players' voices and directions, learnt in the room."""
    voices, delays = {}, {}
    for seat in range(room.players):
        found = []
        for dry in room.voices[seats[seat]].enrol[:ENROLMENTS]:
            sound = race(table, [(seat, dry, 0.0)], room.snr_db, rng).samples
            onset = beginning(sound.mean(axis=1))
            if onset is not None:
                found.append(sound[round(onset.t * RATE_HZ) :][: round(SHOUT_S * RATE_HZ)])
        voices[str(seat)] = unit(np.mean([listeners.encoder.embed(shout[:, 0]) for shout in found], axis=0))
        if len(table.microphones) > 1:
            delays[str(seat)] = calibrated(found)
    return Known(voices, delays or None)


def beginning(sound: NDArray[np.float32]) -> Onset | None:
    """The first rise in a recording that begins with 0.3 s of the room."""
    level = levels(sound)
    return first_rise(level, 120, len(level), floor_before(level, 120))


def named(recording: Race, known: Known, listeners: Listeners, alone: float, row: Row) -> None:
    """Name the first shouter of one recording and count."""
    began = time.process_time()
    onset = beginning(recording.samples.mean(axis=1))
    guess = None
    if onset is not None:
        guess = first_voice(recording.samples, onset.t, known.voices, listeners, known.seats, alone)
    row.seconds += time.process_time() - began
    row.trials += 1
    seat, true = recording.shouts[0]
    if onset is not None:
        row.onset(onset, true)
    if guess is not None and guess.confidence >= SURE:
        row.answered += 1
        row.right += guess.player == str(seat)
    elif guess is not None:
        row.ties += guess.together >= TOGETHER


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--setup", choices=(*SETUPS, "all"), default="all")
    parser.add_argument("--trials", type=int, default=60, help="recordings of each gap (each)")
    parser.add_argument("--tables", type=int, default=16, help="tables of three recordings of each gap (the others)")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rt60", type=float, default=0.4)
    parser.add_argument("--snr", type=float, default=20.0)
    parser.add_argument("--half", choices=("test", "tuning"), default="test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--voices", type=Path, default=VOICES)
    options = parser.parse_args()
    room = Room(readers(options.voices, options.half), options.players, options.rt60, options.snr, options.seed)
    models = resources.models()
    listeners = Listeners(
        OnnxEncoder(models / "voice_print" / "encoder.onnx"), OnnxOverlap(models / "overlap" / "overlap.onnx")
    )
    for setup in SETUPS if options.setup == "all" else (options.setup,):
        print(
            f"\n{setup}: {len(room.voices)} readers of the {options.half} half, N={room.players}, "
            f"RT60 {room.rt60_s} s, {room.snr_db:.0f} dB, seed {room.seed}\n\n{HEADER}"
        )
        rows = each(room, options.trials) if setup == "each" else shared(room, setup, options.tables, listeners)
        for gap, row in rows:
            print(row.printed(gap, FLOORS.get(setup, {}).get(gap)), flush=True)


if __name__ == "__main__":
    main()
