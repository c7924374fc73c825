"""Whose voice began a shout, and how sure that is: voice prints, the number of voices, and the direction of an array.

One microphone. A voice needs about 0.4 s alone to be told from its neighbours; of one cry the whole second tells it far
better, of two only the first moments count. So the sound is first asked whether one voice sounds in it or two
(`race.overlap`); each case has its own weights for the similarities of the windows, and both are mixed. An array tells
the first moments by direction, and needs no such choice.

All weights are maximum-likelihood fits (conditional logit: D. McFadden, "Conditional logit analysis of qualitative
choice behavior", 1974) on 120 simulated tables of the tuning half of the voices of `benchmarks/races.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.race.direction import Delays, agreement
from voiceref.race.overlap import Overlap, OverlapModel, overlap
from voiceref.race.voice_print import Embedding, Encoder, similarities, unit

SHORTEST_S = 0.3
"""Less than this of a voice names nobody."""
SURE = 0.9
"""Least probability at which a voice is named; below it the referee asks."""
IN_A_RACE, IN_TURN = 0.0, 3.0
"""Log odds, before any sound is heard, that one voice cries alone: even in a race, 20 to 1 elsewhere."""

_WINDOWS_S = (0.3, 0.4, 0.6, 1.0)
_DIRECTION_S = (0.03, 0.06, 0.1, 0.2)
_LEAST_PART = 0.02
_ONE_VOICE = (-0.05, 0.18, -0.62, -2.45)
"""Log odds that one voice sounds: of the logarithms of the parts of `Overlap` …"""
_LEAD, _LIKENESS, _CONSTANT = 2.57, 2.9, -6.66
"""… of the best voice's lead and of its plain cosine over the whole second."""
_ALONE = (3.42, 1.3, 5.46, 17.36, 0.64, -0.46, 0.44, 7.72)
"""Of one voice: the similarity in each window, then the plain cosine in each window."""
_OVERLAPPED = (
    (1.16, 0.79, 1.13, 1.62),
    (-4.85, -2.06, 0.88, -1.06),
    (3.8, 1.02, -0.72, 0.28),
    (0.61, 0.03, -0.6, 0.69),
)
"""Of two voices: the similarity in each window, then the same times the logarithms of the first three parts."""
_ARRAY = (11.16, 3.58, 1.89, 1.42, 1.26, 1.31, 1.36, 1.2)
"""Of an array: the agreement of directions in each window, then the similarity of voices in each window."""

Table = NDArray[np.float64]
"""(players, windows)."""


@dataclass(frozen=True)
class Guess:
    """The most probable first voice, the probability that it is right, and that a second voice sounds in the shout."""

    player: str
    confidence: float
    together: float = 0.0

    @property
    def sure(self) -> str | None:
        """The player, None where the referee must ask."""
        return self.player if self.confidence >= SURE else None


@dataclass(frozen=True)
class Listeners:
    """The models that attribution needs."""

    encoder: Encoder
    overlap: OverlapModel


def first_voice(
    sound: Samples,
    onset: float,
    voices: Mapping[str, Embedding],
    listeners: Listeners,
    seats: Mapping[str, Delays] | None = None,
    alone: float = IN_A_RACE,
) -> Guess | None:
    """Who of `voices` began the shout at `onset` seconds of `sound` (n, channels) at 16 kHz.

    `seats`: every player's delays, for an array. `alone`: log odds that one voice cries. None without voices or when
    less than 0.3 s follows the onset.
    """
    shout = sound[round(onset * EAR_RATE) :]
    if len(shout) < SHORTEST_S * EAR_RATE or not voices:
        return None
    names = tuple(voices)
    prints = [listeners.encoder.embed(shout[: round(seconds * EAR_RATE), 0]) for seconds in _WINDOWS_S]
    alike = _columns(names, [similarities(each, voices) for each in prints])
    plain = _columns(names, [{name: float(each @ unit(voices[name])) for name in names} for each in prints])
    parts = overlap(sound[:, 0], onset, listeners.overlap)
    one = _probability(_one_voice(parts, alike, plain) + alone)
    if seats is None:
        chances = one * _softmax(np.hstack([alike, plain]) @ _ALONE) + (1 - one) * _softmax(_overlapped(alike, parts))
    else:
        where = _columns(names, [agreement(shout, 0.0, seconds, seats) for seconds in _DIRECTION_S])
        chances = _softmax(np.hstack([where, alike]) @ _ARRAY)
    best = int(chances.argmax())
    return Guess(names[best], float(chances[best]), 1 - one)


def _one_voice(parts: Overlap, alike: Table, plain: Table) -> float:
    """Log odds that the whole shout is one voice."""
    whole = alike[:, -1]
    best = int(whole.argmax())
    lead = whole[best] - max(np.delete(whole, best), default=-1.0)
    logs = np.log(np.array([parts.early, parts.middle, parts.late, parts.second]) + _LEAST_PART)
    return float(logs @ _ONE_VOICE + _LEAD * lead + _LIKENESS * plain[best, -1] + _CONSTANT)


def _overlapped(alike: Table, parts: Overlap) -> NDArray[np.float64]:
    logs = np.log(np.array([parts.early, parts.middle, parts.late]) + _LEAST_PART)
    weights = np.array(_OVERLAPPED[0]) + logs @ np.array(_OVERLAPPED[1:])
    result: NDArray[np.float64] = alike @ weights
    return result


def _columns(names: Sequence[str], windows: Sequence[Mapping[str, float]]) -> Table:
    return np.array([[window[name] for window in windows] for name in names])


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(scores - scores.max())
    result: NDArray[np.float64] = shares / shares.sum()
    return result


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds))
