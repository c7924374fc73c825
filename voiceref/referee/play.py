"""A game from its first word to its last: everything a session is joined from, opened, run and closed."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import voiceref
from voiceref import resources
from voiceref.board.stream import GuardedStream
from voiceref.games.engine import Opening, Step, Table
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.phrase_file import RACES
from voiceref.referee import course as courses
from voiceref.referee import house, replay, roster, rulebook, tongue
from voiceref.referee import journal as journals
from voiceref.referee.clock import GameClock, continued
from voiceref.referee.comfort import SCHEMA, Comfort
from voiceref.referee.course import Course
from voiceref.referee.dealing import HEADSET, dealt, with_headset
from voiceref.referee.desk import Desk
from voiceref.referee.hearings import Attention, Continued, Ear, is_microphone, listen, open_ear
from voiceref.referee.house import Manners
from voiceref.referee.journal import DiskError, Journal
from voiceref.referee.keyboard import FOOTER, Keyboard
from voiceref.referee.learning import ASK, Learner
from voiceref.referee.orders import Aids, NoMouth, Orders
from voiceref.referee.outlets import SPEAKERS, JsonOutlet, Outlet, TextOutlet, write_line
from voiceref.referee.pressing import behind_a_key
from voiceref.referee.rematch import numbered, rematch
from voiceref.referee.session import Session
from voiceref.referee.telling import Line, Teller
from voiceref.referee.video import Clip, Video
from voiceref.table import TableError, Wishes, checked
from voiceref.voice.wording import Wording

if TYPE_CHECKING:
    from voiceref.referee.speech import Speech

INTERRUPTED = 130
NOTHING = "none"
_SHORT_RACES = frozenset({"cul-de-chouette"})
"""Games whose races last seconds, so that what is refused can wait; a Cachamot's glass runs a whole minute."""
_COMPULSORY = frozenset({"race-last", "tie-break"})
_PATIENCE_S = 3.0
"""Where nobody must cry, a race is over in this time, and whoever was refused may still say it rightly."""


class PlayError(Exception):
    """A game that cannot be played; one French sentence with the remedy."""


@dataclass(frozen=True)
class Streams:
    """Where text goes: JSON lines to `out`, French to `err`, the scoreboard to `terminal`."""

    out: GuardedStream
    err: GuardedStream
    terminal: TextIO | None = None


@dataclass(frozen=True)
class Ends:
    """Where sound or text comes from and goes to, as on the command line.

    `learn`: one of `learning.WISHES`. `keep_races`: whether the last races stay on disk. `board`: a page to write.
    `push_to_talk`: whether the ear counts only what is said while a key opens it.
    """

    input: str = "mic"
    output: str = "speakers"
    json: bool = False
    voice: str | None = None
    attention: Attention = field(default_factory=Attention)
    private: str | None = None
    manners: Manners = field(default_factory=Manners)
    learn: str = ASK
    keep_races: bool = False
    board: Path | None = None
    push_to_talk: bool = False


@dataclass(frozen=True)
class Request:
    """What `voiceref play` was asked for."""

    game: str
    wishes: Wishes
    ends: Ends = field(default_factory=Ends)
    journal: Path | None = None
    deck: Path | None = None


@dataclass(frozen=True)
class Begun:
    """A game about to run. `opened`: how it began, None when resumed; `first_lines`: what is to be said first.

    `since`: when it began, in capture seconds.
    """

    table: Table
    course: Course
    opened: Step[Any] | None
    clock: GameClock
    journal: Journal | None
    first_lines: tuple[Line, ...] = ()
    since: float = 0.0


def play(request: Request, streams: Streams, ear: Ear | None = None, keyboard: Keyboard | None = None) -> int:
    """Referee a new game; the exit code. `ear`: one that is open already, else `request.ends.input` is opened, with
    the `keyboard` that is read already.

    Raises PlayError, TableError, ScriptError, AudioError, ModelError or JournalError, each with one French sentence.
    """
    table, course, opened = prepared(request)
    _audit(request.game, request.ends, streams)
    if is_microphone(request.ends.input) or request.ends.input.lower().endswith(".wav"):
        for finding in house.names_audited(request.game, table.players, request.ends.manners):
            write_line(streams.err, finding)
    with ExitStack() as stack:
        since = 0.0 if ear is None else ear.first
        ear = ear or open_ear(request.ends.input, table.players, stack, request.ends.attention, keyboard)
        begun = _kept(Begun(table, course, opened, GameClock(), None, since=since), request.journal)
        return _evening(begun, ear, request.ends, streams, stack)


