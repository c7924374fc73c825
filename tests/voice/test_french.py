"""Elision, articles, lists, plurals."""

import pytest

from voiceref.voice import french
from voiceref.voice.french import Noun

ASPIRATED = frozenset({"harold", "ouarda"})


@pytest.mark.parametrize(
    ("name", "of"),
    [("Ana", "d'Ana"), ("Bruno", "de Bruno"), ("Émile", "d'Émile"), ("E\u0301mile", "d'E\u0301mile"),
     ("Hugo", "d'Hugo"),
     ("Harold", "de Harold"), ("Yves", "d'Yves"), ("Yann", "de Yann"), ("Œdipe", "d'Œdipe"), ("onze", "de onze"),
     ("huit", "de huit"), ("une Velute", "d'une Velute"), ("Ouarda", "de Ouarda"), ("Chloé", "de Chloé"),
     ("H", "de H")],
)  # fmt: skip
def test_of_a_name(name: str, of: str) -> None:
    assert french.with_little_word("de", name, ASPIRATED) == of


@pytest.mark.parametrize(
    ("noun", "forms"),
    [
        ("une Velute", ("une Velute", "la Velute", "de la Velute", "à la Velute")),
        (
            "un Cul de Chouette",
            ("un Cul de Chouette", "le Cul de Chouette", "du Cul de Chouette", "au Cul de Chouette"),
        ),
        ("une Artichette", ("une Artichette", "l'Artichette", "de l'Artichette", "à l'Artichette")),
        ("un oiseau", ("un oiseau", "l'oiseau", "de l'oiseau", "à l'oiseau")),
    ],
)
def test_articles(noun: str, forms: tuple[str, ...]) -> None:
    thing = Noun.parse(noun)
    made = (french.indefinite(thing), french.definite(thing), french.of_definite(thing), french.to_definite(thing))
    assert made == forms


def test_a_noun_needs_its_article() -> None:
    with pytest.raises(ValueError, match="un"):
        Noun.parse("Velute")


def test_lists() -> None:
    assert french.listed(["Ana"]) == "Ana"
    assert french.listed(["Ana", "Bruno"]) == "Ana et Bruno"
    assert french.listed(["Ana", "Bruno", "Chloé"], "ou") == "Ana, Bruno ou Chloé"
    assert french.listed([]) == "personne"


@pytest.mark.parametrize(
    ("many", "one"),
    [("points", "point"), ("gorgées", "gorgée"), ("fois", "fois"), ("voix", "voix"), ("jeux", "jeu"),
     ("joueurs qualifiés", "joueur qualifié"),
     ("points d'avance", "point d'avance"), ("points de plus", "point de plus")],
)  # fmt: skip
def test_singular(many: str, one: str) -> None:
    assert french.singular(many) == one


def test_capital_goes_to_the_first_letter() -> None:
    assert french.capitalised("« à Ana »") == "« À Ana »"
    assert french.capitalised("…") == "…"
