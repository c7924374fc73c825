"""What a game of Cachamot is between two inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from voiceref.games.cachamot.answers import Answer
from voiceref.games.cachamot.secret_words import WordFault
from voiceref.games.decks import WordCard

GLASS_S = 60.0
MARKS_S = (30, 10, 3, 2, 1)
"""Seconds left at which the referee speaks, latest last."""


class Phase(StrEnum):
    """Where the round stands; the value is what `--json` shows."""

    PREPARATION = "preparation"
    GLASS_1 = "sablier_1"
    BETWEEN = "entre_sabliers"
    GLASS_2 = "sablier_2"
    JUDGING = "jugement"
    OVER = "fin"


@dataclass(frozen=True)
class Rules:
    """The settings of this game, checked."""

    double_turn: bool = False
    strict: bool = False
    tie: str = "cachamot"
    repeat_in_game: bool = False
    cachamot_judges: bool = False
    expert: bool = False
    challenges: bool = False
    tie_window_s: float = 0.15


@dataclass(frozen=True)
class Glass:
    """A 60-second hourglass: when it ends (s) and the seconds left that are still to be announced."""

    ends: float
    marks: tuple[int, ...] = MARKS_S

    def next(self) -> float:
        """When it speaks or ends next."""
        return self.ends - self.marks[0] if self.marks else self.ends

    def left(self, t: float) -> float:
        """Seconds left at `t`."""
        return max(self.ends - t, 0.0)


@dataclass(frozen=True)
class Question:
    """What the referee waits to hear about `answers`: `accepte`, or `departage` (who was it); given up at `until`."""

    kind: str
    answers: tuple[Answer, ...]
    until: float


@dataclass(frozen=True)
class Ended:
    """The last round, for corrections: its number of glasses, its Cachamot and what it gave."""

    cachamot: str | None
    glass: int
    deltas: Mapping[str, int]


@dataclass(frozen=True)
class Round:
    """One Cachamot's words and what has been answered. Until `late_until` an answer is told that it is too late."""

    imposed: str = ""
    bubble: str = ""
    bubble_letters: tuple[str, ...] = ()
    shell_letters: tuple[str, ...] = ()
    shell: str = ""
    synonyms: tuple[str, ...] = ()
    fault: WordFault | None = None
    glass: Glass | None = None
    used: frozenset[tuple[int, str]] = frozenset()
    queue: tuple[Answer, ...] = ()
    wrong: tuple[Answer, ...] = ()
    question: Question | None = None
    judging_until: float | None = None
    late_until: float | None = None


@dataclass(frozen=True)
class State:
    """The whole game. `cachamot` is None in the printed challenges; `played` counts rounds that have ended."""

    players: tuple[str, ...]
    rules: Rules
    cards: Mapping[str, int]
    cachamot: str | None
    phase: Phase = Phase.PREPARATION
    played: int = 0
    round: Round = field(default_factory=Round)
    ended: Ended | None = None
    spoke: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    used_words: tuple[str, ...] = ()
    deck: tuple[WordCard, ...] = ()

    @property
    def guessers(self) -> tuple[str, ...]:
        """Everybody but the Cachamot."""
        return tuple(player for player in self.players if player != self.cachamot)

    @property
    def glass_number(self) -> int:
        """1 until the second glass is turned, then 2."""
        return 2 if self.phase in (Phase.GLASS_2, Phase.JUDGING) else 1

    @property
    def referee_knows(self) -> bool:
        """Whether the Shell word was typed: otherwise the Cachamot judges (D-108)."""
        return bool(self.round.shell)

    @property
    def rounds(self) -> int:
        """How many rounds the game has (CACH-004, CACH-005)."""
        return len(self.players) * (2 if self.rules.double_turn else 1)