def prepared(request: Request) -> tuple[Table, Course, Step[Any]]:
    """The table asked for, its game, and how it begins. Raises PlayError or TableError."""
    if request.game not in roster.GAMES:
        raise PlayError(f"Le jeu « {request.game} » n'existe pas ; il y a : {', '.join(roster.GAMES)}.")
    entry = roster.GAMES[request.game]
    if not entry.levelled and (request.wishes.level is not None or request.wishes.tokens):
        raise TableError(f"{entry.title} n'a ni niveau ni jetons : enlevez --level et --tokens.")
    table = checked(request.wishes, {**entry.schema(), **SCHEMA}, score_keys=entry.score_keys)
    if request.deck is not None:
        table = dealt(table, request.game, request.deck)
    if request.ends.private is not None:
        table = with_headset(table, request.game)
    try:
        course, opened = courses.begin(entry.load(), table)
    except ValueError as error:
        raise TableError(str(error)) from error
    return table, course, opened


def resume(
    path: Path | None, ends: Ends, streams: Streams, ear: Ear | None = None, keyboard: Keyboard | None = None
) -> int:
    """Go on with the game of a journal, by default the one written to last. `ear`, `keyboard` and errors as `play`."""
    recorded = journals.read(path) if path else journals.newest(games_folder())
    for other in () if path else journals.passed_over(recorded.path):
        write_line(streams.err, f"Le fichier {other} n'est pas une partie lisible : il reste où il est.")
    found = replay.replay(recorded, lambda name: roster.GAMES[name].load())
    foreign = replay.foreign(recorded, found, house.catalogue(found.game, ends.manners).phrases)
    if foreign:
        lines_told = "une ligne qui ne se rejoue" if foreign == 1 else f"{foreign} lignes qui ne se rejouent"
        write_line(streams.err, f"La partie {recorded.path} a {lines_told} pas : vérifiez les scores.")
    if found.ended:
        raise PlayError(f"La partie {recorded.path} est finie : commencez-en une autre avec « voiceref play ».")
    _audit(found.course.game.name, ends, streams)
    with ExitStack() as stack:
        ear = ear or open_ear(ends.input, found.table.players, stack, ends.attention, keyboard)
        journal, aside = journals.reopen(recorded)
        lines = [Line("reprise_de_partie")]
        if aside is not None:
            write_line(streams.err, f"La fin abîmée du journal est mise de côté dans {aside}.")
            lines.append(Line("journal_abime"))
        begun = Begun(found.table, found.course, None, continued(found.t, ear.first), journal, tuple(lines))
        return _evening(begun, ear, ends, streams, stack)


def _evening(begun: Begun, ear: Ear, ends: Ends, streams: Streams, stack: ExitStack) -> int:
    """One game after another, for as long as the players want another; 130 when somebody pressed Ctrl-C."""
    heard = behind_a_key(ear) if ends.push_to_talk else ear
    ear = replace(heard, hearing=Continued(heard.hearing))
    speech = open_voice(ear, ends, streams, stack, Comfort.of(begun.table.settings))
    first = begun.journal.path if begun.journal is not None else None
    games = 1
    while True:
        with ExitStack() as game:
            played = _joined(begun, ear, ends, streams, speech, game)
            try:
                listen(played.session, ear, played.catalogue)
            except KeyboardInterrupt:
                return _interrupted(played.desk, speech, begun, streams)
            played.session.close()
        if not played.session.again:
            return 0
        begun = _next(begun, played, numbered(first, games) if first is not None else None)
        games += 1


def _next(begun: Begun, played: Joined, journal: Path | None) -> Begun:
    """The game after the one `played`, by the same rules."""
    name = played.desk.course.game.name
    table = rematch(name, begun.table, played.desk.summary)
    course, opened = courses.begin(roster.GAMES[name].load(), table)
    since = played.session.watermark
    return _kept(Begun(table, course, opened, GameClock(since), None, since=since), journal)


