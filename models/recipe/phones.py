"""The 36 phones that both networks speak, and espeak-ng's French pronunciations mapped onto them."""

from __future__ import annotations

import ctypes
import functools
import re
import unicodedata

PHONES: list[str] = [
    "sil",
    "a",
    "i",
    "y",
    "u",
    "e",
    "ɛ",
    "o",
    "ɔ",
    "ə",
    "ø",
    "œ",
    "ɑ̃",
    "ɔ̃",
    "ɛ̃",
    "ʁ",
    "l",
    "j",
    "w",
    "ɥ",
    "m",
    "n",
    "ɲ",
    "ŋ",
    "p",
    "t",
    "k",
    "b",
    "d",
    "ɡ",
    "f",
    "s",
    "ʃ",
    "v",
    "z",
    "ʒ",
]
INDEX: dict[str, int] = {phone: i for i, phone in enumerate(PHONES)}
SIL = 0
VOWELS = set(PHONES[1:15])

_TILDE = "\u0303"
_SAME = {"œ̃": "ɛ̃", "ɑ": "a", "r": "ʁ", "ʀ": "ʁ", "g": "ɡ", "ɜ": "œ", "ʌ": "œ", "ɐ": "a", "æ": "a", "ɪ": "i", "ʊ": "u"}
_SAME |= {"ɒ": "ɔ", "ɚ": "œ", "ɹ": "ʁ", "x": "ʁ", "θ": "s", "ð": "z", "ɾ": "ʁ", "ʎ": "j", "c": "k", "ʲ": "j"}
_LANGUAGE_SWITCH = re.compile(r"\([a-z-]+\)")


@functools.cache
def library() -> ctypes.CDLL:
    """libespeak-ng, speaking French, with phoneme events in IPA."""
    espeak = ctypes.CDLL("libespeak-ng.so.1")
    espeak.espeak_Initialize(2, 0, None, 3)
    espeak.espeak_SetVoiceByName(b"fr")
    espeak.espeak_TextToPhonemes.restype = ctypes.c_char_p
    espeak.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    return espeak


@functools.lru_cache(maxsize=100_000)
def ipa(text: str) -> str:
    """espeak-ng's French IPA of `text`, words separated by spaces, stress marks kept."""
    pointer = ctypes.c_char_p(text.encode())
    clauses = []
    while pointer.value is not None:
        clauses.append(library().espeak_TextToPhonemes(ctypes.byref(pointer), 1, 2).decode())
    return _LANGUAGE_SWITCH.sub("", " ".join(clauses)).strip()


def split_ipa(symbols: str) -> list[tuple[str, list[int]]]:
    """IPA -> [(phone, positions of its characters)]; characters that are no phone of ours are left out."""
    units: list[tuple[str, list[int]]] = []
    for i, char in enumerate(symbols):
        if char == _TILDE and units:
            units[-1] = (units[-1][0] + char, [*units[-1][1], i])
        else:
            units.append((char, [i]))
    mapped = [(_SAME.get(unit, unit), places) for unit, places in units]
    return [(unit, places) for unit, places in mapped if unit in INDEX and unit != "sil"]


def pronounce(text: str) -> list[str]:
    """Phones of a French text, without pauses."""
    spoken = re.sub(r"[^\w'’ -]", " ", unicodedata.normalize("NFC", text))
    return [phone for phone, _ in split_ipa(unicodedata.normalize("NFD", ipa(spoken)))]
