"""Claps and hits on the table: sounds that start within milliseconds and die at once. Evidence beside a cry, no more.

The book asks for a hand beside many a cry (D-13: judged on the cry, a clap near it may be shown). A clap is told from
speech by three measures of a 2 ms energy envelope: it rises by much within 4 ms, is spent a few hundredths of a second
later (a vowel goes on), and stands as high as the loudest speech around it (a plosive does not).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voiceref.audio.source import EAR_RATE, Samples

UNCERTAINTY_S = 0.005
"""Half-width of the interval that holds the true time of a knock."""
NEAR_S = 1.0
"""A knock this near a cry is shown beside it (D-13)."""

_HOP = 16
"""1 ms at 16 kHz."""
_FRAME = 32
_BEFORE, _RISE = 30, 4
"""Milliseconds of sound before a knock that are quieter, and in which it rises."""
_SPENT = slice(40, 80)
_RISE_DB, _SPENT_DB, _UNDER_LOUDEST_DB = 12.0, 10.0, 0.5
_AROUND, _APART = 300, 60
_FLOOR_DB = -100.0


@dataclass(frozen=True)
class Knock:
    """A clap or a hit: its time in seconds from the start of the sound, and its rise in dB."""

    t: float
    rise_db: float


def knocks(samples: Samples) -> tuple[Knock, ...]:
    """The claps and hits in mono `samples` (n,) at 16 kHz, in order of time."""
    level = _envelope(samples)
    if len(level) < _BEFORE + _SPENT.stop:
        return ()
    found: list[Knock] = []
    rise = level[_RISE:] - level[:-_RISE]
    for begin in np.flatnonzero(rise >= _RISE_DB):
        knock = _knock(level, int(begin))
        if knock is not None and (not found or knock.t - found[-1].t > _APART / 1000):
            found.append(knock)
    return tuple(found)


def near(samples: Samples, onsets: Sequence[float]) -> tuple[Knock, ...]:
    """The knocks within a second of one of the cries at `onsets` seconds of `samples` (n, channels).

    The same hit heard by several microphones is given once, as heard first.
    """
    heard = sorted((each for channel in samples.T for each in knocks(channel)), key=lambda knock: knock.t)
    kept: list[Knock] = []
    for each in heard:
        beside = any(abs(each.t - onset) <= NEAR_S for onset in onsets)
        if beside and (not kept or each.t - kept[-1].t > _APART / 1000):
            kept.append(each)
    return tuple(kept)


def _knock(level: NDArray[np.float64], begin: int) -> Knock | None:
    """The knock whose level leaves the sound before it at grid step `begin`, if it is one."""
    if begin < _BEFORE or begin + _SPENT.stop > len(level):
        return None
    top = begin + int(level[begin : begin + 2 * _RISE].argmax())
    before = float(level[begin - _BEFORE : begin].max())
    height = float(level[top])
    spent = level[top + _SPENT.start : top + _SPENT.stop]
    around = level[max(0, begin - _AROUND) : begin + _AROUND]
    if height - before < _RISE_DB or len(spent) == 0 or height - float(spent.mean()) < _SPENT_DB:
        return None
    if height < float(around.max()) - _UNDER_LOUDEST_DB:
        return None
    attack = begin + int(np.flatnonzero(level[begin : top + 1] > before + _RISE_DB / 2)[0])
    return Knock((attack * _HOP + _FRAME / 2) / EAR_RATE, height - before)


def _envelope(samples: Samples) -> NDArray[np.float64]:
    """Energy of 2 ms frames in dB, each millisecond, direct current taken out."""
    if len(samples) < _FRAME:
        return np.zeros(0)
    moving = np.diff(samples.astype(np.float64), prepend=0.0)
    frames = np.lib.stride_tricks.sliding_window_view(moving, _FRAME)[::_HOP]
    result: NDArray[np.float64] = 10 * np.log10((frames**2).mean(axis=1) + 10 ** (_FLOOR_DB / 10))
    return result