def _audit(game: str, ends: Ends, streams: Streams) -> None:
    """Tell what is to be known about the house phrases. Raises PhraseFileError or LexiconError."""
    for finding in house.audited(game, ends.manners):
        write_line(streams.err, finding)


def games_folder() -> Path:
    """Where games are kept when no file is named."""
    return resources.state_home() / "parties"


def _kept(begun: Begun, journal: Path | None) -> Begun:
    """The game with its journal; a disk that does not take one is said, a file that is something else is an error."""
    now = datetime.datetime.now().astimezone()
    name = begun.course.game.name
    chosen = journal or _unused(games_folder() / f"{name}-{now:%Y%m%d-%H%M%S}-{os.getpid()}.jsonl")
    content = replay.header(name, begun.table, voiceref.__version__, now.isoformat(timespec="seconds"))
    try:
        return replace(begun, journal=journals.create(chosen, content))
    except DiskError:
        return replace(begun, first_lines=(*begun.first_lines, Line("journal_perdu")))


def _unused(path: Path) -> Path:
    """The name, or with a number when a game of the same second has it."""
    try:
        return next(one for one in (numbered(path, games) for games in count()) if not one.exists())
    except OSError:
        return path  # what is wrong with the folder is told when the file is made


@dataclass(frozen=True)
class Joined:
    """A game whose parts are joined, ready to be listened to."""

    session: Session
    desk: Desk
    catalogue: Catalogue


def _joined(begun: Begun, ear: Ear, ends: Ends, streams: Streams, speech: Speech | None, stack: ExitStack) -> Joined:
    """Join the parts of a game and tell how it began; its journal is closed with `stack`."""
    name = begun.course.game.name
    entry = roster.GAMES[name]
    if begun.journal is not None:
        stack.callback(begun.journal.close)
    comfort = Comfort.of(begun.table.settings)
    catalogue, wording = house.catalogue(name, ends.manners), comfort.wording()
    desk = Desk(begun.course, Teller(name, wording), begun.journal, begun.clock, partial(_racing, catalogue))
    if ends.json:
        desk.teller.join(JsonOutlet(streams.out))
        desk.teller.join(TextOutlet(streams.err, partial(wording.label, name)))
    else:
        desk.teller.join(_screen(desk, catalogue, wording, streams.terminal, ear, comfort))
    if ends.board is not None:
        desk.teller.join(_page(desk, catalogue, wording, ends.board, comfort))
    if speech is not None:
        desk.teller.join(speech)
    desk.teller.confide(_confidant(begun, ear, ends, streams, speech, stack))
    learner = Learner(ends.learn, ear.voices, ear.memory)
    keep = _footage(begun, streams) if ends.keep_races else lambda number, clip: None
    video = Video(ear.memory, keep, partial(_knocked, desk))
    secrets = begun.table.settings.get("tichette.explain_bevue") != "false"
    aids = Aids(
        catalogue=catalogue,
        mouth=speech or NoMouth(),
        explain=lambda rule: rulebook.load(name, secrets=secrets).explain(rule),
        goal=entry.goal if comfort.points else None,
        phase=partial(wording.label, name),
        video=video,
        learner=learner,
        tie_s=tie_window(begun.table),
    )
    strict = begun.table.settings.get("bevue.mode") == "strict"
    names = tongue.first_names() if ear.by_sound else ()
    session = Session(
        desk,
        Orders(desk, aids),
        catalogue,
        begun.table.players,
        strict=strict,
        names=names,
        video=video,
        named=learner.confirmed,
    )
    if begun.opened is not None:
        desk.opened(begun.opened, begun.since)
    desk.teller.say(ear.now() if ear.live else ear.first, begun.first_lines)
    return Joined(session, desk, catalogue)


def _knocked(desk: Desk, clip: Clip) -> None:
    """Journal the claps and hits on the table beside a race: evidence, which the rules never see (D-13)."""
    knocks = clip.knocks
    if knocks:
        cry = clip.claims[0]
        times = [round(desk.clock.game_time(t), 4) for t in knocks]
        content = {"phrase": cry.phrase, "cry": round(desk.clock.game_time(cry.onset), 4), "knocks": times}
        desk.keep(replay.KNOCKS, content, cry.onset)


