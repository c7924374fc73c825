"""Example cards as TOML (`grammars/decks/`): text to checked cards, faults told in French with file and line."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

JOBS_A_SIDE = 6
LETTERS = ("A", "B", "C")
_CARD = re.compile(r"\s*\[\[\s*carte\s*\]\]")
_LINE_IN_ERROR = re.compile(r"line (\d+)")


class DeckError(ValueError):
    """A deck that cannot be used; one French sentence with the file and, where there is one, the line."""


@dataclass(frozen=True)
class WordCard:
    """Cachamot: its words, and the number that selects a word of the card drawn before it (CACH-010)."""

    number: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class ExpressionCard:
    """Casque Chèque Chat: a theme and the expressions A, B, C (CCC-005); `language` when they are not French."""

    theme: str
    expressions: tuple[str, str, str]
    language: str = ""
    starter: bool = False

    def expression(self, letter: str) -> str:
        """The expression A, B or C."""
        return self.expressions[LETTERS.index(letter)]


@dataclass(frozen=True)
class JobCard:
    """Chasseur de tête: six jobs on each side, numbered like the die (D-301, D-303)."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]


Card = TypeVar("Card")
_Fields = Mapping[str, object]


def word_cards(text: str, source: str) -> tuple[WordCard, ...]:
    """The cards of a Cachamot deck; `source` names the file in errors. Raises DeckError."""
    cards = _cards(text, source, {"numero", "mots"}, _word_card)
    few = min(len(card.words) for card in cards)
    for line, card in zip(_lines(text, len(cards)), cards, strict=True):
        if not 1 <= card.number <= few:
            raise DeckError(f"{source}, ligne {line} : le numéro doit aller de 1 à {few}, comme les mots d'une carte.")
    return cards


def expression_cards(text: str, source: str) -> tuple[ExpressionCard, ...]:
    """The cards of a Casque Chèque Chat deck. Raises DeckError."""
    return _cards(text, source, {"theme", "langue", "depart", *LETTERS}, _expression_card)


def job_cards(text: str, source: str) -> tuple[JobCard, ...]:
    """The cards of a Chasseur de tête deck. Raises DeckError."""
    return _cards(text, source, {"recto", "verso"}, _job_card)


def dealt(settings: Mapping[str, str], read: Callable[[str, str], tuple[Card, ...]]) -> tuple[Card, ...]:
    """The cards in the settings `deck`, `deck.file`, `deck.places` of a table, as dealt; () without a deck."""
    text = settings.get("deck")
    if text is None:
        return ()
    cards = read(text, settings.get("deck.file", "paquet"))
    places = settings.get("deck.places", "")
    return tuple(cards[int(place)] for place in places.split(",")) if places else cards


ORDER: Mapping[str, tuple[str, ...]] = {"deck.order": ("melange", "fichier")}
"""The setting of a game with cards: shuffled, or as in the file."""


def imposed(cards: tuple[WordCard, ...], drawn: int) -> str:
    """The starting word of card `drawn` (0 on top): the next card's number selects it; the deck goes round."""
    return cards[drawn % len(cards)].words[cards[(drawn + 1) % len(cards)].number - 1]


def _cards(text: str, source: str, keys: set[str], read: Callable[[_Fields], Card]) -> tuple[Card, ...]:
    try:
        content = tomllib.loads(unicodedata.normalize("NFC", text))
    except tomllib.TOMLDecodeError as error:
        place = _LINE_IN_ERROR.search(str(error))
        line = place[1] if place else len(text.splitlines())
        raise DeckError(f"{source}, ligne {line} : TOML incorrect, vérifiez guillemets et crochets.") from error
    unknown = sorted(set(content) - {"titre", "carte"})
    if unknown:
        raise DeckError(f"{source} : la clé « {unknown[0]} » est inconnue ; il faut « titre » et des [[carte]].")
    entries = content.get("carte")
    if not isinstance(entries, list) or not entries:
        raise DeckError(f"{source} : il n'y a pas de carte ; chacune commence par une ligne [[carte]].")
    seen: dict[Card, int] = {}
    for entry, line in zip(entries, _lines(text, len(entries)), strict=True):
        card = _card(entry, f"{source}, ligne {line}", keys, read)
        if card in seen:
            raise DeckError(f"{source}, ligne {line} : cette carte est déjà à la ligne {seen[card]}, enlevez-la.")
        seen[card] = line
    return tuple(seen)


def _card(entry: object, where: str, keys: set[str], read: Callable[[_Fields], Card]) -> Card:
    if not isinstance(entry, dict):
        raise DeckError(f"{where} : une carte est une suite de lignes « clé = valeur » sous [[carte]].")
    unknown = sorted(set(entry) - keys)
    if unknown:
        raise DeckError(f"{where} : la clé « {unknown[0]} » est inconnue ; clés possibles : {', '.join(sorted(keys))}.")
    try:
        return read(entry)
    except ValueError as error:
        raise DeckError(f"{where} : {error}") from error


def _lines(text: str, cards: int) -> list[int]:
    """The line number of each [[carte]]; line 1 for all where the `cards` are written otherwise."""
    lines = [number for number, line in enumerate(text.splitlines(), 1) if _CARD.match(line)]
    return lines if len(lines) == cards else [1] * cards


def _word_card(entry: _Fields) -> WordCard:
    number = entry.get("numero")
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("il faut « numero = 1 », un nombre entier.")
    return WordCard(number, _texts(entry, "mots", None))


def _expression_card(entry: _Fields) -> ExpressionCard:
    first, second, third = (_text(entry, letter) for letter in LETTERS)
    starter = entry.get("depart", False)
    if not isinstance(starter, bool):
        raise ValueError("« depart » vaut true ou false.")
    language = _text(entry, "langue") if "langue" in entry else ""
    return ExpressionCard(_text(entry, "theme"), (first, second, third), language, starter)


def _job_card(entry: _Fields) -> JobCard:
    return JobCard((_texts(entry, "recto", JOBS_A_SIDE), _texts(entry, "verso", JOBS_A_SIDE)))


def _text(entry: _Fields, key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not any(letter.isalpha() for letter in value):
        raise ValueError(f"il manque « {key} », un texte entre guillemets.")
    return value.strip()


def _texts(entry: _Fields, key: str, number: int | None) -> tuple[str, ...]:
    values = entry.get(key)
    if not isinstance(values, list) or not values:
        raise ValueError(f'il manque « {key} », une liste de textes comme ["un", "deux"].')
    texts = tuple(_text({key: value}, key) for value in values)
    if number is not None and len(texts) != number:
        raise ValueError(f"« {key} » doit avoir {number} textes, il y en a {len(texts)}.")
    if len(set(texts)) < len(texts):
        raise ValueError(f"« {key} » contient deux fois le même texte.")
    return texts
