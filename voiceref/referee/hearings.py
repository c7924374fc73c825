"""Opening the ear that was asked for, and giving what it hears to a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from voiceref.ear import script
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import ScriptError, ScriptHearing, Typed
from voiceref.referee.session import Session


class Hearing(Protocol):
    """What a session needs of the ear."""

    def events(self) -> Iterator[Hypothesis | Clock | Typed]:
        """What is heard, with the watermark in between, until the end."""


def open_hearing(given: str, players: Iterable[str], stack: ExitStack) -> Hearing:
    """The ear for `--input`: `mic`, a wave file or a text table. It is closed with `stack`.

    Raises ScriptError or AudioError with one French sentence.
    """
    if given.lower().endswith(".txt"):
        return script.load(Path(given), players)
    raise ScriptError(f"« {given} » : il faut « mic », un fichier .wav ou un fichier .txt.")


def first_moment(hearing: Hearing) -> float:
    """Where the capture clock begins (s): at the first line of a text table, else at zero."""
    return script.moment(hearing.lines[0]) if isinstance(hearing, ScriptHearing) and hearing.lines else 0.0


def listen(session: Session, hearing: Hearing) -> None:
    """Give everything that is heard to the session, until the ear or the players end it."""
    for heard in hearing.events():
        match heard:
            case Clock(t):
                session.clock(t)
            case Typed():
                session.secret(heard)
            case Hypothesis():
                session.hear(heard)
        if session.ended:
            return
