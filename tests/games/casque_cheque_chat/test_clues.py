"""Clues by their letters (rows XB02 to XB08) and how near a guess comes to the expression (D-203)."""

from __future__ import annotations

import pytest

from voiceref.games.casque_cheque_chat.clues import check
from voiceref.games.casque_cheque_chat.guess import best_likeness, likeness

KNOWN = {"lard", "haine", "château d eau", "château", "eau", "déclara", "sos", "paf", "habille", "thé"}.__contains__


@pytest.mark.parametrize(
    ("clue", "expression", "rule"),
    [
        ("Habitation", "Habiter", "CCC-021"),
        ("Habitant", "Habiter", "CCC-021"),
        ("Ordure", "Bordure", "CCC-022"),
        ("Dur", "Bordure", "CCC-022"),
        ("Anne", "Anneau", "CCC-022"),
        ("Eau", "Anneau", "CCC-022"),
        ("Baba", "Ali Baba et les Quarante Voleurs", "CCC-022"),
    ],
)
def test_certain_faults(clue: str, expression: str, rule: str) -> None:
    faults = check(clue, expression)
    assert faults[0].certain
    assert faults[0].rule == rule


@pytest.mark.parametrize(
    ("clue", "expression"),
    [
        ("Habille", "Habiter"),
        ("Thé", "Habiter"),
        ("Bordure", "Ordure"),
        ("Agneau", "Anneau"),
        ("Panneau", "Anneau"),
        ("Âne", "Anneau"),
        ("Haut", "Anneau"),
        ("Blabla", "Ali Baba et les Quarante Voleurs"),
        ("Handballeur", "Ali Baba et les Quarante Voleurs"),
        ("Lard", "La reine"),
        ("haine", "La reine"),
        ("SOS", "La reine"),
    ],
)
def test_valid_clues(clue: str, expression: str) -> None:
    assert check(clue, expression) == ()


def test_a_synonym_is_left_to_the_table() -> None:
    assert check("Loger", "Habiter") == ()


def test_groups_of_words_must_be_known_as_such() -> None:
    assert [fault.rule for fault in check("Lard haine", "La reine", KNOWN)] == ["CCC-023"]
    assert [fault.certain for fault in check("Lard haine", "La reine")] == [False]
    assert check("Château d'eau", "Chatouiller", KNOWN) == ()
    assert [fault.rule for fault in check("Bzouing", "La reine", KNOWN)] == ["CCC-023"]


EXPRESSION = "Ali Baba et les Quarante Voleurs"


@pytest.mark.parametrize(
    "said",
    [
        "Ali Baba et les quarante voleurs",
        "ali baba et quarante voleurs",
        "quarante voleurs et Ali Baba",
        "attends attends c'est Ali Baba et les quarante voleurs je crois",
        "Ali Baba et les quarante violeurs",
        "alibaba et les quarante voleurs",
    ],
)
def test_near_enough(said: str) -> None:
    assert likeness(said, EXPRESSION) >= 85


@pytest.mark.parametrize(
    "said",
    [
        "L'écart handballeur",
        "Rallye Blabla",
        "L'é-carotte-balleur",
        "Ali Baba",
        "voleurs",
        "les quarante voleurs",
        "Ali Baba et les trente voleurs",
        "",
    ],
)
def test_not_near_enough(said: str) -> None:
    assert likeness(said, EXPRESSION) < 85


@pytest.mark.parametrize(
    ("said", "expression", "enough"),
    [
        ("la passerelle", "Passerelle", True),
        ("passe relle", "Passerelle", True),
        ("habité", "Habiter", True),
        ("habitation", "Habiter", False),
        ("ordure", "Bordure", False),
        ("bordures", "Bordure", True),
        ("chat", "chien", False),
        ("c'est le seau", "Le sceau", True),
    ],
)
def test_single_words(said: str, expression: str, enough: bool) -> None:
    assert (likeness(said, expression) >= 85) is enough


def test_synonyms_count_and_nothing_known_is_nothing() -> None:
    assert best_likeness("pomme de terre", ("patate", "pomme de terre")) == 100
    assert best_likeness("patate", ()) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ali Baba et les 40 voleurs", "Ali Baba et les quarante voleurs"),
        ("les 101 dalmatiens", "les cent un dalmatiens"),
        ("7", "sept"),
    ],
)
def test_digits_are_read_as_words(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one) == 100.0
