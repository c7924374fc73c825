"""Numbers 0 to 999 in every spelling of three countries, exactly (B21 to B23, B26)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.phrases.numbers import parse, spellings

UNITS = ("", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf")
TEENS = ("dix", "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf")
COUNTRIES = {
    "fr": {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante"},
    "be": {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante", 7: "septante", 9: "nonante"},
    "ch": {
        2: "vingt",
        3: "trente",
        4: "quarante",
        5: "cinquante",
        6: "soixante",
        7: "septante",
        8: "huitante",
        9: "nonante",
    },
    "old": {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante", 8: "octante"},
}


def below_hundred(n: int, tens_of: dict[int, str]) -> str:
    """The traditional spelling, with hyphens, written here apart from the code under test."""
    tens, unit = divmod(n, 10)
    if n < 10:
        return UNITS[n]
    if n < 20:
        return TEENS[n - 10]
    if tens in tens_of:
        return tens_of[tens] + ("" if unit == 0 else " et un" if unit == 1 else f"-{UNITS[unit]}")
    if tens == 7:
        return "soixante et onze" if n == 71 else f"soixante-{TEENS[unit]}"
    if n == 80:
        return "quatre-vingts"
    return f"quatre-vingt-{UNITS[unit] if tens == 8 else TEENS[unit]}"


def traditional(n: int, country: str) -> str:
    if n == 0:
        return "zéro"
    hundreds, rest = divmod(n, 100)
    last = below_hundred(rest, COUNTRIES[country])
    if hundreds == 0:
        return last
    head = "cent" if hundreds == 1 else f"{UNITS[hundreds]} cent{'' if rest else 's'}"
    return f"{head} {last}".strip()


def written(n: int, country: str) -> Iterator[str]:
    """Every way to write it: hyphens, spaces, both, plurals forgotten or added, « et un », « un », « une »."""
    base = traditional(n, country)
    for text in {base, base.replace(" et ", " "), re.sub(r"\bun$", "une", base)}:
        for joined in (
            text,
            text.replace(" ", "-"),
            text.replace("-", " "),
            text.replace("-", " - "),
            text.replace(" ", "  "),
        ):
            yield joined
            yield re.sub(r"s$", "", joined) if re.search(r"(vingt|cent)s$", joined) else joined
            yield re.sub(r"\b(vingt|cent)\b", r"\1s", joined)
    yield base.upper()
    yield unicodedata.normalize("NFD", base)
    yield base.replace("-", "… ")


@pytest.mark.parametrize("country", COUNTRIES)
def test_every_number_in_every_spelling(country: str) -> None:
    for n in range(1000):
        for text in written(n, country):
            assert parse(text) == n, text


def test_no_two_numbers_are_said_alike() -> None:
    said = [words for n in range(1000) for words in spellings(n)]
    assert len(said) == len(set(said))
    for n in range(1000):
        for words in spellings(n):
            assert parse(" ".join(words)) == n


def test_digits() -> None:
    assert [parse(str(n)) for n in range(1000)] == list(range(1000))
    assert [parse(text) for text in ("007", "1000", "3 4", "12.5", "1e", "²", "٣")] == [None] * 7


def test_the_printed_irregular_ones() -> None:
    known = {
        "vingt et une": 21,
        "vingt un": 21,
        "quatre-vingt-un": 81,
        "quatre-vingts": 80,
        "quatre vingt": 80,
        "soixante et onze": 71,
        "soixante onze": 71,
        "quatre vingt onze": 91,
        "quatre vingt … dix neuf": 99,
        "nonante-neuf": 99,
        "huitante et un": 81,
        "octante-deux": 82,
        "septante et un": 71,
        "cent un": 101,
        "cent et un": 101,
        "deux cents": 200,
        "cinq cent vingt-deux": 522,
        "neuf cent quatre-vingt-dix-neuf": 999,
        "trois-cent-quarante-trois": 343,
        "deux-cent-vingt-huit": 228,
        "ZÉRO": 0,
    }
    assert {text: parse(text) for text in known} == known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "et",
        "et un",
        "cinq cinq",
        "deux trois",
        "vingt vingt",
        "vingt dix",
        "dix un",
        "quatre vingt vingt",
        "un cent",
        "zéro cent",
        "cent zéro",
        "dix cents",
        "mille",
        "mille un",
        "soixante dix dix",
        "septante onze",
        "nonante dix",
        "quatre vingts dix neuf un",
        "quatre et vingt",
        "vingt et",
        "vingt et deux",
        "trente et onze",
        "cent cent",
        "4 20 19",
        "le neuf",
        "un peu",
        "vintg",
        "trese",
        "+",
        "-",
    ],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    assert parse(text) is None


@given(
    st.lists(
        st.sampled_from([*UNITS[1:], *TEENS, "vingt", "trente", "soixante", "cent", "et", "zéro", "nonante"]),
        max_size=7,
    )
)
def test_words_are_a_number_only_when_some_number_is_spelled_so(words: list[str]) -> None:
    flat = tuple(part for word in words for part in word.split("-"))
    value = parse(" ".join(words))
    spelled = [n for n in range(1000) if flat in spellings(n)]
    assert [value] == spelled if spelled else value is None


def test_words_out_of_range_are_refused() -> None:
    for n in (-1, 1000):
        with pytest.raises(ValueError, match="0..999"):
            spellings(n)
