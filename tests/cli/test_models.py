"""`voiceref models fetch` and `--model`: one French sentence where there is nothing to be had."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from voiceref.audio.wave_file import write_wave
from voiceref.cli import main


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["fetch"], "vosk-model-small-fr-0.22"),
        (["fetch", "vosk-model-klingon"], "klingon"),
        (["fetch", "vosk-model-small-fr-0.22", "--from", "http://127.0.0.1:9/x.zip"], "connexion"),
        (["dance"], "dance"),
    ],
)
def test_no_model_to_be_had(argv: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", *argv]) != 0
    said = capsys.readouterr().err
    assert word in said
    assert said.count("\n") == 1


def test_a_model_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_wave(tmp_path / "silence.wav", np.zeros((16_000, 1), np.float32), 16_000)
    play = ["play", "cachamot", "--players", "Ana,Bruno", "--input", str(tmp_path / "silence.wav"), "--output", "none"]
    assert main([*play, "--model", "vosk-model-small-fr-0.22"]) == 1
    assert "voiceref models fetch" in capsys.readouterr().err
