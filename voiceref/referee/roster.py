"""The games that can be refereed, by their names on the command line. A game's code is loaded only when it is played."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from voiceref.games.engine import Game

MODULES: Mapping[str, str] = {
    "cul-de-chouette": "voiceref.games.cul_de_chouette",
    "cachamot": "voiceref.games.cachamot",
    "casque-cheque-chat": "voiceref.games.casque_cheque_chat",
    "chasseur-de-tete": "voiceref.games.chasseur_de_tete",
}
"""Game name -> module with `GAME` (a `games.engine.Game`) and `SCHEMA` (setting key -> allowed values)."""

TITLES: Mapping[str, str] = {
    "cul-de-chouette": "Le Cul de chouette",
    "cachamot": "Cachamot",
    "casque-cheque-chat": "Casque Chèque Chat",
    "chasseur-de-tete": "Chasseur de tête",
}


def load(name: str) -> Game[Any]:
    """The rules of the game `name`. Raises KeyError for a name that is not in `MODULES`."""
    game: Game[Any] = import_module(MODULES[name]).GAME
    return game


def schema(name: str) -> Mapping[str, Any]:
    """The settings of the game `name` with their allowed values."""
    found: Mapping[str, Any] = import_module(MODULES[name]).SCHEMA
    return found
