"""`voiceref race` as people call it: the verdict line, and one French sentence for each fault."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.race.table_sounds import RATE, table, voice
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main

PLAYERS = ["--players", "Ana,Bruno,Chloé"]


@pytest.fixture
def recording(tmp_path: Path) -> str:
    sound = table([(1, 1.0, voice(120, seed=2)), (0, 1.2, voice(210, seed=1))], channels=3)
    write_wave(tmp_path / "course.wav", sound, RATE)
    return str(tmp_path / "course.wav")


def verdict(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["race", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_the_verdict_line(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = verdict([recording, *PLAYERS], capsys)
    assert list(found) == ["type", "phrase", "order", "first", "last", "ties", "confidence", "reason"]
    assert (found["type"], found["phrase"], found["first"], found["last"]) == ("verdict", None, "Bruno", "Ana")
    assert (found["ties"], found["reason"]) == ([], "net")
    first, second = found["order"]
    assert list(first) == ["player", "onset", "uncertainty", "channel"]
    assert (first["player"], first["channel"], second["player"], second["channel"]) == ("Bruno", 2, "Ana", 1)
    assert first["onset"] == pytest.approx(1.0, abs=0.01)


def test_a_wider_window_makes_it_a_tie(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = verdict([recording, *PLAYERS, "--tie", "600"], capsys)
    assert (found["first"], found["ties"], found["reason"]) == (None, [["Bruno", "Ana"]], "egalite")


def test_other_rates_and_no_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from voiceref.audio.resampling import resample

    sound = resample(table([(2, 1.0, voice(120, seed=2))], channels=3), RATE, 44_100)
    write_wave(tmp_path / "r.wav", sound, 44_100)
    found = verdict([str(tmp_path / "r.wav")], capsys)
    assert found["first"] == "Micro 3"


def test_nobody_shouted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_wave(tmp_path / "r.wav", np.zeros((RATE, 3), np.float32), RATE)
    found = verdict([str(tmp_path / "r.wav"), *PLAYERS], capsys)
    assert (found["order"], found["first"], found["reason"]) == ([], None, "personne")


def test_for_people(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["race", recording, *PLAYERS]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert re.match(r"1\. Bruno à (0,99|1,00)\d s \(± \d+ ms\)", printed[0])
    assert printed[-1].startswith("Premier : Bruno.")


def test_the_race_is_drawn(recording: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing = tmp_path / "course.svg"
    assert main(["race", recording, *PLAYERS, "--picture", str(drawing)]) == 0
    root = ElementTree.fromstring(drawing.read_text(encoding="utf-8"))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"micro 1", "micro 2", "micro 3", "1. Bruno"} <= set(texts)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == 3
    capsys.readouterr()
    assert main(["race", recording, *PLAYERS, "--picture", str(tmp_path / "absent" / "course.svg")]) == 1
    assert capsys.readouterr().err.startswith("Le dessin")


def test_without_a_model_words_are_not_checked_and_that_is_said(
    recording: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VOICEREF_MODELS", str(tmp_path))
    assert main(["race", recording, *PLAYERS, "--phrase", "CDC-P001", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out.splitlines()[-1])["first"] == "Bruno"
    assert "Les paroles ne sont pas vérifiées" in printed.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--players", "Ana,Bruno"], "3 canaux pour 2 joueurs"),
        (["--players", "Ana,ana,Bruno"], "même nom"),
        (["--players", "Ana,,Bruno"], "nom de joueur est vide"),
        (["--phrase", "CDC-X999"], "« CDC-X999 »"),
        (["--phrases", "absent.toml"], "absent.toml"),
    ],
)
def test_faults_are_one_french_sentence(
    recording: str, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["race", recording, *arguments]) == 1
    printed = capsys.readouterr()
    assert expected in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_files_that_are_no_recordings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "vide.wav").write_bytes(b"")
    (tmp_path / "texte.wav").write_bytes(b"RIFF1234WAVE")
    write_wave(tmp_path / "court.wav", np.zeros((800, 3), np.float32), RATE)
    for name, expected in (("vide", "WAV"), ("texte", "incomplet"), ("court", "trop court (0,05 s)"), ("rien", "lu")):
        assert main(["race", str(tmp_path / f"{name}.wav"), *PLAYERS]) == 1
        printed = capsys.readouterr().err
        assert expected in printed
        assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (["--tie", "-5"], "zéro ou plus"),
        (["--picture", "x.png"], ".svg"),
        (["--picture", "/rien/x.svg"], "un dossier à"),
    ],
)
def test_a_picture_or_window_that_cannot_be_is_refused(
    more: list[str], word: str, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["race", recording, *PLAYERS, *more]) == 1
    told = capsys.readouterr().err
    assert word in told
    assert told.count("\n") == 1
    assert "directory" not in told
