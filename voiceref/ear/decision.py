"""From evidence to yes or no: a calibrated score, three sensitivities, and a reason that people can read in the log."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from voiceref.ear.judge import Evidence

HEARD, SPOTTED = "entendu", "repéré"
REASONS: Mapping[str, str] = {
    HEARD: "phrase entendue",
    SPOTTED: "phrase attendue, reconnue au milieu d'autres paroles ou malgré un doute",
    "silence": "aucun son de parole",
    "autre_parole": "ce n'est aucune des phrases attendues",
    "douteux": "cela ressemble à une phrase attendue, mais trop peu",
    "ambigu": "deux phrases se ressemblent trop pour choisir",
    "moitié": "seule une partie de la phrase a été dite, ou autre chose l'entoure",
    "durée_absurde": "trop rapide ou trop lent pour être dit",
    "voix_arbitre": "c'était la voix de l'arbitre",
    "trop_tard": "reconnu trop tard pour compter",
}
"""Reason code of a hypothesis -> what it means."""

_SLOWEST, _FASTEST = 26.0, 1.7
"""Frames of 20 ms a phone beyond which no person speaks; shouts are long, so the upper bound is generous."""
_OTHER = 0.05
"""Below this score a reading is not even worth naming."""
_UNLIKE = -3.5
"""A mean fit below this is no phrase, however much worse its rivals fit: with few phrases legal they all do."""
_EVERYDAY = -10.0
"""An everyday utterance that fits better than the reading by this log score is what was said."""
_AMBIGUOUS, _OTHER_VALUE = 1.0, 3.0
"""Least distance to the runner-up, in log likelihood: to another phrase, to another value of the same phrase."""


class Sensitivity(StrEnum):
    """How easily the ear believes: `prudente` for noisy rooms, `vive` for quiet ones."""

    PRUDENT = "prudente"
    NORMAL = "normale"
    EAGER = "vive"


THRESHOLDS: Mapping[Sensitivity, float] = {
    Sensitivity.PRUDENT: 0.95,
    Sensitivity.NORMAL: 0.85,
    Sensitivity.EAGER: 0.6,
}
"""Least score at which a reading is taken."""


@dataclass(frozen=True)
class Weights:
    """A logistic model of the evidence, fitted on the tuning half of `speech_fr` by `benchmarks/ear_fit.py`."""

    constant: float = -0.53
    fit: float = 0.83
    worst: float = 0.17
    gap: float = 1.06
    margin: float = 2.28
    length: float = -0.06
    outside: float = -1.88
    decoy: float = 0.79
    before: float = -1.97
    agrees: float = 0.75


@dataclass(frozen=True)
class Decision:
    """Whether to act on a reading, how probable it is, and why (a key of REASONS)."""

    accepted: bool
    score: float
    reason: str


def features(evidence: Evidence, agrees: bool) -> dict[str, float]:
    """The numbers that the logistic model weighs, bounded so that no one of them decides alone."""
    return {
        "fit": max(evidence.fit, -5.0),
        "worst": max(evidence.worst, -7.0),
        "gap": max(evidence.gap, -3.0),
        "margin": min(evidence.margin, 20.0) / 10.0,
        "length": math.log(evidence.phones),
        "outside": min(evidence.outside, 1.0),
        "decoy": max(min(evidence.decoy, 20.0), -10.0) / 10.0,
        "before": min(evidence.before, 1.0),
        "agrees": float(agrees),
    }


def decide(
    evidence: Evidence, agrees: bool, sensitivity: Sensitivity = Sensitivity.NORMAL, weights: Weights | None = None
) -> Decision:
    """`agrees`: whether the second opinion is the same words."""
    weights = weights or Weights()
    total = weights.constant
    for name, value in features(evidence, agrees).items():
        total += float(getattr(weights, name)) * value
    score = 1.0 / (1.0 + math.exp(-max(min(total, 40.0), -40.0)))
    if score < _OTHER:
        return Decision(False, score, "autre_parole")
    if not _FASTEST <= evidence.pace <= _SLOWEST:
        return Decision(False, min(score, 0.01), "durée_absurde")
    if evidence.decoy < _EVERYDAY or evidence.fit < _UNLIKE:
        return Decision(False, min(score, _OTHER), "autre_parole")
    least = _OTHER_VALUE if evidence.rival_value else _AMBIGUOUS
    if score >= THRESHOLDS[sensitivity]:
        if evidence.margin < least:
            return Decision(False, min(score, 0.5), "ambigu")
        return Decision(True, score, HEARD)
    if evidence.margin < least and score > 0.2:
        return Decision(False, score, "ambigu")
    return Decision(False, score, "moitié" if evidence.outside > 0.3 else "douteux")
