"""Any rate to another without losing the clock: sample k of the result is at second k / rate, as it was before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voiceref.audio.source import EAR_RATE, AudioSource, Block, Samples, Trouble


def resample(samples: Samples, rate: int, target: int) -> Samples:
    """A whole sound, (n,) or (n, channels), at `target` samples a second."""
    if rate == target or len(samples) == 0:
        return samples
    import soxr

    return np.asarray(soxr.resample(samples, rate, target), np.float32)


class Resampled:
    """A source at another rate. A gap in the input starts the filter afresh, so the clock stays true across it."""

    def __init__(self, source: AudioSource, rate: int = EAR_RATE) -> None:
        self._source = source
        self.rate = rate
        self.channels = source.channels

    def blocks(self) -> Iterator[Block | Trouble]:
        import soxr

        stream = None
        expected, written = -1, 0
        for item in self._source.blocks():
            if isinstance(item, Trouble) or item.rate == self.rate:
                yield item
                continue
            if not len(item.samples):
                yield Block(round(item.start * self.rate / item.rate), item.samples, self.rate)
                continue
            if stream is None or item.start != expected:
                if stream is not None:
                    written, tail = self._stamp(written, stream.resample_chunk(self._nothing(), last=True))
                    yield from tail
                stream = soxr.ResampleStream(item.rate, self.rate, self.channels, dtype="float32")
                written = round(item.start * self.rate / item.rate)
            expected = item.end
            written, some = self._stamp(written, stream.resample_chunk(np.ascontiguousarray(item.samples)))
            yield from some
        if stream is not None:
            _, tail = self._stamp(written, stream.resample_chunk(self._nothing(), last=True))
            yield from tail

    def _nothing(self) -> Samples:
        return np.zeros((0, self.channels), np.float32)

    def _stamp(self, start: int, sound: Samples) -> tuple[int, list[Block]]:
        sound = np.asarray(sound, np.float32).reshape(-1, self.channels)
        return start + len(sound), [Block(start, sound, self.rate)] if len(sound) else []

    def now(self) -> float:
        return self._source.now()

    def close(self) -> None:
        self._source.close()
