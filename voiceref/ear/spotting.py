"""Expected phrases inside running talk: Viterbi through filler, phrase, filler, and the evidence for what it finds.

The filler is the free path of phones, so that talk before and after costs nothing. Inside a phrase each frame earns
`BONUS` less its distance to the free path: whoever fits more frames well earns more. Words that sound almost like the
sought ones, or hold them inside, earn in the same way, and where they earn more it was them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from voiceref.ear.alignment import Segment, align
from voiceref.ear.decision import Sensitivity
from voiceref.ear.lexicon import Pronouncing
from voiceref.ear.network import Chain, Network
from voiceref.ear.phones import PHONES, SILENCE, Pronunciation
from voiceref.ear.search import IMPOSSIBLE, Floats, Posteriors, Reading, readings
from voiceref.ear.word_graph import WordGraph

BONUS = 0.8
"""Log likelihood ratio to free phones, a frame, that a piece must exceed on average."""
AROUND = 40
"""Frames before and after a piece in which a rival may begin and end."""
SHARED = 0.5
"""A rival is one for a piece of which it covers this share."""
MOST = 2
"""Pieces of a cut that are looked at."""
LEAST = -4.0
"""Mean fit of phones below which a piece is not worth judging."""
_ALIKE = tuple(frozenset(PHONES.index(phone) for phone in pair.split()) for pair in ("o ɔ", "e ɛ", "ø œ"))
_VARIANTS = 12

Ints = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Broad:
    """Pronunciations of France and its neighbours: those of `lexicon`, with open and closed vowels in free exchange."""

    lexicon: Pronouncing

    def pronunciations(self, word: str) -> tuple[Pronunciation, ...]:
        """All ways to say one word, the usual one first."""
        usual = self.lexicon.pronunciations(word)
        return tuple(dict.fromkeys((*usual, *(form for way in usual for form in regional(way)))))


@cache
def regional(form: Pronunciation) -> tuple[Pronunciation, ...]:
    """The same sounds with every mid vowel open or closed, at most `_VARIANTS` ways."""
    choices = (next((sorted(pair) for pair in _ALIKE if phone in pair), [phone]) for phone in form)
    ways: Iterator[Pronunciation] = product(*choices)
    return tuple(way for way, _ in zip(ways, range(_VARIANTS), strict=False))


@dataclass(frozen=True)
class Piece:
    """Frames `start` to before `end` may hold an expected phrase; `gain` is its score over the filler's."""

    start: int
    end: int
    gain: float


@dataclass(frozen=True)
class Fitness:
    """What speaks for a phrase inside talk; log likelihoods are natural, frames are 20 ms.

    `fit`: mean over phones of their distance to the best phone, 0 is perfect. `gain`: of the piece, over the filler.
    `margin`: that less the gain of the best rival. `outside`: share of the cut's sound that is not in the piece.
    """

    fit: float
    gain: float
    margin: float
    outside: float


@dataclass(frozen=True)
class SpottingWeights:
    """A logistic model of `Fitness`, fitted on the tuning half of `speech_fr`; `benchmarks/spotting_fit.py` fits anew.

    These come from the judge before the last one. A fit with the last one finds less in Cachamot, more in Casque Chèque
    Chat, and refuses near words better and other words worse (all by few in a hundred).
    """

    constant: float = -0.74
    fit: float = 1.58
    gain: float = 1.92
    margin: float = 1.5
    outside: float = -1.81


SPOTTING_THRESHOLDS: Mapping[Sensitivity, float] = {
    Sensitivity.PRUDENT: 0.7,
    Sensitivity.NORMAL: 0.5,
    Sensitivity.EAGER: 0.35,
}
"""Least score at which a piece is taken for what is sought."""


@dataclass(frozen=True)
class Spotted:
    """An expected phrase inside a cut: its reading, where it lies in frames, and how probable it is (0..1)."""

    reading: Reading
    segments: tuple[Segment, ...]
    piece: Piece
    fitness: Fitness
    score: float

    def words(self) -> Iterator[tuple[str, int, int]]:
        """Each word with its first frame and the one after its last."""
        for place, text in enumerate(self.reading.words):
            own = [segment for segment in self.segments if segment.word == place]
            yield text, own[0].start, own[-1].end


@dataclass(frozen=True)
class Talk:
    """What is listened for inside talk: `sought` counts, `rivals` sound almost like it."""

    sought: Network
    rivals: Network

    @classmethod
    def of(cls, sought: WordGraph, rivals: WordGraph, lexicon: Pronouncing) -> Talk:
        """Regional ways of saying it are granted to what is sought only."""
        return cls(Network.compile(sought, Broad(lexicon)), Network.compile(rivals, lexicon))


