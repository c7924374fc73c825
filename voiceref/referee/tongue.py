"""French as the rules may ask about it: how a word is said, whether it exists, whether two are said alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from voiceref import resources
from voiceref.ear.lexicon import Lexicon, LexiconError
from voiceref.ear.phones import PHONES

_SCHWA = PHONES.index("ə")


def aids(names: tuple[str, ...]) -> Mapping[str, Callable[..., object]]:
    """Those of `pronounce`, `knows` and `sounds_alike` that are named; none of them when the lexicon is missing.

    The rules then do with spelling alone. The lexicon is read at the first question.
    """
    path = resources.models() / "fr" / "lexicon.tsv"
    found: Mapping[str, Callable[..., object]] = {
        "pronounce": lambda word: tuple(PHONES[phone] for phone in _usual(path, word)),
        "knows": lambda word: _lexicon(path).knows(word) or _lexicon(path).knows(word.replace("oe", "œ")),
        "sounds_alike": lambda one, other: _sounds_alike(path, one, other),
    }
    return {name: found[name] for name in names} if path.is_file() else {}


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
