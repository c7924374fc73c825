"""Simulated tables for the race benchmark: seats, rooms, microphones and real voices, all from one seed.

Voices are the readers of `speech_speakers` (LibriSpeech, CC BY 4.0), split by speaker id into a tuning and a test half.
A shout is a second of one reader that begins with a clear attack; its true onset is where the dry sound first comes
within 20 dB of its own loudest 10 ms. Rooms come from `pyroomacoustics` (development dependency).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyroomacoustics as pra
import soundfile
from numpy.typing import NDArray
from scipy.signal import fftconvolve

RATE_HZ = 16_000
ROOM_M = (4.35, 3.30, 2.40)
SEAT_RADIUS_M = (0.75, 1.05)
MOUTH_HEIGHT_M = 1.15
TABLE_HEIGHT_M = 0.75
LEAN_M = 0.08
"""How far a head moves between two shouts."""
LEAD_IN_S = 0.6
SHOUT_S = 1.0
SPEED_OF_SOUND = 343.0

MICROPHONES = ("one", "pair10", "pair20", "triangle", "each")


@dataclass(frozen=True)
class Reader:
    """One real voice: dry shouts of about a second, each starting at its onset."""

    name: str
    enrol: tuple[NDArray[np.float32], ...]
    test: tuple[NDArray[np.float32], ...]


@dataclass(frozen=True)
class Seating:
    """One table in one room: where mouths are, and the microphones' places (channels, 3) in metres."""

    seats: NDArray[np.float64]
    microphones: NDArray[np.float64]
    rt60_s: float


@dataclass(frozen=True)
class Race:
    """One recording (n, channels) and its truth: (seat, onset in seconds at the nearest microphone) in order."""

    samples: NDArray[np.float32]
    shouts: tuple[tuple[int, float], ...]


def half(name: str) -> str:
    """`tuning` or `test`, by the name alone."""
    return "test" if hashlib.sha256(name.encode()).digest()[0] % 2 else "tuning"


def attack(dry: NDArray[np.float32]) -> int:
    """Sample where the sound first comes within 20 dB of its loudest 10 ms."""
    energy = np.convolve(dry.astype(np.float64) ** 2, np.ones(160) / 160, "valid")
    return int(np.flatnonzero(energy > energy.max() * 0.01)[0])


