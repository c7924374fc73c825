"""The judge's features and the files it may meet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from voiceref.ear.features import FRAME, MARGIN, judge_input, log_mel
from voiceref.ear.posteriors import ModelError, OnnxPhones, ScriptedPhones


def test_a_tone_lights_up_its_band() -> None:
    t = np.arange(16_000) / 16_000
    low, high = (log_mel(np.sin(2 * np.pi * hertz * t).astype(np.float32)) for hertz in (300.0, 3_000.0))
    assert low.shape == (80, 100)
    assert low[:, 50].argmax() == pytest.approx(300 / (200 / 3) * 80 / 45.2, abs=2)
    assert high[:, 50].argmax() > 45
    assert low.max() - low.min() <= 2.0 + 1e-6


def test_level_does_not_matter_and_frames_are_even() -> None:
    sound = np.random.default_rng(0).normal(0, 0.1, 12_345).astype(np.float32)
    mel = judge_input(sound)
    assert mel.shape[1] % 2 == 0
    assert mel.shape[1] / 2 * FRAME == pytest.approx(len(sound) / 16_000 + 2 * MARGIN, abs=0.021)
    assert np.abs(judge_input(sound * 0.01) - mel).max() < 0.01
    assert np.isfinite(judge_input(np.zeros(4_000, np.float32))).all()


def test_missing_and_broken_judges_are_french_sentences(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="manque"):
        OnnxPhones(tmp_path / "judge.onnx")
    (tmp_path / "judge.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match="abîmé"):
        OnnxPhones(tmp_path / "judge.onnx")


def test_the_fake_network_hears_silence_by_default() -> None:
    logp = ScriptedPhones({}).posteriors(np.zeros(16_000, np.float32))
    assert (logp.argmax(axis=1) == 0).all()
