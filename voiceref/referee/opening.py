"""`voiceref` without a command: the game is chosen and the table settled by voice, then it is played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from voiceref import resources
from voiceref.audio.recent import Recent
from voiceref.audio.source import Samples, Trouble
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.race.attribution import IN_TURN
from voiceref.referee import play, soundcheck, tongue, voices
from voiceref.referee.doubts import DOUBTFUL
from voiceref.referee.hearings import Continued, Ear, Expectations, is_microphone, open_ear
from voiceref.referee.keyboard import Keyboard
from voiceref.referee.outlets import SPEAKERS, JsonOutlet, TextOutlet
from voiceref.referee.pressing import behind_a_key
from voiceref.referee.telling import Line, Teller
from voiceref.referee.welcome import LEGAL, LEVELLED, Step, Welcome, answered, question
from voiceref.table import TableError, Wishes
from voiceref.voice.style import Weight
from voiceref.voice.wording import Wording

_LEAST = 0.3
"""How probable a doubtful reading must be to be read back."""
_WRITTEN = frozenset({"texte", "clavier"})
"""Reasons of hypotheses that were not heard but read."""
_ASKED_AGAIN_S = 6.0
"""Words that are not understood are asked for again, but not more often than this (s)."""
_NEARLY = DOUBTFUL | {"moitié"}
"""Reasons of the ear why words that it expects may have been said all the same."""
_CHECKING = frozenset({"yes", "no", "pass", "play", "repeat"})
"""What may be said during the sound check."""


class TableVoices:
    """The voices of these players at a microphone of so many channels (`soundcheck.Voices`)."""

    def __init__(self, players: Sequence[str], channels: int) -> None:
        self._players = tuple(players)
        self._channels = channels
        self._known = voices.known_at_table(self._players, channels)

    @property
    def known(self) -> bool:
        """Whether everybody's voice was learnt."""
        return self._known is not None

    def name(self, shout: Samples) -> str | None:
        guess = None if self._known is None else self._known.guess(shout, 0.0, IN_TURN)
        return None if guess is None else guess.sure

    def learn(self, player: str, shouts: Sequence[Samples]) -> None:
        voices.learn(player, shouts)
        self._known = voices.known_at_table(self._players, self._channels)


@dataclass(frozen=True)
class Hall:
    """Where the players are received: an open ear, the referee's words, and what may be said there."""

    ear: Ear
    teller: Teller
    catalogue: Catalogue
    expectations: Expectations | None

    def legal(self, commands: Collection[str]) -> tuple[str, ...]:
        """The phrases of these commands."""
        return tuple(name for name, phrase in self.catalogue.phrases.items() if phrase.command in commands)

    def expect(self, context: Context, commands: Collection[str]) -> None:
        """Listen for these commands from now on."""
        if self.expectations is not None:
            self.expectations.tell(context, self.legal(commands))

    def say(self, t: float, lines: Sequence[Line]) -> None:
        """Say them as questions, whatever the talk level."""
        self.teller.say(t, lines, Weight.QUESTION)

    def utterances(self) -> Iterator[Hypothesis]:
        """Everything said or typed; troubles of the microphone are told meanwhile."""
        for heard in self.ear.hearing.events():
            if isinstance(heard, Clock) and self.ear.keyboard is not None:
                yield from self.ear.keyboard.typed(heard.t)
            if isinstance(heard, Trouble):
                self.teller.read(heard.time, (heard.message,))
            if isinstance(heard, Hypothesis):
                yield heard


def begin(ends: play.Ends, streams: play.Streams, players: tuple[str, ...] = ()) -> int:
    """Settle the table by voice, then play; the exit code. `players` known beforehand need not be said.

    Raises what `play.play` and `play.resume` raise, each with one French sentence.
    """
    with ExitStack() as stack:
        opened = open_ear(ends.input, players, stack, ends.attention)
        heard = behind_a_key(opened) if ends.push_to_talk else opened
        ear = replace(heard, hearing=Continued(heard.hearing))
        settled, ended, order = _received(ear, ends, streams, Welcome(players=players))
        ear = replace(ear, first=ended)
        if settled.step is Step.RESUME:
            request = None
        elif settled.step is Step.PLAY:
            ends = replace(ends, attention=replace(ends.attention, order=order))
            request = play.Request(settled.game, _wishes(settled), ends)
        else:
            return 0
        if not is_microphone(ends.input):
            return _played(request, ends, streams, ear, None)
    return _played(request, ends, streams, None, ear.keyboard)


def _played(
    request: play.Request | None, ends: play.Ends, streams: play.Streams, ear: Ear | None, keyboard: Keyboard | None
) -> int:
    """The game settled, or the last one; a microphone is opened again, for it depends on who plays."""
    if request is None:
        return play.resume(None, ends, streams, ear, keyboard)
    return play.play(request, streams, ear, keyboard)


def _wishes(settled: Welcome) -> Wishes:
    level = settled.level if settled.game == LEVELLED else None
    return Wishes(players=settled.players, level=level, settings=settled.settings, turn=settled.first)


