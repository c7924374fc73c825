"""Entering a game under way: the value, the song and the score of a Chante-Sloubi (CDC-275…280, CDC-300)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

LIMIT = 228
"""Above this base value nobody may sing nor enter (CDC-279, D-58)."""

PATIENCE_S = 8.0
"""Silence that breaks the song off, after the time its last words took."""

PER_SLOUBI_S = 1.5
"""The longest time that one « Sloubi trente-quatre » is given, in seconds."""


@dataclass(frozen=True)
class Song:
    """A song under way: the number to reach, the number reached, and when silence will have broken it off."""

    goal: int
    reached: int
    deadline: float
    broken: bool = False

    @property
    def done(self) -> bool:
        """Whether the goal was reached without a mistake."""
        return not self.broken and self.reached >= self.goal


def value(scores: Sequence[int], rounds: int, rounding: str) -> int:
    """(S1 - S2) × rounds / 10 for the two best scores (CDC-276). `rounding` is the setting `sloubi.round` (D-55)."""
    first, second = sorted(scores, reverse=True)[:2]
    return _round(Fraction((first - second) * rounds, 10), rounding)


def aquitaine_goal(rounds: int) -> int:
    """The number to sing at Aquitaine: the rounds played, at most 228 (CDC-300)."""
    return min(rounds, LIMIT)


def may_enter(base: int) -> bool:
    """Whether this value lets the newcomer in at all (CDC-279)."""
    return base <= LIMIT


def start_score(base: int, sung: bool, rounding: str) -> int:
    """The score to begin with: the base (CDC-278), or half as much again when sung, half when negative (CDC-277)."""
    if not sung:
        return base
    return _round(base * Fraction(3, 2), rounding) if base >= 0 else floor(base * Fraction(1, 2))


def begin(goal: int, t: float) -> Song:
    """A song not yet begun at `t` seconds; a goal of 0 or less is done at once (D-56)."""
    return Song(goal, 0, t + PATIENCE_S)


def sing(song: Song, sloubis: Sequence[int], t: float) -> Song:
    """The song after the numbers of one breath that began at `t`; the first wrong number breaks it (CDC-277)."""
    reached = song.reached
    for number in sloubis:
        if reached >= song.goal:
            break
        if number != reached + 1:
            return Song(song.goal, reached, t, broken=True)
        reached = number
    return Song(song.goal, reached, t + PATIENCE_S + PER_SLOUBI_S * len(sloubis))


def _round(exact: Fraction, rounding: str) -> int:
    """Down by default, up with `ceil` (D-55)."""
    return ceil(exact) if rounding == "ceil" else floor(exact)
