"""`voiceref` without a command: the game is chosen and the table settled by voice, then it is played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from voiceref import resources
from voiceref.audio.source import Trouble
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import Typed
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.graph import WordGraph
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee import play
from voiceref.referee.doubts import DOUBTFUL
from voiceref.referee.hearings import Ear, Expectations, Hearing, is_microphone, open_ear
from voiceref.referee.keyboard import Keyboard
from voiceref.referee.outlets import SPEAKERS, JsonOutlet, TextOutlet
from voiceref.referee.telling import Teller
from voiceref.referee.welcome import LEGAL, LEVELLED, Step, Welcome, answered, question
from voiceref.table import Wishes
from voiceref.voice.style import Weight
from voiceref.voice.wording import Wording

_LEAST = 0.3
"""How probable a doubtful reading must be to be read back."""
_WRITTEN = frozenset({"texte", "clavier"})
"""Reasons of hypotheses that were not heard but read."""


class Continued:
    """A hearing whose events go on where the last listener stopped: first the welcome listens, then the game."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._events = iter(hearing.events())

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        self._hearing.expect(graph, legal, meaning)

    def events(self) -> Iterator[Hypothesis | Clock | Typed | Trouble]:
        return self._events

    def mute(self, start: float, end: float) -> None:
        self._hearing.mute(start, end)


def begin(ends: play.Ends, streams: play.Streams, players: tuple[str, ...] = ()) -> int:
    """Settle the table by voice, then play; the exit code. `players` known beforehand need not be said.

    Raises what `play.play` and `play.resume` raise, each with one French sentence.
    """
    with ExitStack() as stack:
        opened = open_ear(ends.input, players, stack, ends.attention)
        ear = replace(opened, hearing=Continued(opened.hearing))
        settled, ended = _welcomed(ear, ends, streams, Welcome(players=players))
        ear = replace(ear, first=ended)
        if settled.step is Step.RESUME:
            request = None
        elif settled.step is Step.PLAY:
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
    return Wishes(players=settled.players, level=settled.level if settled.game == LEVELLED else None)


def first_names() -> tuple[str, ...]:
    """The 2,000 first names that the ear knows."""
    path = resources.models() / "fr" / "first_names.txt"
    return tuple(path.read_text(encoding="utf-8").split())


def _welcomed(ear: Ear, ends: play.Ends, streams: play.Streams, state: Welcome) -> tuple[Welcome, float]:
    """Ask and listen until the table is settled or nobody is heard any more; and when that was (s).

    The questions are spoken by loudspeakers only: a wave file holds the game.
    """
    ended = ear.now() if ear.live else ear.first
    catalogue = catalogues.load(resources.grammars() / "welcome.toml")
    context = Context(tuple(dict.fromkeys((*state.players, *first_names()))))
    wording = Wording.load()
    teller = Teller("table", wording)
    teller.join(TextOutlet(streams.err, partial(wording.label, "table")))
    if ends.json:
        teller.join(JsonOutlet(streams.out))
    with ExitStack() as stack:
        aloud = ends.output == SPEAKERS
        speech = play.open_voice(ear, ends, streams, stack) if aloud else None
        if speech is not None:
            teller.join(speech)
        expectations = Expectations(ear.hearing, catalogue) if ear.by_sound else None
        teller.say(ended, question(state), Weight.QUESTION)
        if expectations is not None:
            expectations.tell(context, _legal(state, catalogue))
        for heard in _utterances(ear):
            ended = heard.utterance.end
            found = _understood(heard, catalogue, context, state)
            if found is None:
                continue
            teller.heard(ended, heard.speaker, found.text)
            state, lines = answered(state, found)
            teller.say(ended, lines, Weight.QUESTION)
            if state.over:
                break
            if expectations is not None:
                expectations.tell(context, _legal(state, catalogue))
    return state, ended


def _understood(heard: Hypothesis, catalogue: Catalogue, context: Context, state: Welcome) -> Match | None:
    """What was said, however doubtful: everything is read back, and « non » takes it back.

    A written word that is none of the first names is one all the same when a name is asked for.
    """
    if not heard.accepted and (heard.reason not in DOUBTFUL or heard.score < _LEAST):
        return None
    found = match(heard.text, catalogue, context, _legal(state, catalogue))
    if isinstance(found, Match):
        return found
    name = heard.text.strip().removeprefix("et ")
    if state.step is Step.PLAYERS and heard.reason in _WRITTEN and name.isalpha():
        return Match("WELCOME-003", {"joueur": name}, 1.0, None, "exact", True, heard.text, "player")
    return None


def _legal(state: Welcome, catalogue: Catalogue) -> tuple[str, ...]:
    wanted = LEGAL[state.step]
    return tuple(name for name, phrase in catalogue.phrases.items() if phrase.command in wanted)


def _utterances(ear: Ear) -> Iterator[Hypothesis]:
    """Everything said or typed."""
    for heard in ear.hearing.events():
        if isinstance(heard, Clock) and ear.keyboard is not None:
            yield from ear.keyboard.typed(heard.t)
        if isinstance(heard, Hypothesis):
            yield heard
