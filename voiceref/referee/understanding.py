"""What heard words mean at this table now: the phrase of the game or the command, with its slots, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from voiceref.games.engine import Slot


@dataclass(frozen=True)
class Meaning:
    """A whole phrase that was understood. `command` names what the session does itself, None for the rules."""

    phrase: str
    text: str
    kind: str
    rule: str
    slots: Mapping[str, Slot]
    command: str | None = None


@dataclass(frozen=True)
class Noise:
    """Words that are no phrase: table talk, half a cry, doubt between two phrases."""

    text: str
    reason: str


class Understanding(Protocol):
    """Words to meanings, for one game and the players that the session names."""

    def meaning(self, text: str, players: Iterable[str], legal: Iterable[str]) -> Meaning | Noise:
        """What `text` means; phrases whose ids are in `legal` are preferred."""
        ...

    def printed(self, phrase: str) -> str:
        """A phrase as the rulebook prints it, for the help."""
        ...
