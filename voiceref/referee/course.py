"""The course of a game: its state, how it came about, and what can be taken back or told otherwise. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from voiceref.games.engine import Game, Input, Said, Step, Table

REMEMBERED = 24
"""Inputs that stay known, so that a cry among them can be given to somebody else."""


@dataclass(frozen=True)
class Mark:
    """The state before an input that began a group, and that input; `whole`: the course before one that was told
    otherwise, to go back to as it was."""

    before: Any
    begun_by: Input
    whole: Course | None = None


@dataclass(frozen=True)
class Past:
    """An input that changed the game, the state before it and how many marks there were."""

    before: Any
    marks: int
    given: Input


@dataclass(frozen=True)
class Course:
    """A game under way, with what can be taken back and the last inputs, oldest first."""

    game: Game[Any]
    state: Any
    marks: tuple[Mark, ...] = ()
    past: tuple[Past, ...] = ()


@dataclass(frozen=True)
class Undone:
    """What « annule » took back: the words that began the group and the score changes that lead back."""

    begun_by: Input
    deltas: Mapping[str, int]

    @property
    def text(self) -> str:
        """The words said, or an empty text for what was not said."""
        return self.begun_by.text if isinstance(self.begun_by, Said) else ""

    @property
    def speaker(self) -> str | None:
        """Who said them, as far as that is known."""
        return self.begun_by.speaker if isinstance(self.begun_by, Said) else None


def begin(game: Game[Any], table: Table) -> tuple[Course, Step[Any]]:
    """The first state of `game` at `table`. Raises ValueError with a French sentence when the rules cannot start so."""
    step = game.start(table)
    return Course(game, step.state), step


def advance(course: Course, given: Input) -> tuple[Course, Step[Any]]:
    """The course after one input; an input that changes nothing leaves it as it is."""
    step = course.game.reduce(course.state, given)
    if step.state is course.state or step.state == course.state:
        return course, step
    marks = (*course.marks, Mark(course.state, given)) if step.checkpoint else course.marks
    past = (*course.past, Past(course.state, len(course.marks), given))[-REMEMBERED:]
    return replace(course, state=step.state, marks=marks, past=past), step


def undo(course: Course) -> tuple[Course, Undone] | None:
    """The course before its last group, or None when nothing can be taken back."""
    if not course.marks:
        return None
    mark = course.marks[-1]
    undone = Undone(mark.begun_by, deltas(course, mark.before))
    if mark.whole is not None:
        return mark.whole, undone
    past = tuple(takewhile(lambda each: each.before is not mark.before, course.past))
    return replace(course, state=mark.before, marks=course.marks[:-1], past=past), undone


def deltas(course: Course, state: Any) -> Mapping[str, int]:
    """The score changes that lead from `course` back to an earlier `state`."""
    was, now = course.game.summary(state).scores, course.game.summary(course.state).scores
    return {name: was.get(name, 0) - points for name, points in now.items() if was.get(name, 0) != points}


def retold(course: Course, back: int, inputs: Sequence[Input], by: Said) -> tuple[Course, tuple[Step[Any], ...]]:
    """The course with `inputs` instead of its last `back` ones, and their steps; « annule » takes back `by` alone.

    Raises ValueError when so many inputs are not known any more.
    """
    if not 0 < back <= len(course.past):
        raise ValueError(f"{back} inputs back of {len(course.past)} known")
    first = course.past[-back]
    fresh = Course(course.game, first.before, course.marks[: first.marks], course.past[:-back])
    steps = []
    for given in inputs:
        fresh, step = advance(fresh, given)
        steps.append(step)
    return replace(fresh, marks=(*fresh.marks, Mark(course.state, by, course))), tuple(steps)
