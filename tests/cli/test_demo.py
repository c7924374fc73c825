"""The demos on the real ear: what the recorded shouts do is what the same words do as text."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from voiceref import resources
from voiceref.audio.source import EAR_RATE
from voiceref.audio.wave_file import read_wave
from voiceref.board.stream import GuardedStream
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import ScriptHearing, Typed, moment
from voiceref.referee import demo
from voiceref.referee.play import Ends, PlayError, Request, Streams, play
from voiceref.voice.synthesis import PicoVoice, VoiceError

FIRST_LINES = {"cul-de-chouette": 7, "cachamot": 6, "casque-cheque-chat": 6, "chasseur-de-tete": 4}
"""As much of each game as ends in a change of the scores: a throw and a race, or the first round."""

_RECORD = """
import sys
from pathlib import Path
from voiceref.audio.source import EAR_RATE
from voiceref.audio.wave_file import write_wave
from voiceref.referee import demo
from voiceref.voice.synthesis import PicoVoice
sys.path.insert(0, sys.argv[3])
from test_demo import beginning
write_wave(Path(sys.argv[1]), demo.recording(beginning(sys.argv[2]), PicoVoice()), EAR_RATE)
"""
"""In a process of its own, as the demo is: Pico does not repeat itself to the sample within one process."""

needs_ear = pytest.mark.skipif(
    not (resources.models() / "judge" / "judge.onnx").is_file(), reason="the model of the ear is not here"
)


def beginning(game: str) -> demo.Play:
    """The first lines of the demo of `game`."""
    shown = demo.load(game)
    return replace(shown, table=ScriptHearing(shown.table.lines[: FIRST_LINES[game]]))


@pytest.fixture
def voice() -> PicoVoice:
    try:
        return PicoVoice()
    except VoiceError as error:
        pytest.skip(str(error))


class Out:
    """Where a game writes its JSON lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def played(self, shown: demo.Play, given: Path, sound: Path | None = None) -> dict[str, Any]:
        """The last state of `shown` heard from a recording or read as a text table."""
        journal = self._path.with_suffix(f".{given.suffix[1:]}.journal")
        with self._path.open("w+", encoding="utf-8") as out:
            streams = Streams(GuardedStream(out), GuardedStream(sys.stderr))
            ends = Ends(str(given), str(sound) if sound else "none", json=True)
            if given.suffix == ".wav":
                assert demo.heard(shown, given, ends, streams, journal) == 0
            else:
                assert play(Request(shown.game, shown.wishes, ends, journal, shown.deck), streams) == 0
            out.seek(0)
            state: dict[str, Any] = json.loads(out.read().splitlines()[-1])
        return state


def as_text(shown: demo.Play, file: Path) -> Path:
    """The lines of `shown` as a text table, and the time that the recording goes on."""
    lines = []
    for line in shown.table.lines:
        secret = isinstance(line, Typed) and " = ".join((line.text, *line.synonyms))
        said = f"@ secret {secret}" if secret else isinstance(line, Hypothesis) and f"{line.speaker} {line.text}"
        lines.append(f"{moment(line)} {said}")
    file.write_text("\n".join((*lines, f"{moment(shown.table.lines[-1]) + 10.0} @ tick")) + "\n", encoding="utf-8")
    return file


def test_each_player_is_loudest_at_his_own_microphone(voice: PicoVoice) -> None:
    first = beginning(demo.FIRST)
    sound = demo.recording(first, voice)
    for line in first.table.lines:
        assert isinstance(line, Hypothesis)
        place = slice(round(line.onset * EAR_RATE), round((line.onset + 0.6) * EAR_RATE))
        loudness = (sound[place] ** 2).mean(axis=0)
        assert first.wishes.players[int(loudness.argmax())] == line.speaker


def test_every_game_has_a_demo_and_another_name_is_told(tmp_path: Path) -> None:
    assert set(demo.games()) == set(FIRST_LINES)
    with pytest.raises(PlayError, match="cachamot, casque-cheque-chat, chasseur-de-tete, cul-de-chouette"):
        demo.load("belote")


@pytest.mark.parametrize("game", sorted(FIRST_LINES))
def test_the_whole_demo_read_as_text_goes_as_far_as_it_should(game: str, tmp_path: Path) -> None:
    shown = demo.load(game)
    state = Out(tmp_path / "out").played(shown, as_text(shown, tmp_path / "mots.txt"))
    assert state["over"] == (game != "cul-de-chouette")
    assert any(state["scores"].values())


def test_secrets_are_typed_when_their_time_has_come() -> None:
    heard = ScriptHearing((Clock(1.0), Clock(2.0), Clock(5.0)))
    secrets = (Typed(1.5, "un"), Typed(4.0, "deux"), Typed(9.0, "jamais"))
    events = [event for event in demo.Dictated(heard, secrets).events() if not (isinstance(event, Clock))]
    assert events == list(secrets[:2])


@needs_ear
@pytest.mark.parametrize("game", sorted(FIRST_LINES))
def test_shouts_do_what_their_words_do(game: str, voice: PicoVoice, tmp_path: Path) -> None:
    shown = beginning(game)
    shouts, spoken = tmp_path / "cris.wav", tmp_path / "arbitre.wav"
    subprocess.run([sys.executable, "-c", _RECORD, str(shouts), game, str(Path(__file__).parent)], check=True)
    heard = Out(tmp_path / "out").played(shown, shouts, spoken)
    read = Out(tmp_path / "out").played(shown, as_text(shown, tmp_path / "mots.txt"))
    assert (heard["scores"], heard["turn"]) == (read["scores"], read["turn"])
    assert any(heard["scores"].values())
    samples, rate = read_wave(spoken)
    assert len(samples) > 10 * rate
    assert float(abs(samples).max()) > 0.05