def _shouts(sound: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Seconds of speech that begin after a pause of at least 60 ms, each cut at its attack."""
    frame = np.convolve(sound.astype(np.float64) ** 2, np.ones(320) / 320, "same")[::160]
    loud = frame > np.quantile(frame, 0.95) * 0.01
    found, step, last = [], 6, -100
    while step < len(loud) - int(SHOUT_S * 100):
        if loud[step] and not loud[step - 6 : step].any() and step - last >= SHOUT_S * 100:
            begin = max(0, step * 160 - 320)
            clip = sound[begin : begin + int((SHOUT_S + 0.1) * RATE_HZ)]
            clip = clip[attack(clip) :][: int(SHOUT_S * RATE_HZ)]
            found.append(clip / (np.sqrt(np.mean(clip**2)) + 1e-9) * 0.05)
            last = step
        step += 1
    return found


@cache
def readers(folder: Path, which: str, enrolments: int = 6) -> tuple[Reader, ...]:
    """The readers of one half that have enough shouts for enrolment and two for the test."""
    found = []
    for file in sorted(folder.glob("*.flac")):
        if half(file.stem) != which:
            continue
        sound, rate = soundfile.read(file, dtype="float32")
        assert rate == RATE_HZ, f"{file} is not 16 kHz"
        clips = _shouts(sound)
        if len(clips) < 5:
            continue
        held_out = max(2, len(clips) - enrolments)
        enrol = clips[:-held_out]
        if len(enrol) < enrolments:  # a second of speech gives two shorter shouts where a reader pauses seldom
            enrol = [piece for clip in enrol for piece in (clip, clip[len(clip) // 3 :])][:enrolments]
        found.append(Reader(file.stem, tuple(enrol), tuple(clips[-held_out:])))
    return tuple(found)


def seating(players: int, microphones: str, rt60_s: float, rng: np.random.Generator) -> Seating:
    """Seats around a table in the middle of the room; no two mirror each other across a microphone pair."""
    centre = np.array([ROOM_M[0] / 2, ROOM_M[1] / 2]) + rng.uniform(-0.4, 0.4, 2)
    turn = rng.uniform(0, 2 * np.pi)
    angles = turn + 2 * np.pi * np.arange(players) / players
    radius = rng.uniform(*SEAT_RADIUS_M, players)
    seats = np.column_stack(
        [
            centre[0] + radius * np.cos(angles),
            centre[1] + radius * np.sin(angles),
            MOUTH_HEIGHT_M + rng.uniform(-0.1, 0.1, players),
        ]
    )
    offset = turn + np.pi / (2 * players)  # turned by a quarter of the seats' angle
    return Seating(seats, _places(microphones, centre, offset, seats), rt60_s)


def _places(kind: str, centre: NDArray[np.float64], turn: float, seats: NDArray[np.float64]) -> NDArray[np.float64]:
    if kind == "each":
        towards = np.array([*centre, TABLE_HEIGHT_M]) - seats
        return seats + towards * (0.30 / np.linalg.norm(towards, axis=1, keepdims=True))
    if kind == "one":
        offsets = np.zeros((1, 2))
    elif kind == "triangle":
        around = turn + 2 * np.pi * np.arange(3) / 3
        offsets = 0.10 / np.sqrt(3) * np.column_stack([np.cos(around), np.sin(around)])
    else:
        width = {"pair10": 0.10, "pair20": 0.20}[kind]
        offsets = np.array([[-0.5], [0.5]]) * width * np.array([np.cos(turn), np.sin(turn)])
    return np.column_stack([centre + offsets, np.full(len(offsets), TABLE_HEIGHT_M + 0.03)])


def responses(table: Seating, lean: NDArray[np.float64]) -> list[list[NDArray[np.float64]]]:
    """Room responses [seat][microphone], heads moved by `lean` (seats, 3) metres."""
    absorption, order = pra.inverse_sabine(table.rt60_s, ROOM_M)
    room = pra.ShoeBox(ROOM_M, fs=RATE_HZ, materials=pra.Material(absorption), max_order=min(order, 12))
    for seat in table.seats + lean:
        room.add_source(np.clip(seat, 0.1, np.array(ROOM_M) - 0.1))
    room.add_microphone_array(table.microphones.T)
    room.compute_rir()
    return [[room.rir[mic][seat] for mic in range(len(table.microphones))] for seat in range(len(table.seats))]


def race(
    table: Seating,
    voices: Sequence[tuple[int, NDArray[np.float32], float]],
    snr_db: float,
    rng: np.random.Generator,
) -> Race:
    """Mix shouts (seat, dry sound, delay in seconds) in the room with pink noise at `snr_db` under the loudest.

    The truth's onsets include the way of the sound to the nearest microphone.
    """
    lean = rng.uniform(-LEAN_M, LEAN_M, table.seats.shape)
    rooms = responses(table, lean)
    length = int((LEAD_IN_S + max(delay for _, _, delay in voices) + SHOUT_S + 0.5) * RATE_HZ)
    channels = len(table.microphones)
    mix = np.zeros((length, channels))
    shouts = []
    for seat, dry, delay in voices:
        begin = int(round((LEAD_IN_S + delay) * RATE_HZ))
        gain = 10 ** (rng.uniform(-3, 3) / 20)
        for channel in range(channels):
            wet = fftconvolve(dry, rooms[seat][channel])[: length - begin] * gain
            mix[begin : begin + len(wet), channel] += wet
        nearest = np.linalg.norm(table.microphones - (table.seats[seat] + lean[seat]), axis=1).min()
        shouts.append((seat, begin / RATE_HZ + nearest / SPEED_OF_SOUND + _fractional_delay_s()))
    speech = np.sqrt(np.mean(mix[int(LEAD_IN_S * RATE_HZ) :] ** 2, axis=0).max())
    noise = np.column_stack([_pink(length, rng) for _ in range(channels)])
    mix += noise * speech * 10 ** (-snr_db / 20)
    mix *= 0.5 / np.abs(mix).max()
    return Race(mix.astype(np.float32), tuple(sorted(shouts, key=lambda shout: shout[1])))


def _fractional_delay_s() -> float:
    """The simulator's responses start half its fractional-delay filter late."""
    return float(pra.constants.get("frac_delay_length") // 2) / RATE_HZ


def _pink(length: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Noise of unit power whose power falls with frequency."""
    spectrum = np.fft.rfft(rng.standard_normal(length))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    noise = np.fft.irfft(spectrum, length)
    return np.asarray(noise / np.std(noise))
