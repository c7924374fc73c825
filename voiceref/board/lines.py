"""From a `View` to lines of styled text. Pure: the same view gives the same lines, whatever shows them.

Lines are short, without capitals beyond those of names and sentences, and carry every meaning in words, not in style
alone.
"""

from __future__ import annotations

import unicodedata
from enum import Enum

from voiceref.board.view import Entry, Kind, Seat, View

REFEREE = "arbitre"
SOMEBODY = "quelqu'un"
MOST_TO_SAY = 6
_MARGIN = "  "
_LEAST_LOG = 1


class Tone(Enum):
    """How a piece of text is meant; the terminal decides how that looks."""

    PLAIN = "plain"
    TITLE = "title"
    LABEL = "label"
    TURN = "turn"
    WON = "won"
    SAID = "said"
    REFUSED = "refused"


Span = tuple[str, Tone]
Line = tuple[Span, ...]


def screen(view: View, width: int, height: int) -> tuple[Line, ...]:
    """At most `height` lines of `width` columns: title, scores, what now, and the newest of the log."""
    head: list[Line] = [((view.title, Tone.TITLE),), (), *score_lines(view), (), *now_lines(view, width)]
    foot: list[Line] = [((view.footer, Tone.LABEL),)] if view.footer else []
    room = max(height - len(head) - len(foot) - 1, _LEAST_LOG)
    log = [line for entry in view.log[-room:] for line in entry_lines(entry, name_width(view), width)][-room:]
    return tuple(cut(line, width) for line in [*head, (), *log, *foot][-max(height, 1) :])


def score_lines(view: View) -> tuple[Line, ...]:
    """One line a player: mark of the turn, name, points, last change, what is missing, tokens."""
    names, points = name_width(view), max((len(points_of(seat)) for seat in view.seats), default=1)
    return tuple(_score_line(view, seat, names, points) for seat in view.seats)


def points_of(seat: Seat) -> str:
    """The points of a seat as they are shown; empty at a table without."""
    return "" if seat.points is None else str(seat.points)


def score_sentence(view: View) -> str:
    """The table in one line, for output that cannot be redrawn: « Ana 16 · Bruno 0 ; à suivre : Bruno »."""
    scores = " · ".join(seat.name if seat.points is None else f"{seat.name} {seat.points}" for seat in view.seats)
    winners = [seat.name for seat in view.seats if seat.won]
    if view.over:
        return f"{scores} ; {'gagné par ' + ', '.join(winners) if winners else 'partie finie'}"
    turn = next((seat.name for seat in view.seats if seat.to_play), None)
    return f"{scores} ; à suivre : {turn}" if turn else scores


def now_lines(view: View, width: int) -> tuple[Line, ...]:
    """The phase, the hourglass and what may be said now, each only when there is one."""
    lines: list[Line] = []
    if view.over:
        winners = " et ".join(seat.name for seat in view.seats if seat.won)
        return (((f"{_MARGIN}partie finie", Tone.WON), (f"  gagne : {winners}" if winners else "", Tone.WON)),)
    if view.phase:
        lines.append(((_MARGIN, Tone.PLAIN), (view.phase, Tone.PLAIN)))
    if view.hourglass is not None:
        lines.append(((f"{_MARGIN}sablier  ", Tone.LABEL), (clock(view.hourglass), Tone.TURN)))
    if view.may_say:
        shown, left = view.may_say[:MOST_TO_SAY], len(view.may_say) - MOST_TO_SAY
        tail = f" · et {left} autres (dites « aide »)" if left > 0 else ""
        lines.extend(_wrapped(f"{_MARGIN}à dire   ", " · ".join(shown) + tail, width, Tone.PLAIN))
    return tuple(lines)


def entry_lines(entry: Entry, names: int, width: int) -> tuple[Line, ...]:
    """A log entry: time, who, and the words; a refusal says why. Broken at spaces to lines of `width` columns."""
    who = {Kind.SAID: REFEREE, Kind.SHOWN: ""}.get(entry.kind, entry.who or SOMEBODY)
    label = f"{clock(entry.t):>6}  {padded(who, names)}  "
    if entry.kind is Kind.SAID:
        return _wrapped(label, entry.text, width, Tone.SAID)
    if entry.kind is Kind.SHOWN:
        return _wrapped(label, entry.text, width, Tone.TURN)
    if entry.kind is Kind.HEARD:
        return _wrapped(label, f"« {entry.text} »", width, Tone.PLAIN)
    return _wrapped(label, f"« {entry.text} »  non compté : {entry.reason}", width, Tone.REFUSED)


def text_of(line: Line) -> str:
    """The line without its styles."""
    return "".join(text for text, _ in line).rstrip()


def clock(seconds: float) -> str:
    """Minutes and seconds, « 2:05 », never below zero; a started second counts as over only when it is over."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def name_width(view: View) -> int:
    """Columns that the longest name takes."""
    return max([columns(REFEREE), columns(SOMEBODY), *(columns(seat.name) for seat in view.seats)])


def columns(text: str) -> int:
    """Columns that `text` takes in a terminal: wide letters two, combining marks none."""
    return sum(0 if unicodedata.combining(x) else 2 if unicodedata.east_asian_width(x) in "WF" else 1 for x in text)


def padded(text: str, width: int) -> str:
    """`text` filled with spaces to `width` columns."""
    return text + " " * max(0, width - columns(text))


def cut(line: Line, width: int) -> Line:
    """The line, cut with « … » where it is longer than `width` columns."""
    if sum(columns(text) for text, _ in line) <= width:
        return line
    kept: list[Span] = []
    room = width - 1
    for text, tone in line:
        while columns(text) > room:
            text = text[:-1]
            if columns(text) <= room:
                return (*kept, (f"{text}…", tone))
        kept.append((text, tone))
        room -= columns(text)
    return tuple(kept)


def _score_line(view: View, seat: Seat, names: int, points: int) -> Line:
    tone = Tone.WON if seat.won else Tone.TURN if seat.to_play else Tone.PLAIN
    mark = "*" if seat.won else ">" if seat.to_play else " "
    change = f"({seat.change:+d})" if seat.change else ""
    spans: list[Span] = [
        (f"{mark} {padded(seat.name, names)}", tone),
        (f"  {points_of(seat):>{points}} {change:<6}", tone),
    ]
    if view.goal is not None and seat.points is not None and not view.over:
        spans.append((f"  encore {max(view.goal - seat.points, 0):<4}", Tone.LABEL))
    if seat.tokens:
        spans.append((f"  {', '.join(seat.tokens)}", Tone.PLAIN))
    return tuple(spans)


def _wrapped(label: str, text: str, width: int, tone: Tone) -> tuple[Line, ...]:
    """`text` after `label`, broken at spaces so that no line is longer than `width`; later lines are indented."""
    room = max(width - columns(label), 20)
    rows: list[str] = [""]
    for word in text.split(" "):
        fuller = f"{rows[-1]} {word}".strip()
        if columns(fuller) <= room or not rows[-1]:
            rows[-1] = fuller
        else:
            rows.append(word)
    heads = [label, *[" " * columns(label)] * (len(rows) - 1)]
    return tuple(((head, Tone.LABEL), (row, tone)) for head, row in zip(heads, rows, strict=True))
