"""Short tones that say without words: the hourglass runs, is over; refused, taken back."""

from __future__ import annotations

from enum import Enum

import numpy as np

from voiceref.voice.synthesis import Sound

_RATE_HZ = 22_050
_LEVEL = 0.3
_FADE_S = 0.008

_REST = 0.0
_C4, _E4, _A4, _C5, _G5, _A5 = 261.6, 329.6, 440.0, 523.3, 784.0, 880.0


class Cue(Enum):
    """What a tone stands for: its notes as (hertz, seconds); 0 Hz is a rest. All end by themselves within 0.8 s."""

    HOURGLASS_START = ((_C5, 0.07), (_G5, 0.07), (_A5, 0.16))
    HOURGLASS_END = ((_A5, 0.12), (_REST, 0.09), (_A5, 0.12), (_REST, 0.09), (_A5, 0.28))
    REFUSED = ((_E4, 0.11), (_C4, 0.18))
    UNDO = ((_G5, 0.07), (_C5, 0.07), (_A4, 0.14))


def tone(cue: Cue) -> Sound:
    """The sound of `cue`: sines with soft edges, peak 0.3."""
    return Sound(np.concatenate([_note(hertz, seconds) for hertz, seconds in cue.value]), _RATE_HZ)


def _note(hertz: float, seconds: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    times = np.arange(round(seconds * _RATE_HZ)) / _RATE_HZ
    edges = np.minimum(1.0, np.minimum(times, times[::-1]) / _FADE_S)
    return (_LEVEL * edges * np.sin(2.0 * np.pi * hertz * times)).astype(np.float32)
