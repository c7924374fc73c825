"""« C'était Bob »: the last race with another crier, and everything since then played again. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voiceref.games.engine import Input, Said, Step
from voiceref.referee import course as courses
from voiceref.referee.course import Course

LONGEST_S = 90.0
"""A race older than this (game seconds) stands."""
ONE_RACE_S = 10.0
"""Cries of one phrase within this time are one race: the longest races last eight seconds."""

FIRST, LAST = "race-first", "race-last"


@dataclass(frozen=True)
class Overruled:
    """The race told otherwise: `inputs` instead of the last `back` ones, with the `course` and `steps` that follow.

    `cry` is the deciding cry as it was heard, where this is known.
    """

    back: int
    inputs: tuple[Input, ...]
    course: Course
    steps: tuple[Step[Any], ...]
    cry: Said | None = None


def overruled(course: Course, said: Said, player: str, kind: Callable[[str], str], tie_s: float) -> Overruled | str:
    """The course in which `player` decided the last race, as `said` tells; else the reason why that cannot be.

    `kind` gives the kind of a phrase by its id; cries nearer than `tie_s` are a tie. In a race for the first cry he is
    the first, in one for the last cry he is the last.
    """
    race = _last_race(course, said.t, kind)
    if not race:
        return "aucune_course"
    back = len(course.past) - race[0]
    since = [past.given for past in course.past[race[0] :]]
    cries = [given for place in race if isinstance(given := course.past[place].given, Said)]
    slowest = kind(cries[0].phrase) == LAST
    deciding = cries[-1] if slowest else cries[0]
    alone = all(abs(cry.t - deciding.t) >= tie_s for cry in cries if cry is not deciding)
    if deciding.speaker == player and alone:
        return "deja_ce_joueur"
    changed = _as_last(cries, player, tie_s) if slowest else (replace(deciding, speaker=player),)
    inputs = _with(since, cries, changed)
    course_then, steps = courses.retold(course, back, inputs, said)
    if not _plays(course, race[0], steps, inputs, changed):
        return "partie_trop_loin"
    return Overruled(back, inputs, course_then, steps, deciding)


def _last_race(course: Course, now: float, kind: Callable[[str], str]) -> list[int]:
    """Places in `course.past` of the cries of the last race, none when it is too long ago."""
    race: list[int] = []
    phrase, newest = "", now
    for place in range(len(course.past) - 1, -1, -1):
        given = course.past[place].given
        if given.t < newest - (ONE_RACE_S if race else LONGEST_S):
            break
        if not isinstance(given, Said) or given.speaker is None:
            continue
        if not race and kind(given.phrase) in (FIRST, LAST, "tie-break"):
            phrase, newest = given.phrase, given.t
        if given.phrase == phrase and phrase:
            race.insert(0, place)
    return race


def _as_last(cries: Sequence[Said], player: str, tie_s: float) -> tuple[Said, ...]:
    """The same cries with `player` last, clear of the one before him."""
    others = [cry for cry in cries if cry.speaker != player]
    if len(others) == len(cries):
        others = others[:-1]
    moved = [replace(cry, t=slot.t) for cry, slot in zip(others, cries, strict=False)]
    end = max([cries[-1].t, *(cry.t + tie_s for cry in moved[-1:])])
    return (*moved, replace(cries[-1], speaker=player, t=end))


def _with(since: Sequence[Input], cries: Sequence[Said], changed: Sequence[Said]) -> tuple[Input, ...]:
    """Every input with the `changed` cries instead of `cries`, in order of time."""
    others = [given for given in since if all(given is not cry for cry in cries)]
    return tuple(sorted((*changed, *others), key=lambda given: given.t))


def _plays(
    course: Course, begin: int, steps: Sequence[Step[Any]], inputs: Sequence[Input], changed: Sequence[Said]
) -> bool:
    """Whether the rules take every word as they did before: nothing that was said since is lost."""
    state = course.past[begin].before
    for given, step in zip(inputs, steps, strict=True):
        if isinstance(given, Said) and (step.state == state or step.refusals):
            return False
        state = step.state
    return bool(changed)
