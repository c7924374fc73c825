"""One voice or two at once: the share of a shout in which two people sound, from the model in `models/overlap`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.race.network import session

BEFORE_S, AFTER_S = 0.3, 1.1
"""The model hears this much before and after the onset; what is missing is silence."""
_FRAME = 270
_FIRST, _LAST = round(BEFORE_S * EAR_RATE / _FRAME), 78
_EARLY, _MIDDLE = 12, 24
"""Frames after the onset: 0.2 s and 0.4 s."""

Classes = NDArray[np.float64]
"""(T, 7) probabilities: nobody, voice 1, 2, 3, voices 1 and 2, 1 and 3, 2 and 3; a frame each 16.9 ms."""


@dataclass(frozen=True)
class Overlap:
    """Parts, 0 to 1, of a shout's first second: two voices in its first 0.2 s, the next 0.2 s and the rest; and how
    much of it the second most active voice sounds."""

    early: float
    middle: float
    late: float
    second: float


class OverlapModel(Protocol):
    """Sound in, who sounds out."""

    def hear(self, sound: Samples) -> Classes:
        """The classes of mono samples (n,) at 16 kHz, at least 0.1 s."""
        ...


class OnnxOverlap:
    """PyanNet through onnxruntime, one thread: about 10 ms a shout."""

    def __init__(self, model: Path) -> None:
        """Load `overlap.onnx`. Raises FileNotFoundError when it is not there."""
        self._session = session(model)

    def hear(self, sound: Samples) -> Classes:
        (found,) = self._session.run(None, {"sound": sound[None, None].astype(np.float32)})
        result: Classes = np.exp(np.asarray(found[0], np.float64))
        return result


class FakeOverlap:
    """For tests: `together(sound)` tells the part of two voices, the same in every frame."""

    def __init__(self, together: Callable[[Samples], float] = lambda sound: 0.0) -> None:
        self._together = together

    def hear(self, sound: Samples) -> Classes:
        part = self._together(sound)
        row = np.array([0.0, 1.0 - part, 0.0, 0.0, part, 0.0, 0.0])
        result: Classes = np.tile(row, (len(sound) // _FRAME, 1))
        return result


def overlap(sound: Samples, onset: float, model: OverlapModel) -> Overlap:
    """Whether two voices sound in the shout that begins at `onset` seconds of mono `sound` (n,) at 16 kHz."""
    begin = round((onset - BEFORE_S) * EAR_RATE)
    part = np.pad(sound[max(0, begin) : round((onset + AFTER_S) * EAR_RATE)], (max(0, -begin), 0))
    part = np.pad(part, (0, max(0, round((BEFORE_S + AFTER_S) * EAR_RATE) - len(part))))
    frames = model.hear(0.5 * part / (np.abs(part).max() + 1e-9))[_FIRST:_LAST]
    both = frames[:, 4:].sum(axis=1)
    active = [frames[:, classes].sum(axis=1).mean() for classes in ((1, 4, 5), (2, 4, 6), (3, 5, 6))]
    early, middle, late = both[:_EARLY], both[_EARLY:_MIDDLE], both[_MIDDLE:]
    return Overlap(float(early.mean()), float(middle.mean()), float(late.mean()), float(sorted(active)[1]))
