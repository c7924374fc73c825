"""The scoreboard as an outlet, and what it asks the desk whenever it draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from voiceref.board.page import PageDisplay
from voiceref.board.terminal import Board, Counting, open_board
from voiceref.games.engine import Event, Refusal, Summary
from voiceref.phrases.catalogue import Catalogue
from voiceref.referee.desk import Desk
from voiceref.voice.style import Weight
from voiceref.voice.wording import Wording, WordingError


class DeskGlance:
    """The phase, what may be said, and the hourglass, as the desk has them now."""

    def __init__(self, desk: Desk, catalogue: Catalogue, wording: Wording) -> None:
        self._desk = desk
        self._catalogue = catalogue
        self._wording = wording

    def phase(self) -> str:
        return self._wording.label(self._desk.course.game.name, self._desk.summary.phase)

    def may_say(self) -> Sequence[str]:
        known = self._catalogue.phrases
        said = (known[opening.phrase].text for opening in self._desk.openings if opening.phrase in known)
        return tuple(dict.fromkeys(said))

    def hourglass(self) -> float | None:
        until = self._desk.course.game.deadline(self._desk.course.state)
        return None if until is None else max(until - self._desk.clock.game_time(self._desk.now), 0.0)

    def reason(self, code: str) -> str:
        return self._wording.label(self._desk.course.game.name, code)

    def notice(self, event: Event) -> str | None:
        """What the screen tells of an event that is not spoken because players must cry now."""
        try:
            return self._wording.notice(self._desk.course.game.name, event.name, event.data)
        except WordingError:
            return None


class Screen:
    """An outlet that is looked at."""

    def __init__(self, board: Board, glance: DeskGlance) -> None:
        self._board = board
        self._glance = glance

    def say(self, t: float, text: str, weight: Weight) -> None:
        self._board.say(t, text)

    def event(self, t: float, event: Event) -> None:
        self._board.event(t, event)
        notice = self._glance.notice(event)
        if notice is not None:
            self._board.note(t, notice)

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        self._board.heard(t, speaker, text)

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        self._board.refused(t, refusal)

    def table(self, summary: Summary) -> None:
        self._board.table(summary)

    def close(self, game: str, summary: Summary) -> None:
        self._board.close(game, summary)


def open_screen(title: str, stream: TextIO | None, glance: DeskGlance, counting: Counting, footer: str) -> Screen:
    """The best board that `stream` can show."""
    return Screen(open_board(title, stream, glance, counting, footer), glance)


def open_page(title: str, path: Path, glance: DeskGlance, counting: Counting) -> Screen:
    """The board in a file that a browser shows. Raises PageError when it cannot be written."""
    return Screen(Board(title, PageDisplay(path, glance.hourglass), glance, counting), glance)
