"""`voiceref listen --phrases FILE`: one's own phrases are looked over before anything is heard."""

from __future__ import annotations

from pathlib import Path

import pytest

from voiceref.cli import main

HOUSE = """
[[phrase]]
id = "M-001"
text = "Zorglub la patate !"
who = "anyone"
kind = "single"
rule = "M"
{says}

[[phrase]]
id = "M-002"
text = "Zorglub la {last} !"
who = "anyone"
kind = "single"
rule = "M"
"""


def _said(tmp_path: Path, capsys: pytest.CaptureFixture[str], last: str, says: str = "") -> list[str]:
    house, table = tmp_path / "maison.toml", tmp_path / "table.txt"
    house.write_text(HOUSE.format(last=last, says=says), encoding="utf-8")
    table.write_text("1.0 ? Zorglub la patate !\n", encoding="utf-8")
    assert main(["listen", "--phrases", str(house), "--input", str(table)]) == 0
    said = capsys.readouterr()
    assert "M-001" in said.out
    return said.err.splitlines()


def test_house_phrases_that_sound_alike_and_guessed_words_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guessed, close = _said(tmp_path, capsys, "tomate")
    assert guessed.startswith("« zorglub » n'est pas au lexique")
    assert "« zorglub la patate » et « zorglub la tomate »" in close


def test_nothing_is_told_of_distinct_phrases_whose_pronunciation_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _said(tmp_path, capsys, "grenouille du jardin", 'says = { zorglub = "zorglube" }') == []


def test_a_pronunciation_without_sound_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "maison.toml"
    house.write_text(HOUSE.format(last="tomate", says='says = { zorglub = "/!/" }'), encoding="utf-8")
    assert main(["listen", "--phrases", str(house), "--input", "clavier"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "zorglub" in said
