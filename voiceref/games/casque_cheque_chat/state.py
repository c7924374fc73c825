"""What a game of Casque Chèque Chat is between two inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from voiceref.games.casque_cheque_chat.tiles import Accent
from voiceref.games.decks import ExpressionCard
from voiceref.games.engine import Said

TEAMS = ("orange", "bleu")
"""By seat: the first group is orange, the next blue, and so on (CCC-002)."""
GROUPS = 4
ORDINARY_SLATES = 4
"""Each team's slates without the secret one (D-208); one goes back to the box with every round won."""
WINS = 4


class Phase(StrEnum):
    """Where the round stands; the value is what `--json` shows."""

    CHOICE = "choix"
    CLUES = "indices"
    BETWEEN = "entre_manches"
    OVER = "fin"


@dataclass(frozen=True)
class Rules:
    """The settings of this game, checked."""

    silence_s: float = 15.0
    threshold: float = 85.0
    giver_fault: bool = False
    tie_first: bool = False
    secret_early_fault: bool = False
    accent: Accent = Accent.NORTH
    tie_window_s: float = 0.15
    headset: bool = False


@dataclass(frozen=True)
class Guess:
    """The expression as one team said it; `team` is None while nobody knows whose voice it was."""

    t: float
    team: str | None
    text: str


@dataclass(frozen=True)
class Question:
    """What the referee waits to hear: `faute` (was it one, of `team`?), `equipe` or `equipe_fautive` (which team?)."""

    kind: str
    until: float
    team: str | None = None
    guess: Guess | None = None


@dataclass(frozen=True)
class Doubted:
    """A clue of `team` that the referee does not know (CCC-023): « non » until `until` asks whether it is a fault."""

    team: str
    until: float


@dataclass(frozen=True)
class Round:
    """One expression: what was chosen, the slates on the line, what was said.

    Until `reading_until` (s) the clue-givers wait to hear the card; `deaf` guessers have said that they do not listen.
    """

    letter: str = ""
    expressions: tuple[str, ...] = ()
    placed: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(TEAMS, 0))
    secret_given: frozenset[str] = frozenset()
    finished: frozenset[str] = frozenset()
    silence_until: float | None = None
    right: tuple[Guess, ...] = ()
    doubtful: Guess | None = None
    doubted: Doubted | None = None
    reading_until: float | None = None
    deaf: frozenset[str] = frozenset()
    question: Question | None = None
    held: tuple[Said, ...] = ()


@dataclass(frozen=True)
class State:
    """The whole game. `groups` stand round the table, each next one to the left; `first` keeps the box.

    `ended_at` (s) is the end of the last round.
    """

    groups: tuple[tuple[str, ...], ...]
    rules: Rules
    wins: Mapping[str, int]
    first: int = 0
    phase: Phase = Phase.CHOICE
    played: int = 0
    round: Round = field(default_factory=Round)
    deck: tuple[ExpressionCard, ...] = ()
    ended_at: float | None = None

    @property
    def card(self) -> ExpressionCard | None:
        """The card of this round; the deck goes round."""
        return self.deck[self.played % len(self.deck)] if self.deck else None

    @property
    def givers(self) -> tuple[str, ...]:
        """The First group and the group on its right (CCC-010)."""
        return self.groups[self.first] + self.groups[(self.first - 1) % GROUPS]

    @property
    def guessers(self) -> tuple[str, ...]:
        """The two other groups (CCC-012)."""
        return self.groups[(self.first + 1) % GROUPS] + self.groups[(self.first + 2) % GROUPS]

    def team_of(self, player: str | None) -> str | None:
        """The colour of `player`, or None when unknown."""
        return next((TEAMS[i % 2] for i, group in enumerate(self.groups) if player in group), None)

    def slates(self, team: str) -> int:
        """How many ordinary slates the team still owns."""
        return ORDINARY_SLATES - self.wins[team]

    def in_hand(self, team: str) -> int:
        """How many slates, the secret one included, the team could still write on in this round."""
        secret = 0 if team in self.round.secret_given else 1
        return self.slates(team) - self.round.placed[team] + secret

    def out(self, team: str) -> bool:
        """Whether the team has no slate left or wants to place none (D-202)."""
        return team in self.round.finished or self.in_hand(team) == 0


def other(team: str) -> str:
    """The opponents."""
    return TEAMS[1 - TEAMS.index(team)]
