"""Hmm tiles (CCC-014): how many words an expression has and how many phonetic syllables each, from pronunciations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from enum import Enum

Pronounce = Callable[[str], Sequence[str]]
"""One written word -> its phones in IPA, a nasal vowel being one phone of two characters."""

_GLIDED_INTO = ("i", "ɛ̃")
_VOWELS = frozenset("aɑiyueɛoɔəøœ")
_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*", re.UNICODE)
_VOWEL_LETTERS = re.compile(r"[aeiouyàâéèêëîïôöûùü]+")
_MUTE_E = re.compile(r"[^aeiouyàâéèêëîïôöûù\W]e(?:s|nt)?$")


class Accent(Enum):
    """How mute e's are said: dropped as in most of France, or sounded as in the south."""

    NORTH = "nord"
    SOUTH = "midi"


def tiles(expression: str, pronounce: Pronounce, accent: Accent = Accent.NORTH) -> tuple[int, ...]:
    """Tiles for each word of `expression`, in order; a group of tiles is a word, an elided one goes with the next.

    PASSERELLE is two (PASS-REL). Hyphens part words (rendez-vous: two words, of two and one). Each counts at least one.
    Raises ValueError with a French sentence when there is no word.
    """
    found = _WORD.findall(unicodedata.normalize("NFC", expression))
    if not found:
        raise ValueError("L'expression est vide : tapez au moins un mot.")
    return tuple(syllables(word, pronounce, accent) for word in found)


def syllables(word: str, pronounce: Pronounce, accent: Accent = Accent.NORTH) -> int:
    """Phonetic syllables of one word, with its elided article: « l'écart » has two."""
    lowered = word.lower().replace("’", "'")
    *elided, last = [lowered] if lowered.startswith("aujourd'") else lowered.split("'")
    count = _nuclei(pronounce(last), last, accent)
    for part in elided:
        if len(part) > 2:
            count += _nuclei(pronounce(part + "e"), part, Accent.NORTH)
    return max(count, 1)


def _nuclei(phones: Sequence[str], word: str, accent: Accent) -> int:
    """Vowels said. A final schwa is silent in the north unless it is the word's only vowel (« le »).

    In the south every mute e counts: the groups of vowel letters tell how many there are.
    """
    vowels = [phone for i, phone in enumerate(phones) if _is_nucleus(phones, i)]
    full = [phone for phone in vowels if phone != "ə"]
    final_schwa = bool(phones) and phones[-1] == "ə"
    if accent is Accent.NORTH:
        return len(vowels) - 1 if final_schwa and full else len(vowels)
    mute = 1 if _MUTE_E.search(word) and full and not final_schwa else 0
    return max(len(vowels) + mute, len(_VOWEL_LETTERS.findall(word)))


def _is_nucleus(phones: Sequence[str], place: int) -> bool:
    """Whether the phone is a vowel with a syllable of its own; the first of « nuit », « juin » glides."""
    here, after = phones[place], phones[place + 1] if place + 1 < len(phones) else ""
    return unicodedata.normalize("NFD", here)[:1] in _VOWELS and not (here == "y" and after in _GLIDED_INTO)
