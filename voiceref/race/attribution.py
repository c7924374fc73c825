"""One microphone: whose voice began a shout, and how sure that is, from voice prints of its first moments.

A voice needs about 0.4 s alone to be told from its neighbours. When another voice joins earlier, the beginning fits
nobody well, and the shorter and longer windows disagree: the logistic model below, fitted on the tuning half of the
voices of `benchmarks/races.py` on single and on overlapping shouts, turns that into a probability.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voiceref.race.fbank import RATE_HZ
from voiceref.race.voice_print import Embedding, Encoder, similarities

SHORTEST_S = 0.3
"""Less than this of a voice names nobody."""
SURE = 0.9
"""Least probability at which a voice is named; below it the referee asks."""
_WINDOWS_S = (0.3, 0.4, 0.6, 1.0)
_HEAD = 1
"""The window whose best voice is the candidate."""
_CONSTANT = 0.53
_WEIGHTS = (2.0, 1.58, 2.82, 1.56)
"""Of the candidate's lead over the next voice in each window."""


@dataclass(frozen=True)
class Guess:
    """The most probable first voice, and the probability that it is right."""

    player: str
    confidence: float


def first_voice(samples: NDArray[np.float32], voices: Mapping[str, Embedding], encoder: Encoder) -> Guess | None:
    """Who of `voices` began to shout at the first of mono `samples` at 16 kHz. None without voices or under 0.3 s."""
    if len(samples) < SHORTEST_S * RATE_HZ or not voices:
        return None
    seen = [_similarities(samples, seconds, voices, encoder) for seconds in _WINDOWS_S]
    player = max(seen[_HEAD], key=lambda name: seen[_HEAD][name])
    total = _CONSTANT + sum(w * lead(player, similar) for w, similar in zip(_WEIGHTS, seen, strict=True))
    return Guess(player, 1.0 / (1.0 + math.exp(-total)))


def _similarities(
    samples: NDArray[np.float32], seconds: float, voices: Mapping[str, Embedding], encoder: Encoder
) -> dict[str, float]:
    return similarities(encoder.embed(samples[: round(seconds * RATE_HZ)]), voices)


def lead(player: str, similar: Mapping[str, float]) -> float:
    """How far `player`'s similarity is above that of the best other voice (below it: negative)."""
    others = [value for name, value in similar.items() if name != player]
    return similar[player] - max(others, default=-1.0)
