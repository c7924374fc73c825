"""A microphone as a source: bounded queue, true clock over lost samples, watchdog, and reopening with growing waits.

What may happen is told once, when it begins, and once more when it is over (`micro_…` are the codes of the log).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from voiceref.audio.crystal import Crystal
from voiceref.audio.devices import Deliver, InputDevice, Stream
from voiceref.audio.sound_watch import SoundWatch
from voiceref.audio.source import AudioError, Block, Samples, Trouble

QUEUE_SECONDS = 8.0
"""Sound kept for a slow listener; older sound is dropped and counted."""
DEAD_AFTER = 2.0
"""Seconds without a callback after which people are told, and the device is opened anew."""
WAKING = 6.0
"""Seconds that a device just opened has for its first callback: Bluetooth takes two or more."""
LOST_TOLD = 0.5
"""Seconds of sound that a busy machine may lose before people are told; then not again for `_LOST_AGAIN`."""
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between tries to reopen; the last one repeats."""
GIVE_UP_AFTER = 900.0
"""Seconds without the device after which the source ends."""
_LOST_AGAIN = 60.0
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
        """Samples lost because nobody took them or the driver ran over."""
        self._began = self._clock.monotonic()
        self._queue: deque[Block] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._generation = 0
        self._next: int | None = None
        self._anchor: float | None = None
        self._last_callback = self._last_heartbeat = self._began
        self._flowing = False
        self._stream: Stream | None = None
        self._crystal = Crystal(device.rate)

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
        watch = SoundWatch()
        told_dead = False
        told_lost, known_lost = -_LOST_AGAIN, 0
        self._try()
        while not self._closed.is_set():
            block = self._take()
            if block is None:
                silent_for = self._clock.monotonic() - self._last_callback
                if silent_for > DEAD_AFTER and not told_dead:
                    told_dead = True
                    yield Trouble(self.now(), "micro_muet", "Le micro ne répond plus : vérifiez qu'il est branché.")
                if silent_for > (DEAD_AFTER if self._flowing else WAKING):
                    self._shut()
                    yield from self._reopen()
                else:
                    yield from self._wait(_POLL)
                continue
            if told_dead:
                told_dead = False
                yield Trouble(block.end / block.rate, "micro_rouvert", "Le micro est revenu : je vous écoute.")
            if self.dropped - known_lost > LOST_TOLD * self.rate:
                known_lost = self.dropped
                if self.now() - told_lost > _LOST_AGAIN:
                    told_lost = self.now()
                    message = (
                        "L'ordinateur est trop occupé, j'ai perdu du son : répétez, ou fermez d'autres programmes."
                    )
                    yield Trouble(self.now(), "micro_deborde", message)
            yield from watch.hear(block)
            yield block

    def _try(self) -> None:
        """Open the device once. Raises AudioError."""
        self._generation += 1
        self._last_callback = self._clock.monotonic()
        self._next = self._anchor = None
        self._flowing = False
        self._crystal = Crystal(self.rate)
        self._stream = self._device.open(self._receiver(self._generation))

    def _reopen(self) -> Iterator[Block | Trouble]:
        """Open the device again, trying with growing waits; the source ends when it stays away."""
        lost_at = self._clock.monotonic()
        tries = 0
        while not self._closed.is_set():
            try:
                self._try()
                return
            except AudioError:
                if self._clock.monotonic() - lost_at > GIVE_UP_AFTER:
                    self._closed.set()
                    message = "Le micro est perdu : branchez-le puis reprenez la partie."
                    yield Trouble(self.now(), "micro_perdu", message)
                    return
                yield from self._wait(WAITS[min(tries, len(WAITS) - 1)])
                tries += 1

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
                self._last_callback, self._flowing = now, True
                if self._next is None:
                    self._next = max(0, round((now - self._began) * self.rate) - len(samples))
                    self._anchor = stream_time - self._next / self.rate
                elif overflow and self._anchor is not None:
                    at = max(self._next, round((stream_time - self._anchor) * self.rate))
                    self.dropped += at - self._next
                    self._next = at
                kept = self._crystal.kept(now - self._began, self._next + len(samples), samples)
                if len(kept) != len(samples):
                    self._anchor = stream_time - (self._next + len(kept) - len(samples)) / self.rate
                samples = kept
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
