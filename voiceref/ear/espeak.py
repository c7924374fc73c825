"""How espeak-ng pronounces a French word: its shared library through ctypes, one call at a time."""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from voiceref.ear.phones import Pronunciation, from_ipa

_SYNCHRONOUS = 2
_UTF8 = 1
_IPA = 2


class Speller(Protocol):
    """Says how an unknown word is pronounced."""

    def pronounce(self, text: str) -> Pronunciation:
        """Phones of a French text, () when it has no sound."""


class FixedSpeller:
    """The fake speller: a table."""

    def __init__(self, table: dict[str, str]) -> None:
        """`table`: word -> phones separated by spaces."""
        self._table = table

    def pronounce(self, text: str) -> Pronunciation:
        return from_ipa(self._table.get(text, ""))


@dataclass(frozen=True)
class _Library:
    """The one native handle of the process (espeak-ng keeps its state in globals of its own), and who may use it."""

    calls: ctypes.CDLL
    lock: threading.Lock


@cache
def _library() -> _Library | None:
    """Load and initialise espeak-ng once; None where it cannot be: the lexicon then reports the words it lacks."""
    try:
        import espeakng_loader

        calls = ctypes.CDLL(espeakng_loader.get_library_path())
        if calls.espeak_Initialize(_SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0) < 0:
            return None
    except (ImportError, OSError):
        return None
    calls.espeak_TextToPhonemes.restype = ctypes.c_char_p
    calls.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    return _Library(calls, threading.Lock())


class Espeak:
    """espeak-ng as packaged by `espeakng_loader`, loaded at the first word. Safe from several threads."""

    def pronounce(self, text: str) -> Pronunciation:
        library = _library()
        if library is None:
            return ()
        with library.lock:
            library.calls.espeak_SetVoiceByName(b"fr")
            left = ctypes.c_char_p(text.encode())
            clauses = []
            while left.value:
                said = library.calls.espeak_TextToPhonemes(ctypes.byref(left), _UTF8, _IPA)
                clauses.append(said.decode(errors="replace") if said else "")
        return from_ipa(" ".join(clauses))
