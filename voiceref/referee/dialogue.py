"""What the referee answers to commands that change nothing: scores, whose turn, what is missing, help. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from voiceref.games.engine import Opening, Summary

MOST_PHRASES = 4
"""How many phrases « aide » reads out; the screen shows them all."""


@dataclass(frozen=True)
class Line:
    """One thing to say: a row of the wording and its data."""

    name: str
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """What an answer may draw on. `goal` is the score that ends the game, if the game has one."""

    summary: Summary
    openings: Sequence[Opening]
    printed: Callable[[str], str]
    goal: int | None = None


def scores(view: View) -> tuple[Line, ...]:
    """The score table, and who leads."""
    held = view.summary.scores
    if not held:
        return (Line("scores_vides"),)
    best = max(held.values())
    leaders = [name for name, points in held.items() if points == best]
    if len(leaders) == len(held):
        return (Line("scores", {"scores": dict(held)}),)
    return (Line("scores", {"scores": dict(held)}), Line("en_tete", {"joueurs": leaders}))


def turn(view: View) -> tuple[Line, ...]:
    """Whose turn it is."""
    if view.summary.over:
        return (Line("partie_finie", {"joueurs": list(view.summary.winners)}),)
    return (Line("tour", {"joueur": view.summary.turn}) if view.summary.turn else Line("tour_inconnu"),)


def missing(view: View) -> tuple[Line, ...]:
    """How many points each player still lacks."""
    if view.goal is None:
        return (Line("manque_sans_but"),)
    goal = view.goal
    return tuple(
        Line("manque", {"joueur": name, "n": max(goal - points, 0)}) for name, points in view.summary.scores.items()
    )


def help_now(view: View) -> tuple[Line, ...]:
    """What may be said now, the first few phrases."""
    phrases = list(dict.fromkeys(view.printed(opening.phrase) for opening in view.openings))
    if not phrases:
        return (Line("aide_rien"),)
    return (Line("aide", {"phrases": phrases[:MOST_PHRASES]}), Line("aide_commandes"))


ANSWERS: Mapping[str, Callable[[View], tuple[Line, ...]]] = {
    "scores": scores,
    "turn": turn,
    "missing": missing,
    "help": help_now,
}
"""Command -> its answer. These may be asked at any moment, also while the referee waits for a name."""
