"""The judge: scores one cut of sound against all that may be said now, against decoys and against free speech."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from voiceref.ear.alignment import Segment, align
from voiceref.ear.features import FRAME, MARGIN
from voiceref.ear.hypothesis import Word
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.network import Network
from voiceref.ear.phones import SILENCE
from voiceref.ear.search import Posteriors, Reading, Search

_COMPARED = 12
"""How many readings are looked at for one that means something else."""

Meaning = Callable[[Reading], Hashable]
"""What a reading comes to; readings of one meaning are not told apart."""


def verbatim(reading: Reading) -> Hashable:
    """Every text means something of its own."""
    return reading.words


@dataclass(frozen=True)
class Evidence:
    """What speaks for and against a reading; log likelihoods are natural, frames are 20 ms.

    `fit`: mean over phones of their distance to the best phone, 0 is perfect. `worst`: the same of the worst word.
    `gap`: score of the reading less that of free phones, a frame of speech. `margin`: score less that of the runner-up;
    `decoy`: less that of the best everyday utterance, both in all. `phones`: how many. `pace`: frames a phone.
    `outside`: share of the cut's sound, where louder than the room, that lies before and after the reading.
    `rival_value`: the runner-up is the same phrase with another number, name or combination.
    `before`: seconds of sound in the same cut before the stretch that was judged.
    """

    fit: float
    worst: float
    gap: float
    margin: float
    decoy: float
    phones: int
    pace: float
    outside: float
    rival_value: bool = False
    before: float = 0.0


@dataclass(frozen=True)
class Judgement:
    """The best reading of a stretch, the best one of another text, and the evidence.

    Times are seconds from the start of the cut.
    """

    reading: Reading
    runner_up: Reading | None
    evidence: Evidence
    words: tuple[Word, ...]
    spoken: tuple[int, ...]

    @property
    def onset(self) -> float:
        """When the first phone begins."""
        return self.words[0].start


@dataclass(frozen=True)
class Heard:
    """A cut with all that may have been said in it, searched once: `said` of what counts, `everyday` of decoys."""

    posteriors: Posteriors
    said: Search
    everyday: Search


@dataclass(frozen=True)
class Judge:
    """Pure scoring: posteriors in, judgement out."""

    lexicon: Lexicon
    decoys: Network

    def hear(self, posteriors: Posteriors, network: Network, costs: Mapping[str, float]) -> Heard:
        """`costs`: phrase id -> log score taken off, for phrases that are not legal now."""
        return Heard(posteriors, Search(network, posteriors, costs), Search(self.decoys, posteriors))

    def judge(self, heard: Heard, first: int = 0, meaning: Meaning = verbatim) -> Judgement | None:
        """What was said from frame `first` to the end; None when nothing that may be said fits into the time.

        The runner-up is the best reading of another `meaning`: « deux et un » and « deux, un » do not compete.
        """
        found = heard.said.readings(first)
        best = next(found, None)
        if best is None:
            return None
        sense = meaning(best)
        runner_up = next((other for other in islice(found, _COMPARED) if meaning(other) != sense), None)
        posteriors = heard.posteriors.since(first)
        segments = align(posteriors, best.words, self.lexicon)
        decoy = next((r for r in heard.everyday.readings(first) if r.words != best.words), None)
        evidence = _evidence(posteriors, best, runner_up, decoy, segments)
        before = float(heard.posteriors.sounding()[:first].sum()) * FRAME
        return Judgement(
            reading=best,
            runner_up=runner_up,
            evidence=replace(evidence, before=before),
            words=_words(best.words, segments, first * FRAME - MARGIN),
            spoken=tuple(segment.phone for segment in segments if segment.phone != SILENCE),
        )


def _evidence(
    posteriors: Posteriors,
    best: Reading,
    runner_up: Reading | None,
    decoy: Reading | None,
    segments: tuple[Segment, ...],
) -> Evidence:
    phones = [segment for segment in segments if segment.phone != SILENCE]
    words: dict[int, list[float]] = {}
    for segment in phones:
        words.setdefault(segment.word, []).append(segment.fit)
    start, end = phones[0].start, phones[-1].end
    sounding = posteriors.sounding()
    sounding[start:end] |= posteriors.logp[start:end].argmax(axis=1) != SILENCE
    outside = int(sounding[:start].sum() + sounding[end:].sum())
    return Evidence(
        fit=float(np.mean([segment.fit for segment in phones])),
        worst=min(float(np.mean(fits)) for fits in words.values()),
        gap=(best.score - posteriors.free()) / max(int(sounding.sum()), 1),
        margin=best.score - runner_up.score if runner_up else 99.0,
        decoy=best.score - decoy.score if decoy else 99.0,
        phones=len(phones),
        pace=(end - start) / len(phones),
        outside=outside / max(int(sounding.sum()), 1),
        rival_value=runner_up is not None and runner_up.phrase == best.phrase,
    )


def _words(texts: tuple[str, ...], segments: tuple[Segment, ...], offset: float) -> tuple[Word, ...]:
    found = []
    for place, text in enumerate(texts):
        own = [segment for segment in segments if segment.word == place]
        found.append(Word(text, offset + own[0].start * FRAME, offset + own[-1].end * FRAME))
    return tuple(found)
