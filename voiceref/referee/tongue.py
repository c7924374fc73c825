"""French as the rules may ask about it: how a word is said, whether it exists, which others sound or begin so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from voiceref import resources
from voiceref.ear.lexicon import Lexicon, LexiconError
from voiceref.ear.phones import PHONES

NEAR = 60
HOLDING = 24
BEGINNING = 120
"""How many words the ear is told at most besides the one that is looked for."""
_LETTER = ord("a")
_SCHWA = PHONES.index("ə")
_MID = {PHONES.index(closed): PHONES.index(opened) for closed, opened in ("eɛ", "oɔ", "øœ")}
"""Vowels that are open in one region and closed in another."""


def aids(names: tuple[str, ...]) -> Mapping[str, Callable[..., object]]:
    """Those of `pronounce`, `knows`, `sounds_alike`, `near`, `beginning` that are named; none without the lexicon.

    The rules then do with spelling alone. The lexicon is read at the first question.
    """
    path = resources.models() / "fr" / "lexicon.tsv"
    found: Mapping[str, Callable[..., object]] = {
        "pronounce": lambda word: tuple(PHONES[phone] for phone in _usual(path, word)),
        "knows": lambda word: _lexicon(path).knows(word) or _lexicon(path).knows(word.replace("oe", "œ")),
        "sounds_alike": lambda one, other: _sounds_alike(path, one, other),
        "near": lambda word: _near(path, word),
        "beginning": lambda letters: _beginning(path, letters),
    }
    return {name: found[name] for name in names} if path.is_file() else {}


@cache
def first_names() -> tuple[str, ...]:
    """The 2,000 first names that the ear knows."""
    path = resources.models() / "fr" / "first_names.txt"
    return tuple(path.read_text(encoding="utf-8").split())


@cache
def _lexicon(path: Path) -> Lexicon:
    try:
        return Lexicon.load(path)
    except LexiconError as error:
        raise ValueError(str(error)) from error


def _usual(path: Path, word: str) -> tuple[int, ...]:
    ways = _lexicon(path).pronunciations(word)
    return ways[0] if ways else ()


def _sounds_alike(path: Path, one: str, other: str) -> bool:
    """Whether the usual ways to say two groups of words are the same sounds, mute e's aside."""
    left, right = (_run(path, text) for text in (one, other))
    return bool(left) and left == right


def _run(path: Path, text: str) -> tuple[int, ...]:
    words = text.replace("-", " ").replace("’", "'").replace("'", "' ").split()
    return tuple(phone for word in words for phone in _usual(path, word) if phone != _SCHWA)


@cache
def _said(path: Path) -> dict[str, str]:
    """The words of the lexicon with the phones of their usual pronunciation, a letter each."""
    letters = {phone: chr(_LETTER + index) for index, phone in enumerate(PHONES)}
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        word, phones, kind = line.split("\t")
        if kind == "usual" and len(word) > 2:
            found.setdefault(word, "".join(letters[phone] for phone in phones.split()))
    return found


@cache
def _near(path: Path, word: str) -> tuple[str, ...]:
    """Words said almost like `word` (at most two sounds in five differ), then words that hold it inside.

    The nearest and the shortest first, one of those said alike; none that somebody somewhere says like `word`.
    """
    goal = "".join(chr(_LETTER + phone) for phone in _run(path, word))
    same = _regardless(goal)
    most = max(1, 2 * len(goal) // 5)
    nearest: dict[str, tuple[int, str]] = {}
    holding: dict[str, tuple[int, str]] = {}
    for other, phones in _said(path).items():
        far = Levenshtein.distance(goal, phones, score_cutoff=most)
        if 0 < far <= most and _regardless(phones) != same:
            nearest.setdefault(phones, (far, other))
        elif len(goal) > 2 and goal in phones and _regardless(phones) != same:
            holding.setdefault(phones, (len(phones), other))
    found = (*sorted(nearest.values())[:NEAR], *sorted(holding.values())[:HOLDING])
    return tuple(other for _, other in found)


def _regardless(phones: str) -> str:
    """The sounds with mid vowels open and without mute e's, in which people from two regions may differ."""
    heard = (ord(letter) - _LETTER for letter in phones)
    return "".join(chr(_LETTER + _MID.get(phone, phone)) for phone in heard if phone != _SCHWA)


@cache
def _beginning(path: Path, letters: str) -> tuple[str, ...]:
    """Words that begin with `letters`, evenly drawn from the lexicon."""
    found = sorted(word for word in _said(path) if word.startswith(letters.lower()))
    return tuple(found[:: max(1, len(found) // BEGINNING)])[:BEGINNING]
