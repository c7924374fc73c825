"""From claims to a verdict: first, last, order, ties, and whether the referee may say so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z90 = 1.645
"""An uncertainty is the half-width of a 90 % interval: this many standard deviations of a normal error."""
TOGETHER = 0.5
"""From this probability of two voices in one cry on, a cry that nobody can be named for is a tie of two."""
MOST_SURE, OVERTAKEN_S = 0.97, 0.025
"""Of two shouts measured well apart, this part stood in the right order; nearer ones fall towards chance by this decay:
a first syllable that the other drowns changes places (tuning half of `benchmarks/races.py`)."""


@dataclass(frozen=True)
class Claim:
    """One player's shout: onset and its 90 % half-width in seconds; `confidence` that it was this player.

    `together`: probability that a second voice sounds in it which could not be told apart.
    """

    player: str | None
    onset: float
    uncertainty: float
    confidence: float = 1.0
    channel: int | None = None
    phrase: str | None = None
    together: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """Who, in which order. `first` and `last` are None on a tie and when the referee must ask (see `reason`)."""

    order: tuple[Claim, ...]
    first: str | None
    last: str | None
    ties: tuple[tuple[str, ...], ...]
    confidence: float
    reason: str


def before(a: Claim, b: Claim) -> float:
    """Probability that `a` began before `b`.

    Errors are taken as normal with the smaller of the two uncertainties: a shout over another one is stated late, which
    widens its interval but seldom changes places. `MOST_SURE` and `OVERTAKEN_S` tell how seldom.
    """
    sigma = min(a.uncertainty, b.uncertainty) * math.sqrt(2) / Z90
    gap = b.onset - a.onset
    chance = 0.5 * math.erfc(-gap / (sigma * math.sqrt(2))) if sigma else 0.5 + 0.5 * math.copysign(gap != 0, gap)
    return 0.5 + (chance - 0.5) * (2 * MOST_SURE - 1) * (1 - math.exp(-abs(gap) / OVERTAKEN_S))


def judge(claims: Sequence[Claim], tie_window_s: float, least_confidence: float) -> Verdict:
    """The verdict on the shouts of one race.

    Two onsets closer than `tie_window_s` are a tie (D-12). A claim whose player is unknown or less certain than
    `least_confidence` makes the referee ask, or is a tie of two when two voices sound in it. A player
    who shouts twice counts once, by his first shout.
    """
    order = _once_each(sorted(claims, key=lambda claim: claim.onset))
    if not order:
        return Verdict((), None, None, (), 0.0, "personne")
    ties = _ties(order, tie_window_s)
    head, tail = order[0], order[-1]
    first = None if _tied(head, ties) else head.player
    last = None if _tied(tail, ties) else tail.player
    certainty = min(_place_certainty(order), min(claim.confidence for claim in (head, tail)))
    if head.player is None or head.confidence < least_confidence:
        if head.together >= TOGETHER:
            return Verdict(order, None, last, (("?", "?"), *ties), certainty, "egalite")
        return Verdict(order, None, last, ties, certainty, "qui_a_crie")
    if tail.player is None or tail.confidence < least_confidence:
        return Verdict(order, first, None, ties, certainty, "qui_a_crie")
    return Verdict(order, first, last, ties, certainty, "egalite" if ties else "net")


def _once_each(ordered: Sequence[Claim]) -> tuple[Claim, ...]:
    """The first claim of each known player; unknown players all stay."""
    seen: set[str] = set()
    kept = []
    for claim in ordered:
        if claim.player is None:
            kept.append(claim)
        elif claim.player not in seen:
            seen.add(claim.player)
            kept.append(claim)
    return tuple(kept)


def _ties(order: Sequence[Claim], window: float) -> tuple[tuple[str, ...], ...]:
    """Groups of at least two claims within the window of the group's first onset."""
    groups: list[list[Claim]] = []
    for claim in order:
        if groups and claim.onset - groups[-1][0].onset < window:
            groups[-1].append(claim)
        else:
            groups.append([claim])
    return tuple(tuple(claim.player or "?" for claim in group) for group in groups if len(group) > 1)


def _tied(claim: Claim, ties: Sequence[tuple[str, ...]]) -> bool:
    return any((claim.player or "?") in group for group in ties)


def _place_certainty(order: Sequence[Claim]) -> float:
    """How sure the two ends of the order are: the least probability that a neighbour pair stands right."""
    if len(order) < 2:
        return 1.0
    return min(before(order[0], order[1]), before(order[-2], order[-1]))
