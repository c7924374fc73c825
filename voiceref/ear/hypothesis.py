"""What the ear says it heard. Times are seconds on the capture clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Utterance:
    """A stretch of sound between two silences: its bounds and the level of its loudest tenth of a second."""

    start: float
    end: float
    level_db: float


@dataclass(frozen=True)
class Word:
    """A word and where it lies."""

    text: str
    start: float
    end: float


@dataclass(frozen=True)
class Hypothesis:
    """The best reading of one utterance, accepted or not.

    `text` is what the ear takes it for, "" when it is nothing the ear listens for; `accepted` tells whether to act on
    it. `score` is the calibrated probability that `text` was really said; `margin` is the distance to `runner_up`
    (the best reading with another text) in log-likelihood a frame. `reason` is a code, see `voiceref.ear.decision`.
    `uncertainty`: half-width in seconds of the interval that holds the true onset nine times in ten, where measured.
    `together`: probability that a second voice sounds in it, where one microphone hears all.
    """

    utterance: Utterance
    onset: float
    text: str
    score: float
    accepted: bool
    reason: str
    phrase: str | None = None
    words: tuple[Word, ...] = ()
    runner_up: str = ""
    margin: float = 0.0
    speaker: str | None = None
    channel: int | None = None
    uncertainty: float | None = None
    together: float = 0.0


@dataclass(frozen=True)
class Clock:
    """Watermark: nothing said before `t` seconds is still to come."""

    t: float
