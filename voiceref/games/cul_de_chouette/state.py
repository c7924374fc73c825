"""What the referee knows of a game: scores, what each player holds, and what is open to be said or thrown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from voiceref.games.cul_de_chouette.dice import Combination
from voiceref.games.cul_de_chouette.settings import Rules
from voiceref.games.engine import Opening, Said

if TYPE_CHECKING:
    from voiceref.games.cul_de_chouette.play import Play


@dataclass(frozen=True, slots=True)
class Filoche:
    """A Civet-Filoché held: points left of its 102 and opponents already bet on (CDC-150)."""

    left: int = 102
    used_on: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Bag:
    """What one player holds. `jarret`: 0 none, 1 a Jarret, 2 one kept by Jarret-Souple (CDC-201)."""

    grelottines: int = 0
    immunites: int = 0
    civet: bool = False
    filoche: Filoche | None = None
    jarret: int = 0
    flan: bool = False

    def names(self) -> tuple[str, ...]:
        """The tokens by their names in `--tokens`."""
        jarret = ((), ("jarret",), ("jarret-sifflet",))[self.jarret]
        return (
            *("grelottine",) * self.grelottines,
            *("immunite",) * self.immunites,
            *(("civet",) if self.civet else ()),
            *(("civet-filoche",) if self.filoche else ()),
            *jarret,
            *(("flan",) if self.flan else ()),
        )


def bag_of(tokens: Iterable[str]) -> Bag:
    """The bag that holds these tokens."""
    bag = Bag()
    for token in tokens:
        match token:
            case "grelottine":
                bag = replace(bag, grelottines=bag.grelottines + 1)
            case "immunite":
                bag = replace(bag, immunites=bag.immunites + 1)
            case "civet":
                bag = replace(bag, civet=True)
            case "civet-filoche":
                bag = replace(bag, filoche=Filoche())
            case "jarret":
                bag = replace(bag, jarret=max(bag.jarret, 1))
            case "jarret-sifflet":
                bag = replace(bag, jarret=2)
            case "flan":
                bag = replace(bag, flan=True)
            case _:
                raise ValueError(f"Le jeton « {token} » n'existe pas au Cul de chouette.")
    return bag


@dataclass(frozen=True, slots=True)
class Bet:
    """A Civet (`owner` bets on his own throw) or a Civet-Filoché (on the throw of `target`), CDC-132, CDC-149."""

    owner: str
    target: str
    points: int
    combination: Combination
    times: int = 1
    """2, 4, 8… once doubled (CDC-140, CDC-141, CDC-155)."""


@dataclass(frozen=True, slots=True)
class FlanMark:
    """A Flan waiting for the next own throw of `target`; a Contre-Flan weighs 2 (CDC-240, CDC-264, CDC-267)."""

    target: str
    author: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Stake:
    """The points at stake in a Grelottine challenge (CDC-083)."""

    grelottin: str
    defie: str
    combination: Combination
    points: int


@dataclass(frozen=True, slots=True)
class Cast:
    """Three dice whose combination counts for `player`, with all that bends it."""

    player: str
    dice: tuple[int, int, int]
    origin: str = "tour"
    """`tour`, `grelottine`, `soufflette`, `relance`, `velutee` or `sirop`."""
    factor: int = 1
    """2 under a Bi-Jarret (CDC-194); Soufflette and Flan do not look at it (CDC-197)."""
    flans: tuple[FlanMark, ...] = ()
    bets: tuple[Bet, ...] = ()
    """Civets and Civets-Filochés on this throw, judged once the combination is settled."""
    jarret: int = 0
    """The Jarret spent on this throw (CDC-199)."""
    stake: Stake | None = None
    """The Sirop-Grelot still to be judged on this throw (CDC-084)."""

    @property
    def weight(self) -> int:
        """How many Flans bend this throw for everybody who reacts to it (CDC-241); 0: none."""
        return sum(mark.weight for mark in self.flans)

    @property
    def sign(self) -> int:
        """What a gain is multiplied by: 1, or minus the number of Flans (CDC-240, CDC-265)."""
        return -self.weight if self.flans else 1

    @property
    def partners(self) -> tuple[str, ...]:
        """Owners of a Civet-Filoché on the throw of a challenge: what it ends in is theirs too (CDC-152)."""
        owners = (bet.owner for bet in self.bets if bet.owner != bet.target)
        return tuple(owners) if self.origin == "grelottine" else ()

    def worth(self, points: int) -> int:
        """The points of the combination after Bi-Jarret and Flans."""
        return points * self.factor * self.sign


class Item(Protocol):
    """Something open: a race, an option, a bet, a throw to come. Frozen; it changes by being swapped in the play."""

    @property
    def until(self) -> float | None:
        """When it closes by itself (s), or None."""
        ...

    @property
    def soft(self) -> bool:
        """Whether the next throw closes it; a hard item holds up the game until it is settled."""
        ...

    def openings(self, state: State) -> Iterable[Opening]:
        """What may be said to it now."""
        ...

    def hear(self, play: Play, said: Said) -> bool:
        """Take a phrase, or leave it to others (False)."""
        ...

    def close(self, play: Play) -> None:
        """Settle with what has been heard: time is up, or the next throw has come."""
        ...


@dataclass(frozen=True)
class State:
    """A game at one moment."""

    rules: Rules
    players: tuple[str, ...]
    """Everybody in turn order, eliminated players included."""
    scores: Mapping[str, int]
    bags: Mapping[str, Bag]
    turn: str
    """Whose turn it is; while the windows of a turn are open, still who threw."""
    sequence: str = ""
    """`""` between two turns, else what is being played: `tour`, `defi`, `tichette`, `sloubi`, `fin`."""
    items: tuple[Item, ...] = ()
    out: frozenset[str] = frozenset()
    begun: bool = False
    starter: str | None = None
    """Who threw first of all; rounds are counted from him (D-57)."""
    start_dice: Mapping[str, int] = field(default_factory=dict)
    start_tied: frozenset[str] = frozenset()
    rounds: int = 0
    turns: int = 0
    bets: tuple[Bet, ...] = ()
    """Civets and Civets-Filochés announced for throws to come."""
    bidding: float = 0.0
    """Until when a Civet-Filoché is being said (CDC-149)."""
    flans: tuple[FlanMark, ...] = ()
    jarret: str = ""
    """What the player in turn has announced: `mi`, `bi`, `sifflet` (CDC-192, CDC-194, CDC-201)."""
    spent_jarret: int = 0
    early: tuple[Said, ...] = ()
    """Cries made while the dice roll (CDC-014)."""
    wrong: frozenset[str] = frozenset()
    """At Aquitaine, who has made a Bévue in this sequence (CDC-298)."""
    late: frozenset[str] = frozenset()
    """Phrases of races already settled: crying them late is free until the next throw."""
    standing: Mapping[str, bool] = field(default_factory=dict)
    """Who has stood up -> whether he has said « Je ne mange pas de graines ! » (CDC-270)."""
    youngest: str | None = None
    ticheur: str | None = None
    tichette_pot: int = 0
    last_bevue: tuple[str, Mapping[str, int]] | None = None
    to_give: Mapping[str, int] = field(default_factory=dict)
    """At Aquitaine, sips won in turn `given_turn` and not yet given, by winner (CDC-290)."""
    given_turn: int = 0
    king: str | None = None
    winners: tuple[str, ...] = ()
    over: bool = False
    now: float = 0.0

    def but(self, **changes: object) -> State:
        """The same state with some fields changed: `dataclasses.replace`, several times faster on so wide a record."""
        new = object.__new__(State)
        new.__dict__.update(self.__dict__, **changes)
        return new

    @property
    def alive(self) -> tuple[str, ...]:
        """The players still in the game, in turn order."""
        return tuple(p for p in self.players if p not in self.out) if self.out else self.players

    def others(self, player: str) -> tuple[str, ...]:
        """The players still in the game but one."""
        return tuple(p for p in self.alive if p != player)

    def after(self, player: str) -> str:
        """Who throws after `player`: the next on his right still in the game (CDC-004, D-69)."""
        seats = self.players if self.rules.get("turn.direction") == "right" else self.players[::-1]
        place = seats.index(player)
        around = seats[place + 1 :] + seats[: place + 1]
        return next((p for p in around if p not in self.out), player)

    @property
    def upcoming(self) -> str:
        """Who throws the next chouettes of a turn."""
        return self.after(self.turn) if self.sequence == "tour" else self.turn
