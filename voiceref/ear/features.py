"""Whisper's log-mel in numpy: what the judge looks at."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from voiceref.audio.source import EAR_RATE, Samples

Floats = npt.NDArray[np.float32]

HOP, WINDOW, MELS = 160, 400, 80
PEAK = 0.5
"""A cut is scaled to this peak."""
MARGIN = 0.2
"""Seconds of zeros put before and after a cut."""
FRAME = 2 * HOP / EAR_RATE
"""Seconds between two frames of the judge."""


def _to_mel(hertz: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Slaney's scale: linear below 1 kHz, logarithmic above."""
    high = 15.0 + np.log(np.maximum(hertz, 1e-9) / 1000.0) * 27.0 / np.log(6.4)
    return np.where(hertz < 1000.0, hertz * 3.0 / 200.0, high)


def _to_hertz(mel: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(mel < 15.0, mel * 200.0 / 3.0, 1000.0 * np.exp((mel - 15.0) * np.log(6.4) / 27.0))


@cache
def _filters() -> Floats:
    """(80, 201) triangles between 0 and 8 kHz, each scaled by its width in Hz (Slaney's normalisation)."""
    edges = _to_hertz(np.linspace(0.0, float(_to_mel(np.array(EAR_RATE / 2.0))), MELS + 2))
    bins = np.linspace(0.0, EAR_RATE / 2.0, WINDOW // 2 + 1)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


@cache
def _hann() -> Floats:
    return (0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)


def log_mel(samples: Samples) -> Floats:
    """Samples (n,) in [-1, 1] -> (80, T), T even: log10 power floored 8 below the loudest value, then (x + 4) / 4.

    Frame t is centred on sample 160 t; both ends are reflected. Source: openai/whisper, `audio.py` (the definition).
    """
    count = len(samples) // (2 * HOP) * 2
    padded = np.pad(samples, WINDOW // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][:count]
    spectrum = np.fft.rfft(frames * _hann(), axis=1)
    power = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    logs = np.log10(np.maximum(_filters() @ power.T, 1e-10))
    return np.asarray((np.maximum(logs, logs.max() - 8.0) + 4.0) / 4.0, np.float32)


def judge_input(cut: Samples) -> Floats:
    """A cut utterance (n,) at 16 kHz, any level -> (80, T): peak 0.5, MARGIN of zeros at both ends."""
    scaled = cut * np.float32(PEAK / (float(np.abs(cut).max(initial=0.0)) + 1e-6))
    margin = round(MARGIN * EAR_RATE)
    fill = -(len(scaled) + 2 * margin) % (2 * HOP)
    return log_mel(np.pad(scaled.astype(np.float32), (margin, margin + fill)))
