"""Opening the ear that was asked for, and giving what it hears to a session."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from voiceref import resources
from voiceref.audio.recent import Recent
from voiceref.audio.reordered import Reordered
from voiceref.audio.resampling import Resampled
from voiceref.audio.source import AudioError, AudioSource, Trouble
from voiceref.ear import script
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import ScriptError, Typed
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.graph import WordGraph, word_graph
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee import fetching, journal
from voiceref.referee.clock import suspended
from voiceref.referee.interrupting import interruptions
from voiceref.referee.keyboard import Keyboard, KeyboardHearing
from voiceref.referee.ownership import owned
from voiceref.referee.session import Session
from voiceref.referee.video import KEPT_S
from voiceref.referee.voices import TableVoices, places, table_voices

if TYPE_CHECKING:
    from voiceref.audio.devices import PortAudioInput
    from voiceref.ear.own_voice import OwnVoice

MICROPHONE, KEYBOARD = "mic", "clavier"
SENSITIVITIES = ("prudente", "normale", "vive")
"""For a noisy room, for most rooms, for a quiet room (`voiceref.ear.decision.Sensitivity`)."""
NORMAL = SENSITIVITIES[1]

_SLEPT_S = 2.0
_GRAPHS = 16


@dataclass(frozen=True)
class Attention:
    """How sound is listened to: `sensitivity`, one of `SENSITIVITIES`, says how easily it is believed.

    `model`: an official Vosk model for the second opinion, by name or folder; None: the one that ships.
    `channels`: how many of the microphone's to open; None: as many as these players were enrolled with, else one.
    """

    sensitivity: str = NORMAL
    model: str | None = None
    channels: int | None = None
    order: tuple[int, ...] | None = None


class Hearing(Protocol):
    """What the loop needs of an ear."""

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        """Listen for `graph` from now on, most of all for the phrases in `legal`; texts of one `meaning` are as one."""

    def events(self) -> Iterator[Hypothesis | Clock | Typed | Trouble]:
        """What is heard, with the watermark in between, until the end."""

    def mute(self, start: float, end: float) -> None:
        """The referee speaks from `start` to `end`, capture seconds."""


class Continued:
    """A hearing whose events go on where the last listener stopped: the welcome, then game after game."""

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


@dataclass(frozen=True)
class Ear:
    """An open ear; its clock begins at `first` seconds.

    `by_sound`: it must be told what to expect. `live`: it hears this room, so that it must not hear the referee, and
    the machine may fall asleep meanwhile. `own`: to be told what the referee plays.
    `keyboard`: typed lines too. `memory`: its last seconds of sound, and the
    `voices` by which players are known, where it has any.
    """

    hearing: Hearing
    now: Callable[[], float]
    from_stream_time: Callable[[float], float]
    by_sound: bool = False
    live: bool = False
    first: float = 0.0
    keyboard: Keyboard | None = None
    own: OwnVoice | None = None
    memory: Recent | None = None
    voices: TableVoices | None = None


@dataclass(frozen=True)
class _Listening:
    """An ear on sound, what it remembers and whom it knows."""

    hearing: Hearing
    own: OwnVoice
    memory: Recent
    voices: TableVoices | None


def open_ear(
    given: str,
    players: Iterable[str],
    stack: ExitStack,
    attention: Attention | None = None,
    keyboard: Keyboard | None = None,
) -> Ear:
    """The ear for `--input`: `mic`, `mic:DEVICE`, `clavier`, a wave file or a text table; closed with `stack`.

    `attention`: how it listens, normally if not given. `keyboard`: the one that is read already.

    Raises ScriptError, AudioError, ModelError or LexiconError with one French sentence.
    """
    names = tuple(players)
    if attention is not None and attention.channels is not None and not is_microphone(given):
        raise ScriptError(f"« --channels » ne vaut que pour un micro, pas pour « {given} » : enlevez-le.")
    if given.lower().endswith(".txt"):
        return _script(Path(given), names)
    if given == KEYBOARD:
        if sys.stdin is None:
            raise ScriptError(
                "Le clavier est fermé : lancez VoiceRef dans un terminal, ou choisissez un autre --input."
            )
        keyboard = Keyboard(sys.stdin, names)
        typing = KeyboardHearing(keyboard)
        return Ear(typing, typing.now, lambda seconds: typing.now(), live=True, keyboard=keyboard)
    if is_microphone(given):
        return _microphone(given, names, stack, attention or Attention(), keyboard)
    if given.lower().endswith(".wav"):
        from voiceref.audio.wave_file import WaveSource

        source = WaveSource(Path(given))
        heard = _listening(source, names, stack, attention or Attention())
        now = source.now
        return Ear(heard.hearing, now, lambda t: t, by_sound=True, memory=heard.memory, voices=heard.voices)
    raise ScriptError(f"« {given} » : il faut « mic », « clavier », un fichier .wav ou un fichier .txt.")


def is_microphone(given: str) -> bool:
    """Whether `--input` names a microphone."""
    return given.partition(":")[0] == MICROPHONE


def input_device(given: str, players: Sequence[str], channels: int | None) -> PortAudioInput:
    """The microphone of `--input`, with `channels` of its channels or as many as suit `players`. Raises AudioError."""
    from voiceref.audio.devices import PortAudioInput

    if channels is not None and channels < 1:
        raise AudioError(f"« --channels {channels} » : il faut au moins un canal.")
    opened = partial(calibrated, players) if channels is None else lambda there: channels
    return PortAudioInput(given.partition(":")[2] or None, opened)


def calibrated(players: Sequence[str], there: int) -> int:
    """The channels, of those that are `there`, with which all of `players` were enrolled; else one."""
    counts = range(there, 1, -1) if players else ()
    return next((count for count in counts if places().load(players, count) is not None), 1)


def _script(path: Path, names: tuple[str, ...]) -> Ear:
    hearing = script.load(path, names)
    began = time.monotonic()
    first = script.moment(hearing.lines[0]) if hearing.lines else 0.0
    return Ear(hearing, lambda: time.monotonic() - began, lambda seconds: time.monotonic() - began, first=first)


def _microphone(
    given: str,
    names: tuple[str, ...],
    stack: ExitStack,
    attention: Attention,
    keyboard: Keyboard | None,
) -> Ear:
    from voiceref.audio.microphone import MicrophoneSource

    source = MicrophoneSource(input_device(given, names, attention.channels))
    stack.callback(journal.hold(resources.state_home() / "micro.lock"))
    ordered = source if attention.order is None else Reordered(source, attention.order)
    heard = _listening(ordered, names, stack, attention)
    if keyboard is not None:
        keyboard.seat(names)
    elif sys.stdin is not None and sys.stdin.isatty():
        keyboard = Keyboard(sys.stdin, names)
    return Ear(
        heard.hearing,
        source.now,
        source.from_stream_time,
        by_sound=True,
        live=True,
        keyboard=keyboard,
        own=heard.own,
        memory=heard.memory,
        voices=heard.voices,
    )


def _listening(source: AudioSource, players: tuple[str, ...], stack: ExitStack, attention: Attention) -> _Listening:
    from voiceref.ear import official
    from voiceref.ear.decision import Sensitivity
    from voiceref.ear.hearing import EarSettings
    from voiceref.ear.opening import EarModels, open_ear

    one_each = len(players) > 1 and source.channels == len(players)
    settings = EarSettings(Sensitivity(attention.sensitivity), microphones=source.channels if one_each else 1)
    voices = None if one_each else table_voices(players, source.channels)
    named = None if voices is None else voices.name
    memory = Recent(Resampled(source), KEPT_S)
    second = None if attention.model is None else official.find(attention.model, fetching.home())
    hearing = open_ear(memory, EarModels(resources.models(), second), settings, owned, named)
    hearing.interruptible(interruptions())
    stack.callback(hearing.close)
    return _Listening(hearing, hearing.own, memory, voices)


def meanings(catalogue: Catalogue, context: Context, legal: Sequence[str]) -> Callable[[str], Hashable]:
    """What a text comes to at this table: the phrase and its slots, or the text itself where it is no phrase."""

    def meaning(text: str) -> Hashable:
        found = match(text, catalogue, context, legal)
        return (found.phrase_id, repr(found.slots)) if isinstance(found, Match) else text

    return meaning


class Expectations:
    """Tells an ear what may be said now. Graphs are made once for each set of phrases and passed as the same object."""

    def __init__(self, hearing: Hearing, catalogue: Catalogue) -> None:
        self._hearing = hearing
        self._catalogue = catalogue
        self._graph = lru_cache(maxsize=_GRAPHS)(self._made)

    def tell(self, context: Context, legal: Collection[str]) -> None:
        """Expect `legal`, and every cry that has no slots: one out of place is told so, and never taken for another."""
        phrases = self._catalogue.phrases
        wanted = tuple(name for name, phrase in phrases.items() if name in legal or not phrase.has_slots)
        meaning = meanings(self._catalogue, context, tuple(legal))
        self._hearing.expect(self._graph(_Same(context), wanted), legal, meaning)

    def _made(self, context: _Same, wanted: tuple[str, ...]) -> WordGraph:
        return word_graph(self._catalogue, context.value, wanted)


@dataclass(frozen=True, eq=False)
class _Same:
    """A context compared by identity, as the word graph compares it."""

    value: Context

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def listen(session: Session, ear: Ear, catalogue: Catalogue, slept: Callable[[], float] = suspended) -> None:
    """Give everything that is heard to the session, until the ear or the players end it."""
    expectations = Expectations(ear.hearing, catalogue) if ear.by_sound else None
    asleep = slept()
    if expectations is not None:
        expectations.tell(session.ear_context, session.expected())
    for heard in ear.hearing.events():
        match heard:
            case Clock(t):
                if ear.live and slept() > asleep + _SLEPT_S:
                    asleep = slept()
                    session.slept(t)
                for typed in ear.keyboard.typed(t) if ear.keyboard is not None else ():
                    session.hear(typed)
                session.clock(t)
            case Typed():
                session.secret(heard)
            case Trouble(t, _, message):
                session.trouble(t, message)
            case Hypothesis():
                session.hear(heard)
        if session.ended:
            return
        if expectations is not None:
            expectations.tell(session.ear_context, session.expected())
