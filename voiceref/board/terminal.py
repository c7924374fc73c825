"""The scoreboard in a terminal: redrawn in place where that is possible, else line after line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, Protocol, TextIO, cast

from rich.console import Console
from rich.live import Live
from rich.text import Text

from voiceref.board.lines import Line, Tone, entry_lines, name_width, score_sentence, screen, text_of
from voiceref.board.stream import GuardedStream
from voiceref.board.view import Entry, Kind, Seat, View

_KEPT_LOG = 60
_SAME_MOVE_S = 2.0
_LOOKS_A_SECOND = 4
_UNBROKEN = 10_000
_TOKENS = {"immunite": "immunité", "civet-filoche": "civet-filoché"}
_STYLES = {
    Tone.PLAIN: "",
    Tone.TITLE: "bold",
    Tone.LABEL: "cyan",
    Tone.TURN: "bold yellow",
    Tone.WON: "bold green",
    Tone.SAID: "bold",
    Tone.REFUSED: "magenta",
}


class Standing(Protocol):
    """Scores as the rules sum them up (`games.engine.Summary`)."""

    @property
    def scores(self) -> Mapping[str, int]: ...
    @property
    def turn(self) -> str | None: ...
    @property
    def tokens(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def over(self) -> bool: ...
    @property
    def winners(self) -> tuple[str, ...]: ...


class Happened(Protocol):
    """Something the rules did (`games.engine.Event`)."""

    @property
    def deltas(self) -> Mapping[str, int]: ...


class Unheeded(Protocol):
    """Words that changed nothing (`games.engine.Refusal`)."""

    @property
    def text(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def speaker(self) -> str | None: ...


class Glance(Protocol):
    """What the board asks for whenever it draws."""

    def phase(self) -> str:
        """What the game waits for, in a few French words; may be empty."""

    def may_say(self) -> Sequence[str]:
        """The phrases that may be said now, as printed, most likely first."""

    def hourglass(self) -> float | None:
        """Seconds left, or None when nothing runs."""

    def reason(self, code: str) -> str:
        """A refusal's reason in a few French words."""


class Display(Protocol):
    """Where a view is shown."""

    def show(self, view: View, added: Sequence[Entry]) -> None:
        """The view changed; `added` is new in its log."""

    def close(self) -> None:
        """Leave the last view standing."""


@dataclass(frozen=True)
class Counting:
    """What is shown of points: the score that ends the game (None: there is none), and whether any are shown."""

    goal: int | None = None
    shown: bool = True


class Board:
    """Takes what happens at the table and keeps the view of it. Times are seconds of the capture clock."""

    def __init__(
        self, title: str, display: Display, glance: Glance, counting: Counting | None = None, footer: str = ""
    ) -> None:
        self._display = display
        self._glance = glance
        self._counting = counting or Counting()
        self._view = View(title, goal=self._counting.goal, footer=footer)
        self._changes: dict[str, int] = {}
        self._changed_at = float("-inf")

    @property
    def view(self) -> View:
        """What is shown now."""
        return self._view

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        """A whole phrase or command that was understood."""
        self._add(Entry(t, Kind.HEARD, text, speaker))

    def say(self, t: float, text: str) -> None:
        """A sentence of the referee."""
        self._add(Entry(t, Kind.SAID, text))

    def note(self, t: float, text: str) -> None:
        """What is going on, when the referee keeps silent because players must cry."""
        self._add(Entry(t, Kind.SHOWN, text))

    def refused(self, t: float, refusal: Unheeded) -> None:
        """Words that changed nothing, with the reason; sound without words is not shown."""
        if not refusal.text:
            return
        self._add(Entry(t, Kind.REFUSED, refusal.text, refusal.speaker, self._glance.reason(refusal.reason)))

    def event(self, t: float, event: Happened) -> None:
        """Remember what a move brought, for the score table that follows."""
        if not event.deltas or not self._counting.shown:
            return
        if t - self._changed_at > _SAME_MOVE_S:
            self._changes = {}
        self._changed_at = t
        for name, change in event.deltas.items():
            self._changes[name] = self._changes.get(name, 0) + change

    def table(self, summary: Standing) -> None:
        """Scores, turn and tokens as they are now."""
        seats = tuple(
            Seat(
                name,
                points if self._counting.shown else None,
                self._changes.get(name, 0),
                tuple(_TOKENS.get(token, token) for token in summary.tokens.get(name, ())),
                to_play=name == summary.turn and not summary.over,
                won=name in summary.winners,
            )
            for name, points in summary.scores.items()
        )
        self._show(replace(self._view, seats=seats, over=summary.over), ())

    def close(self, game: str, summary: Standing) -> None:
        """The end: the last table stays on the screen."""
        self.table(summary)
        self._display.close()

    def _add(self, entry: Entry) -> None:
        self._show(replace(self._view, log=(*self._view.log, entry)[-_KEPT_LOG:]), (entry,))

    def _show(self, view: View, added: Sequence[Entry]) -> None:
        self._view = replace(
            view, phase=self._glance.phase(), may_say=tuple(self._glance.may_say()), hourglass=self._glance.hourglass()
        )
        self._display.show(self._view, added)


class PlainDisplay:
    """Line after line, for files, pipes and consoles that cannot be redrawn: what was said, and each new table."""

    def __init__(self, write_line: Callable[[str], None]) -> None:
        self._write_line = write_line
        self._table = ""
        self._to_say: tuple[str, ...] = ()

    def show(self, view: View, added: Sequence[Entry]) -> None:
        for entry in added:
            for line in entry_lines(entry, name_width(view), _UNBROKEN):
                self._write_line(text_of(line))
        table = score_sentence(view)
        if view.seats and table != self._table:
            self._table = table
            self._write_line(f"        {table}")

    def close(self) -> None:
        return None


class LiveDisplay:
    """Redrawn in place by rich, also between events so that the hourglass runs."""

    def __init__(self, console: Console, hourglass: Callable[[], float | None]) -> None:
        self._console = console
        self._hourglass = hourglass
        self._view = View("")
        self._live = Live(
            get_renderable=self._drawn,
            console=console,
            refresh_per_second=_LOOKS_A_SECOND,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def show(self, view: View, added: Sequence[Entry]) -> None:
        self._view = view
        self._live.refresh()

    def close(self) -> None:
        self._live.stop()

    def _drawn(self) -> Text:
        view = replace(self._view, hourglass=self._hourglass())
        lines = screen(view, self._console.width, self._console.height - 1)
        return Text("\n").join(styled(line) for line in lines)


def styled(line: Line) -> Text:
    """A line as rich draws it."""
    return Text.assemble(*((text, _STYLES[tone]) for text, tone in line), no_wrap=True)


def open_board(
    title: str, stream: TextIO | None, glance: Glance, counting: Counting | None = None, footer: str = ""
) -> Board:
    """The best board that `stream` can show. NO_COLOR is heeded; nothing that happens to `stream` raises."""
    guarded = GuardedStream(stream)
    if guarded.isatty() and guarded.shows_everything:
        console = Console(file=cast(IO[str], guarded), highlight=False, markup=False, emoji=False)
        if console.is_terminal and not console.is_dumb_terminal:
            return Board(title, LiveDisplay(console, glance.hourglass), glance, counting, footer)
    return Board(title, PlainDisplay(lambda text: _write_line(guarded, text)), glance, counting, footer)


def _write_line(stream: GuardedStream, text: str) -> None:
    stream.write(f"{text}\n")
    stream.flush()
