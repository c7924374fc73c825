"""What a source of sound is: blocks of samples stamped with their place on the capture clock, and its troubles.

The capture clock is the sample index of the stream: second `t` is sample `t * rate`. Lost samples advance it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]
"""Sound, full scale ±1: shape (n,) for one channel or (n, channels)."""

EAR_RATE = 16_000
"""Samples a second that every part of the ear takes."""


class AudioError(Exception):
    """A device or file that cannot be used; the text is one French sentence with the remedy."""


@dataclass(frozen=True)
class Block:
    """Samples of shape (n, channels); the first one has index `start` on the capture clock.

    An empty block is a heartbeat: no sound, but it is `start` now.
    """

    start: int
    samples: Samples
    rate: int

    @property
    def end(self) -> int:
        """Index of the first sample after the block."""
        return self.start + len(self.samples)


@dataclass(frozen=True)
class Trouble:
    """The source goes wrong (or well again) at `time` seconds: a code for the log, French words for people."""

    time: float
    code: str
    message: str


def between(blocks: Iterable[Block], first: int, end: int) -> tuple[int, Samples]:
    """The sound (n, channels) of `blocks` from index `first` to before `end`, and the index where it really begins.

    What lies before the blocks is missing. Raises ValueError when none of them reaches `first`.
    """
    kept = [block for block in blocks if block.end > first]
    if not kept:
        raise ValueError("no sound is kept there")
    begin = max(first, kept[0].start)
    sound = np.concatenate([block.samples for block in kept])
    return begin, sound[begin - kept[0].start : end - kept[0].start]


class AudioSource(Protocol):
    """Where the ear's sound comes from. One thread iterates; `close` may come from any other."""

    @property
    def rate(self) -> int:
        """Samples a second of every block."""

    @property
    def channels(self) -> int:
        """Columns of every block."""

    def blocks(self) -> Iterator[Block | Trouble]:
        """Blocks in order of time until the source ends or is closed; a gap in `start` means lost samples."""

    def now(self) -> float:
        """Seconds on the capture clock: of a device at this moment, of a file at the end of the last block given."""

    def close(self) -> None:
        """Stop; `blocks` ends soon after. Calling it twice is harmless."""


class ListSource:
    """The fake source: blocks (and troubles) from a list."""

    def __init__(self, items: list[Block | Trouble]) -> None:
        first = next(item for item in items if isinstance(item, Block))
        self._items = items
        self._now = 0.0
        self.rate = first.rate
        self.channels = first.samples.shape[1]

    def blocks(self) -> Iterator[Block | Trouble]:
        for item in self._items:
            if isinstance(item, Block):
                self._now = item.end / item.rate
            yield item

    def now(self) -> float:
        return self._now

    def close(self) -> None:
        self._items = []
