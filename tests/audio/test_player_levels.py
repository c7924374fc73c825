"""Players report exact windows; levels are told in words."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np
import pytest

from voiceref.audio.levels import SILENCE_DB, measure
from voiceref.audio.player import ListPlayer, QuietPlayer, WavePlayer
from voiceref.audio.source import AudioError
from voiceref.audio.speakers import SpeakerPlayback, fill
from voiceref.audio.wave_file import read_wave


def test_sounds_never_overlap() -> None:
    player = ListPlayer()
    first = player.play(np.ones(800, np.float32), 800, at=2.0)
    second = player.play(np.ones(400, np.float32), 800, at=2.5)
    assert (first.start, first.end) == (2.0, 3.0)
    assert (second.start, second.end) == (3.0, 3.5)
    assert first.finished(3.0)
    assert not second.finished(3.2)


def test_a_sound_cut_short_frees_its_place() -> None:
    player = ListPlayer()
    first = player.play(np.ones(800, np.float32), 800, at=2.0)
    first.stop(2.25)
    assert player.play(np.ones(80, np.float32), 800, at=2.3).start == 2.3
    assert first.end == 2.25
    first.stop(9.0)
    assert first.end == 2.25


def test_the_file_is_the_timeline(tmp_path: Path) -> None:
    path = tmp_path / "arbitre.wav"
    player = WavePlayer(path, rate=1_000 * 8)
    player.play(np.full(8_000, 0.5, np.float32), 8_000, at=1.0).stop(1.5)
    player.play(np.full(16_000, 0.25, np.float32), 16_000, at=2.0)
    player.close()
    samples, rate = read_wave(path)
    assert (len(samples), rate) == (24_000, 8_000)
    at = lambda second: float(samples[round(second * rate), 0])  # noqa: E731
    assert at(0.9) == 0.0
    assert at(1.2) == pytest.approx(0.5, abs=1e-3)
    assert at(1.7) == 0.0
    assert at(2.5) == pytest.approx(0.25, abs=1e-3)


def test_a_file_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(AudioError):
        WavePlayer(tmp_path / "rien" / "x.wav")


def test_speakers_take_their_times_from_the_converter() -> None:
    first = SpeakerPlayback(np.full(150, 0.5, np.float32), 100, start=0.0)
    second = SpeakerPlayback(np.full(50, 0.25, np.float32), 100, start=1.5)
    queue = deque([first, second])
    out = np.empty(100, np.float32)
    fill(queue, out, 10.0, 100)
    assert (first.start, first.end) == (10.0, 11.5)
    assert not first.finished(99.0)
    fill(queue, out, 11.0, 100)
    assert first.finished(11.5)
    assert (second.start, second.end) == (11.5, 12.0)
    assert out[49] == 0.5
    assert out[50] == 0.25
    fill(queue, out, 12.0, 100)
    assert not out.any()
    assert not queue


def test_speakers_stop_at_once() -> None:
    first = SpeakerPlayback(np.full(500, 0.5, np.float32), 100, start=0.0)
    queue = deque([first])
    out = np.empty(100, np.float32)
    fill(queue, out, 0.0, 100)
    first.stop(1.2)
    fill(queue, out, 1.0, 100)
    assert not out.any()
    assert first.end == 1.2


def test_levels() -> None:
    rate = 16_000
    tone = np.sin(np.arange(rate) / 10).astype(np.float32)
    assert measure(tone * 0.5, rate).mean_db == pytest.approx(-9.0, abs=0.2)
    assert "bon" in measure(tone * 0.5, rate).advice
    assert "sature" in measure(np.clip(tone * 5, -1, 1), rate).advice
    assert "faible" in measure(tone * 0.001, rate).advice
    nothing = measure(np.zeros((rate, 2), np.float32), rate)
    assert nothing.mean_db == SILENCE_DB
    assert "rien" in nothing.advice
    burst = np.zeros((rate, 2), np.float32)
    burst[:800, 1] = 0.5
    assert measure(burst, rate).peak_db == pytest.approx(-6.0, abs=0.1)


def test_without_loudspeakers_an_evening_of_sentences_takes_no_memory() -> None:
    player = QuietPlayer()
    first = player.play(np.zeros(16_000, np.float32), 16_000, 5.0)
    second = player.play(np.zeros(16_000, np.float32), 16_000, 5.5)
    assert (first.start, second.start, second.end) == (5.0, 6.0, 7.0)
    assert not any(isinstance(kept, np.ndarray | list) for kept in vars(player).values())
