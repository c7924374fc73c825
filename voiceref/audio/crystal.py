"""A device's own clock against the machine's: crystals are off by up to 0.1 ‰, a third of a second in an hour.

The capture clock counts samples, hourglasses and loudspeakers go by the machine's clock; so a little sound is put in or
left out, too little to be heard, whenever the two are 2 ms apart.
"""

from __future__ import annotations

import numpy as np

from voiceref.audio.source import Samples

WINDOW_S = 20.0
"""Seconds over which the least lateness of a callback is taken: callbacks come late by chance, never early."""
TOLERANCE_S = 0.002
"""Difference that is left alone."""
_MOST = 0.05
"""Share of one block that may be put in or left out."""


class Crystal:
    """Follows how late callbacks come, and says by how much the count of samples is behind the machine's clock."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._usual: float | None = None
        self._least = float("inf")
        self._window_ends: float | None = None
        self._owed = 0

    def kept(self, now: float, end: int, block: Samples) -> Samples:
        """The block (n, channels), arriving at `now` s, to end at index `end`: a little stretched if need be."""
        if self._owed:
            return self._repaid(block)
        self._least = min(self._least, now - end / self._rate)
        if self._window_ends is None:
            self._window_ends = now + WINDOW_S
        elif now >= self._window_ends:
            self._judge()
            self._window_ends = None
        return block

    def _judge(self) -> None:
        least, self._least = self._least, float("inf")
        if self._usual is None:
            self._usual = least
        elif abs(least - self._usual) > TOLERANCE_S:
            self._owed = round((least - self._usual) * self._rate)

    def _repaid(self, block: Samples) -> Samples:
        most = max(1, int(len(block) * _MOST))
        change = max(-most, min(most, self._owed))
        if len(block) + change < 2 or len(block) < 2:
            return block
        self._owed -= change
        return stretched(block, len(block) + change)


def stretched(block: Samples, count: int) -> Samples:
    """`block` (n, channels) as `count` samples, its ends in place."""
    places = np.linspace(0.0, len(block) - 1.0, count)
    known = np.arange(len(block))
    columns = [np.interp(places, known, block[:, channel]) for channel in range(block.shape[1])]
    return np.stack(columns, axis=1).astype(np.float32)
