"""Real devices come and go (B40, B44, B45, B47, B50): our use of PortAudio against a stand-in with its bad ways."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from tests.audio.fake_portaudio import FakePortAudio
from voiceref.audio.devices import PortAudioInput, devices, sound_system
from voiceref.audio.source import AudioError, Samples
from voiceref.audio.speakers import SpeakerPlayer


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePortAudio]:
    fake = FakePortAudio()
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    sound_system.cache_clear()
    yield fake
    sound_system.cache_clear()


class Heard:
    """Keeps what an input delivers."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, float, bool]] = []

    def __call__(self, samples: Samples, stream_time: float, overflow: bool) -> None:
        self.blocks.append((len(samples), stream_time, overflow))


def test_b44_the_native_rate_is_asked_for_not_ours(system: FakePortAudio) -> None:
    system.rate = 44_100.0
    system._initialize()
    mic = PortAudioInput()
    assert mic.rate == 44_100
    mic.open(Heard()).close()


def test_time_and_overflow_arrive_as_portaudio_gives_them(system: FakePortAudio) -> None:
    heard = Heard()
    PortAudioInput().open(heard)
    system.streams[0].run(12.5)
    system.streams[0].run(12.52, overflow=True)
    assert heard.blocks == [(960, 12.5, False), (960, 12.52, True)]


def test_b50_one_open_a_session(system: FakePortAudio) -> None:
    mic = PortAudioInput()
    devices()
    assert system.streams == []
    mic.open(Heard())
    assert len(system.streams) == 1
    assert system.starts == 1


def test_b40_a_microphone_plugged_in_again_elsewhere_is_found_by_name(system: FakePortAudio) -> None:
    """PortAudio itself never learns of it unless it is started anew."""
    mic, heard = PortAudioInput("Micro"), Heard()
    stream = mic.open(heard)
    system.plugged = {"HP": (0, 2)}
    assert system.streams[0].run(1.0) is None
    stream.close()
    with pytest.raises(AudioError, match="Micro"):
        mic.open(heard)
    system.plugged = {"HP": (0, 2), "Casque": (1, 0), "Micro": (1, 0)}
    mic.open(heard)
    assert system.streams[-1].name == "Micro"
    system.streams[-1].run(5.0)
    assert heard.blocks[-1][1] == 5.0


def test_b47_names_with_accents(system: FakePortAudio) -> None:
    system.plugged = {"Écouteurs de Zoé (œil)": (1, 0), "HP": (0, 2)}
    system._initialize()
    PortAudioInput("Écouteurs de Zoé (œil)").open(Heard())
    PortAudioInput("E\u0301couteurs de Zoe\u0301 (œil)").open(Heard())


def test_the_loudspeaker_survives_a_new_start_of_portaudio(system: FakePortAudio) -> None:
    """The stream of before is never touched again; the next sentence opens another."""
    now = [0.0]
    player = SpeakerPlayer(lambda t: t, monotonic=lambda: now[0])
    mic = PortAudioInput("Micro")
    mic.open(Heard()).close()
    mic.open(Heard())
    assert system.starts == 2
    sound = player.play(np.ones(960, np.float32), 48_000, 0.0)
    out = next(stream for stream in system.streams if stream.name == "HP").run(3.0)
    assert out is not None
    assert out[:, 0].max() == 1.0
    assert sound.start == 3.0
    player.close()
    player.close()


def test_nobody_is_cut_off_in_the_middle_of_a_sentence(system: FakePortAudio) -> None:
    player = SpeakerPlayer(lambda t: t, monotonic=lambda: 0.0)
    player.play(np.ones(48_000, np.float32), 48_000, 0.0)
    mic = PortAudioInput("Micro")
    mic.open(Heard()).close()
    mic.open(Heard())
    assert system.starts == 1


def test_a_loudspeaker_that_goes_is_told_and_comes_back(system: FakePortAudio) -> None:
    now = [0.0]
    player = SpeakerPlayer(lambda t: t, monotonic=lambda: now[0])
    system.plugged = {"Micro": (1, 0)}
    now[0] = 10.0
    for _ in range(2):
        with pytest.raises(AudioError, match="haut-parleur"):
            player.play(np.ones(960, np.float32), 48_000, 10.0)
    system.plugged = {"Micro": (1, 0), "HP": (0, 2)}
    player.play(np.ones(960, np.float32), 48_000, 11.0)
    assert system.streams[-1].run(11.0)[:, 0].max() == 1.0


def test_b45_no_device_at_all(system: FakePortAudio) -> None:
    system.plugged = {}
    system._initialize()
    with pytest.raises(AudioError, match="Aucun micro"):
        PortAudioInput()
    with pytest.raises(AudioError, match="Aucun haut-parleur"):
        SpeakerPlayer(lambda t: t)
