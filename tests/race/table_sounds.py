"""Made voices at a made table for tests: syllables of harmonics, each microphone hearing its neighbours 8 dB weaker."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
Sound = NDArray[np.float32]


def voice(pitch_hz: float, seconds: float = 1.0, seed: int = 0) -> Sound:
    """Syllables of about 200 ms with sharp attacks; each seed has its own rhythm and formants."""
    rng = np.random.default_rng(seed)
    t = np.arange(round(seconds * RATE)) / RATE
    sound = np.zeros(len(t))
    begin = 0.0
    while begin < seconds:
        inside = np.clip((t - begin) / 0.008, 0, 1) * np.exp(-np.maximum(t - begin, 0) / 0.09)
        weights = rng.uniform(0.1, 1.0, 30)
        sound += inside * sum(w * np.sin(2 * np.pi * pitch_hz * k * t) / k**0.5 for k, w in enumerate(weights, 1))
        begin += rng.uniform(0.15, 0.25)
    return (0.1 * sound / np.abs(sound).max()).astype(np.float32)


def table(
    shouts: list[tuple[int, float, Sound]], channels: int, seconds: float = 3.0, crosstalk_db: float = -8.0
) -> Sound:
    """(n, channels): each shout (channel, onset in seconds, sound), heard 3 ms later by the others, in faint noise."""
    mix = np.random.default_rng(1).normal(0, 3e-4, (round(seconds * RATE), channels))
    for own, onset, sound in shouts:
        for channel in range(channels):
            begin = round((onset + (0.0 if channel == own else 0.003)) * RATE)
            gain = 1.0 if channel == own else 10 ** (crosstalk_db / 20)
            mix[begin : begin + len(sound), channel] += gain * sound[: len(mix) - begin]
    return mix.astype(np.float32)
