"""The grammars that ship: every phrase is understood in all its forms, and nothing else is taken for one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from saying import CONTEXT, PLAYERS, every_template, say

from voiceref.phrases.catalogue import GAMES, Catalogue, load
from voiceref.phrases.matcher import Match, Rejection, match
from voiceref.phrases.slots import Context

CATALOGUES = {game: load(game) for game in GAMES}
ANSWERS = {"CACH-Q006", "CCC-P001", "CCC-Q007", "CDT-P001", "CDT-P002", "CDT-Q005", "CDC-Q031"}
"""Guesses, descriptions, a newcomer's name: any words may be one while they are asked for."""
HOMONYMS = [
    {"CDC-Q003", "CDC-Q009"},
    {"CDC-Q016", "TABLE-023"},
    {"CDC-Q016", "TABLE-024"},
    {"CDC-Q028", "CDC-Q031", "TABLE-025"},
    {"CACH-Q024", "TABLE-025"},
    {"CACH-Q024", "CDC-Q028", "CDC-Q031", "TABLE-025", "TABLE-036"},
    {"CACH-Q008", "CACH-Q010", "TABLE-023"},
    {"CACH-Q009", "TABLE-024"},
    {"CACH-Q012", "TABLE-029"},
    {"CACH-Q014", "TABLE-028"},
    {"CACH-Q015", "TABLE-012"},
    {"CCC-Q008", "TABLE-023"},
    {"CCC-Q009", "TABLE-024"},
    {"CDT-Q007", "TABLE-023"},
    {"CDT-Q008", "TABLE-024", "TABLE-025", "TABLE-036"},
    {"TABLE-025", "TABLE-036"},
    {"CDT-Q009", "TABLE-001"},
    {"CDT-Q017", "TABLE-028"},
]
"""Phrases that share words by design; the caller's order of legal phrases decides between them."""


def homonyms(phrase_id: str) -> set[str]:
    return {other for group in HOMONYMS if phrase_id in group for other in group} - {phrase_id}


def without(catalogue: Catalogue, *phrase_ids: str) -> Catalogue:
    return replace(catalogue, phrases={key: p for key, p in catalogue.phrases.items() if key not in phrase_ids})


@pytest.mark.parametrize("game", GAMES)
def test_ids_and_rules_are_well_formed(game: str) -> None:
    for phrase in CATALOGUES[game].phrases.values():
        assert re.fullmatch(r"(CDC|CACH|CCC|CDT)-[PQ]\d{3}|TABLE-\d{3}", phrase.id)
        assert phrase.rule == "" or re.fullmatch(r"(CDC|CACH|CCC|CDT)-\d{3}", phrase.rule)
        assert phrase.who
        assert phrase.text


def test_every_printed_and_proposed_phrase_is_there() -> None:
    counts = {"CDC": (71, 29), "CACH": (4, 19), "CCC": (1, 15), "CDT": (1, 12)}
    for catalogue, (prefix, (printed, proposed)) in zip(CATALOGUES.values(), counts.items(), strict=True):
        expected = {f"{prefix}-P{n:03}" for n in range(1, printed + 1)}
        expected |= {f"{prefix}-Q{n:03}" for n in range(1, proposed + 1)}
        assert expected <= set(catalogue.phrases)


@pytest.mark.parametrize("game", GAMES)
def test_every_form_of_every_phrase_is_that_phrase_with_its_slots(game: str) -> None:
    catalogue = CATALOGUES[game]
    for phrase_id, template in every_template(catalogue):
        for seed in range(10):
            text, slots = say(template, Random(seed))
            found = match(text, catalogue, CONTEXT, (phrase_id,))
            assert isinstance(found, Match), (text, template.source, found)
            assert found.phrase_id == phrase_id, (text, template.source, found)
            override = slots.pop("command", catalogue.phrases[phrase_id].command)
            assert (dict(found.slots), found.command) == (slots, override), (text, template.source)
            assert found.legal
            assert (found.score, found.reason) == (1.0, "exact")


@pytest.mark.parametrize("game", GAMES)
def test_no_phrase_is_ever_taken_for_another(game: str) -> None:
    """Every ordered pair: the words of one phrase, in every form, are never another phrase, even where it is absent."""
    catalogue = without(CATALOGUES[game], *ANSWERS)
    for phrase in catalogue.phrases.values():
        others = without(catalogue, phrase.id, *homonyms(phrase.id))
        for template in phrase.readable:
            for seed in range(3):
                text, _ = say(template, Random(seed))
                found = match(text, others, CONTEXT, tuple(others.phrases))
                assert isinstance(found, Rejection), (text, phrase.id, found)


@pytest.mark.parametrize("game", GAMES)
def test_everyday_sentences_are_nothing(game: str) -> None:
    catalogue = without(CATALOGUES[game], *ANSWERS)
    sentences = Path(__file__).with_name("everyday.txt").read_text("utf-8").splitlines()
    assert len(sentences) >= 200
    for sentence in sentences:
        found = match(sentence, catalogue, CONTEXT, tuple(catalogue.phrases))
        assert isinstance(found, Rejection), (sentence, found)


@pytest.mark.parametrize("game", GAMES)
def test_decomposed_accents_and_capitals_change_nothing(game: str) -> None:
    """What a Mac file gives (NFD), and shouting in capitals (B28)."""
    catalogue = CATALOGUES[game]
    decomposed = Context(tuple(unicodedata.normalize("NFD", name) for name in PLAYERS))
    for phrase_id, template in every_template(catalogue):
        text, _ = say(template, Random(1))
        for changed in (
            unicodedata.normalize("NFD", text),
            text.upper(),
            text.replace("'", "’"),
            text.replace("'", " "),
        ):
            for context in (Context(PLAYERS, CONTEXT.spoken), Context(decomposed.players, CONTEXT.spoken)):
                found = match(changed, catalogue, context, (phrase_id,))
                assert isinstance(found, Match), (changed, found)
                assert found.phrase_id == phrase_id, (changed, found)


@pytest.mark.parametrize("game", GAMES)
def test_the_printed_text_of_each_phrase_is_understood(game: str) -> None:
    catalogue = CATALOGUES[game]
    context = Context(("Anne", "Bob", "Carole", "David"))
    explained_in_print = {"CDC-P038", "CDC-P041", "CDC-P062", "CDC-P063", "CDC-P070"}
    for phrase in catalogue.phrases.values():
        if phrase.id in explained_in_print:
            continue
        found = match(phrase.text, catalogue, context, (phrase.id,))
        assert isinstance(found, Match), (phrase.text, found)
        assert found.phrase_id == phrase.id, (phrase.text, found)


def test_a_command_may_be_addressed_to_the_referee() -> None:
    catalogue = CATALOGUES["cul-de-chouette"]
    for phrase in catalogue.phrases.values():
        if phrase.kind != "command":
            continue
        text, slots = say(phrase.templates[0], Random(4))
        for around in ("Arbitre, {}", "Hé, monsieur l'arbitre, {} !", "{}, s'il te plaît", "{}, arbitre"):
            found = match(around.format(text), catalogue, CONTEXT, (phrase.id,))
            assert isinstance(found, Match), (around.format(text), found)
            assert (found.phrase_id, dict(found.slots)) == (phrase.id, slots), around.format(text)
    assert isinstance(match("Arbitre, grelotte ça picote !", catalogue, CONTEXT, ("CDC-P002",)), Rejection)
