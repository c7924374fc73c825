"""`voiceref` without a command: the table is settled in words, then the same input goes on as the game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from voiceref.cli import main

WELCOME = "1 ? On joue au cul de chouette\n3 ? Ana\n5 ? et Bruno\n7 ? c'est tout\n9 ? niveau deux\n11 ? oui\n"
GAME = "20 Ana Chouettes : quatre et deux\n22 Ana Cul : six\n30 @ tick\n"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def begin(tmp_path: Path, text: str, *more: str) -> list[str]:
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    return ["--input", str(path), "--output", "none", "--json", *more]


def state(printed: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(printed.splitlines()[-1])
    return found


def test_from_the_first_word_to_the_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(begin(tmp_path, WELCOME + GAME)) == 0
    out = capsys.readouterr().out
    assert state(out)["scores"] == {"Ana": 72, "Bruno": 0}
    began = next(line for line in map(json.loads, out.splitlines()) if line["type"] == "event")
    assert began["event"] == "debut"


def test_players_named_beforehand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "1 ? cachamot\n3 ? oui\n10 @ tick\n"
    assert main(begin(tmp_path, text, "--players", "Ana,Bruno,Chloé")) == 0
    assert state(capsys.readouterr().out)["game"] == "cachamot"


def test_the_last_game_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(begin(tmp_path, WELCOME + GAME))
    capsys.readouterr()
    assert main(begin(tmp_path, "1 ? On reprend\n3 ? scores\n9 @ tick\n")) == 0
    assert state(capsys.readouterr().out)["scores"] == {"Ana": 72, "Bruno": 0}


def test_nothing_to_resume_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(begin(tmp_path, "1 ? On reprend\n")) == 1
    assert capsys.readouterr().err.splitlines()[-1].count(".") == 1


def test_leaving_plays_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(begin(tmp_path, "1 ? stop\n")) == 0
    assert "state" not in capsys.readouterr().out


def test_options_first_player_and_seats_by_voice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    welcome = (
        "1 ? On joue au cul de chouette\n3 ? Ana\n5 ? et Bruno\n6 ? moi c'est Zoltan\n7 ? c'est tout\n9 ? niveau deux\n"
        "10 ? on joue en aquitaine\n11 ? sans score négatif\n12 ? quelles options\n13 ? Bruno commence\n15 ? on joue\n"
    )
    assert main(begin(tmp_path, welcome + "20 ? scores\n22 @ tick\n")) == 0
    found = state(capsys.readouterr().out)
    assert found["turn"] == "Bruno"
    assert list(found["scores"]) == ["Ana", "Bruno", "Zoltan"]  # type: ignore[call-overload]


def test_a_table_that_cannot_be_played_is_said_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "1 ? casque chèque chat\n3 ? oui\n5 ? Chloé\n7 ? David\n9 ? c'est tout\n11 ? oui\n15 @ tick\n"
    assert main(begin(tmp_path, text, "--players", "Ana,Bruno")) == 0
    out = capsys.readouterr().out
    assert "à quatre au moins" in out
    assert state(out)["game"] == "casque-cheque-chat"


def test_words_that_are_not_understood_are_asked_for_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(begin(tmp_path, "1 ? le tarot\n2 ? la belote\n"))
    assert capsys.readouterr().out.count("Je n'ai pas compris.") == 1
