"""How much, how loud and in what manner the referee speaks; frozen, so that a spoken order makes a new one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from voiceref.voice.synthesis import Manner

_STEP = 0.15
"""How much one order changes volume (of full scale), rate or pitch (of the normal one)."""
_SOFTEST, _LOUDEST = 0.1, 1.0


class Talk(Enum):
    """How much is spoken by itself. Everything stays on the screen, and any of it is spoken when asked for."""

    ALL = "tout"
    SHORT = "court"
    ON_REQUEST = "sur demande"


class Weight(Enum):
    """What a sentence is for: an answer to a person, a question that the game waits for, a result, a detail."""

    ANSWER = "answer"
    QUESTION = "question"
    RESULT = "result"
    DETAIL = "detail"


_SPOKEN = {
    Talk.ALL: frozenset(Weight),
    Talk.SHORT: frozenset({Weight.ANSWER, Weight.QUESTION, Weight.RESULT}),
    Talk.ON_REQUEST: frozenset({Weight.ANSWER, Weight.QUESTION}),
}


@dataclass(frozen=True)
class Style:
    """What players set by voice. `volume` is a factor on full scale, 0.1 to 1."""

    talk: Talk = Talk.ALL
    manner: Manner = field(default_factory=Manner)
    volume: float = 0.7

    def speaks(self, weight: Weight) -> bool:
        """Whether a sentence of this weight is spoken at this talk level."""
        return weight in _SPOKEN[self.talk]

    def louder(self) -> Style:
        return replace(self, volume=min(_LOUDEST, self.volume + _STEP))

    def softer(self) -> Style:
        return replace(self, volume=max(_SOFTEST, self.volume - _STEP))

    def faster(self) -> Style:
        return replace(self, manner=replace(self.manner, rate=self.manner.rate + _STEP))

    def slower(self) -> Style:
        return replace(self, manner=replace(self.manner, rate=self.manner.rate - _STEP))

    def higher(self) -> Style:
        return replace(self, manner=replace(self.manner, pitch=self.manner.pitch + _STEP))

    def lower(self) -> Style:
        return replace(self, manner=replace(self.manner, pitch=self.manner.pitch - _STEP))
