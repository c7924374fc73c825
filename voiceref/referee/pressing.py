"""Push to talk, for noisy rooms: only what is said between two presses of a key counts."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, replace

from voiceref.audio.source import Trouble
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import Typed
from voiceref.phrases.graph import WordGraph
from voiceref.referee.hearings import Ear, Hearing
from voiceref.referee.keyboard import Keyboard

EARLY_S = 0.3
"""A shout that begins so shortly before the key still counts: people press and shout at once."""
_KEPT = 32


class NoKeyError(Exception):
    """Push to talk without a keyboard; one French sentence with the remedy."""


@dataclass(frozen=True)
class Opening:
    """The ear was open from `since` to `until` capture seconds, None: it still is."""

    since: float
    until: float | None = None

    def holds(self, t: float) -> bool:
        """Whether a shout that begins at `t` counts."""
        return self.since - EARLY_S <= t and (self.until is None or t <= self.until)


class PushToTalk:
    """A hearing behind a key: « Entrée » on an empty line opens it, and closes it again."""

    def __init__(
        self,
        hearing: Hearing,
        keyboard: Keyboard,
        now: Callable[[], float],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now`: the capture clock; `monotonic`: the clock by which the keyboard stamps its presses."""
        self._hearing = hearing
        self._keyboard = keyboard
        self._now = now
        self._monotonic = monotonic
        self._openings: deque[Opening] = deque(maxlen=_KEPT)

    @property
    def open(self) -> bool:
        """Whether what is said now counts."""
        return bool(self._openings) and self._openings[-1].until is None

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        self._hearing.expect(graph, legal, meaning)

    def events(self) -> Iterator[Hypothesis | Clock | Typed | Trouble]:
        """Everything but what was said while the ear was closed."""
        for item in self._hearing.events():
            for pressed in self._keyboard.pressed():
                self._turned(self._now() - (self._monotonic() - pressed))
            if not isinstance(item, Hypothesis) or any(opening.holds(item.onset) for opening in self._openings):
                yield item

    def mute(self, start: float, end: float) -> None:
        self._hearing.mute(start, end)

    def _turned(self, t: float) -> None:
        if self.open:
            self._openings[-1] = replace(self._openings[-1], until=t)
        else:
            self._openings.append(Opening(t))


def behind_a_key(ear: Ear) -> Ear:
    """`ear` behind a key. What is typed, and an ear that hears no room, are as before. Raises NoKeyError."""
    if not (ear.live and ear.by_sound):
        return ear
    if ear.keyboard is None:
        raise NoKeyError("« --push-to-talk » demande un clavier : lancez VoiceRef dans un terminal.")
    return replace(ear, hearing=PushToTalk(ear.hearing, ear.keyboard, ear.now))
