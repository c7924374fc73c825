"""A source that remembers its last seconds, every channel, so that what was heard can be heard again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from voiceref.audio.source import AudioSource, Block, Samples, Trouble


class Recent:
    """Passes a source on and keeps the last `seconds` of it in memory; older sound is let go."""

    def __init__(self, source: AudioSource, seconds: float) -> None:
        self._source = source
        self.rate = source.rate
        self.channels = source.channels
        self._kept: deque[Block] = deque()
        self._most = round(seconds * self.rate)

    def blocks(self) -> Iterator[Block | Trouble]:
        for item in self._source.blocks():
            if isinstance(item, Block) and len(item.samples):
                self._kept.append(item)
                while self._kept[0].end <= item.end - self._most:
                    self._kept.popleft()
            yield item

    def now(self) -> float:
        return self._source.now()

    def close(self) -> None:
        self._source.close()

    def sound(self, start: float, end: float) -> tuple[float, Samples]:
        """What is kept of `start` to `end` seconds, (n, channels), and the second at which it begins.

        Sound that was lost is silence; without any kept sound there the result is empty.
        """
        first, last = round(start * self.rate), round(end * self.rate)
        inside = [block for block in self._kept if block.end > first and block.start < last]
        if not inside:
            return start, np.zeros((0, self.channels), np.float32)
        first, last = max(first, inside[0].start), min(last, inside[-1].end)
        found = np.zeros((last - first, self.channels), np.float32)
        for block in inside:
            begin, stop = max(block.start, first), min(block.end, last)
            found[begin - first : stop - first] = block.samples[begin - block.start : stop - block.start]
        return first / self.rate, found
