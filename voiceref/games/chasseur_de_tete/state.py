"""What a game of Chasseur de tête is between two inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from voiceref.games.decks import JobCard

TEAM = "équipe"
"""All play together: the one name in the score table."""
LIVES = 3
PILE = 7
MARATHON_PILE = 26
LEAST_PLAYERS, MOST_PLAYERS = 3, 10


class Phase(StrEnum):
    """Where the turn stands; the value is what `--json` shows."""

    DIE = "de"
    CLUES = "indices"
    ANSWER = "reponse"
    JUDGING = "jugement"
    END = "fin_de_tour"
    OVER = "fin"


@dataclass(frozen=True)
class Rules:
    """The settings of this game, checked."""

    final_form: bool = True
    marathon: bool = False
    die_typed: bool = False


@dataclass(frozen=True)
class Job:
    """The job that the die chose, as far as the referee was told: its number, and the ways to say it."""

    number: int | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Face:
    """A job card as it lies: which side is up."""

    card: JobCard
    side: int = 0

    @property
    def jobs(self) -> tuple[str, ...]:
        """The six jobs of the side that is up, numbered like the die."""
        return self.card.sides[self.side]

    def turned(self) -> Face:
        """The same card with its other side up (D-303)."""
        return Face(self.card, 1 - self.side)


@dataclass(frozen=True)
class Turn:
    """One turn: what each player laid down, and the die if it was typed."""

    characters: Mapping[str, int] = field(default_factory=dict)
    covers: Mapping[str, int] = field(default_factory=dict)
    job: Job | None = None


@dataclass(frozen=True)
class State:
    """The whole game. `guesser` is a seat; `pile` holds the jobs still to guess; `timer_until` (s): see CDT-018."""

    players: tuple[str, ...]
    rules: Rules
    guesser: int = 0
    phase: Phase = Phase.DIE
    lives: int = LIVES
    pile: int = PILE
    guessed: int = 0
    turns: int = 0
    turn: Turn = field(default_factory=Turn)
    cards: tuple[Face, ...] = ()
    timer_until: float | None = None

    @property
    def jobs(self) -> tuple[str, ...]:
        """The six jobs that lie on top; () without a deck."""
        return self.cards[0].jobs if self.cards else ()

    @property
    def who(self) -> str:
        """Who guesses."""
        return self.players[self.guesser]

    @property
    def three(self) -> bool:
        """Whether the special rules for three players hold (CDT-030)."""
        return len(self.players) == LEAST_PLAYERS

    @property
    def each(self) -> int:
        """Characters and covers each player may lay down: one of each, two with three players (CDT-030, D-306)."""
        return 2 if self.three else 1


def hand(players: int) -> int:
    """Character cards in each hand (CDT-004). Raises ValueError with a French sentence outside 3 to 10."""
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError("Chasseur de tête se joue de trois à dix : donnez leurs noms avec --players.")
    return 7 if players <= 4 else 5 if players <= 6 else 4 if players <= 8 else 3