def _footage(begun: Begun, streams: Streams) -> Callable[[int, Clip], None]:
    """Keeps races on disk by the name of the journal; what goes wrong is told once."""
    from voiceref.referee.footage import Footage

    game = begun.journal.path.stem if begun.journal else f"sans-journal-{os.getpid()}"
    return Footage(game, tie_window(begun.table), lambda text: write_line(streams.err, text)).keep


def tie_window(table: Table) -> float:
    """Seconds in which two cries of a race are a tie at this table (D-12)."""
    return int(table.settings.get("race.tie_window_ms", "150")) / 1000


def _racing(catalogue: Catalogue, openings: Sequence[Opening]) -> float:
    """How long (s) refusals wait while players may race to cry against a short clock; to its end if they must cry."""
    if catalogue.name not in _SHORT_RACES:
        return 0.0
    timed = (opening.phrase for opening in openings if opening.until is not None)
    raced = [catalogue.phrases[phrase].kind for phrase in timed if phrase in catalogue.phrases]
    if any(kind in _COMPULSORY for kind in raced):
        return float("inf")
    return _PATIENCE_S if any(kind in RACES for kind in raced) else 0.0


def _interrupted(desk: Desk, speech: Speech | None, begun: Begun, streams: Streams) -> int:
    """Nothing more goes to the rules: the record of what was under way may be missing, and the journal stays whole."""
    if speech is not None:
        speech.hush()
    desk.teller.close(desk.summary)
    kept = f"Partie enregistrée dans {begun.journal.path}." if begun.journal else "Partie arrêtée, sans journal."
    write_line(streams.err, kept)
    return INTERRUPTED


def _confidant(
    begun: Begun, ear: Ear, ends: Ends, streams: Streams, speech: Speech | None, stack: ExitStack
) -> Speech | None:
    """Who says what only some may hear: the headset of `--private`, or the room's voice; never the wrong one."""
    if ends.private is None:
        wanted = begun.table.settings.get(HEADSET) == "casque"
        if wanted:
            write_line(streams.err, "L'écouteur manque, les cartes secrètes ne sont pas lues : relancez --private.")
        return None if wanted else speech
    from voiceref.referee import private

    return private.open_headset(ends.private, ends.voice, ear, lambda text: write_line(streams.err, text), stack)


def _screen(
    desk: Desk, catalogue: Catalogue, wording: Wording, stream: TextIO | None, ear: Ear, comfort: Comfort
) -> Outlet:
    from voiceref.board.terminal import Counting
    from voiceref.referee.screen import DeskGlance, open_screen

    entry = roster.GAMES[desk.course.game.name]
    footer = FOOTER if ear.keyboard is not None else ""
    counting = Counting(entry.goal, comfort.points)
    return open_screen(entry.title, stream, DeskGlance(desk, catalogue, wording), counting, footer)


def _page(desk: Desk, catalogue: Catalogue, wording: Wording, path: Path, comfort: Comfort) -> Outlet:
    from voiceref.board.terminal import Counting
    from voiceref.referee.screen import DeskGlance, open_page

    entry = roster.GAMES[desk.course.game.name]
    return open_page(entry.title, path, DeskGlance(desk, catalogue, wording), Counting(entry.goal, comfort.points))


def open_voice(
    ear: Ear, ends: Ends, streams: Streams, stack: ExitStack, comfort: Comfort | None = None
) -> Speech | None:
    """The voice, unless none is wanted, as it was left last time or as `comfort` wants it.

    A live ear is closed while the referee speaks in the same room."""
    if ends.output == NOTHING:
        return None
    from voiceref.referee import speech

    if ends.output != SPEAKERS and not ends.output.lower().endswith(".wav"):
        raise PlayError(f"« --output {ends.output} » : il faut « speakers », « none » ou un fichier .wav.")
    heard_back = ear.live and ends.output == SPEAKERS
    sounding = ear.hearing.mute if heard_back else lambda start, end: None
    room = speech.Room(ear.now, ear.from_stream_time, sounding, ear.own if heard_back else None)
    way = speech.Way(ends.output, ends.voice, comfort or Comfort())
    return speech.open_speech(way, room, lambda text: write_line(streams.err, text), stack)
