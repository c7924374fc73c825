"""The rulebook: every rule is there, can be asked for by id or name, and can be spoken."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from voiceref import resources
from voiceref.cli import main
from voiceref.referee import rulebook
from voiceref.referee.rulebook import RuleError, find, load, read
from voiceref.voice.wording import split

COUNTS = {"cul-de-chouette": 244, "cachamot": 40, "casque-cheque-chat": 32, "chasseur-de-tete": 18}


@pytest.mark.parametrize("game", COUNTS)
def test_every_rule_is_there_in_order_and_can_be_spoken(game: str) -> None:
    rules = load(game).rules
    assert len(rules) == COUNTS[game]
    assert list(rules) == sorted(rules)
    for rule in rules.values():
        assert rule.title
        assert re.fullmatch(r"[^\d]{8,}[.!?…»]", rule.text), rule.id
        for part in split(rule.text, rulebook.LONGEST_S)[:-1]:
            after = rule.text.lower().split(part.rstrip(" .").lower(), 1)[1]
            assert re.match(r"[.!?…]|,? ?[»;:!?]", after), f"{rule.id} is cut after « {part} »"


def test_levels_of_the_families() -> None:
    rules = load("cul-de-chouette").rules
    assert [rules[f"CDC-{n}"].level for n in ("036", "041", "057", "066", "119", "190", "225", "240")] == [
        1,
        2,
        3,
        4,
        2,
        3,
        4,
        4,
    ]


@pytest.mark.parametrize("wanted", ["CDC-036", "cdc 36", "CDC036", " cdc-36 "])
def test_by_id(wanted: str) -> None:
    rule = find(wanted)
    assert (rule.id, rule.title) == ("CDC-036", "Suite")
    assert rule.printed.startswith("CDC-036 · Suite ★\nTrois dés qui se suivent")


def test_ids_of_the_other_games() -> None:
    assert [find(wanted).id for wanted in ("CACH-20", "ccc-031", "CDT 13")] == ["CACH-020", "CCC-031", "CDT-013"]


@pytest.mark.parametrize(
    ("wanted", "part"),
    [("CDC-243", "CDC-243 n'existe pas"), ("XYZ-001", "numéro de règle"), ("la Suite", "numéro de règle")],
)
def test_unknown_ids_are_told_in_french(wanted: str, part: str) -> None:
    with pytest.raises(RuleError, match=part):
        find(wanted)


def test_by_name_with_or_without_article_and_as_the_grammar_names_it() -> None:
    book = load("cul-de-chouette")
    suite = [rule.id for rule in book.named("la Suite")]
    assert suite == ["CDC-036", "CDC-037", "CDC-038"]
    assert [[r.id for r in book.named(name)] for name in ("suite", "SUITE", "Grelotte, ça picote")] == [
        suite,
        suite,
        ["CDC-036"],
    ]
    assert book.named("cul_de_chouette") == book.named("le Cul de Chouette")
    assert book.named("le bridge") == ()


@pytest.mark.parametrize("game", COUNTS)
def test_every_rule_that_the_grammar_can_name_is_explained(game: str) -> None:
    name = rulebook.FILES[game][1].removeprefix("rules_")
    grammar = tomllib.loads((resources.grammars() / name).read_text(encoding="utf-8"))
    book = load(game)
    assert len(grammar["types"]["regle"]) >= 8
    for rule in grammar["types"]["regle"]:
        assert book.explain(rule), rule


def test_the_tichette_is_not_explained_but_by_its_number() -> None:
    book = load("cul-de-chouette")
    assert "Bévue" in book.explain("la Tichette")[0]
    assert not any("ticheur" in sentence for sentence in book.explain("tichette"))
    assert "ticheur" in find("CDC-211").text


def test_explanations_are_short_to_say_and_nothing_named_is_the_goal() -> None:
    assert "trois cent quarante-trois" in load("cul-de-chouette").explain("")[0]
    assert load("cachamot").explain("") != ()
    assert load("casque-cheque-chat").explain("") != ()
    assert load("chasseur-de-tete").explain("") != ()
    assert load("cul-de-chouette").explain("le bridge") == ()


def test_a_damaged_file_is_one_french_sentence(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('[[rule]]\nid = "CDC-001"\nunknown = 1\n', encoding="utf-8")
    with pytest.raises(RuleError, match="illisible"):
        read(file)
    with pytest.raises(RuleError, match="n'existe pas"):
        load("bridge")
    assert set(rulebook.FILES) == set(COUNTS)


def test_without_an_id_every_rule_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    printed = capsys.readouterr().out
    assert all(game in printed for game in rulebook.FILES)
    assert "CDC-036 · " in printed
    assert "CDT-001 · " in printed
