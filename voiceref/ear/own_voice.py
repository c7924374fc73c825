"""The referee's own voice in the microphone: when the ear is closed for it, and how much later it comes than told.

What plays is ours, so that its true start and end are known; what a loudspeaker adds (radio, buffers of its own) is
measured: the loudness of the microphone is laid over the loudness of what was played, and the shift that fits best is
the delay. Until something was measured a usual delay is assumed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voiceref.audio.player import Playback, Player
from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, Samples

Floats = npt.NDArray[np.float32]

HOP = 160
"""Samples at EAR_RATE for one value of loudness (10 ms)."""
USUAL = 0.3
"""Delay in seconds that is assumed until one was measured."""
LONGEST = 2.0
"""Delays in seconds that are looked for."""
MARGIN = 0.05
"""Seconds kept closed beyond a measured delay."""
ALIKE = 0.7
"""Correlation of the two loudnesses from which on a measurement counts."""
_SHORTEST = 0.6
"""Seconds of sound needed to measure with."""
_KEPT = 14.0
"""Seconds of loudness remembered."""
_REMEMBERED = 3
"""Measurements of which the largest is used."""
_FORGOTTEN = 30.0
"""Seconds after which a window is forgotten."""


@dataclass(frozen=True)
class Sounding:
    """Something that plays: its samples at EAR_RATE and when it sounds, which is exact once it is out."""

    samples: Samples
    playback: Playback


class OwnVoice:
    """Closes the ear while the referee sounds. `tail`: seconds that the room goes on ringing."""

    def __init__(self, tail: float, delay: float = USUAL) -> None:
        """`delay`: how many seconds later than told the loudspeaker is heard, until it was measured."""
        self._tail = tail
        self._usual = delay
        self._windows: dict[float, float] = {}
        self._playing: deque[Sounding] = deque()
        self._unmeasured: deque[Sounding] = deque()
        self._measured: deque[float] = deque(maxlen=_REMEMBERED)
        self._levels: deque[float] = deque(maxlen=round(_KEPT * EAR_RATE / HOP))
        self._rest: Samples = np.zeros(0, np.float32)
        self._place = 0

    @property
    def delay(self) -> float:
        """Seconds from the told start of a sound to its coming to the microphone."""
        return max(self._measured) + MARGIN if self._measured else self._usual

    @property
    def measured(self) -> bool:
        """Whether the delay was measured."""
        return bool(self._measured)

    @property
    def plays_known_sound(self) -> bool:
        """Whether the samples of what sounds are known, so that they can be taken out."""
        return bool(self._playing)

    def mute(self, start: float, end: float) -> None:
        """Something of ours sounds from `start` to `end`; a later call with the same start corrects the end."""
        self._windows[start] = end

    def through(self, player: Player) -> Player:
        """`player`, watched: what it plays closes the ear and measures the delay."""
        return _Watched(player, self)

    def plays(self, samples: Samples, rate: int, playback: Playback) -> None:
        """`samples` (n,) go out as `playback` tells."""
        sounding = Sounding(resample(samples, rate, EAR_RATE), playback)
        self._playing.append(sounding)
        if len(sounding.samples) >= _SHORTEST * EAR_RATE:
            self._unmeasured.append(sounding)

    def hears(self, start: int, samples: Samples) -> None:
        """What the microphone gives: (n,) at EAR_RATE from capture index `start`."""
        if start != self._place + len(self._rest):
            self._levels.clear()
            self._rest, self._place = np.zeros(0, np.float32), start
        sound = np.concatenate([self._rest, samples])
        whole = len(sound) // HOP * HOP
        self._levels.extend(loudness(sound[:whole]).tolist())
        self._rest, self._place = sound[whole:], self._place + whole
        now = self._place / EAR_RATE
        while self._unmeasured and self._unmeasured[0].playback.end + LONGEST + 0.1 < now:
            self._measure(self._unmeasured.popleft())

    def closed(self, start: float, end: float) -> bool:
        """Whether our own voice may sound in the microphone between `start` and `end` seconds."""
        self._windows = {begin: over for begin, over in self._windows.items() if over > start - _FORGOTTEN}
        while self._playing and self._playing[0].playback.end < start - _FORGOTTEN:
            self._playing.popleft()
        return any(begin < end and start < over + self._tail for begin, over in self._spans())

    def covers(self, start: float, end: float) -> bool:
        """Whether what was heard from `start` to `end` lies within our own voice."""
        return any(begin < start < over and end < over + self._tail for begin, over in self._spans())

    def sound(self, first: int, count: int) -> Samples:
        """What of ours goes out from capture index `first` on, (count,) at EAR_RATE, at the time at which it is told to
        sound."""
        out = np.zeros(count, np.float32)
        for item in list(self._playing):
            begin = round(item.playback.start * EAR_RATE) - first
            length = min(len(item.samples), round((item.playback.end - item.playback.start) * EAR_RATE))
            low, high = max(0, begin), min(count, begin + length)
            if low < high:
                out[low:high] += item.samples[low - begin : high - begin]
        return out

    def _spans(self) -> list[tuple[float, float]]:
        later = self.delay
        playing = [(item.playback.start, item.playback.end + later) for item in list(self._playing)]
        return [*self._windows.items(), *playing]

    def _measure(self, sounding: Sounding) -> None:
        start = round(sounding.playback.start * EAR_RATE / HOP)
        length = round(min(sounding.playback.end - sounding.playback.start, _KEPT - LONGEST - 1.0) * EAR_RATE / HOP)
        oldest = self._place // HOP - len(self._levels)
        if start < oldest or length * HOP < _SHORTEST * EAR_RATE:
            return
        heard = np.array(self._levels, np.float32)[start - oldest :]
        found = shift(loudness(sounding.samples[: length * HOP]), heard, round(LONGEST * EAR_RATE / HOP))
        if found is not None:
            self._measured.append(found * HOP / EAR_RATE)


class _Watched:
    """A player whose sounds are told to an `OwnVoice`."""

    def __init__(self, player: Player, own: OwnVoice) -> None:
        self._player = player
        self._own = own

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        playback = self._player.play(samples, rate, at)
        self._own.plays(samples, rate, playback)
        return playback

    def close(self) -> None:
        self._player.close()


def loudness(sound: Samples) -> Floats:
    """dB of each HOP samples, not below -60."""
    power = (sound[: len(sound) // HOP * HOP].reshape(-1, HOP) ** 2).mean(axis=1)
    return np.asarray(10.0 * np.log10(np.maximum(power, 1e-6)), np.float32)


def shift(played: Floats, heard: Floats, most: int) -> int | None:
    """How many frames later `played` is found in `heard`, up to `most`; None where nothing is like it."""
    count = min(most, len(heard) - len(played)) + 1
    if count < 1 or played.std() < 1.0:
        return None
    wanted = (played - played.mean()) / played.std()
    pieces = np.lib.stride_tricks.sliding_window_view(heard, len(played))[:count]
    spread = np.maximum(pieces.std(axis=1), 1.0)
    alike = (pieces - pieces.mean(axis=1, keepdims=True)) @ wanted / (spread * len(played))
    best = int(alike.argmax())
    return best if alike[best] >= ALIKE else None
