"""What every game is to the session: a pure reducer from inputs to states, events and refusals.

Time arrives inside the inputs (seconds on the game clock); nothing here reads a clock, a file or a random number.
The session delivers inputs in the order of their onset, and a `Tick(t)` only when nothing said before `t` can still
arrive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, runtime_checkable

Slot = object
"""A slot value: int, str, or tuples of those (see `grammars/*.toml` for the slots of each phrase)."""


@dataclass(frozen=True)
class Table:
    """Who plays and how, as checked by `voiceref.table`. Players are in turn order."""

    players: tuple[str, ...]
    level: int = 4
    settings: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    turn: str | None = None
    teams: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Said:
    """A whole phrase of the game, said by `speaker` (None: unknown and not needed) at onset `t` seconds."""

    t: float
    speaker: str | None
    phrase: str
    slots: Mapping[str, Slot]
    text: str


@dataclass(frozen=True)
class Tick:
    """The clock: nothing said before `t` seconds is still to come."""

    t: float


@dataclass(frozen=True)
class Secret:
    """A word or expression typed in secret (`SECONDS @ secret TEXT = SYNONYM = …`)."""

    t: float
    text: str
    synonyms: tuple[str, ...] = ()


Input = Said | Tick | Secret


@dataclass(frozen=True)
class Event:
    """Something the rules did. `name` selects the French sentence in `voice/wording.toml`; `data` fills it."""

    t: float
    rule: str
    name: str
    data: Mapping[str, object] = field(default_factory=dict)
    deltas: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Refusal:
    """Words that changed nothing, and why: `reason` selects the French sentence as an event name does."""

    t: float
    text: str
    reason: str
    rule: str | None = None
    speaker: str | None = None
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Opening:
    """A phrase that may be said now, by whom (None: anyone), until when (None: no deadline)."""

    phrase: str
    who: frozenset[str] | None = None
    until: float | None = None


@dataclass(frozen=True)
class Summary:
    """What the score table shows. `turn` is who throws (or guesses) next."""

    scores: Mapping[str, int]
    turn: str | None
    phase: str
    tokens: Mapping[str, tuple[str, ...]]
    over: bool = False
    winners: tuple[str, ...] = ()


S = TypeVar("S")
Seen = TypeVar("Seen", contravariant=True)


@dataclass(frozen=True)
class Step(Generic[S]):
    """What one input did. `checkpoint`: the input began a group that « annule » takes back as a whole."""

    state: S
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    checkpoint: bool = False


class Game(Protocol[S]):
    """The rules of one game. All methods are pure."""

    name: str
    """As on the command line, e.g. `cul-de-chouette`."""

    def start(self, table: Table) -> Step[S]:
        """The first state (and the events that open the game). Raises ValueError with a French sentence."""
        ...

    def reduce(self, state: S, said: Input) -> Step[S]:
        """The next state. Inputs out of place become refusals, never exceptions."""
        ...

    def openings(self, state: S) -> tuple[Opening, ...]:
        """Every phrase that would be accepted now."""
        ...

    def deadline(self, state: S) -> float | None:
        """The next time (s) at which a Tick changes the state by itself, or None."""
        ...

    def summary(self, state: S) -> Summary:
        """Scores, tokens, turn and end as shown and as printed by `--json`."""
        ...


@runtime_checkable
class OpenWords(Protocol[Seen]):
    """A game in whose phrases free words are said: the ear must be told which to be ready for. Pure."""

    def words(self, state: Seen) -> Mapping[str, tuple[str, ...]]:
        """Slot type (`mot`, `libre`, `metier`) -> words or groups of words that may be said now, decoys among them."""
        ...

    def sought(self, state: Seen) -> Mapping[str, tuple[str, ...]]:
        """Those of `words` that answer, and so count in the middle of other talk too."""
        ...
