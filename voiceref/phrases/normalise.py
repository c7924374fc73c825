"""Bring typed or recognised French to one form: readable words, and the key by which words are compared.

The readable form keeps accents (the ear pronounces it); the key drops them, so that « égalité », « EGALITE » and an NFD
« égalité » are one word. Words are compared by key, never by their printed form (field reports B28, B30, D-76).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ´`′＇", "'"))
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss"})
_WORD = re.compile(r"\d+|[^\W\d_]+'?")
_LONG_RUN = re.compile(r"([^\W\d_])\1{2,}")
_RUN = re.compile(r"([^\W\d_])\1+")
_SIGNED = re.compile(r"(?<![\w)])([-−+])(?=\s?\d)")
_SPELLED_PLUS = re.compile(r"(?<!\w)\+(?!\w)")
_MOJIBAKE = re.compile(
    "[\u00c2\u00c3\u00c5][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|\u00e2\u20ac"
)
_SHORT = 3
"""Words of so many letters keep their ending: « les », « dés », « vie »."""
_ELIDED = frozenset({"c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quelqu"})


@dataclass(frozen=True)
class Token:
    """One word. `text` is readable (« d' », « grelotte »), `key` is compared, `start`/`end` index the cleaned text."""

    text: str
    key: str
    start: int
    end: int


def audible(word: str) -> str:
    """A readable word without the endings that are not heard: final s, e after é, i or u (« levées » -> « levé »)."""
    heard = word[:-1] if len(word) > _SHORT and word.endswith("s") else word
    return heard[:-1] if len(heard) > _SHORT and heard.endswith(("ée", "ie", "ue")) else heard


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """The comparison key of a word: no case, accent, apostrophe, doubled letter nor silent ending.

    « Veluttées » -> « velute »; words that differ by such endings only have one key. Folding a key changes nothing.
    """
    lowered = unicodedata.normalize("NFC", word).casefold().translate(_LIGATURES)
    bare = "".join(c for c in unicodedata.normalize("NFD", lowered) if not unicodedata.combining(c) and c.isalnum())
    return bare if bare.isdigit() else audible(_RUN.sub(r"\1", bare))


def clean(text: str) -> str:
    """NFC with one kind of apostrophe and without invisible characters: the text that token positions refer to."""
    visible = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf")
    return visible.translate(_APOSTROPHES)


def tokens(text: str) -> tuple[Token, ...]:
    """The words of `text`. Hyphens and punctuation separate; « d'Ana » is « d' » and « ana »; « -5 » is « moins 5 »."""
    cleaned = clean(text)
    found: list[Token] = []
    signs = {m.start(1): "plus" if m.group(1) == "+" else "moins" for m in _SIGNED.finditer(cleaned)}
    signs |= {m.start(): "plus" for m in _SPELLED_PLUS.finditer(cleaned)}
    pieces = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(cleaned)]
    pieces += [(at, at + 1, word) for at, word in signs.items()]
    for start, end, piece in sorted(pieces):
        readable = _LONG_RUN.sub(r"\1", piece.casefold().translate(_LIGATURES))
        if readable.endswith("'") and fold(readable) not in _ELIDED:
            readable = readable[:-1]
        key = fold(readable)
        if key:
            found.append(Token(readable, key, start, end))
    return tuple(found)


def normalise(text: str) -> str:
    """Readable words separated by one space, elisions joined: « Patte de canaaard ! » -> « patte de canard ».

    NFC, case folded, œ as oe, hyphens and punctuation out, letter runs of three or more collapsed, accents kept.
    """
    return join(token.text for token in tokens(text))


def join(words: Iterable[str]) -> str:
    """Words joined by spaces, except after an elision: « d' », « ana » -> « d'ana »."""
    return " ".join(words).replace("' ", "'")


def repair(text: str) -> str | None:
    """The text meant when UTF-8 was read as Latin-1 or cp1252 (« Ã§a va » -> « ça va »), None when nothing is wrong.

    Raises UnicodeError when the text is damaged and cannot be mended (U+FFFD, or a sequence that is not UTF-8).
    """
    if "\ufffd" in text:
        raise UnicodeError("replacement character")
    if not _MOJIBAKE.search(text):
        return None
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    raise UnicodeError("neither cp1252 nor latin-1 read as UTF-8")
