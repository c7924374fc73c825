"""Listens to the level of a microphone for as long as it runs: nothing at all, next to nothing, too much."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from voiceref.audio.levels import CLIPPED
from voiceref.audio.source import Block, Trouble

NOTHING_AFTER = 2.5
"""Seconds without sound after which people are told (within 3 s)."""
_LEAST = 1.5 / 32768
"""Below this is no sound: one step of 16 bits; any open microphone hisses more than that."""
_LATER = 4.0
"""Each return of the sound makes the next silence this many times longer before it is told: some microphones are shut
by the system whenever nobody speaks."""
_CLIPPED_SHARE = 0.01
"""Share of clipped samples in a second from which it is too loud; two such seconds of three are told."""
_TOLD_FOR = 60.0
"""Seconds before the same trouble of level is told again."""


class SoundWatch:
    """What to tell people of the sound of one source, block by block. Times are capture seconds."""

    def __init__(self) -> None:
        self._quiet_since: float | None = None
        self._zeros = True
        self._patience = NOTHING_AFTER
        self._told_quiet = False
        self._second_ends = 1.0
        self._clipped = self._counted = 0
        self._loud: tuple[bool, bool] = (False, False)
        self._told_loud = -_TOLD_FOR

    def hear(self, block: Block) -> Iterator[Trouble]:
        """The troubles that begin or end with this block, which is not empty."""
        peak = float(np.abs(block.samples).max())
        end = block.end / block.rate
        if peak > _LEAST:
            if self._told_quiet:
                self._patience *= _LATER
                yield Trouble(end, "micro_revenu", "J'entends de nouveau.")
            self._quiet_since, self._zeros, self._told_quiet = None, True, False
            yield from self._loudness(block, end, peak)
            return
        self._zeros = self._zeros and peak == 0.0
        if self._quiet_since is None:
            self._quiet_since = block.start / block.rate
        if not self._told_quiet and end - self._quiet_since > self._patience:
            self._told_quiet = True
            yield _nothing(end) if self._zeros else _next_to_nothing(end)

    def _loudness(self, block: Block, end: float, peak: float) -> Iterator[Trouble]:
        self._counted += block.samples.size
        if peak >= CLIPPED:
            self._clipped += int(np.count_nonzero(np.abs(block.samples) >= CLIPPED))
        if end < self._second_ends:
            return
        loud = self._clipped > _CLIPPED_SHARE * self._counted
        enough = loud and any(self._loud)
        self._loud = (self._loud[1], loud)
        self._clipped = self._counted = 0
        self._second_ends = end + 1.0
        if enough and end - self._told_loud > _TOLD_FOR:
            self._told_loud = end
            yield Trouble(end, "micro_sature", "Le son sature : baissez le niveau du micro ou éloignez-le.")


def _nothing(t: float) -> Trouble:
    return Trouble(t, "micro_zeros", "Je n'entends rien : vérifiez l'autorisation du micro et son interrupteur.")


def _next_to_nothing(t: float) -> Trouble:
    return Trouble(t, "micro_faible", "Je n'entends presque rien : montez le niveau du micro ou rapprochez-le.")
