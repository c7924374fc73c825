"""What the screen shows, as frozen data: seats, phase, what may be said, hourglass, last words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """Where a line of the log comes from."""

    HEARD = "heard"
    SAID = "said"
    SHOWN = "shown"
    REFUSED = "refused"


@dataclass(frozen=True)
class Entry:
    """One line of the log at `t` seconds. `who` said it (None: unknown, or the referee); `reason` of a refusal."""

    t: float
    kind: Kind
    text: str
    who: str | None = None
    reason: str = ""


@dataclass(frozen=True)
class Seat:
    """One row of the score table. `change` is what the last move brought; `tokens` are ready to read.

    `points` is None at a table that plays without.
    """

    name: str
    points: int | None
    change: int = 0
    tokens: tuple[str, ...] = ()
    to_play: bool = False
    won: bool = False


@dataclass(frozen=True)
class View:
    """Everything on the screen. `goal` ends the game (None: no such score); `hourglass` is in seconds left."""

    title: str
    seats: tuple[Seat, ...] = ()
    goal: int | None = None
    phase: str = ""
    may_say: tuple[str, ...] = ()
    hourglass: float | None = None
    log: tuple[Entry, ...] = ()
    over: bool = False
    footer: str = ""
