"""A sought word in the middle of a sentence, in real play from a wave file: of the voice that ships, and of people."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from voiceref import resources
from voiceref.audio.source import EAR_RATE, Block, ListSource, Samples
from voiceref.audio.wave_file import read_wave, write_wave
from voiceref.cli import main
from voiceref.ear.opening import EarModels, listen, open_ear
from voiceref.phrases.catalogue import load
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context

PLAYERS = ("Ana", "Bruno", "Chloé")
PEOPLE = Path(__file__).resolve().parents[3] / "shared" / "speech_fr" / "gcompris_voices"
EDGE = 0.01
"""Of its loudest sample: what is quieter at the edges of a recording is silence."""

pytestmark = pytest.mark.skipif(
    not (resources.models() / "judge" / "judge.onnx").is_file(), reason="the model of the ear is not here"
)

_SPEAK = """
import sys
from pathlib import Path
from voiceref.audio.wave_file import write_wave
from voiceref.voice.synthesis import PicoVoice
said = PicoVoice().speak(sys.argv[2])
write_wave(Path(sys.argv[1]), said.samples, said.rate_hz)
"""
"""In a process of its own: Pico does not repeat itself to the sample within one process."""


def spoken(text: str, path: Path) -> Samples:
    """`text` by the voice that ships, at EAR_RATE."""
    from voiceref.audio.resampling import resample
    from voiceref.voice.synthesis import PicoVoice, VoiceError

    try:
        PicoVoice().close()
    except VoiceError as error:
        pytest.skip(str(error))
    subprocess.run([sys.executable, "-c", _SPEAK, str(path), text], check=True)
    samples, rate = read_wave(path)
    return resample(samples.reshape(len(samples), -1)[:, 0], rate, EAR_RATE)


def person(*names: str) -> Samples:
    """Recordings of one woman, one after the other without a pause."""
    soundfile = pytest.importorskip("soundfile")
    parts = []
    for name in names:
        path = PEOPLE / f"words_{name}.flac"
        if not path.is_file():
            pytest.skip("the recordings of people are not here")
        sound, _ = soundfile.read(path, dtype="float32")
        loud = np.flatnonzero(np.abs(sound) > EDGE * np.abs(sound).max())
        parts.append(sound[loud[0] : loud[-1] + 1])
    return np.concatenate(parts)


def first_challenge(
    answer: Samples, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[dict[str, object]]:
    """Ana turns the hourglass at 3 s, Bruno says `answer` at 12 s; each has a microphone. What the game printed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    sound = np.random.default_rng(0).normal(0.0, 0.001, (24 * EAR_RATE, len(PLAYERS))).astype(np.float32)
    for seat, second, said in ((0, 3.0, spoken("Sablier !", folder / "sablier.wav")), (1, 12.0, answer)):
        first = round(second * EAR_RATE)
        shout = said * (0.6 / np.abs(said).max())
        for microphone in range(len(PLAYERS)):
            sound[first : first + len(shout), microphone] += shout * (1.0 if microphone == seat else 0.05)
    write_wave(folder / "table.wav", sound, EAR_RATE)
    table = ["--players", ",".join(PLAYERS), "--input", str(folder / "table.wav"), "--output", "none", "--json"]
    assert main(["play", "cachamot", "--challenges", *table]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def answers(printed: list[dict[str, object]]) -> list[tuple[float, object]]:
    """When each answer began, and by whom it was."""
    found = []
    for line in printed:
        if line.get("event") == "reponse":
            data, t = line["data"], line["t"]
            assert isinstance(data, dict)
            assert isinstance(t, float)
            found.append((t, data["joueur"]))
    return found


def test_the_word_in_a_sentence_wins_and_counts_from_its_own_onset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = spoken("euh, je dirais peut-être pomme de terre, non ?", tmp_path / "phrase.wav")
    printed = first_challenge(said, tmp_path, monkeypatch, capsys)
    assert printed[-1]["scores"] == {"Ana": 0, "Bruno": 1, "Chloé": 0}
    ((onset, who),) = answers(printed)
    assert who == "Bruno"
    assert 13.0 < onset < 14.2, "the sentence began at 12 s"


def test_a_sentence_without_the_word_is_talk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = spoken("euh, je dirais peut-être une pomme de pin, non ?", tmp_path / "phrase.wav")
    printed = first_challenge(said, tmp_path, monkeypatch, capsys)
    assert printed[-1]["scores"] == dict.fromkeys(PLAYERS, 0)
    assert answers(printed) == []


def test_a_person_says_it_between_other_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = person("accountant")
    said = person("accountant", "potato", "acorn")
    printed = first_challenge(said, tmp_path, monkeypatch, capsys)
    assert printed[-1]["scores"] == {"Ana": 0, "Bruno": 1, "Chloé": 0}
    ((onset, _),) = answers(printed)
    assert onset == pytest.approx(12.0 + len(before) / EAR_RATE, abs=0.3)


def test_a_person_says_other_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = person("accountant", "pine_cone", "acorn")
    printed = first_challenge(said, tmp_path, monkeypatch, capsys)
    assert printed[-1]["scores"] == dict.fromkeys(PLAYERS, 0)


JOBS = ("pompier", "boulangère", "scientifique", "plombier", "astronaute", "dentiste")


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (
            "euh bon alors, je crois que c'est le métier de pompier, voilà, enfin je pense",
            ["je crois que c'est le métier de pompier"],
        ),
        ("moi le pompier il me plaît bien, mais le dentiste aussi", []),
    ],
)
def test_the_final_sentence_of_chasseur_de_tete_in_talk(said: str, heard: list[str], tmp_path: Path) -> None:
    jobs = dict.fromkeys(("metier", "mot"), JOBS)
    context = Context(("Ana", "Bruno"), words=jobs, sought=jobs)
    speech = spoken(said, tmp_path / "phrase.wav")
    sound = np.concatenate([np.zeros(2 * EAR_RATE), speech * (0.5 / np.abs(speech).max()), np.zeros(EAR_RATE)])
    sound = (sound + np.random.default_rng(0).normal(0.0, 0.001, len(sound))).astype(np.float32)[:, None]
    blocks = [Block(first, sound[first : first + 320], EAR_RATE) for first in range(0, len(sound), 320)]
    ear = open_ear(ListSource(list(blocks)), EarModels(resources.models()))
    found = listen(ear, word_graph(load("chasseur-de-tete"), context, ("CDT-P001", "CDT-Q004", "CDT-Q005")))
    assert [hypothesis.text for hypothesis in found if hypothesis.accepted] == heard
