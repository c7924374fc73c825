"""The games that can be refereed, by their names on the command line. Their code is loaded when played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from voiceref.games.engine import Game
from voiceref.referee import tongue


@dataclass(frozen=True)
class Entry:
    """One game: its title, where its rules are, the score that ends it, and who has scores if not the players.

    `levelled`: whether its rules come in levels and give tokens.
    `aids`: what its rules ask of the French language (see `tongue`).
    """

    title: str
    module: str
    rules: str
    goal: int | None = None
    score_keys: tuple[str, ...] | None = None
    aids: tuple[str, ...] = ()
    levelled: bool = False

    def load(self) -> Game[Any]:
        """The rules."""
        game: Game[Any] = getattr(import_module(self.module), self.rules)(**tongue.aids(self.aids))
        return game

    def schema(self) -> Mapping[str, Sequence[str] | range]:
        """The settings with their allowed values."""
        found: Mapping[str, Sequence[str] | range] = import_module(self.module).SCHEMA
        return found


GAMES: Mapping[str, Entry] = {
    "cul-de-chouette": Entry(
        "Le Cul de chouette", "voiceref.games.cul_de_chouette", "CulDeChouette", goal=343, levelled=True
    ),
    "cachamot": Entry(
        "Cachamot", "voiceref.games.cachamot", "Cachamot", aids=("knows", "sounds_alike", "near", "beginning")
    ),
    "casque-cheque-chat": Entry(
        "Casque Chèque Chat",
        "voiceref.games.casque_cheque_chat",
        "CasqueChequeChat",
        goal=4,
        score_keys=("orange", "bleu"),
        aids=("pronounce", "knows", "near"),
    ),
    "chasseur-de-tete": Entry(
        "Chasseur de tête", "voiceref.games.chasseur_de_tete", "ChasseurDeTete", score_keys=("équipe",)
    ),
}
