"""The course of a game: its state, how it came about, and what « annule » takes back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from voiceref.games.engine import Game, Input, Said, Step, Table


@dataclass(frozen=True)
class Mark:
    """The state before an input that began a group, and that input."""

    before: Any
    begun_by: Input


@dataclass(frozen=True)
class Course:
    """A game under way, with what can be taken back, oldest first."""

    game: Game[Any]
    state: Any
    marks: tuple[Mark, ...] = ()


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
    return replace(course, state=step.state, marks=marks), step


def undo(course: Course) -> tuple[Course, Undone] | None:
    """The course before its last group, or None when nothing can be taken back."""
    if not course.marks:
        return None
    mark = course.marks[-1]
    was, now = course.game.summary(mark.before).scores, course.game.summary(course.state).scores
    deltas = {name: was.get(name, 0) - points for name, points in now.items() if was.get(name, 0) != points}
    undone = Undone(mark.begun_by, deltas)
    return replace(course, state=mark.before, marks=course.marks[:-1]), undone
