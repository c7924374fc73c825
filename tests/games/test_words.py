"""French words as the rules compare them, on words chosen by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.games import words

INFLECTED = [
    ("joueur", "joueuse"), ("panda", "pandas"), ("cheval", "chevaux"), ("pomme de terre", "pommes de terre"),
    ("chat", "chatte"), ("acteur", "actrice"), ("boulanger", "boulangère"), ("lion", "lionne"), ("travail", "travaux"),
    ("patate", "la patate"), ("cerveau", "cerveaux"), ("avocat", "avocate"), ("chien", "chiennes"),
    ("prince", "princesse"), ("arc-en-ciel", "l'arc en ciel"), ("élève", "eleve"), ("bijou", "bijoux"),
    ("loup", "louve"), ("fou", "folles"), ("ours", "ourses"),
    ("voisin", "voisine"), ("marié", "mariées"), ("sportif", "sportives"), ("jumeau", "jumelles"), ("cœur", "coeurs"),
]  # fmt: skip
DIFFERENT = [
    ("port", "porte"), ("vent", "vente"), ("sel", "selle"), ("pâte", "patate"), ("pain", "poivre"), ("pomme", "pom"),
    ("chat", "chien"), ("pomme", "pomme de terre"), ("balle", "bal"), ("cour", "course"), ("mur", "murmure"),
]  # fmt: skip
ALIKE = [
    ("sot", "saut"), ("seau", "sceau"), ("cent", "sang"), ("verre", "vert"), ("mer", "maire"), ("pain", "pin"),
    ("faim", "fin"), ("camp", "quand"), ("conte", "compte"), ("peau", "pot"), ("lait", "laid"), ("voix", "voie"),
    ("foie", "fois"), ("amande", "amende"), ("ancre", "encre"), ("vin", "vingt"), ("temps", "tant"), ("porc", "port"),
    ("chaîne", "chêne"), ("habité", "habiter"), ("canne", "cane"), ("phare", "fard"), ("jeu", "jeux"),
    ("le maire", "la mer"), ("point", "poing"),
]  # fmt: skip
NOT_ALIKE = [("pâte", "patate"), ("joueur", "joueuse"), ("port", "porte"), ("bain", "pain"), ("", "")]


@pytest.mark.parametrize(("one", "other"), INFLECTED)
def test_inflections(one: str, other: str) -> None:
    assert words.same_inflected(one, other)
    assert words.same_inflected(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_words(one: str, other: str) -> None:
    assert not words.same_inflected(one, other)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_said_alike(one: str, other: str) -> None:
    assert words.sound_alike(one, other)


@pytest.mark.parametrize(("one", "other"), NOT_ALIKE)
def test_not_said_alike(one: str, other: str) -> None:
    assert not words.sound_alike(one, other)


def test_families() -> None:
    assert words.same_family("habiter", "habitation")
    assert words.same_family("habitant", "Habiter")
    assert not words.same_family("habiter", "habille")
    assert not words.same_family("habiter", "loger")


def test_normal_forms() -> None:
    assert words.spelled("  L’Œuf d'Âne ! ") == "l oeuf d âne"
    assert words.folded("L’Œuf d'Âne") == "l oeuf d ane"
    assert words.letters("Château d'eau") == "châteaudeau"
    assert words.without_article("de l'eau") == "eau"
    assert words.without_article("Le") == "le"
    assert words.content("Ali Baba et les Quarante Voleurs") == ("ali", "baba", "et", "quarante", "voleurs")


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_compared_both_ways_alike(one: str, other: str) -> None:
    assert words.same_inflected(one, one)
    assert words.same_inflected(one, other) == words.same_inflected(other, one)
    assert words.sound_alike(one, other) == words.sound_alike(other, one)
    assert words.folded(words.folded(one)) == words.folded(one)
