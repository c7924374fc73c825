"""One microphone each: who shouted when, from channels that share one clock.

In a room a voice reaches the neighbours' microphones only about 6 dB weaker than the speaker's own, so levels mislead.
Rises do not: the first milliseconds of every attack are direct sound, 10 dB stronger on the speaker's own channel,
before the room answers. So each rise of power, band by band, votes for the channel on which it is the largest, unless
it is the late echo of a larger one; a player has shouted when his channel wins the votes of the moments that follow.
Constants were chosen on the tuning half of the voices of `benchmarks/races.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voiceref.race.knocks import knocks
from voiceref.race.onset import HOP, HOP_S, RATE_HZ, Onset, floor_before, levels

_FRAME, _FFT = 80, 256
_EDGES_HZ = (300, 600, 900, 1300, 1800, 2400, 3200, 4200, 5400, 7000)
_RISE_STEPS = 4
"""A rise is a growth of power over this many grid steps (10 ms)."""
_NOISE_FACTOR = 12.0
"""A rise counts above this many times the quiet power of its band."""
_SHADOW, _SHADOW_STEPS = 0.6, 10
"""For 25 ms after a rise, weaker ones than this part of it are its way through the room, nobody's vote."""
_COMPRESSION = 0.3
"""Votes weigh as a small power of the rise, so that one loud vowel does not outvote a shout."""
_SHORT, _SHORT_SHARE = 24, 0.45
"""In the 60 ms from its onset a shouter's channel wins this part of the votes …"""
_LONG, _LONG_SHARE = 160, 0.25
"""… and in the 400 ms from it this part."""
_LEAST_PART = 0.28
"""Nobody shouted into a channel whose best 400 ms win less than this part of what the best channel's win."""
_LOOK_BACK = 400
"""A shout that a louder one drowns may have begun this much (1 s) before it wins the 400 ms from then on."""
_KNOCK = 4, 12
"""Grid steps before and after the start of a clap that hold its rises: 10 ms, 30 ms."""
_ALONE, _OVER_ANOTHER = (0.006, 4.2, 4.0), (0.10, 4.5, 8.0)
"""(s, s, dB): the half-width that holds nine errors in ten is the first plus the second, which falls with the rise."""
_WIDEST_S = 1.0
_LEAST = 0.08
"""Of the recording's strongest moment: weaker moments are nobody's shout."""


def own_onsets(samples: NDArray[np.float32], since: float = 0.0) -> tuple[Onset | None, ...]:
    """The first own shout of each channel of (n, channels) samples at 16 kHz; None for a silent player.

    Shouts that begin before `since` seconds are passed over. The loudness of a shout is judged against the whole of
    `samples`, which should begin at least 0.3 s before the first shout.
    """
    count = int(samples.shape[1])
    if len(samples) < _FRAME + HOP * _SHORT:
        return (None,) * count
    votes = _without_knocks(rise_votes(samples), samples)
    short, long = _ahead(votes, _SHORT), _ahead(votes, _LONG)
    strong = short > _LEAST * short.sum(axis=0).max()
    begins = (votes > 0) & strong & (_share(short) >= _SHORT_SHARE)
    lasting = begins & (_share(long) >= _LONG_SHARE)
    best = long.max(axis=1)
    spoken = best >= _LEAST_PART * best.max()
    earliest = round(since / HOP_S)
    steps = [_first(begins[k], lasting[k], earliest) if spoken[k] else None for k in range(count)]
    alone = min((step for step in steps if step is not None), default=None)
    return tuple(None if step is None else _onset(samples[:, k], step, step == alone) for k, step in enumerate(steps))


def _first(begins: NDArray[np.bool_], lasting: NDArray[np.bool_], earliest: int) -> int | None:
    """The grid step of the first beginning within `_LOOK_BACK` of the first moment that lasts."""
    steps = np.flatnonzero(lasting[earliest:])
    if not len(steps):
        return None
    since = max(earliest, earliest + int(steps[0]) - _LOOK_BACK)
    return since + int(begins[since:].argmax())


def rise_votes(samples: NDArray[np.float32]) -> NDArray[np.float64]:
    """(channels, T) weight of the rises that each channel wins, one column each 2.5 ms."""
    power = np.stack([_bands(samples[:, channel]) for channel in range(samples.shape[1])])
    quiet = np.quantile(power, 0.15, axis=1, keepdims=True)
    rise = np.zeros_like(power)
    rise[:, _RISE_STEPS:] = power[:, _RISE_STEPS:] - power[:, :-_RISE_STEPS]
    rise[rise <= _NOISE_FACTOR * quiet] = 0.0
    best = rise.max(axis=0)
    bar = best.copy()
    for step in range(1, _SHADOW_STEPS + 1):
        bar[step:] = np.maximum(bar[step:], _SHADOW * best[:-step])
    won = (rise >= bar) & (best > 0)
    result: NDArray[np.float64] = (won * best**_COMPRESSION).sum(axis=2)
    return result


def _without_knocks(votes: NDArray[np.float64], samples: NDArray[np.float32]) -> NDArray[np.float64]:
    """The votes, but those of claps and hits on the table: a hand is no cry."""
    kept = votes.copy()
    for knock in knocks(samples[:, int(np.square(samples).sum(axis=0).argmax())]):
        step = round(knock.t / HOP_S)
        kept[:, max(0, step - _KNOCK[0]) : step + _KNOCK[1]] = 0.0
    return kept


def _bands(samples: NDArray[np.float32]) -> NDArray[np.float64]:
    """(T, 9) power in each band, averaged over the 10 ms around each grid step."""
    frames = np.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::HOP]
    spectrum = np.abs(np.fft.rfft(frames * np.hanning(_FRAME), _FFT, axis=1)) ** 2
    index = np.searchsorted(np.fft.rfftfreq(_FFT, 1 / RATE_HZ), _EDGES_HZ)
    bands = np.add.reduceat(spectrum, index, axis=1)[:, :-1]
    padded = np.pad(bands, ((2, 1), (0, 0)), mode="edge")
    result: NDArray[np.float64] = (padded[:-3] + padded[1:-2] + padded[2:-1] + padded[3:]) / 4
    return result


def _ahead(votes: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """At each grid step, the votes of this and the following `steps` - 1 moments."""
    total = np.cumsum(np.pad(votes, ((0, 0), (1, steps))), axis=1)
    result: NDArray[np.float64] = total[:, steps : steps + votes.shape[1]] - total[:, : votes.shape[1]]
    return result


def _share(votes: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = votes / (votes.sum(axis=0, keepdims=True) + 1e-12)
    return result


def _onset(samples: NDArray[np.float32], step: int, alone: bool) -> Onset:
    """The onset at grid step `step` with the height of its rise on the player's own channel.

    A shout over another one (not `alone`) is often noticed late, at its first strong syllable.
    """
    level = levels(samples)
    floor = floor_before(level, max(0, step - _RISE_STEPS))
    rise_db = float(level[step : step + _SHORT].max()) - floor.level_db
    least, drowned, decay_db = _ALONE if alone else _OVER_ANOTHER
    uncertainty = least + drowned * float(np.exp(-max(rise_db, 0.0) / decay_db))
    return Onset(step * HOP_S, min(uncertainty, _WIDEST_S), rise_db)