@dataclass(frozen=True)
class Spotter:
    """Pure: posteriors of a cut in, the most probable expected phrase out."""

    lexicon: Pronouncing
    weights: SpottingWeights = field(default_factory=SpottingWeights)

    def spot(self, posteriors: Posteriors, talk: Talk) -> Spotted | None:
        """The best of the pieces, None where nothing resembles what is sought."""
        found = (self._judged(posteriors, talk, piece) for piece in pieces(posteriors, talk.sought))
        return max((spotted for spotted in found if spotted), key=lambda spotted: spotted.score, default=None)

    def _judged(self, posteriors: Posteriors, talk: Talk, piece: Piece) -> Spotted | None:
        inner = Posteriors(posteriors.logp[piece.start : piece.end])
        reading = next(readings(talk.sought, inner), None)
        if reading is None:
            return None
        aligned = align(inner, reading.words, Broad(self.lexicon))
        segments = tuple(
            Segment(one.phone, one.word, one.start + piece.start, one.end + piece.start, one.fit) for one in aligned
        )
        fits = [segment.fit for segment in segments if segment.phone != SILENCE]
        fit = sum(fits) / len(fits)
        if fit < LEAST:
            return None
        margin = piece.gain - _best_rival(posteriors, talk.rivals, piece)
        fitness = Fitness(fit, piece.gain, margin, _outside(posteriors, piece))
        return Spotted(reading, segments, piece, fitness, score(fitness, self.weights))


def features(fitness: Fitness) -> dict[str, float]:
    """The numbers that the logistic model weighs, bounded so that no one of them decides alone."""
    return {
        "fit": max(fitness.fit, LEAST),
        "gain": min(fitness.gain, 60.0) / 20.0,
        "margin": max(min(fitness.margin, 10.0), -10.0) / 10.0,
        "outside": min(fitness.outside * 3.0, 1.0),
    }


def score(fitness: Fitness, weights: SpottingWeights) -> float:
    """Calibrated probability that the phrase was said."""
    total = weights.constant
    for name, value in features(fitness).items():
        total += float(getattr(weights, name)) * value
    return 1.0 / (1.0 + math.exp(-max(min(total, 40.0), -40.0)))


def pieces(posteriors: Posteriors, network: Network, most: int = MOST) -> tuple[Piece, ...]:
    """The pieces of a cut that fit a phrase of `network` best, at most `most`, none overlapping, best first."""
    gains, starts = _gains(posteriors.logp, posteriors.best, network)
    found: list[Piece] = []
    for end in np.argsort(-gains, kind="stable"):
        piece = Piece(int(starts[end]), int(end), float(gains[end]))
        if piece.gain <= 0.0 or len(found) == most:
            break
        if all(piece.end <= other.start or piece.start >= other.end for other in found):
            found.append(piece)
    return tuple(found)


def _best_rival(posteriors: Posteriors, rivals: Network, piece: Piece) -> float:
    """The greatest gain, at least 0, of a rival that covers enough of the piece."""
    first, last = max(0, piece.start - AROUND), min(posteriors.frames, piece.end + AROUND)
    gains, starts = _gains(posteriors.logp[first:last], posteriors.best[first:last], rivals)
    ends = np.arange(first, last + 1)
    shared = np.minimum(ends, piece.end) - np.maximum(starts + first, piece.start)
    return float(gains[shared >= SHARED * (piece.end - piece.start)].max(initial=0.0))


def _outside(posteriors: Posteriors, piece: Piece) -> float:
    sounding = posteriors.sounding()
    inner = int((posteriors.logp[piece.start : piece.end].argmax(axis=1) != SILENCE).sum())
    outer = int(sounding[: piece.start].sum() + sounding[piece.end :].sum())
    return outer / max(outer + inner, 1)


def _gains(logp: Floats, best: Floats, network: Network) -> tuple[Floats, Ints]:
    """For each time (T + 1): the greatest gain of a phrase that ends there, and when that began."""
    frames = len(logp)
    gains, starts = np.full(frames + 1, IMPOSSIBLE, np.float32), np.zeros(frames + 1, np.intp)
    chain = network.chain
    if chain is None or not network.finals:
        return gains, starts
    ratio = logp - best[:, None]
    earned = ratio + np.float32(BONUS)
    reaching = _reaching(chain)
    finals = np.array(sorted(network.finals))
    inside = np.full(len(chain.phones), IMPOSSIBLE, np.float32)
    since = np.zeros(len(chain.phones), np.intp)
    rested, rested_since = np.full(network.nodes, IMPOSSIBLE, np.float32), np.zeros(network.nodes, np.intp)
    for t in range(frames):
        rested[0], rested_since[0] = 0.0, t
        entering, began = np.roll(inside, 1), np.roll(since, 1)
        entering[chain.firsts], began[chain.firsts] = rested[chain.sources], rested_since[chain.sources]
        since = np.where(entering > inside, began, since)
        inside = np.maximum(entering, inside) + earned[t, chain.phones]
        last = inside[chain.lasts]
        greatest = np.maximum.reduceat(last, chain.groups)
        winners = last == greatest[reaching]
        now, now_since = np.full(network.nodes, IMPOSSIBLE, np.float32), np.zeros(network.nodes, np.intp)
        now[chain.targets] = greatest
        now_since[chain.targets[reaching[winners]]] = since[chain.lasts][winners]
        end = finals[int(np.argmax(now[finals]))]
        gains[t + 1], starts[t + 1] = now[end], now_since[end]
        rested += ratio[t, SILENCE]
        rested_since = np.where(now > rested, now_since, rested_since)
        rested = np.maximum(now, rested)
    return gains, starts


def _reaching(chain: Chain) -> Ints:
    """(pronunciations,): the place in `chain.targets` of the node that each leads to."""
    sizes = np.diff(np.append(chain.groups, len(chain.lasts)))
    return np.repeat(np.arange(len(chain.targets)), sizes)
