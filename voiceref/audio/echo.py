"""Takes the loudspeaker's sound out of the microphone's: an adaptive filter in blocks of the spectrum.

Partitioned-block frequency-domain adaptive filter after Soo and Pang, "Multidelay block frequency domain adaptive
filter" (IEEE Trans. ASSP 38, 1990), with overlap-save and a step normalised by the running power of each bin.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from voiceref.audio.source import EAR_RATE, Samples

Spectra = npt.NDArray[np.complex64]

BLOCK = 160
"""Samples of one step (10 ms at EAR_RATE)."""
LENGTH = 0.3
"""Seconds of room that the filter holds."""
_STEP = 0.5
_LEAK = 0.05
"""Share of the echo that a filter which has learnt is thought to leave: where more is left, somebody else speaks."""
_FIRST = 2.0
"""Seconds of sound after which the filter has learnt."""
_SMOOTH = 0.9
_BRIEF = 0.7
_FLOOR = 1e-4


class EchoCanceller:
    """What is left of the microphone without what was played. Blocks of BLOCK samples, in order."""

    def __init__(self, length: float = LENGTH) -> None:
        count = round(length * EAR_RATE / BLOCK)
        self._weights: Spectra = np.zeros((count, BLOCK + 1), np.complex64)
        self._played: Spectra = np.zeros((count, BLOCK + 1), np.complex64)
        self._power = np.full(BLOCK + 1, _FLOOR, np.float32)
        self._before = np.zeros(BLOCK, np.float32)
        self._turn = 0
        self._learnt = 0.0
        self._found = self._left = _FLOOR

    def rest(self, heard: Samples, played: Samples) -> Samples:
        """`heard` (BLOCK,) without the echo of `played` (BLOCK,) and of what was played before it."""
        spectrum = np.fft.rfft(np.concatenate([self._before, played])).astype(np.complex64)
        self._before = played
        self._played = np.roll(self._played, 1, axis=0)
        self._played[0] = spectrum
        echo = np.fft.irfft((self._weights * self._played).sum(axis=0))[BLOCK:]
        left = (heard - echo).astype(np.float32)
        strength = (self._played.real**2 + self._played.imag**2).sum(axis=0)
        self._power = np.maximum(_SMOOTH * self._power + (1 - _SMOOTH) * strength, strength)
        self._found = _BRIEF * self._found + (1 - _BRIEF) * float((echo**2).sum())
        self._left = _BRIEF * self._left + (1 - _BRIEF) * float((left**2).sum())
        if float(strength.sum()) > _FLOOR:
            self._learnt += BLOCK / EAR_RATE
            self._learn(left, self._step())
        return left if float((left**2).sum()) < float((heard**2).sum()) else heard

    def _step(self) -> float:
        """How fast to learn: slowly where the rest is more than the filter leaves, since that is another voice.

        After Valin, "On adjusting the learning rate in frequency domain echo cancellation with double-talk" (2007).
        """
        return _STEP if self._learnt < _FIRST else min(_STEP, _LEAK * self._found / (self._left + 1e-9))

    def _learn(self, left: Samples, step: float) -> None:
        error = np.fft.rfft(np.concatenate([np.zeros(BLOCK, np.float32), left])).astype(np.complex64)
        self._weights += step * np.conj(self._played) * (error / (self._power + _FLOOR))[None, :]
        turns = (self._turn, (self._turn + 1) % len(self._weights))
        self._turn = (self._turn + 2) % len(self._weights)
        for row in turns:
            taps = np.fft.irfft(self._weights[row])
            taps[BLOCK:] = 0.0
            self._weights[row] = np.fft.rfft(taps).astype(np.complex64)
