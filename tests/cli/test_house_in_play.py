"""House phrases in `voiceref play`: said, audited at the start, refused with file and line; names of the table file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from voiceref.cli import main
from voiceref.referee.house import Manners, catalogue, names_audited

HOUSE = """
[[phrase]]
id = "CDC-P002"
variants = ["grelotte ça pique"]

[[phrase]]
id = "MAISON-1"
text = "On compte"
command = "scores"
"""
PLAY = ["play", "cul-de-chouette", "--players", "Ana,Nguyen", "--output", "none", "--json"]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def file(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def said(printed: str) -> list[str]:
    return [row["text"] for line in printed.splitlines() if (row := json.loads(line))["type"] == "say"]


def test_an_order_of_the_house_is_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = file(tmp_path, "table.txt", "2.0 Ana On compte !\n")
    assert main([*PLAY, "--input", table, "--phrases", file(tmp_path, "maison.toml", HOUSE)]) == 0
    assert any(text.startswith("Voici les scores") for text in said(capsys.readouterr().out))
    assert main([*PLAY, "--input", table]) == 0
    assert not any(text.startswith("Voici les scores") for text in said(capsys.readouterr().out))


def test_what_sounds_too_much_alike_is_told_at_the_start_with_a_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = file(tmp_path, "table.txt", "2.0 @ tick\n")
    near = HOUSE.replace("grelotte ça pique", "pas mal le caillou").replace("On compte", "cul de chouette max")
    assert main([*PLAY, "--input", table, "--phrases", file(tmp_path, "maison.toml", near)]) == 0
    told = capsys.readouterr().err
    assert "« pas mal le caillou » ressemble trop à « pas mou le caillou » (CDC-P001" in told
    assert "dites plutôt « grelotte ça picote »" in told


def test_a_fault_ends_before_the_game_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = file(tmp_path, "table.txt", "2.0 @ tick\n")
    broken = file(tmp_path, "maison.toml", HOUSE.replace('command = "scores"', 'command = "danser"'))
    assert main([*PLAY, "--input", table, "--phrases", broken]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"{broken}, ligne 9 : ")
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "state").exists()


def test_a_game_is_resumed_with_the_phrases_of_the_house(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = file(tmp_path, "table.txt", "2.0 @ tick\n")
    house = ["--phrases", file(tmp_path, "maison.toml", HOUSE)]
    journal = str(tmp_path / "partie.jsonl")
    assert main([*PLAY, "--input", first, "--journal", journal, *house]) == 0
    capsys.readouterr()
    second = file(tmp_path, "suite.txt", "2.0 Ana On compte !\n")
    assert main(["resume", journal, "--output", "none", "--json", "--input", second, *house]) == 0
    assert any(text.startswith("Voici les scores") for text in said(capsys.readouterr().out))


def test_names_of_the_table_file_are_pronounced_as_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = file(tmp_path, "table.txt", "2.0 @ tick\n")
    evening = file(tmp_path, "soir.toml", 'players = ["Ana", "Nguyen"]\n[names]\nNguyen = "/ʃ/"\n')
    play = ["play", "cul-de-chouette", "--table", evening, "--output", "none", "--json", "--input", table]
    assert main(play) == 0
    capsys.readouterr()
    file(tmp_path, "soir.toml", 'players = ["Ana", "Nguyen"]\n[names]\nNguyen = "//"\n')
    assert main(play) == 1
    assert capsys.readouterr().err == "La prononciation « // » de « nguyen » ne contient aucun son connu.\n"
    phrases = catalogue("cul-de-chouette", Manners(names={"Nguyen": "nouillène"})).phrases
    assert all(phrase.says["nguyen"] == "nouillène" for phrase in phrases.values())


def test_a_name_of_two_words_needs_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = file(tmp_path, "table.txt", "2.0 @ tick\n")
    evening = file(tmp_path, "soir.toml", 'players = ["Ana", "Jean Nhu"]\n[names]\n"Jean Nhu" = "jeannou"\n')
    assert main(["play", "cul-de-chouette", "--table", evening, "--output", "none", "--input", table]) == 1
    assert "donnez-lui une prononciation de 2 mots" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (("Chloé", "Chloe"), "« Chloé » et « Chloe »"),
        (("Ana", "Bruno", "Hannah"), "« Ana » et « Hannah »"),
        (("Ana", "Stop"), "« Stop » ressemble trop à « stop »"),
        (("Ana", "Chouette"), "« Chouette » ressemble trop"),
    ],
)
def test_names_that_the_ear_cannot_tell_apart_are_named(players: tuple[str, ...], told: str) -> None:
    (finding,) = names_audited("cul-de-chouette", players, Manners())
    assert finding.startswith(told)
    assert "surnom" in finding


def test_usual_names_give_no_warning() -> None:
    players = ("Ana", "Bruno", "Chloé", "David", "Emma", "Léa", "Théo", "Noé", "Hugo", "Inès", "Lucas")
    assert not list(names_audited("cul-de-chouette", players, Manners()))


def test_names_are_audited_before_a_game_that_is_heard(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["play", "cul-de-chouette", "--players", "Ana,Hannah", "--output", "none"]
    assert main([*argv, "--input", "rien.wav"]) == 1
    assert capsys.readouterr().err.startswith("« Ana » et « Hannah »")
    assert main([*argv, "--input", "rien.txt"]) == 1
    assert "Hannah" not in capsys.readouterr().err
