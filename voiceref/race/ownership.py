"""With a microphone for each player: whether a phrase heard by one is its player's own, and when he began it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voiceref.race.channels import own_onsets
from voiceref.race.onset import Onset

_EARLY_S, _LATE_S = 0.25, 0.5
"""An own shout begins this close to where the words were placed; later it is an answer to an overheard phrase."""


def own_shout(samples: NDArray[np.float32], channel: int, said_at: float) -> Onset | None:
    """The shout of `channel` that carries the phrase placed at `said_at` seconds of (n, channels) samples at 16 kHz.

    None when the phrase belongs to another channel. When no channel has a clear rise of its own, the phrase is given to
    `channel`, whose sound held it, with the uncertainty of the words' place.
    """
    onsets = own_onsets(samples, max(0.0, said_at - _EARLY_S))
    mine = onsets[channel]
    if mine is not None:
        return mine if mine.t <= said_at + _LATE_S else None
    if any(onset is not None and onset.t <= said_at + _LATE_S for onset in onsets):
        return None
    return Onset(said_at, _LATE_S, 0.0)
