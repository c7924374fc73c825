"""A stereo pair or a small array: from where a shout came, by delays that enrolment shouts have calibrated.

The delay between two microphones is read from the phase of their cross spectrum (GCC-PHAT: C. Knapp and G. Carter, "The
generalized correlation method for estimation of time delay", 1976), summed over the first moments of a shout, before
the room answers. Seats are known by the delays of their players' enrolment shouts, not by geometry: the array may lie
anywhere, as long as it stays there and no two seats mirror each other across a pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from voiceref.audio.source import EAR_RATE, Samples

Delays = tuple[float, ...]
"""Seconds by which a voice reaches the first microphone of each of `pairs` later than the second."""

LONGEST_S = 0.0008
"""Largest delay looked for: microphones 27 cm apart."""
_CALIBRATION_S = 0.2
"""The part of an enrolment shout that is used."""
_STEP_S = 5e-6
_BEFORE_S = 0.004
_FRAME, _HOP = 512, 80
_LOW_HZ, _HIGH_HZ = 250.0, 7_000.0
_HERTZ = np.fft.rfftfreq(_FRAME, 1 / EAR_RATE)
_BAND = (_HERTZ >= _LOW_HZ) & (_HERTZ <= _HIGH_HZ)
_TAPER = np.hanning(_FRAME)

Phases = NDArray[np.complex128]
"""(pairs, bins): sums of unit vectors, the phase of the cross spectrum."""


def pairs(channels: int) -> tuple[tuple[int, int], ...]:
    """Every pair of that many microphones."""
    return tuple(combinations(range(channels), 2))


def calibrated(shouts: Sequence[Samples]) -> Delays:
    """One player's delays from his shouts (n, channels) at 16 kHz, each beginning at its onset.

    Raises ValueError without shouts or with a single channel.
    """
    if not shouts or shouts[0].ndim != 2 or shouts[0].shape[1] < 2:
        raise ValueError("delays need shouts of at least two channels")
    total = np.sum([_phases(shout, 0.0, _CALIBRATION_S) for shout in shouts], axis=0)
    grid = np.arange(-LONGEST_S, LONGEST_S + _STEP_S, _STEP_S)
    best = (total @ _steering(grid)).real.argmax(axis=1)
    return tuple(round(float(grid[step]), 7) for step in best)


def agreement(sound: Samples, begin: float, end: float, seats: Mapping[str, Delays]) -> dict[str, float]:
    """How well `sound` (n, channels) from `begin` to `end` seconds fits each player's delays: at most 1.

    Raises ValueError when a player's delays are those of another number of microphones.
    """
    phases = _phases(sound, begin, end)
    if any(len(delays) != len(phases) for delays in seats.values()):
        raise ValueError("delays of another number of microphones")
    scale = np.abs(phases).sum() + 1e-12
    return {name: float((phases * _steering(np.array(delays)).T).real.sum() / scale) for name, delays in seats.items()}


def _phases(sound: Samples, begin: float, end: float) -> Phases:
    """The cross spectra of all pairs over frames of 32 ms, each bin of each frame with weight one."""
    first = max(0, round((begin - _BEFORE_S) * EAR_RATE))
    part = sound[first : max(round(end * EAR_RATE), first + _FRAME)].astype(np.float64)
    part = np.pad(part, ((0, max(0, _FRAME - len(part))), (0, 0)))
    frames = np.lib.stride_tricks.sliding_window_view(part, _FRAME, axis=0)[::_HOP]
    spectra = np.fft.rfft(frames * _TAPER, axis=2)[:, :, _BAND]
    cross = np.stack([spectra[:, a] * np.conj(spectra[:, b]) for a, b in pairs(sound.shape[1])])
    result: Phases = (cross / (np.abs(cross) + 1e-12)).sum(axis=1)
    return result


def _steering(delays: NDArray[np.float64]) -> Phases:
    """(bins, delays): what turns a cross spectrum of each delay to phase zero."""
    result: Phases = np.exp(2j * np.pi * _HERTZ[_BAND][:, None] * delays[None])
    return result
