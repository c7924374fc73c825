"""Voices: filter bank, encoder, profiles on disk, and the enrolment that makes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.race.table_sounds import RATE, Sound, voice
from voiceref import resources
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main
from voiceref.race.attribution import Listeners
from voiceref.race.fbank import fbank
from voiceref.race.overlap import FakeOverlap, OnnxOverlap, overlap
from voiceref.race.profiles import Profile, ProfileError, Profiles
from voiceref.race.voice_print import FakeEncoder, OnnxEncoder, similarities
from voiceref.referee import enrolling, voices

MODEL = resources.shipped("models/voice_print") / "encoder.onnx"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "voiceref" / "voix"


def recording(*shouts: Sound) -> Sound:
    """A second of quiet, then each shout and a second of quiet."""
    pause = np.zeros(RATE, np.float32)
    sound = np.concatenate([pause, *(part for shout in shouts for part in (shout, pause))])
    return sound + np.random.default_rng(0).normal(0, 1e-4, len(sound)).astype(np.float32)


# --- numbers ---------------------------------------------------------------------------------------------------------


def test_the_filter_bank_puts_a_tone_into_its_band() -> None:
    t = np.arange(RATE) / RATE
    low, high = (fbank((0.1 * np.sin(2 * np.pi * hertz * t)).astype(np.float32)) for hertz in (300, 3000))
    assert low.shape == (98, 80)
    assert low.mean(axis=0).argmax() < 20 < 50 < high.mean(axis=0).argmax()


def test_the_filter_bank_hears_loudness_as_an_offset() -> None:
    sound = voice(150)
    louder = fbank(4 * sound) - fbank(sound)
    assert np.median(louder) == pytest.approx(np.log(16), abs=1e-3)


def test_too_little_sound_is_no_voice() -> None:
    with pytest.raises(ValueError, match="25 ms"):
        fbank(np.zeros(100, np.float32))
    with pytest.raises(ValueError, match="0.2 s"):
        FakeEncoder().embed(np.zeros(1000, np.float32))


def test_the_nearest_voice_is_the_most_similar() -> None:
    prints = FakeEncoder()
    table = {name: prints.embed(voice(pitch, seed=seed)) for name, pitch, seed in (("Ana", 230, 1), ("Bruno", 110, 2))}
    sample = prints.embed(voice(232, seed=1))
    seen = similarities(sample, table)
    assert seen["Ana"] > seen["Bruno"] + 0.5
    assert similarities(table["Ana"], {"Ana": table["Ana"]})["Ana"] == pytest.approx(1.0, abs=1e-5)


def test_the_shipped_encoder_gives_one_direction_for_one_sound() -> None:
    prints = OnnxEncoder(MODEL)
    first, again, other = prints.embed(voice(150, seed=1)), prints.embed(voice(150, seed=1)), prints.embed(voice(290))
    assert first.shape == (192,)
    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-4)
    assert float(first @ again) == pytest.approx(1.0, abs=1e-4)
    assert float(first @ other) < 0.95
    with pytest.raises(FileNotFoundError):
        OnnxEncoder(MODEL.with_name("absent.onnx"))


def test_the_shipped_overlap_model_hears_that_two_tones_of_speech_are_more_than_none() -> None:
    model = OnnxOverlap(MODEL.parents[1] / "overlap" / "overlap.onnx")
    classes = model.hear(voice(150, seed=1))
    assert classes.shape[1] == 7
    assert np.allclose(classes.sum(axis=1), 1.0, atol=1e-3)
    silence = overlap(np.zeros(RATE, np.float32), 0.3, model)
    assert max(silence.early, silence.middle, silence.late, silence.second) < 0.1
    with pytest.raises(FileNotFoundError):
        OnnxOverlap(MODEL.with_name("absent.onnx"))


# --- profiles --------------------------------------------------------------------------------------------------------


def test_profiles_are_kept_listed_replaced_and_deleted(tmp_path: Path) -> None:
    store = Profiles(tmp_path / "voix")
    assert store.names() == ()
    shouts = tuple(np.eye(192, dtype=np.float32)[:3])
    store.save(Profile("Éloïse", shouts))
    store.save(Profile("éloïse", shouts[:1]))
    store.save(Profile("../Ana", shouts))
    assert set(store.names()) == {"éloïse", "../Ana"}
    assert len(store.load("ÉLOÏSE").shouts) == 1
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path / "voix"] * 2
    assert np.allclose(store.load("../Ana").voice[:4], [3**-0.5] * 3 + [0.0], atol=1e-4)
    store.delete("../Ana")
    assert store.names() == ("éloïse",)
    with pytest.raises(ProfileError, match="voiceref enroll --players"):
        store.voices(["éloïse", "../Ana"])


@pytest.mark.parametrize(
    "content", ["", "{}", '{"name": "Ana", "shouts": [[1], [1, 2]]}', '{"name": "Ana", "shouts": 3}']
)
def test_a_broken_profile_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "ana.json").write_text(content, encoding="utf-8")
    with pytest.raises(ProfileError, match=r"ana\.json est abîmé"):
        Profiles(tmp_path).load("Ana")


# --- enrolment -------------------------------------------------------------------------------------------------------


@pytest.fixture
def fake_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "listeners", lambda: Listeners(FakeEncoder(), FakeOverlap()))


@pytest.mark.usefixtures("fake_encoder")
def test_voices_are_learnt_listed_and_forgotten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, pitch in (("ana", 230), ("bruno", 110)):
        write_wave(tmp_path / f"{name}.wav", recording(*(voice(pitch, seed=s) for s in range(4))), RATE)
    files = [str(tmp_path / f"{name}.wav") for name in ("ana", "bruno")]
    assert main(["enroll", "--players", "Ana,Bruno", "--input", *files]) == 0
    told = capsys.readouterr().out
    assert "La voix d'Ana est connue (4 cris)." in told
    assert "La voix de Bruno est connue (4 cris)." in told
    assert main(["enroll", "--list"]) == 0
    assert capsys.readouterr().out.splitlines() == ["Ana (4 cris)", "Bruno (4 cris)"]
    assert main(["enroll", "--delete", "ana"]) == 0
    assert main(["enroll", "--delete", "ana"]) == 1
    assert "Aucune voix n'est connue pour ana" in capsys.readouterr().err
    assert voices.profiles().names() == ("Bruno",)


@pytest.mark.usefixtures("fake_encoder")
def test_one_file_for_all_is_shared_in_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shouts = [voice(pitch, seed=s) for pitch in (230, 110) for s in range(3)]
    write_wave(tmp_path / "tous.wav", recording(*shouts), RATE)
    assert main(["enroll", "--players", "Ana,Bruno", "--input", str(tmp_path / "tous.wav")]) == 0
    kept = voices.profiles().voices(["Ana", "Bruno"])
    sample = FakeEncoder().embed(shouts[4])
    seen = similarities(sample, kept)
    assert seen["Bruno"] > seen["Ana"]
    assert main(["enroll", "--players", "Ana,Bruno,Chloé,David", "--input", str(tmp_path / "tous.wav")]) == 1
    assert "6 cris pour 4 joueurs" in capsys.readouterr().err


@pytest.mark.usefixtures("fake_encoder")
def test_enrolment_faults_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_wave(tmp_path / "deux.wav", recording(voice(200), voice(200, 0.2), voice(200)), RATE)
    deux = str(tmp_path / "deux.wav")
    for arguments, expected in (
        (["--players", "Ana", "--input", deux], "au moins 3 cris d'une demi-seconde pour Ana, en voici 2"),
        (["--players", "Ana,Bruno,Chloé", "--input", deux, deux], "un fichier par joueur"),
        (["--input", deux], "Il manque les joueurs"),
        (["--players", "Ana", "--input", "absent.wav"], "absent.wav"),
    ):
        assert main(["enroll", *arguments]) == 1
        printed = capsys.readouterr().err
        assert expected in printed
        assert printed.count("\n") == 1
    assert voices.profiles().names() == ()


def test_players_are_asked_in_turn_for_their_shouts() -> None:
    told: list[str] = []
    shouts = iter([voice(200, seed=seed) for seed in range(8)])
    taken = dict(enrolling.asked_for(["Ana", "Bruno"], shouts, told.append))
    assert {name: len(sounds) for name, sounds in taken.items()} == {"Ana": 6, "Bruno": 2}
    assert told[6] == "Bruno, criez une phrase du jeu comme pendant la partie (1 sur 6)."
