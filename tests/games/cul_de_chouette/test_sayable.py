"""Every move that the rules open can be said: its words are read as that phrase among all that is open with it."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from random_play import GAME, NAMES, any_table, next_input

from voiceref import table
from voiceref.games.cul_de_chouette import SCHEMA
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.engine import Said, Table, Tick
from voiceref.phrases import catalogue, matcher
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.slots import Context

EXAMPLES = Path(__file__).parent / "examples"
CONTEXT = Context((*NAMES, "Nora"))
ELSEWHERE = {
    "CDC-P026": "Alouette",
    "CDC-Q009": "Les dés : quatre, quatre, deux",
    "CDC-Q012": "Il n'a pas tapé !",
    "CDC-Q018": "Le plus jeune, c'est Chloé",
    "CDC-Q019": "On joue à deux : Ana, Bruno",
    "CDC-Q020": "Ana et Chloé sont ensemble",
    "CDC-Q021": "Niveau trois étoiles",
    "CDC-Q028": "Bruno",
    "CDC-Q031": "Moi c'est Karadoc",
}
"""Words of phrases that no line of the examples has, or has as another phrase first."""


@pytest.fixture(scope="module")
def book() -> Catalogue:
    return catalogue.load("cul-de-chouette")


@pytest.fixture(scope="module")
def words(book: Catalogue) -> dict[str, str]:
    """What is said for each phrase: the first line of the examples that is read as it."""
    found = dict(ELSEWHERE)
    for text in lines():
        read = matcher.match(text, book, CONTEXT)
        if isinstance(read, matcher.Match):
            for reading in (read, *read.alternatives):
                found.setdefault(reading.phrase_id, text)
    return found


def lines() -> Iterator[str]:
    """The words of every line of every example."""
    for file in sorted(EXAMPLES.glob("*.toml")):
        for case in tomllib.loads(file.read_text("utf-8"))["case"]:
            for line in case["table"].strip().splitlines():
                yield line.split(" ", 2)[2]


def example_states(book: Catalogue) -> Iterator[State]:
    """The states that the examples go through, the words of each line read among what is open."""
    for file in sorted(EXAMPLES.glob("*.toml")):
        for case in tomllib.loads(file.read_text("utf-8"))["case"]:
            state = GAME.start(seated(case["args"])).state
            for line in case["table"].strip().splitlines():
                t, speaker, text = line.split(" ", 2)
                state = GAME.reduce(state, Tick(float(t))).state
                yield state
                legal = [opening.phrase for opening in GAME.openings(state)]
                read = matcher.match(text, book, CONTEXT, legal)
                if speaker != "@" and isinstance(read, matcher.Match) and read.command is None:
                    said = Said(float(t), None if speaker == "?" else speaker, read.phrase_id, read.slots, text)
                    state = GAME.reduce(state, said).state


def seated(args: list[str]) -> Table:
    """The table of an example."""
    given: dict[str, list[str]] = {}
    for option, value in zip(args[::2], args[1::2], strict=True):
        given.setdefault(option, []).append(value)
    asked = table.wishes(
        file=None,
        players=given["--players"][0],
        level=int(given["--level"][0]),
        settings=given.get("--set", []),
        scores=given.get("--scores", [""])[0],
        tokens=given.get("--tokens", [""])[0],
        turn=given.get("--turn", [None])[0],
    )
    return table.checked(asked, SCHEMA)


def random_states() -> Iterator[State]:
    """The states of random games of every level."""
    for seed in range(30):
        rng = random.Random(seed)
        state, t = GAME.start(any_table(rng)).state, 1.0
        for _ in range(120):
            if state.over:
                break
            yield state
            t += rng.choice((0.05, 0.3, 1.0, 2.0))
            given = next_input(rng, state, t)
            t = max(t, given.t)
            state = GAME.reduce(state, given).state


def test_every_legal_move_of_every_phase_can_be_said(book: Catalogue, words: dict[str, str]) -> None:
    states = (*example_states(book), *random_states())
    sets = {frozenset(opening.phrase for opening in GAME.openings(state)) for state in states}
    opened = frozenset.union(*sets)
    of_the_rules = {phrase.id for phrase in book.phrases.values() if phrase.id.startswith("CDC") and not phrase.command}
    assert sorted(of_the_rules - opened) == []
    assert sorted(opened - words.keys()) == []
    for legal in map(sorted, sets):
        for phrase in legal:
            read = matcher.match(words[phrase], book, CONTEXT, legal)
            assert isinstance(read, matcher.Match), words[phrase]
            assert read.legal, words[phrase]
            assert phrase in {reading.phrase_id for reading in (read, *read.alternatives)}, (words[phrase], legal)
