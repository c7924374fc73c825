"""A microphone as a source: bounded queue, true clock over lost samples, watchdog, and reopening with growing waits."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from voiceref.audio.devices import Deliver, InputDevice, Stream
from voiceref.audio.source import AudioError, Block, Samples, Trouble

QUEUE_SECONDS = 8.0
"""Sound kept for a slow listener; older sound is dropped and counted."""
DEAD_AFTER = 2.0
"""Seconds without a callback after which the device counts as gone."""
ZEROS_AFTER = 3.0
"""Seconds of exact zeros after which people are told that the microphone is mute."""
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between tries to reopen; the last one repeats."""
GIVE_UP_AFTER = 900.0
"""Seconds without the device after which the source ends."""
_CLOSE_WITHIN = 1.5
_POLL = 0.01
_HEARTBEAT = 0.2


class Clock(Protocol):
    """Monotonic time; tests bring their own."""

    def monotonic(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's monotonic clock."""

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class MicrophoneSource:
    """Blocks from an input device for as long as it lives, and across its failures."""

    def __init__(self, device: InputDevice, clock: Clock | None = None) -> None:
        self._device = device
        self._clock = clock or SystemClock()
        self.rate = device.rate
        self.channels = device.channels
        self.dropped = 0
        self._began = self._clock.monotonic()
        self._queue: deque[Block] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._generation = 0
        self._next: int | None = None
        self._anchor: float | None = None
        self._last_callback = self._last_heartbeat = self._began
        self._stream: Stream | None = None

    def now(self) -> float:
        return self._clock.monotonic() - self._began

    def from_stream_time(self, seconds: float) -> float:
        """PortAudio stream time -> capture clock; what speakers use to place their sounds."""
        return self.now() if self._anchor is None else seconds - self._anchor

    def blocks(self) -> Iterator[Block | Trouble]:
        try:
            yield from self._live()
        finally:
            self._shut()

    def close(self) -> None:
        self._closed.set()

    def _live(self) -> Iterator[Block | Trouble]:
        zeros_since: float | None = None
        told_zeros = False
        yield from self._open(first=True)
        while not self._closed.is_set():
            block = self._take()
            if block is None:
                if self._clock.monotonic() - self._last_callback > DEAD_AFTER:
                    yield Trouble(self.now(), "micro_muet", "Le micro ne répond plus : vérifiez qu'il est branché.")
                    self._shut()
                    yield from self._open(first=False)
                else:
                    yield from self._wait(_POLL)
                continue
            if np.any(block.samples):
                if told_zeros:
                    yield Trouble(block.end / block.rate, "micro_revenu", "J'entends de nouveau.")
                zeros_since, told_zeros = None, False
            elif zeros_since is None:
                zeros_since = block.start / block.rate
            elif block.end / block.rate - zeros_since > ZEROS_AFTER and not told_zeros:
                told_zeros = True
                message = "Je n'entends rien : vérifiez l'autorisation du micro et son interrupteur."
                yield Trouble(block.end / block.rate, "micro_zeros", message)
            yield block

    def _open(self, first: bool) -> Iterator[Block | Trouble]:
        """Open the device, trying again with growing waits. The first try of all raises AudioError."""
        lost_at = self._clock.monotonic()
        tries = 0
        while not self._closed.is_set():
            self._generation += 1
            self._last_callback = self._clock.monotonic()
            self._next = self._anchor = None
            try:
                self._stream = self._device.open(self._receiver(self._generation))
            except AudioError:
                if first:
                    raise
                if self._clock.monotonic() - lost_at > GIVE_UP_AFTER:
                    self._closed.set()
                    message = "Le micro est perdu : branchez-le puis reprenez la partie."
                    yield Trouble(self.now(), "micro_perdu", message)
                    return
                yield from self._wait(WAITS[min(tries, len(WAITS) - 1)])
                tries += 1
                continue
            if not first:
                yield Trouble(self.now(), "micro_rouvert", "Le micro est de nouveau ouvert.")
            return

    def _wait(self, seconds: float) -> Iterator[Block]:
        """Sleep; a heartbeat tells the time whenever no sound has come for a while, so that hourglasses run on."""
        until = self._clock.monotonic() + seconds
        while not self._closed.is_set() and (left := until - self._clock.monotonic()) > 1e-9:
            self._clock.sleep(min(left, _HEARTBEAT / 2))
            silent_for = self._clock.monotonic() - max(self._last_callback, self._last_heartbeat)
            if silent_for >= _HEARTBEAT:
                self._last_heartbeat = self._clock.monotonic()
                index = round(self.now() * self.rate)
                yield Block(index, np.zeros((0, self.channels), np.float32), self.rate)

    def _receiver(self, generation: int) -> Deliver:
        """The callback of one opening; callbacks of an older opening are ignored."""

        def deliver(samples: Samples, stream_time: float, overflow: bool) -> None:
            with self._lock:
                if generation != self._generation:
                    return
                now = self._clock.monotonic()
                self._last_callback = now
                if self._next is None:
                    self._next = max(0, round((now - self._began) * self.rate) - len(samples))
                    self._anchor = stream_time - self._next / self.rate
                elif overflow and self._anchor is not None:
                    self._next = max(self._next, round((stream_time - self._anchor) * self.rate))
                self._queue.append(Block(self._next, samples, self.rate))
                self._next += len(samples)
                while self._queue[-1].end - self._queue[0].start > QUEUE_SECONDS * self.rate and len(self._queue) > 1:
                    self.dropped += len(self._queue.popleft().samples)

        return deliver

    def _take(self) -> Block | None:
        with self._lock:
            return self._queue.popleft() if self._queue else None

    def _shut(self) -> None:
        """Let the device go; a driver that never returns from its close is left behind after a bound."""
        stream, self._stream = self._stream, None
        with self._lock:
            self._generation += 1
        if stream is not None:
            closer = threading.Thread(target=stream.close, daemon=True)
            closer.start()
            closer.join(_CLOSE_WITHIN)
