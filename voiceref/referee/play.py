"""A game from its first word to its last: everything a session is joined from, opened, run and closed."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import voiceref
from voiceref import resources
from voiceref.board.stream import GuardedStream
from voiceref.games.engine import Table
from voiceref.phrases import catalogue as catalogues
from voiceref.referee import course as courses
from voiceref.referee import journal as journals
from voiceref.referee import replay, roster, rulebook
from voiceref.referee.clock import GameClock, continued
from voiceref.referee.course import Course
from voiceref.referee.desk import Desk
from voiceref.referee.hearings import Hearing, first_moment, listen, open_hearing
from voiceref.referee.journal import DiskError, Journal
from voiceref.referee.orders import Aids, NoMouth, Orders
from voiceref.referee.outlets import JsonOutlet, Outlet, TextOutlet, write_line
from voiceref.referee.session import Session
from voiceref.referee.telling import Line, Teller
from voiceref.table import TableError, Wishes, checked
from voiceref.voice.wording import Wording


class PlayError(Exception):
    """A game that cannot be played; one French sentence with the remedy."""


@dataclass(frozen=True)
class Streams:
    """Where text goes: JSON lines to `out`, French to `err`."""

    out: GuardedStream
    err: GuardedStream


@dataclass(frozen=True)
class Ends:
    """Where sound or text comes from and goes to, as on the command line."""

    input: str = "mic"
    output: str = "speakers"
    json: bool = False


@dataclass(frozen=True)
class Request:
    """What `voiceref play` was asked for."""

    game: str
    wishes: Wishes
    ends: Ends = Ends()
    journal: Path | None = None


@dataclass(frozen=True)
class Begun:
    """A game about to run: its clock and journal, and what is to be said first."""

    table: Table
    course: Course
    clock: GameClock
    journal: Journal | None
    first_lines: tuple[Line, ...] = ()


def play(request: Request, streams: Streams) -> int:
    """Referee a new game; the exit code.

    Raises PlayError, TableError, ScriptError, AudioError or JournalError, each with one French sentence.
    """
    if request.game not in roster.GAMES:
        raise PlayError(f"Le jeu « {request.game} » n'existe pas ; il y a : {', '.join(roster.GAMES)}.")
    entry = roster.GAMES[request.game]
    table = checked(request.wishes, entry.schema(), score_keys=entry.score_keys)
    try:
        course, opened = courses.begin(entry.load(), table)
    except ValueError as error:
        raise TableError(str(error)) from error
    with ExitStack() as stack:
        hearing = open_hearing(request.ends.input, table.players, stack)
        begun = _kept(Begun(table, course, GameClock(), None), request)
        desk = _desk(begun, request.ends, streams)
        desk.opened(opened)
        return _run(begun, desk, hearing, streams, stack)


def resume(path: Path | None, ends: Ends, streams: Streams) -> int:
    """Go on with the game of a journal, by default the unfinished one written to last. Raises as `play` does."""
    recorded = journals.read(path or journals.newest(games_folder()))
    found = replay.replay(recorded, lambda name: roster.GAMES[name].load())
    with ExitStack() as stack:
        hearing = open_hearing(ends.input, found.table.players, stack)
        journal, aside = journals.reopen(recorded)
        lines = [Line("reprise_de_partie")]
        if aside is not None:
            write_line(streams.err, f"La fin abîmée du journal est mise de côté dans {aside}.")
            lines.append(Line("journal_abime"))
        clock = continued(found.t, first_moment(hearing))
        begun = Begun(found.table, found.course, clock, journal, tuple(lines))
        return _run(begun, _desk(begun, ends, streams), hearing, streams, stack)


def games_folder() -> Path:
    """Where games are kept when no file is named."""
    return resources.state_home() / "parties"


def _kept(begun: Begun, request: Request) -> Begun:
    """The game with its journal; a disk that does not take one is said, a file that is something else is an error."""
    now = datetime.datetime.now().astimezone()
    chosen = request.journal or games_folder() / f"{request.game}-{now:%Y%m%d-%H%M%S}-{os.getpid()}.jsonl"
    content = replay.header(request.game, begun.table, voiceref.__version__, now.isoformat(timespec="seconds"))
    try:
        return replace(begun, journal=journals.create(chosen, content))
    except DiskError:
        return replace(begun, first_lines=(*begun.first_lines, Line("journal_perdu")))


def _desk(begun: Begun, ends: Ends, streams: Streams) -> Desk:
    outlets: list[Outlet] = [JsonOutlet(streams.out)] if ends.json else []
    outlets.append(TextOutlet(streams.err))
    teller = Teller(begun.course.game.name, Wording.load(), outlets)
    return Desk(begun.course, teller, begun.journal, begun.clock)


def _run(begun: Begun, desk: Desk, hearing: Hearing, streams: Streams, stack: ExitStack) -> int:
    if begun.journal is not None:
        stack.callback(begun.journal.close)
    name = begun.course.game.name
    catalogue = catalogues.load(name)
    aids = Aids(
        catalogue=catalogue,
        mouth=NoMouth(),
        explain=rulebook.load(name).explain,
        goal=roster.GAMES[name].goal,
    )
    strict = _is_strict(begun.table.settings)
    session = Session(desk, Orders(desk, aids), catalogue, begun.table.players, strict=strict)
    desk.teller.say(0.0, begun.first_lines)
    try:
        listen(session, hearing)
    except KeyboardInterrupt:
        session.close()
        kept = f"Partie enregistrée dans {begun.journal.path}." if begun.journal else "Partie arrêtée, sans journal."
        write_line(streams.err, kept)
        return 130
    session.close()
    return 0


def _is_strict(settings: Mapping[str, str]) -> bool:
    return settings.get("bevue.mode") == "strict"
