"""Inputs as journal records, and a game rebuilt from its records exactly as it was played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from voiceref.games.engine import Game, Input, Said, Secret, Table, Tick
from voiceref.referee import course as courses
from voiceref.referee.course import Course
from voiceref.referee.journal import JournalError, Record, Recorded
from voiceref.referee.overruling import Overruled

KNOCKS = "knocks"
"""The kind of a record of claps and hits beside a race: evidence that changes nothing."""


@dataclass(frozen=True)
class Replayed:
    """A game as its journal left it; `t` is the last moment (s, game clock) it tells of."""

    game: str
    table: Table
    course: Course
    t: float
    ended: bool


def header(game: str, table: Table, version: str, started: str) -> dict[str, Any]:
    """The content of a journal's first record."""
    return {"game": game, "table": asdict(table), "voiceref": version, "started": started}


def recorded_input(given: Input) -> tuple[str, dict[str, Any]]:
    """The kind and content of the record of an input."""
    match given:
        case Said():
            return "said", {**asdict(given), "slots": dict(given.slots)}
        case Secret():
            return "secret", asdict(given)
        case Tick():
            return "tick", {"t": given.t}


def recorded_overruling(change: Overruled, by: Said) -> tuple[str, dict[str, Any]]:
    """The kind and content of the record of a race told otherwise."""
    inputs = [_as_record(given) for given in change.inputs]
    return "overrule", {"t": by.t, "by": _as_record(by), "back": change.back, "inputs": inputs}


def _as_record(given: Input) -> dict[str, Any]:
    kind, content = recorded_input(given)
    return {"kind": kind, **content}


def replay(recorded: Recorded, load: Callable[[str], Game[Any]]) -> Replayed:
    """The game of a journal, by the rules that `load` finds. Raises JournalError when they do not fit it."""
    try:
        name = recorded.header["game"]
        table = table_of(recorded.header["table"])
        course, _ = courses.begin(load(name), table)
        t = 0.0
        for record in recorded.records[1:]:
            course = _after(course, record)
            t = max(t, record.get("t", 0.0))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise JournalError(
            f"La partie {recorded.path} ne peut pas être rejouée avec cette version de VoiceRef : "
            "reprenez-la avec la version qui l'a écrite."
        ) from None
    return Replayed(name, table, course, t, ended=_last(recorded) == "end")


def _last(recorded: Recorded) -> str:
    """The kind of the last record that is more than evidence."""
    return next(str(record["kind"]) for record in reversed(recorded.records) if record["kind"] != KNOCKS)


def foreign(recorded: Recorded, found: Replayed, phrases: Collection[str]) -> int:
    """How many records hold words that do nothing here: none of the game's `phrases`, or by nobody of the table."""
    table = {None, *found.table.players, *found.course.game.summary(found.course.state).scores}
    said = (record for record in recorded.records if record["kind"] == "said")
    return sum(record["phrase"] not in phrases or record["speaker"] not in table for record in said)


def given(record: Record) -> Input | None:
    """The input of a record, None for a record of another kind."""
    match record["kind"]:
        case "said":
            slots = {name: _tuples(value) for name, value in record["slots"].items()}
            return Said(record["t"], record["speaker"], record["phrase"], slots, record["text"])
        case "tick":
            return Tick(record["t"])
        case "secret":
            return Secret(record["t"], record["text"], tuple(record["synonyms"]))
    return None


def overruling(course: Course, record: Record) -> tuple[Overruled, Said]:
    """The race of `course` as a record tells it otherwise, and the words that did. Raises ValueError if none are."""
    by, inputs = given(record["by"]), tuple(each for each in map(given, record["inputs"]) if each is not None)
    if not isinstance(by, Said):
        raise ValueError("by")
    after, steps = courses.retold(course, record["back"], inputs, by)
    return Overruled(record["back"], inputs, after, steps), by


def _after(course: Course, record: Record) -> Course:
    if record["kind"] == "overrule":
        return overruling(course, record)[0].course
    if record["kind"] == "undo":
        undone = courses.undo(course)
        return undone[0] if undone else course
    said = given(record)
    return course if said is None else courses.advance(course, said)[0]


def table_of(content: Mapping[str, Any]) -> Table:
    """The table of a journal's first record."""
    return Table(
        players=tuple(_list(content["players"])),
        level=content["level"],
        settings=content["settings"],
        scores=content["scores"],
        tokens={name: tuple(tokens) for name, tokens in content["tokens"].items()},
        turn=content["turn"],
        teams=tuple(tuple(team) for team in content["teams"]),
    )


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("list")
    return value


def _tuples(value: object) -> object:
    """Slot values as the matcher gives them: JSON lists were tuples."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
