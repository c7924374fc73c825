"""The page for a tablet: whole at every moment, readable, and only a file."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from voiceref.board.page import PageDisplay, PageError, page
from voiceref.board.view import Entry, Kind, Seat, View

VIEW = View(
    "Le Cul de chouette",
    (Seat("Ana", 72, 72, ("grelottine",), to_play=True), Seat("<Bruno>", 0)),
    goal=343,
    phase="au suivant",
    may_say=("Grelotte ça picote !",),
    hourglass=6.0,
    log=(Entry(2.0, Kind.SAID, "Velute de six : Ana gagne."), Entry(1.0, Kind.HEARD, "cul six", "Ana")),
)


def test_everything_of_the_screen_is_on_it() -> None:
    text = page(VIEW)
    for words in ("Ana", "72", "encore 271", "grelottine", "joue", "au suivant", "Grelotte ça picote !", "0:06"):
        assert words in text
    assert "Velute de six : Ana gagne." in text
    assert "« cul six »" in text
    assert "&lt;Bruno&gt;" in text


def test_it_loads_itself_anew_and_asks_nobody_for_anything() -> None:
    text = page(VIEW)
    assert 'http-equiv="refresh"' in text
    assert not any(sign in text for sign in ("http://", "https://", "<script", "src=", "text-transform"))


def test_a_table_without_points_shows_none() -> None:
    text = page(View("x", (Seat("Ana", None), Seat("Bruno", None, won=True)), goal=343, over=True))
    assert "encore" not in text
    assert "gagne" in text
    assert '<td class="n"></td>' in text


def test_a_reader_never_sees_half_a_page(tmp_path: Path) -> None:
    file = tmp_path / "tableau.html"
    display = PageDisplay(file, lambda: 3.0)
    torn: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            text = file.read_text(encoding="utf-8")
            if not text.endswith("</html>\n") and text:
                torn.append(text)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(300):
        display.show(VIEW, ())
    done.set()
    reader.join()
    display.close()
    assert not torn
    assert [path.name for path in tmp_path.iterdir()] == ["tableau.html"]


def test_the_hourglass_runs_between_events(tmp_path: Path) -> None:
    left = [6.0]
    display = PageDisplay(tmp_path / "t.html", lambda: left[0])
    display.show(VIEW, ())
    left[0] = 5.0
    until = time.monotonic() + 10.0
    while "0:05" not in (tmp_path / "t.html").read_text(encoding="utf-8") and time.monotonic() < until:
        time.sleep(0.05)
    display.close()
    assert "0:05" in (tmp_path / "t.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"ne peut pas être écrite .* : choisissez un autre fichier\."):
        PageDisplay(tmp_path / "none" / "t.html", lambda: None)
