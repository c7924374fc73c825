"""Sources that pass another one on: with its last seconds kept for a moment, or with its channels in another order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, AudioSource, Block, Samples, Trouble, between

KEPT_S = 12.0
"""How long a sound is kept (s)."""


class Remembered:
    """A source whose last `KEPT_S` seconds can be had again; in memory only."""

    def __init__(self, source: AudioSource) -> None:
        self._source = source
        self._past: deque[Block] = deque()
        self.rate = source.rate
        self.channels = source.channels

    def blocks(self) -> Iterator[Block | Trouble]:
        for item in self._source.blocks():
            if isinstance(item, Block) and len(item.samples):
                self._past.append(item)
                while item.end - self._past[0].start > KEPT_S * self.rate:
                    self._past.popleft()
            yield item

    def sound(self, start: float, end: float) -> Samples:
        """What was heard from `start` to `end` seconds of the capture clock, (n, channels) at 16 kHz.

        What is no longer kept is missing: then it is shorter, or empty.
        """
        try:
            _, found = between(self._past, round(start * self.rate), round(end * self.rate))
        except ValueError:
            found = np.zeros((0, self.channels), np.float32)
        return resample(found, self.rate, EAR_RATE)

    def now(self) -> float:
        return self._source.now()

    def close(self) -> None:
        self._source.close()


class Reordered:
    """A source whose column k is column `order[k]` of another one."""

    def __init__(self, source: AudioSource, order: Sequence[int]) -> None:
        """Raises ValueError when `order` does not name every channel once."""
        if sorted(order) != list(range(source.channels)):
            raise ValueError("order must name every channel once")
        self._source = source
        self._order = list(order)
        self.rate = source.rate
        self.channels = source.channels

    def blocks(self) -> Iterator[Block | Trouble]:
        for item in self._source.blocks():
            yield replace(item, samples=item.samples[:, self._order]) if isinstance(item, Block) else item

    def now(self) -> float:
        return self._source.now()

    def close(self) -> None:
        self._source.close()
