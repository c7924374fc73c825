"""« Encore une partie »: another game with the same players, from the same input, in a journal of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from voiceref.cli import main
from voiceref.games.engine import Summary, Table
from voiceref.referee.rematch import numbered, rematch

GAME = "1 Ana Chouettes : quatre et deux\n2 Ana Cul : six\n"


def played(tmp_path: Path, text: str, *more: str) -> int:
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    journal = tmp_path / "soir.jsonl"
    ends = ["--input", str(path), "--output", "none", "--json", "--journal", str(journal)]
    return main(["play", "cul-de-chouette", "--players", "Ana,Bruno", "--level", "1", *ends, *more])


def states(printed: str) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, printed.splitlines()) if line["type"] == "state"]


def test_the_next_game_begins_at_nothing_and_has_its_own_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = "25 ? Tout le monde a lancé : Ana cinq, Bruno deux\n"  # CDC-003: the lowest begins, in every game
    throw = "30 Bruno Chouettes : cinq et deux\n31 Bruno Cul : cinq\n50 @ tick\n"
    text = f"{GAME}20 ? encore une partie\n22 ? oui\n{dice}{throw}"
    assert played(tmp_path, text) == 0
    first, second = states(capsys.readouterr().out)
    assert first["scores"]["Ana"] > 0
    assert second["scores"]["Ana"] == 0
    assert second["scores"]["Bruno"] > 0
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == ["soir-2.jsonl", "soir.jsonl"]
    ends = [json.loads(path.read_text().splitlines()[-1]) for path in (tmp_path / "soir.jsonl",)]
    assert "end" in str(ends)


def test_a_game_that_is_over_needs_no_yes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{GAME}20 ? la revanche\n40 @ tick\n"
    assert played(tmp_path, text, "--scores", "Ana=340") == 0
    first, second = states(capsys.readouterr().out)
    assert first["over"]
    assert not second["over"]
    assert second["scores"] == {"Ana": 0, "Bruno": 0}


def test_no_goes_on_with_this_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(tmp_path, f"{GAME}20 ? encore une partie\n22 ? non\n40 @ tick\n") == 0
    (only,) = states(capsys.readouterr().out)
    assert only["scores"]["Ana"] > 0


def _summary(**scores: int) -> Summary:
    return Summary(scores=scores, turn=None, phase="fin", tokens={}, over=True, winners=())


def test_who_begins_next() -> None:
    table = Table(("Ana", "Bruno", "Chloé"))
    first = rematch("cachamot", table, _summary(Ana=1, Bruno=2, Chloé=0))
    assert first.turn == "Bruno"
    assert rematch("cachamot", rematch("cachamot", first, _summary()), _summary()).turn == "Ana"
    assert rematch("cul-de-chouette", table, _summary(Ana=1, Bruno=2, Chloé=0)).turn is None


def test_a_newcomer_stays_and_nothing_is_carried_over() -> None:
    table = Table(("Ana", "Bruno"), scores={"Ana": 5}, tokens={"Ana": ("grelottine",)})
    following = rematch("cul-de-chouette", table, _summary(Ana=1, Bruno=2, Nora=3))
    assert following.players == ("Ana", "Bruno", "Nora")
    assert not following.scores
    assert not following.tokens


def test_cards_are_shuffled_anew_unless_the_file_keeps_its_order() -> None:
    table = Table(("Ana", "Bruno"), settings={"deck.places": "0,1,2"})
    assert rematch("cachamot", table, _summary(), list.reverse).settings["deck.places"] == "2,1,0"
    kept = Table(("Ana", "Bruno"), settings={"deck.places": "0,1,2", "deck.order": "fichier"})
    assert rematch("cachamot", kept, _summary(), list.reverse).settings["deck.places"] == "0,1,2"


def test_journals_of_one_evening() -> None:
    assert [numbered(Path("soir.jsonl"), games).name for games in (0, 1, 2)] == [
        "soir.jsonl",
        "soir-2.jsonl",
        "soir-3.jsonl",
    ]
