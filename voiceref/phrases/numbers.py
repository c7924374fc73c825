"""Numbers 0 to 999 in French words, exactly: France, Belgium and Switzerland, old and new spelling.

A table of every way to write every number; nothing is guessed, and words that are no number give None (B21 to B23).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from voiceref.phrases.normalise import fold, tokens

HIGHEST = 999
LONGEST = 7
"""Most words in one number: « neuf cent quatre vingt et un » has six, « … et une » no more."""

_SMALL = [
    "zéro",
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
] + [f"dix {unit}" for unit in ("sept", "huit", "neuf")]
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
_REGIONAL_TENS = {70: ("septante",), 80: ("huitante", "octante"), 90: ("nonante",)}

Words = tuple[str, ...]


def _after_tens(tens: Words, unit: int) -> Iterator[Words]:
    """The ways to say a round `tens` followed by `unit` (0 to 9): « vingt », « vingt et un », « vingt deux »."""
    if unit == 0:
        yield tens
    elif unit == 1:
        for one in ("un", "une"):
            yield (*tens, "et", one)
            yield (*tens, one)
    else:
        yield (*tens, _SMALL[unit])


def _after_score(score: Words, teen: int) -> Iterator[Words]:
    """« soixante » or « quatre vingt » followed by 10 to 19; « soixante et onze » as well as « soixante onze »."""
    if teen == 11:
        yield (*score, "et", "onze")
    yield (*score, *_SMALL[teen].split())


def _below_hundred(n: int) -> Iterator[Words]:
    if n < 20:
        yield tuple(_SMALL[n].split())
        if n == 1:
            yield ("une",)
        return
    tens, unit = n - n % 10, n % 10
    if tens in _TENS:
        yield from _after_tens((_TENS[tens],), unit)
    elif tens == 70:
        yield from _after_score(("soixante",), 10 + unit)
    elif tens == 80:
        yield from sorted(_after_tens(("quatre", "vingt"), unit), key=len)
    else:
        yield from sorted(_after_score(("quatre", "vingt"), 10 + unit), key=len)
    for regional in _REGIONAL_TENS.get(tens, ()):
        yield from _after_tens((regional,), unit)


@cache
def spellings(n: int) -> tuple[Words, ...]:
    """Every way to say `n` (0 to 999) in words without hyphens or plural s; the usual one of France comes first."""
    if not 0 <= n <= HIGHEST:
        raise ValueError(f"{n} is not within 0..{HIGHEST}")
    if n < 100:
        return tuple(_below_hundred(n))
    hundred: Words = ("cent",) if n < 200 else (_SMALL[n // 100], "cent")
    rest = n % 100
    if rest == 0:
        return (hundred,)
    found = [(*hundred, *words) for words in _below_hundred(rest)]
    if rest == 1:
        found += [(*hundred, "et", one) for one in ("un", "une")]
    return tuple(found)


@cache
def _table() -> dict[Words, int]:
    return {tuple(fold(word) for word in words): n for n in range(HIGHEST + 1) for words in spellings(n)}


@cache
def _beginnings() -> frozenset[Words]:
    return frozenset(words[:i] for words in _table() for i in range(1, len(words) + 1))


def of_keys(keys: Sequence[str]) -> int | None:
    """The number that the word keys (see `normalise.fold`) spell as a whole, or None. One key may be digits: « 20 »."""
    if len(keys) == 1 and keys[0].isascii() and keys[0].isdigit():
        digits = keys[0]
        return int(digits) if len(digits) <= 3 and (digits == "0" or digits[0] != "0") else None
    return _table().get(tuple(keys))


def starts(keys: Sequence[str], at: int) -> Iterator[tuple[int, int]]:
    """(end, value) of every number that begins at index `at` of `keys`: « quatre vingt » gives 4 and 80."""
    for end in range(at + 1, min(at + LONGEST, len(keys)) + 1):
        value = of_keys(keys[at:end])
        if value is not None:
            yield end, value
        if tuple(keys[at:end]) not in _beginnings():
            return


def parse(text: str | Sequence[str]) -> int | None:
    """The number that the text (or list of words) says as a whole, 0 to 999, exactly; None for anything else."""
    words = text if isinstance(text, str) else " ".join(text)
    return of_keys([token.key for token in tokens(words)])
