"""Numbers in words: known spellings, and the way back through the parser that hears them."""

import pytest

from voiceref.phrases import numbers
from voiceref.voice.number_words import REGIONS, cardinal, ordinal

SPELLINGS = {
    -99: "moins quatre-vingt-dix-neuf",
    -1: "moins un",
    0: "zéro",
    1: "un",
    17: "dix-sept",
    21: "vingt et un",
    22: "vingt-deux",
    61: "soixante et un",
    70: "soixante-dix",
    71: "soixante et onze",
    77: "soixante-dix-sept",
    80: "quatre-vingts",
    81: "quatre-vingt-un",
    91: "quatre-vingt-onze",
    99: "quatre-vingt-dix-neuf",
    100: "cent",
    101: "cent un",
    180: "cent quatre-vingts",
    200: "deux cents",
    201: "deux cent un",
    343: "trois cent quarante-trois",
    1000: "mille",
    1001: "mille un",
    2000: "deux mille",
    80_000: "quatre-vingt mille",
    200_000: "deux cent mille",
    280_300: "deux cent quatre-vingt mille trois cents",
}


@pytest.mark.parametrize(("number", "words"), SPELLINGS.items())
def test_spelling(number: int, words: str) -> None:
    assert cardinal(number) == words


@pytest.mark.parametrize(
    ("number", "belgian", "swiss"),
    [
        (71, "septante et un", "septante et un"),
        (80, "quatre-vingts", "huitante"),
        (81, "quatre-vingt-un", "huitante et un"),
        (95, "nonante-cinq", "nonante-cinq"),
        (-91, "moins nonante et un", "moins nonante et un"),
    ],
)
def test_regions(number: int, belgian: str, swiss: str) -> None:
    assert (cardinal(number, "be"), cardinal(number, "ch")) == (belgian, swiss)


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "une"), (-1, "moins une"), (21, "vingt et une"), (71, "soixante et onze"), (81, "quatre-vingt-une"),
     (101, "cent une"), (11, "onze")],
)  # fmt: skip
def test_feminine(number: int, words: str) -> None:
    assert cardinal(number, feminine=True) == words


@pytest.mark.parametrize("region", REGIONS)
def test_what_is_said_is_heard_as_the_same_number(region: str) -> None:
    for number in range(1000):
        words = cardinal(number, region)  # type: ignore[arg-type]
        assert numbers.parse(words.replace("-", " ").split()) == number, words


@pytest.mark.parametrize(
    ("number", "rank"),
    [(1, "premier"), (2, "deuxième"), (4, "quatrième"), (5, "cinquième"), (9, "neuvième"), (11, "onzième"),
     (19, "dix-neuvième"), (21, "vingt et unième"), (80, "quatre-vingtième"), (200, "deux centième")],
)  # fmt: skip
def test_ordinals(number: int, rank: str) -> None:
    assert ordinal(number) == rank


def test_first_has_a_feminine_and_nothing_comes_before_it() -> None:
    assert ordinal(1, feminine=True) == "première"
    with pytest.raises(ValueError, match="commence"):
        ordinal(0)


def test_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="grand"):
        cardinal(1_000_000)
