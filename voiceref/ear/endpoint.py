"""Where utterances begin and end: energy over the noise floor in four bands, one channel, frames of 10 ms.

An utterance is given out several times as the silence after it grows (`Cut.stage`): at the first, short pause, so that
a complete phrase is decided at once; at a longer one, for phrases that could go on (« chouette » … « velute »); and at
last for good. Whoever listens calls `settle` when a cut was taken; otherwise speech that resumes joins the utterance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.features import Floats
from voiceref.ear.hypothesis import Utterance

HOP = EAR_RATE // 100
_WINDOW = np.hanning(2 * HOP).astype(np.float32)
_EDGES = (3, 12, 30, 70, 150)
"""Band edges in bins of 50 Hz: 150, 600, 1500, 3500, 7500 Hz."""
QUICK, PATIENT, LAST = 0, 1, 2
"""Stages of a cut."""


@dataclass(frozen=True)
class EndpointSettings:
    """Levels in dB, times in seconds. `pauses`: silence after which each stage is given out.

    Inside an utterance, sound below `of_peak` times the highest excess over the floor, at most `most_above`, is none.
    """

    above_floor: float = 8.0
    below_peak: float = 26.0
    least_db: float = -62.0
    of_peak: float = 0.5
    most_above: float = 10.0
    shortest: float = 0.06
    longest: float = 7.0
    before: float = 0.2
    after: float = 0.1
    pauses: tuple[float, float, float] = (0.14, 0.4, 0.75)


@dataclass(frozen=True)
class Cut:
    """An utterance so far: its sound with some of what was before and after, and where its stretches of speech begin.

    `first` is the capture index of `samples[0]`; `starts` are indices of speech after a pause, the first one included.
    `excess`: how far each 10 ms of `samples` rises above the noise of the room, in dB; none where that is not known.
    """

    utterance: Utterance
    stage: int
    first: int
    samples: Samples
    starts: tuple[int, ...]
    excess: Floats = field(default_factory=lambda: np.zeros(0, np.float32))


class NoiseFloor:
    """Level of the room without speech, in each band: the median of its frames, followed slowly while one speaks."""

    _STEP = np.float32(0.12)
    _WHILE_SPEECH = np.float32(0.06)
    _QUIETEST = np.float32(-85.0)

    def __init__(self) -> None:
        self.levels: Floats = np.full(len(_EDGES) - 1, -70.0, np.float32)
        self._first: list[Floats] = []

    def update(self, levels: Floats, speech: bool) -> bool:
        """One frame of 10 ms: dB in each band. True when the floor has just been measured for the first time."""
        if len(self._first) < 100:
            self._first.append(levels)
            if len(self._first) == 100:
                self.levels = np.clip(np.quantile(self._first, 0.15, axis=0), self._QUIETEST, -30.0).astype(np.float32)
                return True
        up = self._WHILE_SPEECH if speech else self._STEP
        self.levels = np.maximum(self.levels + np.where(levels > self.levels, up, -self._STEP), self._QUIETEST)
        return False

    def excess(self, levels: Floats) -> float:
        """How far a frame rises above the floor, in dB: the mean of the two bands where it rises most."""
        *_, second, most = np.sort(levels - self.levels)
        return float((second + most) / np.float32(2.0))


class Endpointer:
    """Takes samples in order, gives cuts. A gap in time ends the running utterance."""

    def __init__(self, settings: EndpointSettings | None = None) -> None:
        self._settings = settings or EndpointSettings()
        self.floor = NoiseFloor()
        keep = round((self._settings.before + 0.1) * EAR_RATE / HOP)
        self._past: deque[tuple[Samples, float]] = deque(maxlen=keep)
        self._rest = np.zeros(0, np.float32)
        self._place = 0
        self._previous = np.zeros(HOP, np.float32)
        self._recent: deque[Floats] = deque(maxlen=5)
        self._reset()

    def _reset(self) -> None:
        self._open = False
        self._sound: list[tuple[Samples, float]] = []
        self._first = self._begin = self._last_loud = 0
        self._starts: list[int] = []
        self._levels: list[float] = []
        self._peak = -120.0
        self._highest_excess = 0.0
        self._highest: Floats = np.full(len(_EDGES) - 1, -120.0, np.float32)
        self._stage = self._loud = 0

    @property
    def watermark(self) -> int:
        """Capture index before which nothing is still to come."""
        return self._begin if self._open else self._place

    def push(self, start: int, samples: Samples, heard: bool = True) -> Iterator[Cut]:
        """Samples (n,) whose first has capture index `start`; while not `heard` (our own voice) all is silence."""
        if start != self._place + len(self._rest):
            if self._open:
                yield self._cut(LAST)
            self._reset()
            self._past.clear()
            self._recent.clear()
            self._rest = np.zeros(0, np.float32)
            self._place = start
        sound = np.concatenate([self._rest, samples])
        whole = len(sound) // HOP * HOP
        self._rest = sound[whole:]
        for i in range(0, whole, HOP):
            yield from self._frame(sound[i : i + HOP], heard)

    def finish(self) -> Iterator[Cut]:
        """The stream ends: what is still open comes out, so that no last word is lost."""
        if self._open:
            yield self._cut(LAST)
            self._reset()

    def settle(self) -> None:
        """The cut just given was taken: whatever follows is a new utterance."""
        self._reset()

    def _frame(self, frame: Samples, heard: bool) -> Iterator[Cut]:
        levels = _bands(np.concatenate([self._previous, frame]))
        self._previous = frame
        self._recent.append(levels if heard else np.full_like(levels, -120.0))
        smooth = _median(self._recent)
        level = float(smooth.max())
        self._place += HOP
        excess = self.floor.excess(smooth)
        loud = excess > self._limit() and level > (self._peak - self._settings.below_peak if self._open else -120.0)
        loud = loud and level > self._settings.least_db
        self._loud = self._loud + 1 if loud else 0
        self._highest = np.maximum(self._highest, smooth)
        measured = heard and self.floor.update(levels, loud or self._open)
        if measured and self._open and self.floor.excess(self._highest) < self._settings.above_floor + 3.0:
            self._reset()
        if self._open:
            self._highest_excess = max(self._highest_excess, excess)
            yield from self._inside((frame, excess), level, loud)
        else:
            self._past.append((frame, excess))
            if not loud:
                self._highest = smooth
            if self._loud * HOP >= self._settings.shortest * EAR_RATE:
                self._begin_utterance(level)

    def _limit(self) -> float:
        """Excess over the floor above which a frame is speech; in noise, what is far below the peak is none."""
        settings = self._settings
        if not self._open:
            return settings.above_floor
        half = min(self._highest_excess * settings.of_peak, settings.most_above)
        return max(settings.above_floor - 2.0, half)

    def _begin_utterance(self, level: float) -> None:
        self._open = True
        self._sound = list(self._past)
        self._past.clear()
        self._first = self._place - HOP * len(self._sound)
        self._begin = self._place - self._loud * HOP
        self._starts = [self._begin]
        self._last_loud = self._place
        self._peak = level

    def _inside(self, frame: tuple[Samples, float], level: float, loud: bool) -> Iterator[Cut]:
        settings = self._settings
        self._sound.append(frame)
        self._peak = max(self._peak, level)
        if loud:
            if self._stage > 0 and self._loud * HOP >= 0.02 * EAR_RATE:
                self._starts.append(self._place - self._loud * HOP)
                self._stage = 0
            if self._stage == 0:
                self._last_loud = self._place
        silence = (self._place - self._last_loud) / EAR_RATE
        if (self._place - self._begin) / EAR_RATE > settings.longest:
            yield self._cut(LAST)
            self._reset()
        elif silence >= settings.pauses[self._stage]:
            stage = self._stage
            self._stage += 1
            yield self._cut(stage)
            if stage == LAST:
                self._reset()

    def _cut(self, stage: int) -> Cut:
        sound = np.concatenate([frame for frame, _ in self._sound])
        end = self._last_loud
        kept = min(len(sound), end + round(self._settings.after * EAR_RATE) - self._first)
        utterance = Utterance(self._begin / EAR_RATE, end / EAR_RATE, self._peak)
        excess = np.array([excess for _, excess in self._sound[: kept // HOP]], np.float32)
        return Cut(utterance, stage, self._first, sound[:kept], tuple(self._starts), excess)


def _median(levels: Sequence[Floats]) -> Floats:
    """What `np.median` over the frames gives, in a tenth of the time."""
    ordered = np.sort(np.stack(levels), axis=0)
    middle: Floats = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / np.float32(2.0)
    return middle


def _bands(window: Samples) -> Floats:
    """20 ms of sound -> dB of full scale in each band."""
    spectrum = np.fft.rfft(window * _WINDOW)
    power = spectrum.real**2 + spectrum.imag**2
    sums = np.add.reduceat(power, _EDGES)[:-1] / (0.375 * len(window) ** 2 / 2)
    return np.asarray(10.0 * np.log10(np.maximum(sums, 1e-12)), np.float32)
