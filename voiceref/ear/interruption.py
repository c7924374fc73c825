"""« Stop ! » while the referee speaks: the microphone without the referee, heard for a few words only."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from voiceref.audio.echo import BLOCK, EchoCanceller
from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.decision import Decision, Sensitivity, Weights, decide
from voiceref.ear.endpoint import HOP, Cut, Endpointer, EndpointSettings, NoiseFloor
from voiceref.ear.features import FRAME, MARGIN
from voiceref.ear.hypothesis import Hypothesis, Utterance
from voiceref.ear.judge import Judge, Judgement
from voiceref.ear.network import Network
from voiceref.ear.own_voice import OwnVoice
from voiceref.ear.posteriors import PhoneModel
from voiceref.ear.search import Posteriors, Reading
from voiceref.ear.word_graph import WordGraph

_AHEAD = 0.1
"""Seconds by which what was played is given to the filter before it is expected, as measured delays are not exact."""
_MOVED = 0.1
"""A delay that changes by more seconds than this moves what is given to the filter."""
_NEAR = 0.3
"""Share of the power that the filter leaves where somebody else speaks."""
_QUIET = 5.0
"""Sound that rises less than this over the noise floor, in dB, is none."""
_SHORTEST = 4
"""Phones of the shortest order that is believed, those of « stop »; shorter words are found in any rest."""
_LONGEST = 2.5
"""Longest utterance in seconds that may be an interruption; the referee's rest may keep it open otherwise."""


class Interruption:
    """Hears a few orders through the referee's own voice. Runs in the ear's thread, only while the ear is closed."""

    def __init__(
        self, graph: WordGraph, judge: Judge, phones: PhoneModel, own: OwnVoice, sensitivity: Sensitivity
    ) -> None:
        """`graph`: the orders that may be given meanwhile."""
        self._judge = judge
        self._network = Network.compile(graph, judge.lexicon)
        self._phones = phones
        self._own = own
        self._sensitivity = sensitivity
        self._echo = EchoCanceller()
        self._later = 0
        self._rest: Samples = np.zeros(0, np.float32)
        self._place = 0
        self._endpointer: Endpointer | None = None

    def push(self, start: int, samples: Samples, floor: NoiseFloor) -> Iterator[Hypothesis]:
        """The closed ear's sound (n,) from capture index `start`; `floor`: how loud the room is without speech."""
        if self._endpointer is None or start != self._place + len(self._rest):
            self._endpointer = Endpointer(EndpointSettings(longest=_LONGEST))
            self._endpointer.floor = deepcopy(floor)
            self._rest, self._place = np.zeros(0, np.float32), start
        sound = np.concatenate([self._rest, samples])
        whole = len(sound) // BLOCK * BLOCK
        self._rest = sound[whole:]
        for at in range(0, whole, BLOCK):
            left = self._echo.rest(sound[at : at + BLOCK], self._own.sound(self._place - self._shift(), BLOCK))
            near = power(left) > _NEAR * power(sound[at : at + BLOCK])
            cuts = self._endpointer.push(self._place, left, near)
            self._place += BLOCK
            for cut in cuts:
                heard = self._heard(cut)
                if heard is not None:
                    self._endpointer.settle()
                    yield heard

    def open(self) -> None:
        """The ear is open again: what follows is not ours to hear."""
        self._endpointer = None

    def _shift(self) -> int:
        """How many samples later than told our own sound is given to the filter."""
        wanted = max(0, round((self._own.delay - _AHEAD) * EAR_RATE)) if self._own.measured else 0
        if abs(wanted - self._later) > _MOVED * EAR_RATE:
            self._later = wanted
        return self._later

    def _heard(self, cut: Cut) -> Hypothesis | None:
        """The order of one cut, if it is one."""
        logp = self._phones.posteriors(cut.samples)
        heard = self._judge.hear(Posteriors(logp, silent(cut, len(logp))), self._network, {})
        for start in cut.starts:
            judgement = self._judge.judge(heard, round((start - cut.starts[0]) / EAR_RATE / FRAME), _one)
            if judgement is None:
                continue
            evidence = replace(judgement.evidence, margin=judgement.evidence.decoy, decoy=0.0)
            decision = decide(evidence, False, self._sensitivity, Weights())
            if decision.accepted and evidence.phones >= _SHORTEST:
                return self._hypothesis(cut, judgement, decision)
        return None

    def _hypothesis(self, cut: Cut, judgement: Judgement, decision: Decision) -> Hypothesis:
        """An order takes effect when it is understood, as the clock went on meanwhile."""
        now = self._place / EAR_RATE
        utterance = Utterance(cut.utterance.start, now, cut.utterance.level_db)
        return Hypothesis(
            utterance=utterance,
            onset=now,
            text=" ".join(judgement.reading.words),
            score=decision.score,
            accepted=True,
            reason=decision.reason,
            phrase=judgement.reading.phrase,
        )


def power(sound: Samples) -> float:
    """Mean power."""
    return float((sound**2).mean())


def silent(cut: Cut, count: int) -> npt.NDArray[np.bool_]:
    """Which of `count` frames of the posteriors have no sound that rises over the room."""
    places = np.clip(((np.arange(count) * FRAME - MARGIN) * EAR_RATE / HOP).round().astype(int), 0, len(cut.excess) - 1)
    return np.asarray(cut.excess[places] < _QUIET)


def _one(reading: Reading) -> str:
    """All orders that interrupt come to the same, so that they are no rivals; everyday words are."""
    return "stop"
