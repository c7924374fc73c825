"""The demo on the real ear: what the recorded shouts score is what the same words score as text."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from voiceref import resources
from voiceref.audio.source import EAR_RATE
from voiceref.audio.wave_file import read_wave
from voiceref.cli import main
from voiceref.ear import script
from voiceref.referee import demo
from voiceref.voice.synthesis import PicoVoice, VoiceError

FIRST_LINES = 7
"""The first throw, and the first race."""

_RECORD = """
import sys
from dataclasses import replace
from pathlib import Path
from voiceref.audio.source import EAR_RATE
from voiceref.audio.wave_file import write_wave
from voiceref.ear import script
from voiceref.referee import demo
from voiceref.voice.synthesis import PicoVoice
table = script.load(demo.TABLE, demo.PLAYERS)
first = replace(table, lines=table.lines[: int(sys.argv[2])])
write_wave(Path(sys.argv[1]), demo.recording(first, PicoVoice()), EAR_RATE)
"""
"""In a process of its own, as the demo is: Pico does not repeat itself to the sample within one process."""

needs_ear = pytest.mark.skipif(
    not (resources.models() / "judge" / "judge.onnx").is_file(), reason="the model of the ear is not here"
)


@pytest.fixture
def voice() -> PicoVoice:
    try:
        return PicoVoice()
    except VoiceError as error:
        pytest.skip(str(error))


def test_each_player_is_loudest_at_his_own_microphone(voice: PicoVoice) -> None:
    table = script.load(demo.TABLE, demo.PLAYERS)
    first = replace(table, lines=table.lines[:FIRST_LINES])
    sound = demo.recording(first, voice)
    for line in first.lines:
        place = slice(round(line.onset * EAR_RATE), round((line.onset + 0.6) * EAR_RATE))
        loudness = (sound[place] ** 2).mean(axis=0)
        assert demo.PLAYERS[int(loudness.argmax())] == line.speaker


@needs_ear
def test_shouts_score_as_their_words_do(
    voice: PicoVoice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    words = [line for line in demo.TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
    shouts, text, spoken = tmp_path / "cris.wav", tmp_path / "mots.txt", tmp_path / "arbitre.wav"
    text.write_text("\n".join(words[:FIRST_LINES]) + "\n30 @ tick\n", encoding="utf-8")
    subprocess.run([sys.executable, "-c", _RECORD, str(shouts), str(FIRST_LINES)], check=True)
    play = ["play", "cul-de-chouette", "--players", ",".join(demo.PLAYERS), "--level", str(demo.LEVEL), "--json"]

    def scores(*more: str) -> dict[str, int]:
        assert main([*play, *more]) == 0
        state: dict[str, dict[str, int]] = json.loads(capsys.readouterr().out.splitlines()[-1])
        return state["scores"]

    heard = scores("--input", str(shouts), "--output", str(spoken), "--sensitivity", demo.QUIET_ROOM)
    assert heard == scores("--input", str(text), "--output", "none")
    assert any(heard.values())
    samples, rate = read_wave(spoken)
    assert len(samples) > 10 * rate
    assert float(abs(samples).max()) > 0.05
