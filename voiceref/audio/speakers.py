"""Loudspeakers through PortAudio: one output stream, sounds in order, exact times from the converter's clock."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from voiceref.audio.devices import devices, find, portaudio, sound_system, started
from voiceref.audio.resampling import resample
from voiceref.audio.source import Samples

_DEAD_AFTER = 2.0
"""Seconds without a callback after which a loudspeaker counts as gone."""
_CLOSE_WITHIN = 1.0
_NONE = "Aucun haut-parleur n'est disponible : branchez-en un, ou choisissez « --output none »."


class SpeakerPlayback:
    """A sound in the queue of the loudspeakers."""

    def __init__(self, samples: Samples, rate: int, start: float) -> None:
        self._samples = samples
        self._rate = rate
        self._place = 0
        self._over = False
        self.start = start
        self.end = start + len(samples) / rate

    def finished(self, now: float) -> bool:
        return self._over and now >= self.end

    def stop(self, now: float) -> None:
        if not self._over:
            self._over = True
            self.end = min(self.end, max(now, self.start))

    def render(self, out: Samples, at: float) -> int:
        """Fill `out` (n,), whose first sample sounds at capture second `at`; returns how many samples were written."""
        if self._over:
            return 0
        if self._place == 0:
            self.start, self.end = at, at + len(self._samples) / self._rate
        count = min(len(out), len(self._samples) - self._place)
        out[:count] = self._samples[self._place : self._place + count]
        self._place += count
        self._over = self._place == len(self._samples)
        return count


class SpeakerPlayer:
    """Plays through a loudspeaker; `to_capture` turns PortAudio stream time into seconds of the capture clock.

    One that stopped asking for sound is opened anew with the next sentence.
    """

    def __init__(
        self,
        to_capture: Callable[[float], float],
        name: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`name` None is the system's default output. Raises AudioError when there is none."""
        self._to_capture = to_capture
        self._name = name
        self._monotonic = monotonic
        self._queue: deque[SpeakerPlayback] = deque()
        self._lock = threading.Lock()
        self._stream: Any = None
        self._last_callback = 0.0
        self._open()

    @property
    def sounding(self) -> bool:
        """Whether something is to be heard now; a loudspeaker that is gone sounds no more."""
        return bool(self._queue) and self._asks

    @property
    def _asks(self) -> bool:
        return self._stream is not None and self._monotonic() - self._last_callback < _DEAD_AFTER

    def play(self, samples: Samples, rate: int, at: float) -> SpeakerPlayback:
        """Raises AudioError when the loudspeaker has gone; the next call tries again."""
        if not self._asks:
            self.close()
            self._open()
        sound = SpeakerPlayback(resample(samples, rate, self.rate), self.rate, at)
        with self._lock:
            if self._queue:
                sound.start = max(at, self._queue[-1].end)
                sound.end = sound.start + len(samples) / rate
            self._queue.append(sound)
        return sound

    def close(self) -> None:
        sound_system().leave(self)
        self.cut()

    def cut(self) -> None:
        """Let the stream go, and what was waiting in it; within a bound, as some drivers never return."""
        stream, self._stream = self._stream, None
        if stream is not None:
            closer = threading.Thread(target=_end, args=(stream,), daemon=True)
            closer.start()
            closer.join(_CLOSE_WITHIN)
        with self._lock:
            self._queue.clear()

    def _open(self) -> None:
        sd = portaudio()

        def made() -> Any:
            index = None if self._name is None else find(devices(), self._name, "sortie")
            self.rate = round(sd.query_devices(index, "output")["default_samplerate"])
            return sd.OutputStream(
                samplerate=self.rate, channels=1, device=index, dtype="float32", callback=self._callback
            )

        self._stream, self._last_callback = started(made, _NONE), self._monotonic()
        sound_system().join(self)

    def _callback(self, out: Samples, frames: int, time: object, _status: object) -> None:
        self._last_callback = self._monotonic()
        first = self._to_capture(float(getattr(time, "outputBufferDacTime", 0.0)))
        with self._lock:
            fill(self._queue, out[:, 0], first, self.rate)


def _end(stream: Any) -> None:
    stream.abort()
    stream.close()


def fill(queue: deque[SpeakerPlayback], out: Samples, at: float, rate: int) -> None:
    """Render the queue into `out` (n,), whose first sample sounds at capture second `at`; silence after its end."""
    out[:] = np.float32(0.0)
    written = 0
    while queue and written < len(out):
        written += queue[0].render(out[written:], at + written / rate)
        if written < len(out):
            queue.popleft()
    if queue and queue[0].finished(float("inf")):
        queue.popleft()
