"""The microphone survives what real devices do (B40 to B44, B48, B51), on a fake device and a fake clock."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from voiceref.audio import devices, microphone
from voiceref.audio.devices import DeviceInfo, PortAudioInput, find
from voiceref.audio.fake_device import FakeClock, FakeMic
from voiceref.audio.microphone import MicrophoneSource
from voiceref.audio.source import AudioError, Block, Trouble


class Listener:
    """Iterates the source and remembers when each trouble was told."""

    def __init__(self, mic: FakeMic, clock: FakeClock) -> None:
        self.source = MicrophoneSource(mic, clock)
        self.clock = clock
        self.blocks: list[Block] = []
        self.troubles: list[tuple[float, str]] = []
        self.heartbeats: list[float] = []
        self._items = self.source.blocks()

    def until(self, second: float) -> None:
        while self.clock.monotonic() < second:
            item = next(self._items)
            if isinstance(item, Trouble):
                self.troubles.append((self.clock.monotonic(), item.code))
            elif len(item.samples):
                self.blocks.append(item)
            else:
                self.heartbeats.append(item.start / item.rate)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def mic(clock: FakeClock) -> FakeMic:
    return FakeMic(clock)


def test_blocks_follow_the_clock(clock: FakeClock, mic: FakeMic) -> None:
    listener = Listener(mic, clock)
    listener.until(2.0)
    assert all(a.end == b.start for a, b in zip(listener.blocks, listener.blocks[1:], strict=False))
    assert listener.blocks[-1].end / 16_000 == pytest.approx(2.0, abs=0.05)
    assert listener.troubles == []


def test_unplugged_is_told_within_three_seconds_and_listening_resumes(clock: FakeClock, mic: FakeMic) -> None:
    listener = Listener(mic, clock)
    listener.until(1.0)
    mic.alive, mic.opens = False, False
    listener.until(4.0)
    assert [code for _, code in listener.troubles] == ["micro_muet"]
    assert listener.troubles[0][0] < 1.0 + 3.0
    assert listener.source.now() == pytest.approx(4.0, abs=0.3)
    clock.listeners.append(lambda now: setattr(mic, "opens", now > 20) or setattr(mic, "alive", now > 20))
    listener.until(30.0)
    assert listener.troubles[-1][1] == "micro_rouvert"
    assert 4 <= mic.opened <= 10
    assert listener.blocks[-1].end / 16_000 == pytest.approx(30.0, abs=0.1)
    assert all(b - a < 0.6 for a, b in zip(listener.heartbeats, listener.heartbeats[1:], strict=False) if a < 20)
    starts = [block.start for block in listener.blocks]
    assert starts == sorted(starts)


def test_a_machine_that_slept_reopens_the_device(clock: FakeClock, mic: FakeMic) -> None:
    listener = Listener(mic, clock)
    listener.until(1.0)
    mic.alive = False
    clock.jump(3600.0)
    clock.listeners.append(lambda now: setattr(mic, "alive", True))
    listener.until(3605.0)
    assert [code for _, code in listener.troubles] == ["micro_muet", "micro_rouvert"]
    assert listener.blocks[-1].end / 16_000 == pytest.approx(3605.0, abs=0.1)


def test_the_source_ends_when_the_device_never_returns(clock: FakeClock, mic: FakeMic) -> None:
    source = MicrophoneSource(mic, clock)
    items = source.blocks()
    next(items)
    mic.alive = mic.opens = False
    codes = [item.code for item in items if isinstance(item, Trouble)]
    assert codes == ["micro_muet", "micro_perdu"]
    assert clock.monotonic() < microphone.GIVE_UP_AFTER + 30


def test_exact_zeros_are_told_once_and_their_end_too(clock: FakeClock, mic: FakeMic) -> None:
    loud = mic.sound
    mic.sound = lambda start, count: np.zeros((count, 1), np.float32)
    listener = Listener(mic, clock)
    listener.until(10.0)
    assert [code for _, code in listener.troubles] == ["micro_zeros"]
    assert listener.troubles[0][0] < 3.0
    mic.sound = loud
    listener.until(11.0)
    assert [code for _, code in listener.troubles] == ["micro_zeros", "micro_revenu"]


def test_overflow_advances_the_sample_index(clock: FakeClock, mic: FakeMic) -> None:
    listener = Listener(mic, clock)
    listener.until(1.0)
    mic.lost = 0.5
    listener.until(2.0)
    gaps = [b.start - a.end for a, b in zip(listener.blocks, listener.blocks[1:], strict=False) if b.start != a.end]
    assert gaps == [8_000]


def test_a_slow_listener_loses_old_sound_not_memory(clock: FakeClock, mic: FakeMic) -> None:
    source = MicrophoneSource(mic, clock)
    items = source.blocks()
    next(items)
    for _ in range(300):
        clock.sleep(1.0)
    trouble, block = next(items), next(items)
    assert isinstance(trouble, Trouble)
    assert trouble.code == "micro_deborde"
    assert isinstance(block, Block)
    assert block.start / 16_000 > 300 - microphone.QUEUE_SECONDS - 1
    assert source.dropped > 280 * 16_000


def test_a_device_that_never_closes_does_not_hold_the_exit(clock: FakeClock, mic: FakeMic, monkeypatch) -> None:
    monkeypatch.setattr(microphone, "_CLOSE_WITHIN", 0.05)
    forever = threading.Event()
    mic.close = lambda: forever.wait(30)  # type: ignore[method-assign]
    source = MicrophoneSource(mic, clock)
    items = source.blocks()
    next(items)
    source.close()
    assert list(items) == []
    forever.set()


def test_no_device_at_the_start_is_an_error(clock: FakeClock, mic: FakeMic) -> None:
    mic.opens = False
    with pytest.raises(AudioError, match="micro"):
        next(MicrophoneSource(mic, clock).blocks())


def test_without_portaudio_one_french_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(AudioError, match=r"PortAudio.*installez-la"):
        PortAudioInput()
    with pytest.raises(AudioError):
        devices.devices()


def test_devices_are_found_by_name_never_by_chance() -> None:
    known = (
        DeviceInfo("USB", "ALSA", 1, 0, 48_000),
        DeviceInfo("USB", "JACK", 1, 0, 48_000),
        DeviceInfo("HP", "ALSA", 0, 2, 48_000),
    )
    assert find(known, "USB @ JACK", "micro") == 1
    assert find(known, "HP", "sortie") == 2
    with pytest.raises(AudioError, match=r"USB @ ALSA.*ou.*USB @ JACK"):
        find(known, "USB", "micro")
    with pytest.raises(AudioError, match="Aucun appareil"):
        find(known, "HP", "micro")
