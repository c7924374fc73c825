"""How the referee answers at the table: refusals wait for the end of a race, corrections name who made them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from voiceref.cli import main

RACE = """
3.0 Ana Les dés : un, deux et trois
4.0 Bruno Les dés : quatre, deux et un
13.0 @ tick
"""
ENDED = """
3.0 Bruno Bruno a trente points, pas vingt
4.0 Bruno Bruno a trente points, pas vingt-cinq
5.0 Ana Fin de partie
6.0 Ana Oui
"""
PLAY = ["play", "cul-de-chouette", "--players", "Ana,Bruno,Chloé", "--scores", "Ana=100,Bruno=20,Chloé=90"]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    table = tmp_path / "table.txt"
    table.write_text(text, encoding="utf-8")
    assert main([*PLAY, "--input", str(table), "--output", "none", "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_refusal_in_an_open_race_is_said_when_it_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(RACE, tmp_path, capsys)
    refused = next(number for number, line in enumerate(lines) if line["type"] == "refused")
    over = next(number for number, line in enumerate(lines) if line.get("event") == "suite_egalite")
    texts = [line.get("text") for line in lines if line["type"] == "say"]
    assert "Pas encore, il reste quelque chose à régler." in texts
    assert not any(line["type"] == "say" for line in lines[min(refused, over) + 1 : over])


def test_a_correction_names_who_made_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused = [line for line in told(ENDED, tmp_path, capsys) if line["type"] == "refused"]
    assert [line["speaker"] for line in refused] == ["Bruno"]


def test_nobody_leads_any_more_at_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [line["text"] for line in told(ENDED, tmp_path, capsys) if line["type"] == "say"]
    assert texts[-1] == "Ana finit en tête."


def test_an_ended_game_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(ENDED, tmp_path, capsys)
    assert main(["resume", "--output", "none"]) == 1
    assert "est finie" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--level", "2"], ["--tokens", "Ana:flan"]])
def test_levels_and_tokens_belong_to_one_game(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "cachamot", "--players", "Ana,Bruno", *option]) == 1
    assert "ni niveau ni jetons" in capsys.readouterr().err
