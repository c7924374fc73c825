"""Small French grammar: elision, articles, lists and plurals. Pure functions on strings."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_NEVER_ELIDED = frozenset({"huit", "huitieme", "onze", "onzieme", "oui"})
_VOWELS = frozenset("aeiouœæ")
_INVARIABLE = frozenset({"fois", "pas", "plus", "moins", "dans", "de", "bras", "choix", "des", "repas", "temps"})


@dataclass(frozen=True)
class Noun:
    """A thing with a name and a gender, e.g. Noun("Cul de Chouette", feminine=False). `aspirated`: no elision."""

    name: str
    feminine: bool
    aspirated: bool = False

    @classmethod
    def parse(cls, text: str) -> Noun:
        """From « un Cul de Chouette » or « une Velute ». Raises ValueError when the article is missing."""
        article, _, name = text.partition(" ")
        if article not in ("un", "une") or not name:
            raise ValueError(f"« {text} » doit commencer par « un » ou « une »")
        return cls(name, article == "une")


def bare(text: str) -> str:
    """`text` in lower case without accents, for tests on its letters."""
    decomposed = unicodedata.normalize("NFD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def elides(word: str, aspirated: frozenset[str] = frozenset()) -> bool:
    """Whether « de » becomes « d' » before `word`: before a vowel, a mute h, or y and a consonant.

    `aspirated` lists first words, in bare letters, before which nothing is elided.
    """
    letters = bare(word.strip(" «»\"'’")).partition(" ")[0]
    if not letters or letters in aspirated or letters in _NEVER_ELIDED:
        return False
    if letters[0] == "h":
        return len(letters) > 1 and (letters[1] in _VOWELS or letters[1] == "y")
    if letters[0] == "y":
        return len(letters) > 1 and letters[1] not in _VOWELS
    return letters[0] in _VOWELS


def with_little_word(little: str, word: str, aspirated: frozenset[str] = frozenset()) -> str:
    """« de » + Ana -> « d'Ana », « que » + Bruno -> « que Bruno ». `little` ends in e or a."""
    return f"{little[:-1]}'{word}" if elides(word, aspirated) else f"{little} {word}"


def listed(items: Sequence[str], conjunction: str = "et") -> str:
    """« Ana », « Ana et Bruno », « Ana, Bruno et Chloé »; an empty list is « personne »."""
    if not items:
        return "personne"
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def indefinite(noun: Noun) -> str:
    """« une Velute »."""
    return f"{'une' if noun.feminine else 'un'} {noun.name}"


def definite(noun: Noun) -> str:
    """« la Velute », « le Cul de Chouette », « l'Artichette »."""
    return with_little_word("la" if noun.feminine else "le", noun.name, _aspirated(noun))


def of_definite(noun: Noun) -> str:
    """« de la Velute », « du Cul de Chouette », « de l'Artichette »."""
    contracted = not noun.feminine and not elides(noun.name, _aspirated(noun))
    return f"du {noun.name}" if contracted else f"de {definite(noun)}"


def to_definite(noun: Noun) -> str:
    """« à la Velute », « au Cul de Chouette », « à l'Artichette »."""
    contracted = not noun.feminine and not elides(noun.name, _aspirated(noun))
    return f"au {noun.name}" if contracted else f"à {definite(noun)}"


def singular(noun: str) -> str:
    """The singular of a counted noun written in the plural: « points gagnés » -> « point gagné »."""
    return " ".join(_singular_word(word) for word in noun.split(" "))


def is_singular(number: int) -> bool:
    """French takes the singular from -1 to 1: « zéro point », « moins un point »."""
    return abs(number) < 2


def capitalised(sentence: str) -> str:
    """The sentence with its first letter in upper case."""
    for place, letter in enumerate(sentence):
        if letter.isalpha():
            return sentence[:place] + letter.upper() + sentence[place + 1 :]
    return sentence


def _singular_word(word: str) -> str:
    if word in _INVARIABLE or "'" in word:
        return word
    if word.endswith(("eaux", "eux", "oux")):
        return word[:-1]
    return word.removesuffix("s")


def _aspirated(noun: Noun) -> frozenset[str]:
    return frozenset({bare(noun.name).partition(" ")[0]}) if noun.aspirated else frozenset()
