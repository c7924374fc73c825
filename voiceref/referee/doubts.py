"""What was heard badly is read back, never guessed: numbers of a report, orders that take something back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from voiceref.ear.hypothesis import Hypothesis
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.matcher import Match

ANSWER_S = 8.0
"""Seconds in which « oui » or « non » answers."""
DOUBTFUL = frozenset({"ambigu", "douteux"})
"""Reasons of the ear for not believing a reading that may be right all the same."""
TAKING_BACK = frozenset({"undo", "correct", "add_points", "overrule"})
"""Orders that change what has been counted."""
SURE = 0.95
"""Such an order heard with less certainty is read back first: table talk must not take points away."""
REPEATED_S = 10.0
"""Dice that were hardly understood are asked for again, but not more often than this (s): talk is not nagged at."""
_LEAST = 0.25
"""Readings less probable than this are not worth reading back."""
_TALK = 0.15
"""Readings less probable than this are talk, not numbers badly said."""


@dataclass(frozen=True)
class Doubt:
    """A reading put to the players at `asked` seconds of the capture clock."""

    asked: float
    heard: Hypothesis

    def answer(self, found: Match, at: float) -> bool | None:
        """What « oui » or « non » at `at` seconds says of it; None when it is too late or something else."""
        if at > self.asked + ANSWER_S:
            return None
        commands = {reading.command for reading in (found, *found.alternatives)}
        return True if "yes" in commands else False if "no" in commands else None

    def confirmed(self, answer: Hypothesis) -> Hypothesis:
        """The reading as said at the time of the answer: the hourglasses have run on since."""
        heard = replace(self.heard, accepted=True, reason=answer.reason, onset=answer.onset, score=1.0)
        return replace(heard, utterance=answer.utterance)


def worth_confirming(heard: Hypothesis, command: str | None) -> bool:
    """Whether an order was heard that must be read back before it is obeyed."""
    return command in TAKING_BACK and heard.score < SURE


def worth_asking(heard: Hypothesis, catalogue: Catalogue, legal: Collection[str]) -> bool:
    """Whether a refused reading is a report with numbers that the game waits for."""
    return heard.score >= _LEAST and _report(heard, catalogue, legal)


def worth_repeating(heard: Hypothesis, catalogue: Catalogue, legal: Collection[str]) -> bool:
    """Whether a refused reading is probably such a report, but too unsure to be read back."""
    return _TALK <= heard.score < _LEAST and _report(heard, catalogue, legal)


def _report(heard: Hypothesis, catalogue: Catalogue, legal: Collection[str]) -> bool:
    if heard.accepted or heard.reason not in DOUBTFUL or heard.phrase not in legal:
        return False
    phrase = catalogue.phrases.get(heard.phrase or "")
    return phrase is not None and phrase.kind == "report" and phrase.has_slots and bool(heard.text)
