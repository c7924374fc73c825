"""A source whose channels come in another order: that of the players, whatever the plugs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from voiceref.audio.source import AudioSource, Block, Trouble


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
