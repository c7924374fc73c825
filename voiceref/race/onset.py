"""When a shout began: the rise of band-passed energy on a grid of 2.5 ms, with an uncertainty.

Word times of a recogniser are 30 ms coarse and stretch into noise; the signal itself is the better clock
(who_was_first, section 6). The recognised phrase only says *which* rise was the shout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voiceref.race.knocks import knocks

RATE_HZ = 16_000
HOP = 40
"""Samples between two levels: 2.5 ms at 16 kHz."""
HOP_S = HOP / RATE_HZ
_FRAME = 80
_LOW_HZ, _HIGH_HZ = 200.0, 7_000.0
_QUIET_DB = -120.0

_FLOOR_S = 1.0
"""The noise floor is measured over this long before the search begins (less at the start of a recording)."""
_SUSTAIN = 4
"""Grid steps (10 ms) that must stay over the threshold: a click is no shout."""
_MIN_RISE_DB, _SIGMAS = 6.0, 4.0
_FOOT_DB = 3.0
"""The onset is read back to where the level left the floor by this much."""
_WALK_BACK = 32
"""How far back (80 ms) the foot of the rise may lie."""

_KNOCK_S, _SPENT = 0.012, 20
"""A rise this near a clap or a hit on the table is that one's; 50 ms later a cry may stand out of it again."""


@dataclass(frozen=True)
class Onset:
    """A beginning of sound: time and half-width of its 90 % interval in seconds, height over the floor in dB."""

    t: float
    uncertainty: float
    rise_db: float


@dataclass(frozen=True)
class Floor:
    """The noise before a shout: mean level (dB) and robust deviation (dB)."""

    level_db: float
    sigma_db: float

    @property
    def threshold_db(self) -> float:
        """Above this a sound is no longer noise."""
        return self.level_db + max(_MIN_RISE_DB, _SIGMAS * self.sigma_db)


def levels(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Energy between 200 Hz and 7 kHz in dB, one value each 2.5 ms, of mono samples at 16 kHz.

    Value k belongs to the 5 ms frame that starts at sample 40 k. Fewer than 80 samples give an empty array.
    """
    if len(samples) < _FRAME:
        return np.zeros(0, np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::HOP]
    spectrum = np.fft.rfft(frames * np.hanning(_FRAME).astype(np.float32), axis=1)
    hertz = np.fft.rfftfreq(_FRAME, 1 / RATE_HZ)
    band = (hertz >= _LOW_HZ) & (hertz <= _HIGH_HZ)
    power = (np.abs(spectrum[:, band]) ** 2).sum(axis=1)
    result: NDArray[np.float32] = (10 * np.log10(power + 10 ** (_QUIET_DB / 10))).astype(np.float32)
    return result


def floor_before(level: NDArray[np.float32], index: int) -> Floor:
    """The noise floor from the second before grid step `index` (at least 50 ms, else the quietest tenth of all)."""
    begin = max(0, index - round(_FLOOR_S / HOP_S))
    quiet = level[begin:index]
    if len(quiet) < round(0.05 / HOP_S):
        quiet = np.sort(level)[: max(4, len(level) // 10)]
    centre = float(np.median(quiet))
    spread = 1.4826 * float(np.median(np.abs(quiet - centre)))
    return Floor(centre, max(0.5, spread))


def first_rise(level: NDArray[np.float32], begin: int, end: int, floor: Floor) -> Onset | None:
    """The first sustained rise over the floor between two grid steps, or None."""
    over = level[begin:end] > floor.threshold_db
    if len(over) < _SUSTAIN:
        return None
    held = np.lib.stride_tricks.sliding_window_view(over, _SUSTAIN).all(axis=1)
    hits = np.flatnonzero(held)
    if not len(hits):
        return None
    return _timed(level, begin + int(hits[0]), floor)


def _timed(level: NDArray[np.float32], crossing: int, floor: Floor) -> Onset:
    """The onset whose level crosses the threshold at `crossing`: walk back to the foot of the rise."""
    foot = crossing
    while foot > 0 and crossing - foot < _WALK_BACK and level[foot - 1] > floor.level_db + _FOOT_DB:
        foot -= 1
    top = float(level[crossing : crossing + round(0.1 / HOP_S)].max())
    rise_db = top - floor.level_db
    return Onset(foot * HOP_S, uncertainty(rise_db, (crossing - foot) * HOP_S), rise_db)


def uncertainty(rise_db: float, foot_s: float) -> float:
    """Half-width in seconds of the interval that holds the true onset nine times in ten.

    A slow foot hides a soft attack, and a low rise drowns one. Numbers chosen on the generous side: 98 % were inside on
    the tuning half of the voices of `benchmarks/races.py`, where `--setup one` prints the share on the other half.
    """
    return 0.010 + 0.5 * foot_s + 0.060 * float(np.exp(-max(rise_db, 0.0) / 12.0))


def nearest_rise(
    samples: NDArray[np.float32], said_at: float, before: float = 0.25, after: float = 0.12
) -> Onset | None:
    """The rise of the phrase that the recogniser places at `said_at` (seconds from the start of `samples`).

    Looks from `before` seconds ahead of it to `after` seconds behind it, against the floor before that window. Where a
    clap or a hit on the table comes first, the words tell whether the cry began with it or stands out of it later.
    """
    level = levels(samples)
    begin = max(0, round((said_at - before) / HOP_S))
    end = min(len(level), round((said_at + after) / HOP_S))
    if end - begin < _SUSTAIN:
        return None
    floor = floor_before(level, begin)
    rise = first_rise(level, begin, end, floor)
    if rise is None or not any(abs(rise.t - knock.t) <= _KNOCK_S for knock in knocks(samples)):
        return rise
    later = _after_knock(level, round(rise.t / HOP_S), end, floor)
    return rise if later is None else min((rise, later), key=lambda each: abs(each.t - said_at))


def _after_knock(level: NDArray[np.float32], knock: int, end: int, floor: Floor) -> Onset | None:
    """The rise that stands out of what the room makes of the clap or hit at grid step `knock`, before step `end`."""
    begin = knock + _SPENT
    tail = np.minimum.accumulate(level[begin:end]) if end > begin else level[:0]
    over = (level[begin:end] > tail + _MIN_RISE_DB) & (level[begin:end] > floor.threshold_db)
    if len(over) < _SUSTAIN:
        return None
    hits = np.flatnonzero(np.lib.stride_tricks.sliding_window_view(over, _SUSTAIN).all(axis=1))
    if not len(hits):
        return None
    crossing = begin + int(hits[0])
    return _timed(level, crossing, Floor(float(tail[hits[0]]), floor.sigma_db))
