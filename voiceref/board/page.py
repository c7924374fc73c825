"""The scoreboard as a local web page that loads itself anew: large, high contrast, for a tablet or a television.

It is a file, not a server: no connection is opened. Every version replaces the one before in one step.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from voiceref.board.lines import clock, entry_lines, name_width, points_of, text_of
from voiceref.board.view import Entry, Kind, Seat, View

SHOWN_LOG = 6
_WIDE = 10_000
_LOOK_S = 0.5
_REFRESH_S = 1
_STYLE = (
    "body{background:#000;color:#fff;font:5vmin/1.3 sans-serif;margin:3vmin}"
    "h1{font-size:4vmin;font-weight:normal;color:#9cf;margin:0}table{border-collapse:collapse;width:100%;font-size:8vmin}"
    "td{padding:.1em .3em;border-bottom:1px solid #555}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".t td{background:#fd0;color:#000}.w td{background:#0c6;color:#000}small{font-size:4vmin}"
    "p{margin:1vmin 0}.h{font-size:14vmin;color:#fd0}ol{list-style:none;padding:0;font-size:4vmin;color:#ddd}"
)


class PageError(Exception):
    """A page that cannot be written; one French sentence with the remedy."""


def page(view: View) -> str:
    """The whole page. It loads itself anew every second until the game is closed."""
    rows = "".join(_row(view, seat) for seat in view.seats)
    now = "" if view.over or not view.phase else f"<p>{escape(view.phase)}</p>"
    glass = "" if view.hourglass is None else f'<p class="h">sablier {clock(view.hourglass)}</p>'
    say = f"<p>à dire : {escape(' · '.join(view.may_say[:SHOWN_LOG]))}</p>" if view.may_say and not view.over else ""
    log = "".join(f"<li>{escape(line)}</li>" for line in _log(view))
    return (
        f'<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>{escape(view.title)}</title>'
        f'<meta http-equiv="refresh" content="{_REFRESH_S}"><style>{_STYLE}</style></head><body>'
        f"<h1>{escape(view.title)}</h1><table>{rows}</table>{now}{glass}{say}<ol>{log}</ol></body></html>\n"
    )


def _row(view: View, seat: Seat) -> str:
    kind = ' class="w"' if seat.won else ' class="t"' if seat.to_play else ""
    words = "gagne" if seat.won else "joue" if seat.to_play else ""
    change = f"{seat.change:+d}" if seat.change else ""
    lacks = view.goal is not None and seat.points is not None and not view.over
    missing = f"encore {max((view.goal or 0) - (seat.points or 0), 0)}" if lacks else ""
    small = " · ".join(filter(None, (words, change, missing, ", ".join(seat.tokens))))
    name = f"{escape(seat.name)} <small>{escape(small)}</small>"
    return f'<tr{kind}><td>{name}</td><td class="n">{points_of(seat)}</td></tr>'


def _log(view: View) -> list[str]:
    """The newest entries first."""
    kept = [entry for entry in view.log if entry.kind is not Kind.REFUSED or entry.text][-SHOWN_LOG:]
    lines = (text_of(line).strip() for entry in reversed(kept) for line in entry_lines(entry, name_width(view), _WIDE))
    return [" ".join(line.split()) for line in lines]


class PageDisplay:
    """A view written to a file at each change, and while an hourglass runs."""

    def __init__(self, path: Path, hourglass: Callable[[], float | None]) -> None:
        """Raises PageError when the file cannot be written."""
        self._path = path
        self._hourglass = hourglass
        self._view = View("")
        self._lock = threading.Lock()
        self._closed = threading.Event()
        try:
            self._write("")
        except OSError as error:
            raise PageError(
                f"La page {path} ne peut pas être écrite ({error.strerror}) : choisissez un autre fichier."
            ) from error
        threading.Thread(target=self._run, name="page", daemon=True).start()

    def show(self, view: View, added: Sequence[Entry]) -> None:
        self._view = view
        self._draw()

    def close(self) -> None:
        self._closed.set()
        self._draw()

    def _run(self) -> None:
        while not self._closed.wait(_LOOK_S):
            if self._hourglass() is not None or self._view.hourglass is not None:
                self._draw()

    def _draw(self) -> None:
        """The page as it is now; a disk that does not take it leaves the page before."""
        with self._lock:
            try:
                self._write(page(replace(self._view, hourglass=self._hourglass())))
            except OSError:
                return

    def _write(self, text: str) -> None:
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self._path)
