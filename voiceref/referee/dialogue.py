"""What the referee answers to questions that change nothing: scores, whose turn, what is missing, help. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from voiceref.games.engine import Summary
from voiceref.referee.telling import Line

MOST_PHRASES = 6
"""How many phrases « aide » reads out: as many as the screen shows."""

MOST_TOLD = 4
"""Players told one by one what they lack; of more, the nearest few (`NEAREST`) and the others together."""
NEAREST = 3


@dataclass(frozen=True)
class View:
    """What an answer may draw on. `phrases` may be said now, as printed; `goal` is the score that ends the game.

    `phase`: what the game waits for, in a few words, as the screen shows it.
    """

    summary: Summary
    phrases: Sequence[str]
    goal: int | None = None
    phase: str = ""


def scores(view: View) -> tuple[Line, ...]:
    """The score table, and who leads."""
    held = view.summary.scores
    if not held:
        return (Line("scores_vides"),)
    table = _table(view)
    if view.summary.over:
        return (table, *turn(view))
    return (table, *_leaders(view, "en_tete"))


def last_scores(view: View) -> tuple[Line, ...]:
    """The score table of a game that players end, and who had the most."""
    if view.summary.over or not view.summary.scores:
        return scores(view)
    return (_table(view), *_leaders(view, "etait_en_tete"))


def _table(view: View) -> Line:
    """The scores, their sum (games of one team) and the number of all tokens (lives)."""
    held, tokens = view.summary.scores, view.summary.tokens.values()
    return Line("scores", {"scores": dict(held), "n": sum(held.values()), "jetons": sum(map(len, tokens))})


def _leaders(view: View, row: str) -> tuple[Line, ...]:
    held = view.summary.scores
    leaders = [name for name, points in held.items() if points == max(held.values())]
    return () if len(leaders) == len(held) else (Line(row, {"joueurs": leaders}),)


def turn(view: View) -> tuple[Line, ...]:
    """Whose turn it is."""
    if view.summary.over:
        winners = list(view.summary.winners)
        return (Line("partie_finie", {"joueurs": winners}) if winners else Line("partie_finie_sans_vainqueur"),)
    return (Line("tour", {"joueur": view.summary.turn}) if view.summary.turn else Line("tour_inconnu"),)


def missing(view: View) -> tuple[Line, ...]:
    """How many points each player still lacks; at a big table each of the nearest, and the others at least."""
    goal = view.goal
    if goal is None:
        return (Line("manque_sans_but"),)
    lacking = [(max(goal - points, 0), name) for name, points in view.summary.scores.items()]
    big = len(lacking) > MOST_TOLD
    nearest, others = (sorted(lacking)[:NEAREST], sorted(lacking)[NEAREST:]) if big else (lacking, [])
    told = [Line("manque", {"joueur": name, "n": points}) for points, name in nearest]
    return (*told, *(Line("manque_autres", {"n": points}) for points, _ in others[:1]))


def tokens(view: View) -> tuple[Line, ...]:
    """Who holds which tokens."""
    held = {name: list(each) for name, each in view.summary.tokens.items() if each}
    if not held:
        return (Line("jetons_aucun"),)
    return tuple(Line("jetons", {"joueur": name, "jetons": each, "n": len(each)}) for name, each in held.items())


def awaited(view: View) -> tuple[Line, ...]:
    """What the game waits for, and whose turn it is."""
    if view.summary.over or not view.phase:
        return turn(view)
    return (Line("phase", {"phase": view.phase}), *turn(view))


def help_now(view: View) -> tuple[Line, ...]:
    """What may be said now, the first few phrases."""
    phrases = list(dict.fromkeys(view.phrases))
    return (Line("aide", {"phrases": phrases[:MOST_PHRASES]}) if phrases else Line("aide_rien"), Line("aide_commandes"))


ANSWERS: Mapping[str, Callable[[View], tuple[Line, ...]]] = {
    "scores": scores,
    "turn": turn,
    "missing": missing,
    "help": help_now,
    "tokens": tokens,
    "phase": awaited,
}
"""Command -> its answer. These may be asked at any moment, also while the referee waits for a name."""
