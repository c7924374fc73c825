"""How loud a sound is: level in dB of full scale, clipping, digital silence, and what to tell people about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voiceref.audio.source import Samples

SILENCE_DB = -120.0
"""Level given to digital silence."""
CLIPPED = 0.999
"""Magnitude from which a sample counts as clipped."""


def decibels(power: float) -> float:
    """Mean square of samples in dB of full scale, never below SILENCE_DB."""
    return max(SILENCE_DB, 10.0 * float(np.log10(max(power, 1e-12))))


@dataclass(frozen=True)
class Level:
    """Level of a stretch of sound: mean and highest short-time level in dB, share of clipped samples, exact zeros."""

    mean_db: float
    peak_db: float
    clipped: float
    silent: bool

    @property
    def advice(self) -> str:
        """One French sentence for the person who sets up the table."""
        if self.silent:
            return "Je n'entends rien du tout : vérifiez que le micro est branché et autorisé."
        if self.clipped > 0.001:
            return "Le son sature : baissez le niveau du micro ou éloignez-le."
        if self.peak_db < -45.0:
            return "Le son est très faible : montez le niveau du micro ou rapprochez-le."
        return "Le niveau du micro est bon."


def measure(samples: Samples, rate: int) -> Level:
    """Level over all channels of (n,) or (n, channels); peaks are over 50 ms."""
    flat = samples if samples.ndim == 1 else samples[:, np.argmax((samples.astype(np.float64) ** 2).sum(0))]
    power = flat.astype(np.float64) ** 2
    size = max(1, rate // 20)
    windows = [float(power[i : i + size].mean()) for i in range(0, len(power), size)]
    return Level(
        mean_db=decibels(float(power.mean()) if len(power) else 0.0),
        peak_db=decibels(max(windows, default=0.0)),
        clipped=float((np.abs(flat) >= CLIPPED).mean()) if len(flat) else 0.0,
        silent=not bool(np.any(flat)),
    )
