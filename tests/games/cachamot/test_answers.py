"""What is an answer (CACH-028), when it is right (D-104), and which words are forbidden (D-109)."""

from __future__ import annotations

import pytest

from voiceref.games.cachamot.answers import Verdict, judge, understood
from voiceref.games.cachamot.secret_words import ACRONYM, PROPER, REPEATED, TOO_SHORT, UNKNOWN, certain_fault, doubt
from voiceref.games.words import sound_alike


@pytest.mark.parametrize(
    ("mot", "text", "word", "formal"),
    [
        ("patate", "Ma réponse : patate", "patate", True),
        ("c'est la patate", "Ma réponse, c'est la patate !", "la patate", True),
        ("pomme de terre", "Je dis pomme de terre", "pomme de terre", True),
        ("Patate", "Patate !", "patate", False),
        ("patate", "La patate", "patate", False),
        ("patate", "C'est patate", "patate", False),
        ("arc en ciel", "Arc-en-ciel", "arc en ciel", False),
        ("chou-fleur", "Chou-fleur", "chou-fleur", False),
        ("Patate", "Patate ?", "patate", False),
    ],
)
def test_answers(mot: str, text: str, word: str, formal: bool) -> None:
    heard = understood(mot, text)
    assert heard is not None
    assert (heard.word, heard.formal) == (word, formal)


@pytest.mark.parametrize(
    "text",
    ["peut-être patate", "patate ou poivre", "c'est un fruit ?", "une sorte de légume jaune", "pain poivre", "le", "!"],
)
def test_thinking_aloud(text: str) -> None:
    assert understood(text, text) is None


@pytest.mark.parametrize(
    ("word", "target", "verdict"),
    [
        ("Patate", "patate", Verdict.EXACT),
        ("la patate", "patate", Verdict.EXACT),
        ("arc en ciel", "arc-en-ciel", Verdict.EXACT),
        ("solfege", "solfège", Verdict.EXACT),
        ("patates", "patate", Verdict.INFLECTED),
        ("joueuse", "joueur", Verdict.INFLECTED),
        ("pomme de terre", "patate", Verdict.LISTED),
        ("pommes de terre", "patate", Verdict.LISTED),
        ("seau", "sceau", Verdict.HOMOPHONE),
        ("sang", "cent", Verdict.ASK_SPELLING),
        ("jardinier", "jardinage", Verdict.ASK),
        ("pâte", "patate", Verdict.WRONG),
        ("patte", "patate", Verdict.WRONG),
        ("pain", "patate", Verdict.WRONG),
        ("", "patate", Verdict.WRONG),
    ],
)
def test_verdicts(word: str, target: str, verdict: Verdict) -> None:
    assert judge(word, target, ("pomme de terre",), False, sound_alike) is verdict


@pytest.mark.parametrize(
    ("word", "right"), [("patate", True), ("la patate", True), ("patates", False), ("pomme de terre", True)]
)
def test_strict(word: str, right: bool) -> None:
    assert judge(word, "patate", ("pomme de terre",), True, sound_alike).right is right


def test_forbidden_words() -> None:
    assert certain_fault("as", ()) is TOO_SHORT
    assert certain_fault("É.", ()) is TOO_SHORT
    assert certain_fault("pandas", ("panda",)) is REPEATED
    assert certain_fault("thé", ("panda", "")) is None


def test_doubts() -> None:
    known = {"patate", "clé"}.__contains__
    assert doubt("S.N.C.F.", None) is ACRONYM
    assert doubt("SNCF", known) is ACRONYM
    assert doubt("Paris", None) is PROPER
    assert doubt("Patate", known) is None
    assert doubt("la clé", known) is None
    assert doubt("shoot", known) is UNKNOWN
    assert doubt("shoot", None) is None
