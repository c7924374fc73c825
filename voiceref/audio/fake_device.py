"""A fake microphone device driven by a fake clock: it can stop, fail to open, lose samples and send only zeros."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from voiceref.audio.devices import Deliver, Stream
from voiceref.audio.source import AudioError, Samples


class FakeClock:
    """Time that passes only when somebody sleeps; listeners are told on the way."""

    def __init__(self) -> None:
        self._now = 0.0
        self.listeners: list[Callable[[float], None]] = []

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self.jump(seconds)
        for listener in self.listeners:
            listener(self._now)

    def jump(self, seconds: float) -> None:
        """Time passes without anybody being told: a machine asleep."""
        self._now += seconds


class FakeMic:
    """An input device that gives `sound(first index, count)` in blocks as the fake clock goes on.

    Attributes to set at any time: `alive` (else no callbacks), `opens` (False: opening fails), `lost` (seconds that
    the next callback reports as overflow and leaves out), `sound`.
    """

    def __init__(
        self,
        clock: FakeClock,
        rate: int = 16_000,
        channels: int = 1,
        block_seconds: float = 0.02,
        ppm: float = 0.0,
    ) -> None:
        """`ppm`: by how many millionths its crystal is too fast."""
        self._clock = clock
        self._true_rate = rate * (1.0 + ppm * 1e-6)
        self.rate = rate
        self.channels = channels
        self._size = round(rate * block_seconds)
        self.alive = True
        self.opens = True
        self.lost = 0.0
        self.opened = 0
        self.closed = 0
        self.sound: Callable[[int, int], Samples] = lambda start, count: np.full((count, channels), 0.1, np.float32)
        self._deliver: Deliver | None = None
        self._given = 0
        clock.listeners.append(self._run)

    def open(self, deliver: Deliver) -> Stream:
        self.opened += 1
        if not self.opens:
            raise AudioError("Le micro ne s'ouvre pas : vérifiez qu'il est branché et autorisé.")
        self._deliver = deliver
        self._given = round(self._clock.monotonic() * self._true_rate)
        return self

    def close(self) -> None:
        self.closed += 1
        self._deliver = None

    def _run(self, now: float) -> None:
        while self._deliver is not None and self._given + self._size <= now * self._true_rate:
            if not self.alive:
                self._given = round(now * self._true_rate)
                return
            overflow = self.lost > 0
            self._given += round(self.lost * self.rate)
            self.lost = 0.0
            self._deliver(self.sound(self._given, self._size), self._given / self._true_rate, overflow)
            self._given += self._size