def _received(
    ear: Ear, ends: play.Ends, streams: play.Streams, state: Welcome
) -> tuple[Welcome, float, tuple[int, ...] | None]:
    """Settle the table and check the sound; when that was over (s), and the channel of each player where one each.

    The questions are spoken by loudspeakers only: a wave file holds the game.
    """
    wording = Wording.load()
    teller = Teller("table", wording)
    teller.join(TextOutlet(streams.err, partial(wording.label, "table")))
    if ends.json:
        teller.join(JsonOutlet(streams.out))
    with ExitStack() as stack:
        speech = play.open_voice(ear, ends, streams, stack) if ends.output == SPEAKERS else None
        if speech is not None:
            teller.join(speech)
        catalogue = catalogues.load(resources.grammars() / "welcome.toml")
        hall = Hall(ear, teller, catalogue, Expectations(ear.hearing, catalogue) if ear.by_sound else None)
        settled, ended = welcomed(hall, state)
        order = None
        if settled.step is Step.PLAY and ear.live and ear.memory is not None:
            order = checked(hall, ear.memory, settled.players, ended)
    return settled, ended, order


def welcomed(hall: Hall, state: Welcome) -> tuple[Welcome, float]:
    """Ask and listen until the table is settled or nobody is heard any more; and when that was (s)."""
    names = Context(tuple(dict.fromkeys((*state.players, *tongue.first_names()))))
    ended = hall.ear.now() if hall.ear.live else hall.ear.first
    asked_again = float("-inf")
    context = names
    hall.say(ended, question(state))
    hall.expect(context, LEGAL[state.step])
    for heard in hall.utterances():
        ended = heard.utterance.end
        found = _understood(heard, hall, context, state)
        if found is None:
            if _nearly(heard, state) and ended > asked_again + _ASKED_AGAIN_S:
                asked_again = ended
                name = state.step is Step.PLAYERS
                hall.say(ended, (Line("accueil_redis_nom" if name else "accueil_redis"),))
            continue
        hall.teller.heard(ended, heard.speaker, found.text)
        state, lines = answered(state, found)
        fault = _unplayable(state)
        if fault:
            hall.teller.read(ended, (fault,))
            state, lines = replace(state, step=Step.PLAYERS), question(replace(state, step=Step.PLAYERS))
        hall.say(ended, lines)
        if state.over:
            break
        context = Context(state.players) if state.step in (Step.LEVEL, Step.AGREEMENT) else names
        hall.expect(context, LEGAL[state.step])
    return state, ended


def checked(hall: Hall, source: Recent, players: tuple[str, ...], t: float) -> tuple[int, ...] | None:
    """The sound check; the channel of each player where everybody has a microphone of his own, else None."""
    known = TableVoices(players, source.channels)
    check, lines = soundcheck.begun(players, source.channels, known=known.known)
    hall.say(t, lines)
    context = Context(players)
    hall.expect(context, _CHECKING)
    if check.over:
        return None
    for heard in hall.utterances():
        found = match(heard.text, hall.catalogue, context, hall.legal(_CHECKING)) if heard.accepted else None
        said = _command(found, _CHECKING) if isinstance(found, Match) else None
        if said is not None:
            check, lines = soundcheck.answered(check, said)
        elif heard.reason not in _WRITTEN | {"voix_arbitre", "silence"}:
            _, shout = source.sound(heard.utterance.start, heard.utterance.end)
            check, lines = soundcheck.shouted(check, shout, known)
        else:
            continue
        hall.say(heard.utterance.end, lines)
        if check.over:
            break
    return check.order


def _command(found: Match, commands: Collection[str]) -> str | None:
    readings = (found, *found.alternatives)
    return next((reading.command for reading in readings if reading.command in commands), None)


def _unplayable(state: Welcome) -> str:
    """Why this table cannot be played, in one French sentence; empty when it can, or is not settled yet."""
    if state.step is not Step.PLAY:
        return ""
    try:
        play.prepared(play.Request(state.game, _wishes(state)))
    except TableError as error:
        return str(error)
    return ""


def _nearly(heard: Hypothesis, state: Welcome) -> bool:
    """Whether the words were probably for the referee: who is asked for his name says nothing else."""
    if heard.accepted:
        return heard.reason in _WRITTEN
    return heard.reason in _NEARLY or (state.step is Step.PLAYERS and heard.reason == "autre_parole")


def _understood(heard: Hypothesis, hall: Hall, context: Context, state: Welcome) -> Match | None:
    """What was said, however doubtful: everything is read back, and « non » takes it back.

    A written word that is none of the first names is one all the same when a name is asked for.
    """
    if not heard.accepted and (heard.reason not in DOUBTFUL or heard.score < _LEAST):
        return None
    found = match(heard.text, hall.catalogue, context, hall.legal(LEGAL[state.step]))
    if isinstance(found, Match):
        return found
    name = _bare_name(heard.text)
    if state.step is Step.PLAYERS and heard.reason in _WRITTEN and name.isalpha():
        return Match("WELCOME-003", {"joueur": name}, 1.0, None, "exact", True, heard.text, "player")
    return None


def _bare_name(text: str) -> str:
    """The last word of « et Zoltan », « je m'appelle Zoltan » or « moi, c'est Zoltan »; all of anything else."""
    before, _, name = text.strip().rpartition(" ")
    introduced = before.casefold().replace(",", "") in ("et", "je m'appelle", "moi c'est", "moi je m'appelle")
    return name if introduced else text.strip()
