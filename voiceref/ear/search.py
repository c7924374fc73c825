"""The best readings of an utterance: exact N-best search of phone posteriors through a network of phrases.

Going through time backwards gives, for each node and frame, the best log score of all that may follow from then on; a
best-first search from a beginning, guided by these exact scores of all endings, then yields complete readings in order
of score. There one phone is one running maximum over time. One pass serves every stretch that ends where the sound
does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voiceref.ear.network import Batch, Ints, Network
from voiceref.ear.phones import SILENCE

Floats = npt.NDArray[np.float32]
IMPOSSIBLE = np.float32(-1e9)
SHORTEST = 1
"""Fewest frames of a phone."""
MURMUR = 2.0
"""At the edges of an utterance any sound passes for silence at this cost a frame (log likelihood)."""
QUIET = 0.3
"""The same where it is no louder than the room."""
BEAM = (30.0, 0.9)
"""Endings this far below free phones (log score, plus as much a frame) belong to nothing worth believing."""
PACE = 1.7
"""Fewest frames a phone on average, from any word to the end: faster speech is not followed."""
_LIMIT = 400
"""Most expansions of one search."""
_OPENINGS = 64
"""Most pronunciations of first words, the most promising ones, that a search begins with."""


@dataclass(frozen=True)
class Reading:
    """A complete path: its words, phrase id, and total log score of the utterance."""

    words: tuple[str, ...]
    phrase: str
    score: float

    @property
    def text(self) -> str:
        return " ".join(self.words)


class Posteriors:
    """Log posteriors (T, 36) with running sums, so that a stretch of any phone is one subtraction.

    `quiet` (T,): frames no louder than the noise of the room, which pass for silence at the edges.
    """

    def __init__(self, logp: Floats, quiet: npt.NDArray[np.bool_] | None = None) -> None:
        self.logp = logp
        self.frames = len(logp)
        self.best = logp.max(axis=1)
        self.sums = _running(logp.T)
        self.silence = self.sums[SILENCE]
        self.quiet = np.zeros(self.frames, bool) if quiet is None else quiet
        cost = np.where(self.quiet, QUIET, MURMUR).astype(np.float32)
        murmur = np.maximum(logp[:, SILENCE], self.best - cost)
        self.edge = _running(murmur[None])[0]

    def free(self) -> float:
        """Score of the best sequence of phones without any grammar."""
        return float(self.best.sum())

    def sounding(self) -> npt.NDArray[np.bool_]:
        """(T,): where something louder than the room is heard."""
        return np.asarray((self.logp.argmax(axis=1) != SILENCE) & ~self.quiet)

    def since(self, first: int) -> Posteriors:
        """The same from frame `first` on."""
        return Posteriors(self.logp[first:], self.quiet[first:]) if first else self


def _running(rows: Floats) -> Floats:
    """(n, T) -> (n, T + 1) sums of the first t values."""
    sums = np.zeros((len(rows), rows.shape[1] + 1), np.float32)
    np.cumsum(rows, axis=1, out=sums[:, 1:])
    return sums


class Search:
    """Everything that a network may say in a cut, gone through once for all of the stretches that end with it."""

    def __init__(self, network: Network, posteriors: Posteriors, costs: Mapping[str, float] | None = None) -> None:
        """`costs`: phrase id -> log score taken off."""
        self._network = network
        self._posteriors = posteriors
        self._costs = costs or {}
        self._left, self._opened = _endings(network, posteriors, self._costs)

    def readings(self, first: int = 0) -> Iterator[Reading]:
        """Readings of all that sounds from frame `first` on, best first, each text once."""
        network, posteriors, left = self._network, self._posteriors.since(first), self._left[:, first:]
        heap: list[tuple[float, int, int, tuple[str, ...], Floats | None]] = []
        fresh, expanded = 0, 0
        seen: set[tuple[str, ...]] = set()

        def add(batch: Batch, before: Floats, words: tuple[str, ...]) -> None:
            nonlocal fresh
            targets, arcs, behind = _onward(network, batch, before, posteriors)
            scores = (left[targets] + behind).max(axis=1)
            for target, arc, score, so_far in zip(targets.tolist(), arcs.tolist(), scores, behind, strict=True):
                heapq.heappush(heap, (-float(score), fresh, target, (*words, network.words[arc]), so_far))
                fresh += 1

        opening = network.out[0]
        if opening is not None:
            promise = (self._opened[first:] + posteriors.edge[:, None]).max(axis=0)
            add(opening.only(_greatest(promise, _OPENINGS)), posteriors.edge, ())
        while heap and expanded < _LIMIT:
            worst, _, node, words, so_far = heapq.heappop(heap)
            if -worst < IMPOSSIBLE / 2:
                return
            if so_far is None:
                if words not in seen:
                    seen.add(words)
                    yield Reading(words, network.finals[node], -worst)
                continue
            expanded += 1
            if node in network.finals:
                cost = self._costs.get(network.finals[node], 0.0)
                heapq.heappush(heap, (cost - float(so_far[-1]), fresh, node, words, None))
                fresh += 1
            onwards = network.out[node]
            if onwards is not None:
                add(onwards, so_far, words)


def readings(network: Network, posteriors: Posteriors, costs: Mapping[str, float] | None = None) -> Iterator[Reading]:
    """Readings of the whole utterance, best first, each text once. `costs`: phrase id -> log score taken off."""
    return Search(network, posteriors, costs).readings()


def _greatest(values: Floats, most: int) -> Ints:
    """The places of the `most` greatest values, in order of place."""
    if len(values) <= most:
        return np.arange(len(values))
    return np.sort(np.argpartition(-values, most)[:most])


def _endings(network: Network, posteriors: Posteriors, costs: Mapping[str, float]) -> tuple[Floats, Floats]:
    """(nodes, T + 1): best score of all that may follow a node from time t on, silence before it not included;
    (T + 1, pronunciations of first words): the same of what begins with that pronunciation.

    Viterbi, one frame before the other, over all phones of all words at once; a word comes before a node only where
    what follows is worth believing.
    """
    frames = posteriors.frames
    left = np.full((frames + 1, network.nodes), IMPOSSIBLE, np.float32)
    opened = np.full((frames + 1, len(network.openings)), IMPOSSIBLE, np.float32)
    for node, phrase in network.finals.items():
        left[frames, node] = -costs.get(phrase, 0.0)
    tree = network.tree
    if tree is None:
        return left.T, opened
    least = np.zeros(frames + 1, np.float32)
    np.cumsum(posteriors.best[::-1] - np.float32(BEAM[1]), out=least[1:])
    least = least[::-1] - np.float32(BEAM[0])
    latest = frames - np.ceil(PACE * network.least_phones)
    murmur = np.diff(posteriors.edge)
    rested = left[frames].copy()
    inside = np.full(len(tree.phones), IMPOSSIBLE, np.float32)
    moved = np.empty_like(inside)
    for t in range(frames - 1, -1, -1):
        logp = posteriors.logp[t]
        tree.step(inside, moved, rested[tree.sources], logp)
        inside, moved = moved, inside
        now = left[t]
        now[tree.targets] = tree.best(inside)
        np.take(inside, network.openings, out=opened[t], mode="clip")
        rested += np.where(network.edges, murmur[t], logp[SILENCE])
        np.maximum(rested, np.where((now > least[t]) & (t <= latest), now, IMPOSSIBLE), out=rested)
    return np.ascontiguousarray(left.T), opened


def _onward(network: Network, batch: Batch, before: Floats, posteriors: Posteriors) -> tuple[Ints, Ints, Floats]:
    """For the arcs out of a node that is reached by time t with score `before` (T + 1): their targets (n,), the arcs
    (n,), and the scores (n, T + 1) of having reached each target, silence after it included.
    """
    paths = np.repeat(before[None], len(batch.lengths), axis=0)
    for step in range(batch.phones.shape[1]):
        rows = batch.rows(step)
        sums = posteriors.sums[batch.phones[:rows, step]]
        since = np.maximum.accumulate(paths[:rows] - sums, axis=1)
        paths[:rows, SHORTEST:] = since[:, :-SHORTEST] + sums[:, SHORTEST:]
        paths[:rows, :SHORTEST] = IMPOSSIBLE
    order = np.argsort(batch.arc, kind="stable")
    arcs, firsts = np.unique(batch.arc[order], return_index=True)
    best = np.maximum.reduceat(paths[order], firsts, axis=0)
    targets = batch.target[order][firsts]
    sums = np.where(network.edges[targets, None], posteriors.edge, posteriors.silence)
    return targets, arcs, np.maximum.accumulate(best - sums, axis=1) + sums
