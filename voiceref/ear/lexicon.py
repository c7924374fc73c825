"""How words are pronounced: the shipped lexicon, spoken-form overrides, and espeak-ng with variants for the rest."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from voiceref.ear.espeak import Espeak, Speller
from voiceref.ear.phones import PHONES, VOWELS, Pronunciation, from_ipa

_ELISIONS = {
    "c'": "s", "d'": "d", "j'": "ʒ|ʃ", "l'": "l", "m'": "m", "n'": "n", "s'": "s", "t'": "t", "qu'": "k",
    "jusqu'": "ʒ y s k", "lorsqu'": "l ɔ ʁ s k", "puisqu'": "p ɥ i s k", "quelqu'": "k ɛ l k",
}  # fmt: skip
_SCHWA = PHONES.index("ə")
_VOWELS = frozenset(PHONES.index(phone) for phone in VOWELS)
_LIQUIDS = frozenset(PHONES.index(phone) for phone in "ʁl")
_OBSTRUENTS = frozenset(PHONES.index(phone) for phone in "ptkbdɡfvszʃʒ")


class LexiconError(Exception):
    """A lexicon or a spoken form that cannot be used; the text is one French sentence."""


class Pronouncing(Protocol):
    """Knows how words are said."""

    def pronunciations(self, word: str) -> tuple[Pronunciation, ...]:
        """All ways to say one word, the usual one first; () when it has no sound."""
        ...


class Lexicon:
    """Word -> its pronunciations. Words are compared in lower case and NFC."""

    def __init__(self, listed: Mapping[str, tuple[Pronunciation, ...]], speller: Speller) -> None:
        self._listed = listed
        self._speller = speller
        self._overrides: dict[str, tuple[Pronunciation, ...]] = {}
        self._found: dict[str, tuple[Pronunciation, ...]] = {}

    @classmethod
    def load(cls, path: Path, speller: Speller | None = None) -> Lexicon:
        """Read `word TAB phones TAB kind` lines. Raises LexiconError when the file is missing or broken."""
        listed: dict[str, list[Pronunciation]] = {}
        index = {phone: i for i, phone in enumerate(PHONES)}
        try:
            for line in path.read_text(encoding="utf-8").splitlines():
                word, phones, *_ = line.split("\t")
                listed.setdefault(word, []).append(tuple(index[phone] for phone in phones.split()))
        except (OSError, UnicodeError, ValueError, KeyError) as error:
            raise LexiconError(f"Le lexique {path} est absent ou abîmé : réinstallez VoiceRef.") from error
        return cls({word: tuple(forms) for word, forms in listed.items()}, speller or Espeak())

    def override(self, word: str, spoken: str) -> None:
        """Say `word` as `spoken`: a French respelling, or phones between slashes. Raises LexiconError if mute."""
        bare = spoken.strip()
        if len(bare) > 2 and bare.startswith("/") and bare.endswith("/"):
            forms: tuple[Pronunciation, ...] = (from_ipa(bare.strip("/")),)
        else:
            forms = self._spoken(_key(bare))
        if not any(forms):
            raise LexiconError(f"La prononciation « {spoken} » de « {word} » ne contient aucun son connu.")
        self._overrides[_key(word)] = tuple(form for form in forms if form)

    def listed(self) -> tuple[str, ...]:
        """Every word whose pronunciation is listed."""
        return tuple(self._listed)

    def knows(self, word: str) -> bool:
        """Whether the word is listed or overridden, that is, pronounced by a person or a dictionary, not guessed."""
        key = _key(word)
        return key in self._overrides or key in _ELISIONS or key in self._listed

    def pronunciations(self, word: str) -> tuple[Pronunciation, ...]:
        """All ways to say one word, the usual one first; () when it has no sound."""
        key = _key(word)
        if key in self._overrides:
            return self._overrides[key]
        if key not in self._found:
            self._found[key] = self._spoken(key)
        return self._found[key]

    def _spoken(self, key: str) -> tuple[Pronunciation, ...]:
        if key in _ELISIONS:
            return tuple(from_ipa(form) for form in _ELISIONS[key].split("|"))
        for spelling in (key, key.replace("oe", "œ").replace("ae", "æ")):
            if spelling in self._listed:
                return self._listed[spelling]
        head, apostrophe, rest = key.partition("'")
        if head + apostrophe in _ELISIONS and rest:
            heads = self._spoken(head + apostrophe)
            return tuple(elided + form for elided in heads for form in self.pronunciations(rest))
        phones = self._speller.pronounce(key)
        return tuple(dict.fromkeys([phones, *schwa_variants(phones)])) if phones else ()


def _key(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold().replace("’", "'").strip()


def schwa_variants(phones: Pronunciation) -> Iterator[Pronunciation]:
    """Ways to say a word of unknown spelling: a schwa inside dropped or a last consonant released on one."""
    if phones[-1] not in _VOWELS:
        yield (*phones, _SCHWA)
    if len(phones) > 2 and phones[-1] in _LIQUIDS and phones[-2] in _OBSTRUENTS:
        yield phones[:-1]
    for i in range(1, len(phones) - 1):
        between = phones[i - 1] not in _VOWELS and phones[i + 1] not in _VOWELS
        if phones[i] == _SCHWA and between and (i == 1 or phones[i - 2] in _VOWELS):
            yield (*phones[:i], *phones[i + 1 :])
