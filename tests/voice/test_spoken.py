"""B57, B58, B59: what reaches an engine holds words only, in NFC, with names spelt as they are said."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.voice.spoken import spoken


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Ana a -1 point.", "Ana a moins un point."),
        ("Ana a −3 points.", "Ana a moins trois points."),
        ("3-2", "trois deux"),
        ("2e", "deuxième"),
        ("1ère manche", "première manche"),
        ("+2", "plus deux"),
        ("12h30", "douze h trente"),
        ("50 %", "cinquante pour cent"),
        ("Ana & Bruno", "Ana et Bruno"),
        ("<b>gras</b> \\pau=100\\", "b gras b pau égale cent"),
        ("quatre-vingts", "quatre-vingts"),
        ("Bravo 🎲 !", "Bravo !"),
        ("l’ami d’Ana", "l'ami d'Ana"),
        ("12345678", "un deux trois quatre cinq six sept huit"),
    ],
)
def test_signs_and_digits_become_words(written: str, said: str) -> None:
    assert spoken(written) == said


def test_nfd_and_nfc_are_said_alike() -> None:
    text = "Égalité pour Léa, à côté."
    assert spoken(unicodedata.normalize("NFD", text)) == spoken(text) == text


def test_names_have_spoken_forms() -> None:
    forms = {"Lea": "Léa", "Tom": "Tomme", "Tom B": "Tom bé"}
    assert spoken("Lea et LEA, mais Leandre ; Tom B et Tom.", forms) == "Léa et Léa, mais Leandre ; Tom bé et Tomme."
    assert spoken(unicodedata.normalize("NFD", "Zoé."), {"Zoé": "Zo-é"}) == "Zo-é."


@given(st.text(max_size=80))
def test_nothing_but_words_and_stops_ever_reaches_an_engine(text: str) -> None:
    said = spoken(text)
    assert not any(letter.isdigit() for letter in said)
    assert all(letter.isalpha() or letter in " .,;:!?'-…" for letter in said)
    assert unicodedata.is_normalized("NFC", said)
