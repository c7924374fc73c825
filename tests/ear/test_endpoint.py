"""Utterances begin and end where the sound does, in quiet and in noise (B07, B13, B14)."""

from __future__ import annotations

import numpy as np
import pytest

from voiceref.ear.endpoint import LAST, PATIENT, QUICK, Cut, Endpointer, EndpointSettings

RATE = 16_000


def _voice(seconds: float, level: float = 0.2, seed: int = 0) -> np.ndarray:
    """Something like a vowel: harmonics of 150 Hz with a syllable rhythm."""
    t = np.arange(round(seconds * RATE)) / RATE
    sound = sum(np.sin(2 * np.pi * 150 * k * t) / k for k in range(1, 20))
    return (level * sound * (0.7 + 0.3 * np.sin(2 * np.pi * 4 * t))).astype(np.float32)


def _quiet(seconds: float, level: float = 1e-4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, level, round(seconds * RATE)).astype(np.float32)


def _over_noise(parts: list[np.ndarray], level: float = 1e-4) -> np.ndarray:
    sound = np.concatenate(parts)
    return sound + _quiet(len(sound) / RATE, level)[: len(sound)]


def _cuts(sound: np.ndarray, endpointer: Endpointer | None = None, block: int = 320) -> list[Cut]:
    endpointer = endpointer or Endpointer()
    found: list[Cut] = []
    for i in range(0, len(sound), block):
        found += endpointer.push(i, sound[i : i + block])
    return found + list(endpointer.finish())


@pytest.mark.parametrize("noise", [1e-5, 1e-4, 1e-3, 1e-2])
def test_one_shout_in_any_noise(noise: float) -> None:
    sound = _over_noise([_quiet(2), _voice(0.8), _quiet(1.5)], noise)
    cuts = _cuts(sound)
    assert [cut.stage for cut in cuts] == [QUICK, PATIENT, LAST]
    for cut in cuts:
        assert cut.utterance.start == pytest.approx(2.0, abs=0.03)
        assert cut.utterance.end == pytest.approx(2.8, abs=0.06)
        assert len(cut.starts) == 1
        assert cut.first == round((cut.utterance.start - 0.3) * RATE) or cut.first / RATE == pytest.approx(
            1.75, abs=0.06
        )
        assert len(cut.samples) / RATE == pytest.approx(cut.utterance.end + 0.1 - cut.first / RATE, abs=0.02)


def test_the_first_cut_comes_soon_after_the_end() -> None:
    sound = _over_noise([_quiet(2), _voice(0.8), _quiet(1.5)])
    endpointer = Endpointer()
    for i in range(0, len(sound), 160):
        if list(endpointer.push(i, sound[i : i + 160])):
            assert i / RATE - 2.8 < 0.2
            return
    pytest.fail("no cut")


def test_silence_and_steady_noise_give_nothing() -> None:
    assert _cuts(np.zeros(600 * RATE, np.float32)) == []
    assert _cuts(_quiet(60, 3e-3)) == []


def test_speech_that_resumes_joins_unless_settled() -> None:
    parts = [_quiet(2), _voice(0.5), _quiet(0.25), _voice(0.5, seed=1), _quiet(1.0)]
    cuts = _cuts(_over_noise(parts))
    assert [(cut.stage, len(cut.starts)) for cut in cuts] == [(QUICK, 1), (QUICK, 2), (PATIENT, 2), (LAST, 2)]
    endpointer = Endpointer()
    sound = _over_noise(parts)
    starts = []
    for i in range(0, len(sound), 320):
        for cut in endpointer.push(i, sound[i : i + 320]):
            starts.append(cut.utterance.start)
            endpointer.settle()
    assert starts == pytest.approx([2.0, 2.75], abs=0.04)


def test_endless_talk_is_bounded() -> None:
    cuts = _cuts(_over_noise([_quiet(1), _voice(60), _quiet(1)]))
    assert [cut.stage for cut in cuts][0] == LAST
    assert cuts[-1].utterance.end < 30.0, "a sound that never stops becomes part of the room"
    assert all(cut.utterance.end - cut.utterance.start <= EndpointSettings().longest + 0.1 for cut in cuts)


def test_the_last_word_is_not_lost_when_the_file_ends_at_once() -> None:
    cuts = _cuts(_over_noise([_quiet(2), _voice(0.5), _quiet(0.05)]))
    assert [cut.stage for cut in cuts] == [LAST]


def test_our_own_voice_is_silence() -> None:
    sound = _over_noise([_quiet(2), _voice(0.8), _quiet(1.0), _voice(0.8), _quiet(1)])
    endpointer = Endpointer()
    cuts: list[Cut] = []
    for i in range(0, len(sound), 320):
        cuts += endpointer.push(i, sound[i : i + 320], heard=not 1.9 < i / RATE < 3.2)
    assert {round(cut.utterance.start, 1) for cut in cuts} == {3.8}


def test_the_watermark_never_passes_an_open_utterance() -> None:
    sound = _over_noise([_quiet(2), _voice(0.8), _quiet(1.5)])
    endpointer = Endpointer()
    for i in range(0, len(sound), 320):
        before = endpointer.watermark
        for cut in endpointer.push(i, sound[i : i + 320]):
            assert cut.utterance.start * RATE >= before - 0.1 * RATE
    assert endpointer.watermark == pytest.approx(len(sound), abs=320)


def test_a_gap_in_time_ends_the_utterance() -> None:
    endpointer = Endpointer()
    sound = _over_noise([_quiet(2), _voice(0.5)])
    cuts = list(endpointer.push(0, sound))
    cuts += endpointer.push(len(sound) + RATE, _quiet(1.0))
    assert [cut.stage for cut in cuts] == [LAST]
    assert endpointer.watermark > len(sound) + RATE
