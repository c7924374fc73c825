"""The 36 phones of both networks, and espeak-ng's IPA mapped onto them. Index 0 is silence."""

from __future__ import annotations

import re
import unicodedata

_NAMES = "sil a i y u e ɛ o ɔ ə ø œ ɑ̃ ɔ̃ ɛ̃ ʁ l j w ɥ m n ɲ ŋ p t k b d ɡ f s ʃ v z ʒ"
PHONES: tuple[str, ...] = tuple(_NAMES.split())
SILENCE = 0
VOWELS = frozenset(PHONES[1:15])
_INDEX = {unicodedata.normalize("NFD", phone): i for i, phone in enumerate(PHONES)}
_TILDE = "\u0303"
_CLOSEST = {
    "œ" + _TILDE: "ɛ" + _TILDE,
    "ɑ": "a", "ɐ": "a", "æ": "a", "ɪ": "i", "ʊ": "u", "ɒ": "ɔ", "ɜ": "œ", "ʌ": "œ", "ɚ": "œ",
    "r": "ʁ", "ʀ": "ʁ", "ɹ": "ʁ", "x": "ʁ", "g": "ɡ", "c": "k", "θ": "s", "ð": "z", "ɾ": "ʁ", "ʎ": "j", "ʲ": "j",
}  # fmt: skip
_LANGUAGE_SWITCH = re.compile(r"\([a-z-]+\)")

Pronunciation = tuple[int, ...]
"""Indices into PHONES, without silence."""


def from_ipa(ipa: str) -> Pronunciation:
    """IPA as espeak-ng writes it, or phones separated by spaces -> phones; signs that are no phone are left out."""
    units: list[str] = []
    for char in unicodedata.normalize("NFD", _LANGUAGE_SWITCH.sub("", ipa)):
        if char == _TILDE and units:
            units[-1] += char
        else:
            units.append(char)
    known = (_INDEX.get(_CLOSEST.get(unit, unit), 0) for unit in units)
    return tuple(phone for phone in known if phone)


def spell(phones: Pronunciation) -> str:
    """Phones as a person reads them: « ɡ ʁ ə l ɔ t »."""
    return " ".join(PHONES[phone] for phone in phones)
