"""The board on streams of every kind: a terminal, a file, no colour, cp1252, closed (B73)."""

import io
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.console import Console

from voiceref.board.stream import GuardedStream
from voiceref.board.terminal import Board, Counting, LiveDisplay, PlainDisplay, open_board
from voiceref.games.engine import Event, Refusal, Summary


@dataclass
class FakeGlance:
    left: float | None = None
    said: list[str] = field(default_factory=lambda: ["Velutée !"])

    def phase(self) -> str:
        return "Ana lance le cul"

    def may_say(self) -> Sequence[str]:
        return self.said

    def hourglass(self) -> float | None:
        return self.left

    def reason(self, code: str) -> str:
        return code.replace("_", " ")


def summary(scores: Mapping[str, int], turn: str | None = "Ana", winners: tuple[str, ...] = ()) -> Summary:
    return Summary(scores, turn, "cul", {"Bruno": ("civet-filoche", "immunite")}, bool(winners), winners)


def play(board: Board) -> None:
    """A short game on `board`."""
    board.table(summary({"Ana": 0, "Bruno": 0}))
    board.heard(3.0, "Ana", "Chouettes : quatre et quatre")
    board.event(5.0, Event(5.0, "CDC-030", "chouette", {}, {"Ana": 16}))
    board.say(5.0, "Ana gagne seize points.")
    board.table(summary({"Ana": 16, "Bruno": 0}, "Bruno"))
    board.table(summary({"Ana": 16, "Bruno": 0}, "Bruno"))
    board.refused(9.0, Refusal(9.0, "Velutée !", "pas_maintenant", speaker="Bruno"))
    board.close("cul-de-chouette", summary({"Ana": 343, "Bruno": 0}, None, ("Ana",)))


PLAIN = """\
        Ana 0 · Bruno 0 ; à suivre : Ana
  0:03  Ana        « Chouettes : quatre et quatre »
  0:05  arbitre    Ana gagne seize points.
        Ana 16 · Bruno 0 ; à suivre : Bruno
  0:09  Bruno      « Velutée ! » non compté : pas maintenant
        Ana 343 · Bruno 0 ; gagné par Ana
"""


def test_line_after_line_without_a_terminal() -> None:
    stream = io.StringIO()
    play(open_board("Le Cul de chouette", stream, FakeGlance()))
    assert stream.getvalue() == PLAIN


def test_the_view_follows_the_table() -> None:
    board = Board("x", PlainDisplay(lambda _: None), FakeGlance(left=8.0), Counting(343))
    board.event(5.0, Event(5.0, "CDC-030", "a", {}, {"Ana": 16, "Bruno": -5}))
    board.event(5.5, Event(5.5, "CDC-036", "b", {}, {"Ana": -10}))
    board.table(summary({"Ana": 6, "Bruno": -5}))
    ana, bruno = board.view.seats
    assert (ana.points, ana.change, ana.to_play, bruno.change) == (6, 6, True, -5)
    assert bruno.tokens == ("civet-filoché", "immunité")
    assert (board.view.phase, board.view.may_say, board.view.hourglass) == ("Ana lance le cul", ("Velutée !",), 8.0)
    board.event(60.0, Event(60.0, "CDC-030", "c", {}, {"Bruno": 1}))
    board.table(summary({"Ana": 6, "Bruno": -4}))
    assert [seat.change for seat in board.view.seats] == [0, 1]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp850"])
def test_old_code_pages_show_what_they_can(encoding: str) -> None:
    """B73: a strict cp1252 stream never raises."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\n")
    board = open_board("x", stream, FakeGlance())
    play(board)
    board.say(10.0, "→ Zoé 佐藤 🎲 − Œuf")
    stream.flush()
    text = raw.getvalue().decode(encoding)
    assert "Ana gagne seize points." in text
    assert "佐" not in text
    if encoding == "cp1252":
        assert PLAIN in text
        assert "-> Zoé ?? ? - Œuf" in text or "-> Zoé ?? ? - Oeuf" in text


def test_closed_and_missing_streams_lose_text_only() -> None:
    closed = io.StringIO()
    closed.close()
    for stream in (closed, None):
        play(open_board("x", stream, FakeGlance()))


def test_a_stream_that_breaks_in_the_middle_loses_text_only() -> None:
    class Breaking(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    guarded = GuardedStream(Breaking())
    assert guarded.write("un") == 2
    guarded.flush()
    assert not guarded.isatty()
    with pytest.raises(OSError, match="no stream"):
        guarded.fileno()


def console(stream: io.StringIO, **options: object) -> Console:
    return Console(file=stream, force_terminal=True, width=70, height=24, **options)  # type: ignore[arg-type]


def test_redrawn_in_a_terminal() -> None:
    stream = io.StringIO()
    glance = FakeGlance(left=8.0)
    play(Board("Le Cul de chouette", LiveDisplay(console(stream), glance.hourglass), glance, Counting(343)))
    drawn = stream.getvalue()
    assert "\x1b[1;32m* Ana" in drawn
    last = drawn[drawn.rindex("Le Cul de chouette") :]
    assert "partie finie" in last
    assert "Ana gagne seize points." in last
    assert "sablier" not in last


def test_the_hourglass_runs_between_events() -> None:
    stream = io.StringIO()
    left = iter([8.0, 7.0, *[6.0] * 1000])
    display = LiveDisplay(console(stream), lambda: next(left))
    Board("x", display, FakeGlance()).table(summary({"Ana": 0}))
    time.sleep(0.8)
    display.close()
    assert "0:06" in stream.getvalue()


def test_no_colour_when_asked() -> None:
    stream = io.StringIO()
    play(Board("x", LiveDisplay(console(stream, no_color=True), lambda: None), FakeGlance()))
    assert "\x1b[1;32m" not in stream.getvalue()
    assert "Ana" in stream.getvalue()


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from test_terminal import FakeGlance, play
from voiceref.board.terminal import open_board
{first}
play(open_board("x", sys.stderr, FakeGlance()))
"""


@pytest.mark.parametrize(
    ("first", "variables"),
    [
        ("", {"PYTHONIOENCODING": "cp1252:strict"}),
        ("", {"NO_COLOR": "1", "TERM": "dumb"}),
        ("sys.stderr.close()", {}),
        ("sys.stderr = None", {}),
    ],
)
def test_a_whole_process_ends_well(first: str, variables: dict[str, str]) -> None:
    """B73: exit code 0 and no traceback, whatever standard error is."""
    script = SCRIPT.format(tests=str(Path(__file__).parent), first=first)
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **variables}, capture_output=True, timeout=30
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_in_a_real_terminal_the_board_is_redrawn() -> None:
    import pty

    script = SCRIPT.format(tests=str(Path(__file__).parent), first="")
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "30"},
    )
    os.close(follower)
    drawn = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:
            break
        if not piece:
            break
        drawn += piece
    os.close(leader)
    assert process.wait(timeout=10) == 0
    text = drawn.decode()
    assert "\x1b[?25h" in text
    assert "partie finie" in text
