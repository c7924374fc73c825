"""The race's answer to the ear's question whose shout it was, where each player has a microphone."""

from __future__ import annotations

from voiceref.audio.source import Samples
from voiceref.ear.crosstalk import Own
from voiceref.race.ownership import own_shout


def owned(sound: Samples, channel: int, said_at: float) -> Own | None:
    """The own shout of `channel` at about `said_at` seconds of `sound`, timed on its rise, or None."""
    onset = own_shout(sound, channel, said_at)
    return None if onset is None else Own(onset.t, onset.uncertainty)
