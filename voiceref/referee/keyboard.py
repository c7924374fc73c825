"""The keyboard beside the voice: a typed line is heard like a spoken one, and every common order has a key."""

from __future__ import annotations

import threading
import time
import unicodedata
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import TextIO

from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance
from voiceref.phrases.graph import WordGraph

KEYS: Mapping[str, str] = {
    "s": "scores",
    "t": "à qui le tour",
    "m": "combien il manque",
    "a": "annule",
    "r": "répète",
    "p": "pause",
    "g": "on reprend",
    "+": "plus fort",
    "-": "moins fort",
    "l": "plus lentement",
    "v": "plus vite",
    "h": "plus aigu",
    "b": "plus grave",
    "k": "parle court",
    "q": "tais-toi",
    "w": "dis tout",
    "c": "combien de temps",
    "x": "stop",
    "d": "dors",
    "e": "réveille-toi",
    "?": "aide",
    "o": "oui",
    "n": "non",
    "f": "fin de partie",
    "y": "encore une partie",
    "i": "explique la règle",
    "j": "quels jetons",
    "z": "qu'est-ce qu'on attend",
    "u": "tu m'entends",
    "0": "personne",
}
"""A line of one letter -> what it says."""

FOOTER = "Touches (puis Entrée) : " + " · ".join(f"{key} {words}" for key, words in KEYS.items())

_TICK_S = 0.05


class Keyboard:
    """Typed lines as utterances, `[PLAYER] WORDS`; a thread waits for them, so that nobody else does."""

    def __init__(self, stream: TextIO, players: Iterable[str]) -> None:
        self._stream = stream
        self._players = tuple(players)
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._pressed: SimpleQueue[float] = SimpleQueue()
        self.closed = False
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def seat(self, players: Iterable[str]) -> None:
        """Whose names may come before the words from now on."""
        self._players = tuple(players)

    def typed(self, t: float) -> Iterator[Hypothesis]:
        """Everything typed since the last call, as said at capture second `t`."""
        while True:
            try:
                line = self._lines.get_nowait()
            except Empty:
                return
            speaker, words = self._split(line)
            if words:
                yield Hypothesis(Utterance(t, t, 0.0), t, words, 1.0, True, "clavier", speaker=speaker)

    def pressed(self) -> Iterator[float]:
        """When « Entrée » was pressed on an empty line since the last call, monotonic seconds."""
        while True:
            try:
                yield self._pressed.get_nowait()
            except Empty:
                return

    def _split(self, line: str) -> tuple[str | None, str]:
        """The player whose name begins the line, and the rest; a lone name is said, not a speaker."""
        line = unicodedata.normalize("NFC", line).strip()
        for name in sorted(self._players, key=len, reverse=True):
            head, rest = line[: len(name)], line[len(name) :]
            if head.casefold() == name.casefold() and rest[:1] in (" ", ":") and rest.strip(" :"):
                said = rest.strip(" :")
                return name, KEYS.get(said, said)
        return None, KEYS.get(line, line)

    def _read(self) -> None:
        try:
            for line in self._stream:
                if line.strip():
                    self._lines.put(line)
                else:
                    self._pressed.put(time.monotonic())
        except (OSError, ValueError):
            pass
        finally:
            self.closed = True


class KeyboardHearing:
    """An ear without sound: only the clock, until the keyboard is closed."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard
        self._began = time.monotonic()

    def now(self) -> float:
        """Seconds since the game was opened."""
        return time.monotonic() - self._began

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        """Whatever is typed is read."""

    def events(self) -> Iterator[Clock]:
        """The watermark, twenty times a second."""
        while not self._keyboard.closed:
            yield Clock(self.now())
            time.sleep(_TICK_S)
        yield Clock(self.now())

    def mute(self, start: float, end: float) -> None:
        """A keyboard does not hear the referee."""
