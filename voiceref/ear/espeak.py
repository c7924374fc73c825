"""How espeak-ng pronounces a French word: its shared library through ctypes, one call at a time."""

from __future__ import annotations

import ctypes
import threading
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


class Espeak:
    """espeak-ng as packaged by `espeakng_loader`, loaded at the first word. Safe from several threads."""

    def __init__(self) -> None:
        self._library: ctypes.CDLL | None = None
        self._lock = threading.Lock()

    def pronounce(self, text: str) -> Pronunciation:
        with self._lock:
            library = self._loaded()
            if library is None:
                return ()
            library.espeak_SetVoiceByName(b"fr")
            left = ctypes.c_char_p(text.encode())
            clauses = []
            while left.value:
                said = library.espeak_TextToPhonemes(ctypes.byref(left), _UTF8, _IPA)
                clauses.append(said.decode(errors="replace") if said else "")
        return from_ipa(" ".join(clauses))

    def _loaded(self) -> ctypes.CDLL | None:
        """The library, or None where it cannot be loaded: the lexicon then reports the words it lacks."""
        if self._library is None:
            try:
                import espeakng_loader

                library = ctypes.CDLL(espeakng_loader.get_library_path())
                if library.espeak_Initialize(_SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0) < 0:
                    return None
            except (ImportError, OSError):
                return None
            library.espeak_TextToPhonemes.restype = ctypes.c_char_p
            library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
            self._library = library
        return self._library
