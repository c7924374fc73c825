"""One form for all the ways to write the same words (B28 to B30, B35, D-76)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.phrases.normalise import fold, normalise, repair, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patte de canaaaard !", "patte de canard"),
        ("GRELOTTE, ÇA PICOTE !", "grelotte ça picote"),
        ("Lance-Bûches\u00a0!", "lance bûches"),
        ("J’achète !", "j'achète"),
        ("J‘achète", "j'achète"),
        ("Cœur à cœur", "coeur à coeur"),
        ("« Scores ? »", "scores"),
        ("quatre, deux… et six", "quatre deux et six"),
        ("plus +5, -3 et − 4", "plus plus 5 moins 3 et moins 4"),
        ("quatre-vingt-dix", "quatre vingt dix"),
        ("6-4-2", "6 4 2"),
        ("'Sablier'", "sablier"),
        ("aujourd'hui", "aujourd hui"),
        ("Zoé\u200b et Léa\ufeff", "zoé et léa"),
        ("+", "plus"),
        ("-", ""),
        ("!!", ""),
        ("", ""),
    ],
)
def test_readable_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_plus_and_minus_never_vanish_into_one_another() -> None:
    assert normalise("+3") != normalise("-3")
    assert normalise("+") != normalise("-")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Velutée", "Veluttée"),
        ("Bergeronnette", "Bergeronette"),
        ("Grelotte", "Grelote"),
        ("canaaard", "canard"),
        ("égalité", unicodedata.normalize("NFD", "ÉGALITÉ")),
        ("cœur", "coeur"),
        ("Léa", "lea"),
        ("points", "point"),
        ("levée", "levés"),
        ("finie", "fini"),
    ],
)
def test_keys_of_the_same_word(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"), [("dix", "six"), ("treize", "seize"), ("sept", "cet"), ("11", "1"), ("55", "5")]
)
def test_keys_of_different_words(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_tokens_know_where_they_stand() -> None:
    text = "Bévue d’Ana !"
    assert [(token.text, token.key, text[token.start : token.end]) for token in tokens(text)] == [
        ("bévue", "bevu", "Bévue"),
        ("d'", "d", "d’"),
        ("ana", "ana", "Ana"),
    ]


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    for token in tokens(text):
        assert fold(token.key) == token.key


@given(st.text())
def test_composed_and_decomposed_text_have_the_same_keys(text: str) -> None:
    def keys(form: str) -> list[str]:
        return [token.key for token in tokens(form)]

    assert keys(unicodedata.normalize("NFD", text)) == keys(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("text", ["ça va", "À Kadoc !", "Grelotte ça picote", "l’équipe", "cœur", "Ça, c'est où ?"])
@pytest.mark.parametrize("wrong", ["cp1252", "latin-1"])
def test_utf8_read_as_another_encoding_is_mended(text: str, wrong: str) -> None:
    try:
        damaged = text.encode("utf-8").decode(wrong)
    except UnicodeDecodeError:
        pytest.skip("this byte has no sign in cp1252")
    assert repair(damaged) == text
    assert repair(text) is None


@pytest.mark.parametrize("text", ["Grelotte \ufffda picote", "caf\u00c3\u00a9 \u4e2d", "Ã©\u0152\u0394"])
def test_damage_that_cannot_be_mended_is_told(text: str) -> None:
    with pytest.raises(UnicodeError):
        repair(text)


@pytest.mark.parametrize("text", ["Ã", "São Paulo", "Åse", "plain", "É", "naïve", "Âne"])
def test_honest_accents_are_left_alone(text: str) -> None:
    assert repair(text) is None
