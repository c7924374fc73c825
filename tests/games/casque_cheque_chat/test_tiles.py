"""Hmm tiles against counts made by ear, with the pronunciations of the shipped lexicon and with hand-written ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.games.casque_cheque_chat.tiles import Accent, syllables, tiles

LEXICON = Path(__file__).parents[3] / "models" / "fr" / "lexicon.tsv"
ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "tiles.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
BY_HAND = {
    "passerelle": ["p", "a", "s", "ʁ", "ɛ", "l"],
    "quatre": ["k", "a", "t", "ʁ", "ə"],
    "le": ["l", "ə"],
    "écart": ["e", "k", "a", "ʁ"],
    "jusque": ["ʒ", "y", "s", "k", "ə"],
    "ici": ["i", "s", "i"],
    "enfants": ["ɑ̃", "f", "ɑ̃"],
    "aujourd'hui": ["o", "ʒ", "u", "ʁ", "d", "ɥ", "i"],
}


NOT_IN_LEXICON = {
    "eiffel": "ɛ f ɛ l",
    "chaperon": "ʃ a p ʁ ɔ̃",
    "cristo": "k ʁ i s t o",
    "bossu": "b ɔ s y",
    "charrue": "ʃ a ʁ y",
    "amasse": "a m a s",
    "avignon": "a v i ɲ ɔ̃",
}


@cache
def lexicon() -> dict[str, list[str]]:
    found = {word: phones.split() for word, phones in NOT_IN_LEXICON.items()}
    for line in LEXICON.read_text("utf-8").splitlines():
        word, phones, kind = line.split("\t")
        if kind == "usual":
            found.setdefault(word, phones.split())
    return found


@pytest.mark.skipif(not LEXICON.exists(), reason="needs models/fr/lexicon.tsv")
@pytest.mark.parametrize(("expression", "counts"), ROWS)
def test_counts_by_ear(expression: str, counts: str) -> None:
    assert list(tiles(expression, lambda word: lexicon()[word])) == [int(count) for count in counts.split()]


def test_there_are_enough_expressions() -> None:
    assert len(ROWS) >= 52


@pytest.mark.parametrize(
    ("word", "north", "south"),
    [("passerelle", 2, 4), ("quatre", 1, 2), ("le", 1, 1), ("l'écart", 2, 2), ("jusqu'ici", 3, 3), ("enfants", 2, 2)],
)
def test_regions(word: str, north: int, south: int) -> None:
    assert syllables(word, BY_HAND.__getitem__) == north
    assert syllables(word, BY_HAND.__getitem__, Accent.SOUTH) == south


def test_today_is_one_word() -> None:
    assert tiles("Aujourd’hui !", BY_HAND.__getitem__) == (3,)


@pytest.mark.parametrize("nothing", ["", " ", "!", "…"])
def test_nothing_is_a_french_error(nothing: str) -> None:
    with pytest.raises(ValueError, match="au moins un mot"):
        tiles(nothing, BY_HAND.__getitem__)


@given(st.lists(st.sampled_from(sorted(BY_HAND)), min_size=1, max_size=8))
def test_as_many_groups_as_words_and_no_empty_group(words: list[str]) -> None:
    counts = tiles(" ".join(words), BY_HAND.__getitem__)
    assert len(counts) == len(words)
    assert min(counts) >= 1
