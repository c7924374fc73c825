"""House phrases: variants of the game's phrases, orders said otherwise, pronunciations, faults with file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voiceref.phrases import catalogue, house
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.graph import word_graph
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context

CONTEXT = Context(("Ana", "Bruno"))


@pytest.fixture(scope="module")
def game() -> Catalogue:
    return catalogue.load("cul-de-chouette")


def written(folder: Path, text: str) -> Path:
    path = folder / "maison.toml"
    path.write_text(text, encoding="utf-8")
    return path


def understood(text: str, phrases: Catalogue) -> tuple[str, str | None]:
    found = match(text, phrases, CONTEXT, tuple(phrases.phrases))
    assert isinstance(found, Match), found
    return found.phrase_id, found.command


def test_a_variant_is_one_more_way_to_say_a_phrase_of_the_game(tmp_path: Path, game: Catalogue) -> None:
    path = written(tmp_path, '[[phrase]]\nid = "CDC-P002"\nvariants = ["ça chatouille"]\n')
    found = house.read(path, game)
    assert understood("Ça chatouille !", found.catalogue)[0] == "CDC-P002"
    assert understood("Grelotte ça picote !", found.catalogue)[0] == "CDC-P002"
    assert found.own == (("CDC-P002", "ça chatouille"),)
    assert "chatouille" in word_graph(found.catalogue, CONTEXT, ["CDC-P002"]).words
    assert "chatouille" not in word_graph(game, CONTEXT, ["CDC-P002"]).words


def test_a_variant_keeps_the_slots_of_its_phrase(tmp_path: Path, game: Catalogue) -> None:
    path = written(tmp_path, '[[phrase]]\nid = "CDC-Q010"\nvariants = ["gaffe de <joueur>"]\n')
    found = match("gaffe de Bruno", house.read(path, game).catalogue, CONTEXT, ("CDC-Q010",))
    assert isinstance(found, Match)
    assert (found.phrase_id, found.slots) == ("CDC-Q010", {"joueur": "Bruno"})


def test_an_order_can_be_said_the_way_of_the_house(tmp_path: Path, game: Catalogue) -> None:
    path = written(tmp_path, '[[phrase]]\nid = "MAISON-1"\ntext = "Au frigo"\ncommand = "pause"\n')
    found = house.read(path, game).catalogue
    assert understood("arbitre, au frigo s'il te plaît", found) == ("MAISON-1", "pause")


def test_words_and_names_are_pronounced_as_given(tmp_path: Path, game: Catalogue) -> None:
    path = written(tmp_path, '[says]\npicote = "picotte"\n[names]\nNguyen = "nouillène"\n"Jean Nhu" = "jean gnou"\n')
    says = word_graph(house.read(path, game).catalogue, Context(("Nguyen",)), ["CDC-P002", "CDC-Q010"]).says
    assert says["picote"] == "picotte"
    assert says["nguyen"] == "nouillène"
    assert (says["jean"], says["nhu"]) == ("jean", "gnou")


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ('[[phrase]]\nid = "X"\ntext = "au frigo"\n', 1, "n'est pas une phrase du jeu"),
        ('[[phrase]]\nid = "X"\ntext = "au frigo"\ncommand = "danser"\n', 4, "donne un ordre avec « command »"),
        ('[[phrase]]\nid = "CDC-P002"\n', 1, "donnez-lui « variants »"),
        ('[[phrase]]\nid = "CDC-P002"\nvariant = ["a"]\n', 3, "clé inconnue « variant »"),
        ('[[phrase]]\nid = "CDC-P002"\nvariants = ["pas mou le caillou"]\n', 3, "se dit déjà"),
        ('[[phrase]]\nid = "CDC-Q010"\nvariants = ["gaffe"]\n', 3, "n'a pas les cases de la phrase (<joueur>)"),
        ('[[phrase]]\nid = "CDC-P002"\nvariants = ["ça (pique"]\n', 3, "« ( » sans « ) »"),
        ("[names]\nNguyen = 3\n", 2, "doit avoir sa prononciation"),
        ('[names]\n"Jean Nhu" = "jeannou"\n', 2, "a 2 mots"),
        ("[autre]\na = 1\n", 1, "clé inconnue « autre »"),
        ("[names\n", 1, "TOML mal formé"),
    ],
)
def test_a_fault_is_one_sentence_with_file_and_line(
    tmp_path: Path, game: Catalogue, text: str, line: int, part: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(house.PhraseFileError) as fault:
        house.read(path, game)
    assert re.match(rf"{re.escape(str(path))}, ligne {line}\b", str(fault.value))
    assert part in str(fault.value)
    assert "\n" not in str(fault.value)
