"""« La vidéo »: the last races of a game with their sound, in memory while it lasts, to be told and heard again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.race.knocks import near
from voiceref.race.verdict import Claim

MOST = 10
"""Races that are kept."""
KEPT_S = 30.0
"""Seconds of sound that must be remembered: a cry may wait for the name of another one before it."""
APART_S = 3.0
"""Cries of one phrase that begin further apart are two races."""
_BEFORE_S, _AFTER_S = 0.6, 1.6
"""Kept before the first and after the last onset."""
_FULL_SCALE = 32767.0
_LOUD = 0.5
"""Peak of a race played again."""


class Memory(Protocol):
    """Sound that was just heard (`audio.recent.Recent`)."""

    def sound(self, start: float, end: float) -> tuple[float, Samples]:
        """What is kept between two capture seconds, (n, channels) at 16 kHz, and where it begins."""


@dataclass(frozen=True)
class Clip:
    """A race: its cries in the order of onset, in capture seconds, and the sound around them, (n, channels).

    `begin`: capture second of the first sample. Without an ear for sound there are no samples.
    """

    claims: tuple[Claim, ...]
    begin: float
    sound: NDArray[np.int16]

    @property
    def samples(self) -> Samples:
        """The sound at full scale ±1."""
        return (self.sound / _FULL_SCALE).astype(np.float32)

    @property
    def knocks(self) -> tuple[float, ...]:
        """Claps and hits on the table near the cries, in capture seconds: evidence that decides nothing (D-13)."""
        return tuple(self.begin + knock.t for knock in near(self.samples, [c.onset - self.begin for c in self.claims]))

    @property
    def heard(self) -> Samples:
        """All channels in one, (n,), loud enough to be played."""
        if not self.sound.size:
            return np.zeros(0, np.float32)
        mono = self.samples.mean(axis=1)
        return np.asarray(mono * (_LOUD / max(float(np.abs(mono).max()), 1e-4)), np.float32)


class Video:
    """Collects the cries of a game and cuts out their sound once they are over."""

    def __init__(
        self,
        memory: Memory | None = None,
        keep: Callable[[int, Clip], None] = lambda number, clip: None,
        over: Callable[[Clip], None] = lambda clip: None,
    ) -> None:
        """`keep` is given each finished race with its number from 1, and again when a name in it is corrected.

        `over` is told of each race once, when its sound is complete.
        """
        self._memory = memory
        self._keep = keep
        self._over = over
        self._clips: deque[Clip] = deque(maxlen=MOST)
        self._count = 0
        self._open = False

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The last races, oldest first."""
        return tuple(self._clips)

    def cry(self, claim: Claim) -> None:
        """A race phrase was cried; cries of one phrase near each other are one race."""
        if not self._clips or not _belongs(claim, self._clips[-1]):
            self._finish()
            self._clips.append(Clip((claim,), claim.onset, np.zeros((0, 1), np.int16)))
            self._count += 1
        else:
            claims = sorted((*self._clips[-1].claims, claim), key=lambda each: each.onset)
            self._clips[-1] = replace(self._clips[-1], claims=tuple(claims))
        self._open = True

    def late(self, claim: Claim) -> None:
        """A race phrase was cried when it counted no more; it is shown with the race that it came too late for."""
        if self._clips and _belongs(claim, self._clips[-1]):
            self.cry(claim)

    def clock(self, now: float) -> None:
        """Everything before `now` was heard."""
        if self._open and now > self._clips[-1].claims[-1].onset + _AFTER_S:
            self._finish()

    def last(self) -> Clip | None:
        """The last race, with as much of its sound as was heard."""
        if self._open:
            self._cut()
        return self._clips[-1] if self._clips else None

    def named(self, onset: float, *players: str) -> None:
        """The players say whose the cry at `onset` capture seconds was, of one or of several at once."""
        for place, clip in enumerate(self._clips):
            claims = tuple(named for claim in clip.claims for named in _renamed(claim, onset, players))
            if claims != clip.claims:
                self._clips[place] = replace(clip, claims=claims)
                if not (self._open and clip is self._clips[-1]):
                    self._keep(self._count - len(self._clips) + place + 1, self._clips[place])

    def corrected(self, player: str, phrase: str) -> float | None:
        """The first cry of the last race was that of `player`; its onset where it is his alone.

        None where that race is not here, or he cried in it himself: then it is not known which cry was whose.
        """
        if not self._clips or self._clips[-1].claims[0].phrase != phrase:
            return None
        claims = self._clips[-1].claims
        if any(claim.player == player for claim in claims):
            return None
        self.named(claims[0].onset, player)
        return claims[0].onset

    def close(self) -> None:
        """The game is over; nothing more will be heard."""
        self._finish()

    def _finish(self) -> None:
        if self._open:
            self._cut()
            self._open = False
            self._keep(self._count, self._clips[-1])
            self._over(self._clips[-1])

    def _cut(self) -> None:
        clip = self._clips[-1]
        if self._memory is None:
            return
        onsets = [claim.onset for claim in clip.claims]
        begin, sound = self._memory.sound(onsets[0] - _BEFORE_S, onsets[-1] + _AFTER_S)
        if len(sound) >= len(clip.sound):
            whole = (np.clip(sound, -1.0, 1.0) * _FULL_SCALE).astype(np.int16)
            self._clips[-1] = replace(clip, begin=begin, sound=whole)


def _renamed(claim: Claim, onset: float, players: tuple[str, ...]) -> tuple[Claim, ...]:
    if claim.onset != onset or not players:
        return (claim,)
    return tuple(replace(claim, player=player, confidence=1.0) for player in players)


def _belongs(claim: Claim, clip: Clip) -> bool:
    first = clip.claims[0]
    return claim.phrase == first.phrase and abs(claim.onset - first.onset) <= APART_S


def order(claims: tuple[Claim, ...]) -> tuple[tuple[str | None, int], ...]:
    """Each crier once, in the order of onset, with the hundredths of a second after the first."""
    seen: list[str] = []
    found: list[tuple[str | None, int]] = []
    for claim in claims:
        if claim.player is None or claim.player not in seen:
            found.append((claim.player, round(100 * (claim.onset - claims[0].onset))))
            seen.extend(filter(None, (claim.player,)))
    return tuple(found)


RATE = EAR_RATE
"""Samples a second of every clip."""
