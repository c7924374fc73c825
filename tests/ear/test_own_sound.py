"""The referee's own voice: closed while it sounds, a late loudspeaker measured, and « stop » through it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from voiceref.audio.echo import BLOCK, EchoCanceller
from voiceref.audio.player import ListPlayer, Window
from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.own_voice import MARGIN, USUAL, OwnVoice, loudness, shift


def babble(seconds: float, seed: int = 0) -> Samples:
    """Noise whose loudness goes up and down as speech does."""
    rng = np.random.default_rng(seed)
    count = round(seconds * EAR_RATE)
    steps = np.repeat(10 ** (-rng.uniform(0, 30, count // 1600 + 1) / 20), 1600)[:count]
    return (0.2 * steps * rng.normal(0, 1, count)).astype(np.float32)


def blocks(sound: Samples) -> Iterator[tuple[int, Samples]]:
    for start in range(0, len(sound), 320):
        yield start, sound[start : start + 320]


def played_back(own: OwnVoice, sound: Samples, late: float) -> None:
    """Say `sound` at second 1; the microphone hears it `late` seconds later than told."""
    own.plays(sound, EAR_RATE, Window(1.0, 1.0 + len(sound) / EAR_RATE))
    heard = np.random.default_rng(5).normal(0, 1e-3, round(8 * EAR_RATE)).astype(np.float32)
    first = round((1.0 + late) * EAR_RATE)
    heard[first : first + len(sound)] += sound
    for start, samples in blocks(heard):
        own.hears(start, samples)


def test_closed_from_the_start_to_the_tail_after_the_usual_delay() -> None:
    own = OwnVoice(tail=0.25)
    own.plays(babble(1.0), EAR_RATE, Window(2.0, 3.0))
    assert not own.closed(1.9, 2.0)
    assert own.closed(2.0, 2.02)
    assert own.closed(3.0 + USUAL + 0.2, 3.0 + USUAL + 0.22)
    assert not own.closed(3.0 + USUAL + 0.26, 3.0 + USUAL + 0.28)


@pytest.mark.parametrize("late", [0.0, 0.12, 0.8, 1.7])
def test_a_late_loudspeaker_is_measured(late: float) -> None:
    own = OwnVoice(tail=0.25)
    played_back(own, babble(2.0), late)
    assert own.measured
    assert own.delay == pytest.approx(late + MARGIN, abs=0.011)


def test_headphones_leave_the_usual_delay() -> None:
    own = OwnVoice(tail=0.25)
    own.plays(babble(2.0), EAR_RATE, Window(1.0, 3.0))
    for start, samples in blocks(babble(8.0, seed=9)):
        own.hears(start, samples)
    assert not own.measured
    assert own.delay == USUAL


def test_a_sound_cut_short_opens_the_ear_at_once() -> None:
    own, player = OwnVoice(tail=0.25, delay=0.0), ListPlayer()
    playback = own.through(player).play(babble(4.0), EAR_RATE, 1.0)
    assert own.closed(3.0, 3.1)
    playback.stop(2.0)
    assert not own.closed(3.0, 3.1)
    assert not own.sound(round(2.5 * EAR_RATE), 160).any()


def test_the_sound_given_back_is_what_goes_out_then() -> None:
    own, sound = OwnVoice(tail=0.25), babble(1.0)
    own.plays(sound, EAR_RATE, Window(2.0, 3.0))
    given = own.sound(round(1.99 * EAR_RATE), 480)
    assert not given[:160].any()
    np.testing.assert_array_equal(given[160:], sound[:320])


def test_nothing_alike_has_no_shift() -> None:
    assert shift(loudness(babble(1.0)), loudness(babble(3.0, seed=4)), 200) is None


def test_the_echo_of_a_room_is_taken_out_and_a_voice_stays() -> None:
    rng = np.random.default_rng(3)
    room = (rng.normal(0, 0.05, 3200) * 10 ** (-3 * np.arange(3200) / 3200)).astype(np.float32)
    room[60] += 0.6
    said, other = babble(8.0), np.zeros(8 * EAR_RATE, np.float32)
    other[-EAR_RATE:] = babble(1.0, seed=7)
    heard = np.convolve(said, room)[: len(said)].astype(np.float32) + other
    canceller = EchoCanceller()
    left = np.concatenate(
        [canceller.rest(heard[i : i + BLOCK], said[i : i + BLOCK]) for i in range(0, len(said), BLOCK)]
    )
    alone, both = slice(5 * EAR_RATE, 7 * EAR_RATE), slice(7 * EAR_RATE, 8 * EAR_RATE)
    assert 10 * np.log10((heard[alone] ** 2).sum() / (left[alone] ** 2).sum()) > 12
    error = left[both] - other[both]
    assert 10 * np.log10((other[both] ** 2).sum() / (error**2).sum()) > 6
