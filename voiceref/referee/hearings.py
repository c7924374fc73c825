"""Opening the ear that was asked for, and giving what it hears to a session."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from voiceref import resources
from voiceref.audio.source import AudioSource, Trouble
from voiceref.ear import script
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import ScriptError, Typed
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.graph import WordGraph, word_graph
from voiceref.referee.clock import suspended
from voiceref.referee.session import Session

MICROPHONE = "mic"

_SLEPT_S = 2.0


class Hearing(Protocol):
    """What the loop needs of an ear."""

    def expect(self, graph: WordGraph, legal: Collection[str] | None = None) -> None:
        """Listen for `graph` from now on, most of all for the phrases in `legal`."""

    def events(self) -> Iterator[Hypothesis | Clock | Typed | Trouble]:
        """What is heard, with the watermark in between, until the end."""

    def mute(self, start: float, end: float) -> None:
        """The referee speaks from `start` to `end`, capture seconds."""


@dataclass(frozen=True)
class Ear:
    """An open ear. `by_sound`: it must be told what to expect; `live`: it hears this room, so that it must not hear the
    referee, and the machine may fall asleep meanwhile. `first`: where its clock begins (s)."""

    hearing: Hearing
    now: Callable[[], float]
    from_stream_time: Callable[[float], float]
    by_sound: bool = False
    live: bool = False
    first: float = 0.0


def open_ear(given: str, players: Iterable[str], stack: ExitStack) -> Ear:
    """The ear for `--input`: `mic`, a wave file or a text table. It is closed with `stack`.

    Raises ScriptError, AudioError, ModelError or LexiconError with one French sentence.
    """
    names = tuple(players)
    if given.lower().endswith(".txt"):
        return _script(Path(given), names)
    if given == MICROPHONE:
        return _microphone(len(names), stack)
    if given.lower().endswith(".wav"):
        from voiceref.audio.wave_file import WaveSource

        source = WaveSource(Path(given))
        return Ear(_listening(source, len(names), stack), source.now, lambda seconds: seconds, by_sound=True)
    raise ScriptError(f"« {given} » : il faut « mic », un fichier .wav ou un fichier .txt.")


def _script(path: Path, names: tuple[str, ...]) -> Ear:
    hearing = script.load(path, names)
    began = time.monotonic()
    first = script.moment(hearing.lines[0]) if hearing.lines else 0.0
    return Ear(hearing, lambda: time.monotonic() - began, lambda seconds: time.monotonic() - began, first=first)


def _microphone(players: int, stack: ExitStack) -> Ear:
    from voiceref.audio.devices import PortAudioInput
    from voiceref.audio.microphone import MicrophoneSource

    source = MicrophoneSource(PortAudioInput())
    return Ear(_listening(source, players, stack), source.now, source.from_stream_time, by_sound=True, live=True)


def _listening(source: AudioSource, players: int, stack: ExitStack) -> Hearing:
    from voiceref.ear.hearing import EarSettings
    from voiceref.ear.opening import EarModels, open_ear

    microphones = source.channels if source.channels == players else 1
    hearing = open_ear(source, EarModels(resources.models()), EarSettings(microphones=microphones))
    stack.callback(hearing.close)
    return hearing


def listen(session: Session, ear: Ear, catalogue: Catalogue, slept: Callable[[], float] = suspended) -> None:
    """Give everything that is heard to the session, until the ear or the players end it."""
    if ear.by_sound:
        _expect(session, ear, catalogue)
    asleep = slept()
    for heard in ear.hearing.events():
        match heard:
            case Clock(t):
                if ear.live and slept() > asleep + _SLEPT_S:
                    asleep = slept()
                    session.slept(t)
                session.clock(t)
            case Typed():
                session.secret(heard)
            case Trouble(t, _, message):
                session.trouble(t, message)
            case Hypothesis():
                session.hear(heard)
        if session.ended:
            return
        if ear.by_sound:
            _expect(session, ear, catalogue)


def _expect(session: Session, ear: Ear, catalogue: Catalogue) -> None:
    """Tell the ear what may be said now; the graph itself changes only when somebody joins the table."""
    ear.hearing.expect(word_graph(catalogue, session.context, catalogue.phrases), session.expected())
