"""With a microphone for each player: whose microphone a shout belongs to, and which ones merely overheard it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from voiceref.audio.source import EAR_RATE, Samples

_LAG = 160
"""Sound needs up to 10 ms (3.4 m) from one microphone to the next."""
SAME_SOUND = 0.6
"""Least normalised correlation of two recordings of one voice."""
LOUDER_DB = 1.5


@dataclass(frozen=True)
class Own:
    """A shout of the player whose microphone it is: its onset in seconds from the start of the sound, ± 90 %."""

    onset: float
    uncertainty: float | None = None


@dataclass(frozen=True)
class Voice:
    """Whose voice began a shout (None: not sure), and its onset in seconds from the start of the sound, ± 90 %.

    `together`: probability that a second voice sounds in it.
    """

    player: str | None
    onset: float
    uncertainty: float | None = None
    together: float = 0.0


class Naming(Protocol):
    """Tells voices apart where all players share a microphone or an array."""

    def __call__(self, sound: Samples, said_at: float, phrase: str | None) -> Voice:
        """Who began the shout of `phrase` at about `said_at` seconds of `sound` (n, channels)."""


class Ownership(Protocol):
    """Tells a player's own shout from one that his microphone overheard."""

    def __call__(self, sound: Samples, channel: int, said_at: float) -> Own | None:
        """The shout at about `said_at` seconds of `sound` (n, microphones) if it is that of `channel`, else None."""


def by_level(sound: Samples, channel: int, said_at: float) -> Own | None:
    """Own unless another microphone holds the same sound louder."""
    said = sound[round(said_at * EAR_RATE) :]
    return None if overheard(said[:, channel], np.delete(said, channel, axis=1)) else Own(said_at)


def overheard(own: Samples, others: Samples) -> bool:
    """Whether a stretch heard by one microphone, `own` (n,), is another one's voice: `others` (n, k) hold it louder.

    Two voices at once do not correlate, so both stay, however loud.
    """
    energy = float(np.dot(own, own))
    for other in others.T:
        louder = 10.0 * np.log10((float(np.dot(other, other)) + 1e-12) / (energy + 1e-12))
        if louder > LOUDER_DB and similarity(own, other) > SAME_SOUND:
            return True
    return False


def similarity(a: Samples, b: Samples) -> float:
    """Highest normalised cross-correlation within the lags between microphones of one table."""
    size = 1 << (2 * len(a) - 1).bit_length()
    cross = np.fft.irfft(np.fft.rfft(a, size) * np.conj(np.fft.rfft(b, size)), size)
    near = np.concatenate([cross[: _LAG + 1], cross[-_LAG:]])
    norm = float(np.sqrt(np.dot(a, a) * np.dot(b, b))) + 1e-12
    return float(np.abs(near).max()) / norm
