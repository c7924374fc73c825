"""Telling what happened: event names and data to French, to every outlet, and again when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from voiceref.games.engine import Event, Refusal, Summary
from voiceref.referee.outlets import Outlet
from voiceref.voice.style import Weight

PRIVATE_SUFFIX = "_prive"
"""Events whose names end so are for the outlet in confidence alone."""
QUESTION_PREFIX = "demande_"
"""Events whose names start so are questions that the game waits for."""


class Phrasing(Protocol):
    """Sentences from event names and data (`voice.wording.Wording`)."""

    def sentences(self, game: str, name: str, data: Mapping[str, object]) -> tuple[str, ...]:
        """The sentences of one row; none when nothing is said."""


@dataclass(frozen=True)
class Line:
    """One thing to say: a row of the wording and its data."""

    name: str
    data: Mapping[str, object] = field(default_factory=dict)


class Teller:
    """Says, shows and prints for one game. All times are seconds of the capture clock."""

    def __init__(self, game: str, phrasing: Phrasing, outlets: Sequence[Outlet] = ()) -> None:
        self._game = game
        self._phrasing = phrasing
        self._outlets = tuple(outlets)
        self._confidant: Outlet | None = None
        self._last: tuple[str, ...] = ()

    def join(self, outlet: Outlet) -> None:
        """From now on tell `outlet` too."""
        self._outlets = (*self._outlets, outlet)

    def confide(self, outlet: Outlet | None) -> None:
        """From now on private events are said to `outlet` alone; None: to nobody."""
        self._confidant = outlet

    def say(self, t: float, lines: Iterable[Line], weight: Weight = Weight.RESULT) -> None:
        """Say `lines` in order; they become what « répète » repeats."""
        said: list[str] = []
        for line in lines:
            heavier = Weight.QUESTION if line.name.startswith(QUESTION_PREFIX) else weight
            sentences = self._phrasing.sentences(self._game, line.name, line.data)
            self._speak(t, sentences, heavier)
            said.extend(sentences)
        if said:
            self._last = tuple(said)

    def read(self, t: float, sentences: Iterable[str]) -> None:
        """Say ready sentences, e.g. a rule of the rulebook."""
        self._last = tuple(sentences)
        self.repeat(t)

    def repeat(self, t: float) -> None:
        """Say the last sentences again."""
        self._speak(t, self._last, Weight.ANSWER)

    def events(self, at: float, events: Sequence[Event], offset: float, more: Sequence[Line] = ()) -> None:
        """Print `events`, whose times are `offset` seconds behind the capture clock; say them, and `more`, at `at`."""
        told = [event for event in events if not event.name.endswith(PRIVATE_SUFFIX)]
        for event in events:
            public = event if event in told else replace(event, data={})
            for outlet in self._outlets:
                outlet.event(event.t + offset, public)
        self.say(at, [*(Line(event.name, event.data) for event in told), *more])
        self._whisper(at, [event for event in events if event not in told])

    def _whisper(self, at: float, events: Sequence[Event]) -> None:
        """Private events: neither shown nor printed, nor repeated for those who ask."""
        if self._confidant is None:
            return
        for event in events:
            for sentence in self._phrasing.sentences(self._game, event.name, event.data):
                self._confidant.say(at, sentence, Weight.ANSWER)

    def heard(self, at: float, speaker: str | None, text: str) -> None:
        """Show what was understood."""
        for outlet in self._outlets:
            outlet.heard(at, speaker, text)

    def refuse(self, at: float, refusal: Refusal, *, aloud: bool = True) -> None:
        """Print a refusal, and say why unless it is only table talk. In a busy moment the words may be left out."""
        for outlet in self._outlets:
            outlet.refused(at, refusal, aloud=aloud)
        if aloud:
            self.explain(at, refusal)

    def explain(self, at: float, refusal: Refusal) -> None:
        """Say why words did not count."""
        data = {"joueur": refusal.speaker, "texte": refusal.text, **refusal.data}
        self.say(at, (Line(refusal.reason, data),), Weight.DETAIL)

    def show(self, summary: Summary) -> None:
        """The scores after a change."""
        for outlet in self._outlets:
            outlet.table(summary)

    def close(self, summary: Summary) -> None:
        """The last state, then nothing more."""
        for outlet in self._outlets:
            outlet.close(self._game, summary)

    def _speak(self, t: float, sentences: Iterable[str], weight: Weight) -> None:
        for text in sentences:
            for outlet in self._outlets:
                outlet.say(t, text, weight)
