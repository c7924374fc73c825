"""Loudspeakers through PortAudio: one output stream, sounds in order, exact times from the converter's clock."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

import numpy as np

from voiceref.audio.devices import devices, find, portaudio
from voiceref.audio.resampling import resample
from voiceref.audio.source import AudioError, Samples


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
    """Plays through a loudspeaker; `to_capture` turns PortAudio stream time into seconds of the capture clock."""

    def __init__(self, to_capture: Callable[[float], float], name: str | None = None) -> None:
        """`name` None is the system's default output. Raises AudioError when there is none."""
        sd = portaudio()
        self._to_capture = to_capture
        self._queue: deque[SpeakerPlayback] = deque()
        self._lock = threading.Lock()
        try:
            index = None if name is None else find(devices(), name, "sortie")
            self.rate = round(sd.query_devices(index, "output")["default_samplerate"])
            self._stream = sd.OutputStream(
                samplerate=self.rate, channels=1, device=index, dtype="float32", callback=self._callback
            )
            self._stream.start()
        except (sd.PortAudioError, ValueError) as error:
            raise AudioError(
                "Aucun haut-parleur n'est disponible : branchez-en un, ou choisissez « --output none »."
            ) from error

    def play(self, samples: Samples, rate: int, at: float) -> SpeakerPlayback:
        sound = SpeakerPlayback(resample(samples, rate, self.rate), self.rate, at)
        with self._lock:
            if self._queue:
                sound.start = max(at, self._queue[-1].end)
                sound.end = sound.start + len(samples) / rate
            self._queue.append(sound)
        return sound

    def close(self) -> None:
        self._stream.abort()
        self._stream.close()

    def _callback(self, out: Samples, frames: int, time: object, _status: object) -> None:
        first = self._to_capture(float(getattr(time, "outputBufferDacTime", 0.0)))
        with self._lock:
            fill(self._queue, out[:, 0], first, self.rate)


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
