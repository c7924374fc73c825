"""A deck of cards from its file into the table's settings, shuffled there, so that a journal holds all of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from voiceref.games import decks
from voiceref.games.decks import DeckError
from voiceref.games.engine import Table

_READERS: dict[str, Callable[[str, str], Sequence[object]]] = {
    "cachamot": decks.word_cards,
    "casque-cheque-chat": decks.expression_cards,
    "chasseur-de-tete": decks.job_cards,
}


HEADSET = "deck.private"
"""The setting of a game with private cards: « casque » when a headset is named, so that nobody else need be asked."""


def with_headset(table: Table, game: str) -> Table:
    """`table` where private cards are read into a headset. Raises DeckError for a game without any."""
    if game != "casque-cheque-chat":
        raise DeckError("Seul Casque Chèque Chat a des cartes à lire en secret : retirez --private.")
    return replace(table, settings={**table.settings, HEADSET: "casque"})


def dealt(table: Table, game: str, file: Path, shuffle: Callable[[list[int]], None] = random.shuffle) -> Table:
    """`table` with the cards of `file`, shuffled unless `deck.order=fichier`. Raises DeckError."""
    reader = _READERS.get(game)
    if reader is None:
        raise DeckError(f"{file} : ce jeu se joue sans cartes, retirez --deck.")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeckError(f"{file} n'est pas en UTF-8 : enregistrez-le en UTF-8.") from error
    except OSError as error:
        raise DeckError(f"{file} est introuvable ou illisible : vérifiez le chemin après --deck.") from error
    places = list(range(len(reader(text, file.name))))
    if table.settings.get("deck.order") != "fichier":
        shuffle(places)
    cards = {"deck": text, "deck.file": file.name, "deck.places": ",".join(map(str, places))}
    return replace(table, settings={**table.settings, **cards})
