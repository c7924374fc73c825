"""Sounds out: a player that keeps a timeline in a wave file, one that only remembers, and what a player is.

Every player says where each sound lies on the capture clock, so that the ear can be closed for exactly that window.
The speakers are in `voiceref.audio.speakers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from voiceref.audio.resampling import resample
from voiceref.audio.source import Samples
from voiceref.audio.wave_file import write_wave


class Playback(Protocol):
    """One sound on its way out."""

    @property
    def start(self) -> float:
        """Capture clock second of its first sample: foreseen until it is out, then exact."""

    @property
    def end(self) -> float:
        """Capture clock second just after its last sample; earlier than planned once it was stopped."""

    def finished(self, now: float) -> bool:
        """Whether it is over at capture clock second `now`."""

    def stop(self, now: float) -> None:
        """Cut it short at once; harmless when it is over."""


class Player(Protocol):
    """Where sounds go. Sounds never overlap: each starts when the one before is over."""

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        """Start a sound (n,) not before capture clock second `at`; returns at once."""

    def close(self) -> None:
        """Finish what must be finished (write the file, let the device go)."""


@dataclass
class Window:
    """A playback whose times are known beforehand."""

    start: float
    end: float

    def finished(self, now: float) -> bool:
        return now >= self.end

    def stop(self, now: float) -> None:
        self.end = min(self.end, max(self.start, now))


@dataclass(frozen=True)
class Played:
    """What a ListPlayer remembers of a sound."""

    samples: Samples
    rate: int
    window: Window


class ListPlayer:
    """The fake player: keeps every sound and its times, plays nothing."""

    def __init__(self) -> None:
        self.played: list[Played] = []
        self._free = 0.0

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        if self.played:
            self._free = self.played[-1].window.end
        start = max(at, self._free)
        window = Window(start, start + len(samples) / rate)
        self.played.append(Played(samples, rate, window))
        return window

    def close(self) -> None:
        return None


class QuietPlayer:
    """Stands in for loudspeakers that are not there: sounds take their time and nothing is kept."""

    def __init__(self) -> None:
        self._free = Window(0.0, 0.0)

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        start = max(at, self._free.end)
        self._free = Window(start, start + len(samples) / rate)
        return self._free

    def close(self) -> None:
        return None


class WavePlayer:
    """Keeps a timeline and writes it as one mono file on `close`: second t of the file is second t of the capture."""

    def __init__(self, path: Path, rate: int = 22_050) -> None:
        """Raises AudioError at once when the file cannot be written."""
        self._path = path
        self._rate = rate
        self._list = ListPlayer()
        write_wave(path, np.zeros(0, np.float32), rate)

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        return self._list.play(samples, rate, at)

    def close(self) -> None:
        places = [(round(item.window.start * self._rate), item) for item in self._list.played]
        length = max((round(item.window.end * self._rate) for _, item in places), default=0)
        timeline = np.zeros(length, np.float32)
        for place, item in places:
            sound = resample(item.samples, item.rate, self._rate)
            kept = min(len(sound), round((item.window.end - item.window.start) * self._rate), length - place)
            timeline[place : place + kept] = sound[:kept]
        write_wave(self._path, timeline, self._rate)
