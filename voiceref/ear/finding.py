"""What one cut says: each of its stretches judged, where in doubt with Vosk's opinion, and decided upon."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.decision import THRESHOLDS, Decision, Sensitivity, Weights, decide
from voiceref.ear.endpoint import HOP, Cut
from voiceref.ear.features import FRAME, MARGIN
from voiceref.ear.judge import Heard, Judge, Judgement, Meaning, verbatim
from voiceref.ear.network import Network
from voiceref.ear.posteriors import PhoneModel
from voiceref.ear.recogniser import Recogniser
from voiceref.ear.search import Posteriors
from voiceref.ear.spotting import Talk
from voiceref.ear.word_graph import WordGraph

_CLEAN = 0.1
"""A reading that leaves less than this share of the sound outside is not looked for in a shorter stretch."""
_ROOM = 5.0
"""Sound that rises less than this over the noise floor, in dB, may be the room."""
_RECOGNISERS = 3
"""How many sets of phrases stay ready for the second opinion."""


@dataclass(frozen=True)
class Expected:
    """What may be said now: the graph and the network of it, known by `key`, and what is sought inside talk.

    `costs`: phrase id -> log score taken off, for phrases that are not legal now; `meaning`: which readings come to
    the same.
    """

    graph: WordGraph
    key: int
    network: Network
    talk: Talk | None = None
    costs: Mapping[str, float] = field(default_factory=dict)
    meaning: Meaning = verbatim


@dataclass(frozen=True)
class Finding:
    """The best of the stretches of one cut, which begins at `start` seconds on the capture clock."""

    judgement: Judgement | None
    decision: Decision
    start: float


class Finder:
    """Judges cuts. Runs in the ear's thread, which owns the recognisers of the second opinion."""

    def __init__(
        self,
        judge: Judge,
        phones: PhoneModel,
        second: Callable[[WordGraph], Recogniser] | None,
        sensitivity: Sensitivity,
        weights: Weights,
    ) -> None:
        """`second` makes the recogniser whose opinion is asked in cases of doubt; None: the judge alone."""
        self._judge = judge
        self._phones = phones
        self._second = second
        self._sensitivity = sensitivity
        self._weights = weights
        self._recognisers: OrderedDict[int, Recogniser] = OrderedDict()

    def posteriors(self, cut: Cut) -> Posteriors:
        """What the judge hears in a cut, phone by phone."""
        logp = self._phones.posteriors(cut.samples)
        return Posteriors(logp, _quiet(cut.excess, len(logp)))

    def find(self, cut: Cut, expected: Expected) -> Finding:
        """Judge the whole cut, then its later stretches alone. Raises ValueError for a cut without speech."""
        heard = self._judge.hear(self.posteriors(cut), expected.network, expected.costs)
        best: Finding | None = None
        for start in cut.starts:
            finding = self.stretch(cut, expected, heard, start)
            if best is None or _rank(finding) > _rank(best):
                best = finding
            judged = best.judgement
            if best.decision.accepted and judged is not None and judged.evidence.outside < _CLEAN:
                break
        if best is None:
            raise ValueError("a cut has no speech in it")
        return best

    def stretch(self, cut: Cut, expected: Expected, heard: Heard, start: int) -> Finding:
        """The cut from capture index `start` on."""
        first, seconds = round((start - cut.starts[0]) / EAR_RATE / FRAME), start / EAR_RATE
        judgement = self._judge.judge(heard, first, expected.meaning)
        if judgement is None:
            return Finding(None, Decision(False, 0.0, "autre_parole"), seconds)
        without = decide(judgement.evidence, False, self._sensitivity, self._weights)
        backed = decide(judgement.evidence, True, self._sensitivity, self._weights)
        doubtful = backed.accepted and without.score < max(THRESHOLDS.values())
        if doubtful and self.agrees(cut, expected, judgement, first):
            return Finding(judgement, backed, seconds)
        return Finding(judgement, without, seconds)

    def agrees(self, cut: Cut, expected: Expected, judgement: Judgement, first: int) -> bool:
        """Whether Vosk hears the same words in the same stretch."""
        if self._second is None:
            return False
        key = expected.key
        if key not in self._recognisers:
            self._recognisers[key] = self._second(expected.graph)
            if len(self._recognisers) > _RECOGNISERS:
                self._recognisers.popitem(last=False)[1].close()
        self._recognisers.move_to_end(key)
        skipped = round(first * FRAME * EAR_RATE)
        return self._recognisers[key].hear(cut.samples[skipped:]).text == judgement.reading.text


def _rank(finding: Finding) -> tuple[bool, float]:
    return finding.decision.accepted, finding.decision.score


def _quiet(excess: Samples, frames: int) -> npt.NDArray[np.bool_]:
    """Which frames of the judge are no louder than the room: (n,) dB over the floor every 10 ms -> (frames,)."""
    margin, each = round(MARGIN / FRAME), round(FRAME * EAR_RATE / HOP)
    louder = np.zeros(frames, np.float32)
    pairs = excess[: len(excess) // each * each].reshape(-1, each).max(axis=1)
    count = max(0, min(len(pairs), frames - margin))
    louder[margin : margin + count] = pairs[:count]
    return louder < _ROOM
