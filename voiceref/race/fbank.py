"""Kaldi's log mel filter bank in numpy: what the speaker encoder hears.

Frames of 25 ms every 10 ms at 16 kHz, mean removed, pre-emphasis 0.97, Povey window, 512-point power spectrum, 80 mel
bands from 20 Hz to 8 kHz, natural logarithm (Kaldi `feat/feature-fbank`, `dither=0`, `snip-edges=true`).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 16_000
FRAME = 400
HOP = 160
BANDS = 80
_FFT = 512
_PREEMPHASIS = 0.97
_LOW_HZ = 20.0


def _mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1127.0 * np.log1p(hertz / 700.0)


@cache
def _bank() -> NDArray[np.float32]:
    """(80, 257) triangles, equally wide in mel."""
    edges = np.linspace(_mel(np.array(_LOW_HZ)), _mel(np.array(RATE_HZ / 2)), BANDS + 2)
    low, centre, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    mel = _mel(np.arange(_FFT // 2 + 1) * RATE_HZ / _FFT)[None]
    bank = np.maximum(0.0, np.minimum((mel - low) / (centre - low), (high - mel) / (high - centre)))
    bank[:, -1] = 0.0  # Kaldi leaves the Nyquist bin out
    return bank.astype(np.float32)


@cache
def _window() -> NDArray[np.float32]:
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / (FRAME - 1))
    return (hann**0.85).astype(np.float32)


def fbank(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log mel energies, (T, 80), of mono samples in [-1, 1] at 16 kHz. Raises ValueError under 25 ms."""
    if samples.ndim != 1 or len(samples) < FRAME:
        raise ValueError("fbank needs at least 25 ms of mono samples")
    scaled = samples.astype(np.float32) * 32768.0  # Kaldi's scale: 16-bit integers
    frames = np.lib.stride_tricks.sliding_window_view(scaled, FRAME)[::HOP].copy()
    frames -= frames.mean(axis=1, keepdims=True)
    before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    frames = (frames - _PREEMPHASIS * before) * _window()
    power = np.abs(np.fft.rfft(frames, _FFT, axis=1)) ** 2
    energies = power.astype(np.float32) @ _bank().T
    result: NDArray[np.float32] = np.log(np.maximum(energies, np.finfo(np.float32).eps))
    return result
