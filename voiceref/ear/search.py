"""The best readings of an utterance: exact N-best search of phone posteriors through a network of phrases.

Going through time forwards gives, for each node and frame, the best log score of having reached it by then; a best-
first search from the ends, guided by these exact scores of all beginnings, then yields complete readings in order of
score. There one phone is one running maximum over time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
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
"""Beginnings this far below free phones (log score, plus as much a frame so far) lead to nothing worth believing."""
PACE = 1.7
"""Fewest frames a phone on average, from the start to any word: faster speech is not followed."""
_LIMIT = 400
"""Most expansions of one search."""


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


def _running(rows: Floats) -> Floats:
    """(n, T) -> (n, T + 1) sums of the first t values."""
    sums = np.zeros((len(rows), rows.shape[1] + 1), np.float32)
    np.cumsum(rows, axis=1, out=sums[:, 1:])
    return sums


def readings(network: Network, posteriors: Posteriors, costs: dict[str, float] | None = None) -> Iterator[Reading]:
    """Readings of the whole utterance, best first, each text once. `costs`: phrase id -> log score taken off."""
    reached = _forward(network, posteriors)
    end = posteriors.edge[-1] - posteriors.edge
    heap: list[tuple[float, int, int, tuple[str, ...], str, Floats, float]] = []
    ended = (reached[list(network.finals)] + end).max(axis=1) if network.finals else ()
    for (node, phrase), score in zip(network.finals.items(), ended, strict=True):
        cost = (costs or {}).get(phrase, 0.0)
        heap.append((cost - float(score), len(heap), node, (), phrase, end, cost))
    heapq.heapify(heap)
    fresh, expanded = len(heap), 0
    seen: set[tuple[str, ...]] = set()
    while heap and expanded < _LIMIT:
        best, _, node, words, phrase, rest, cost = heapq.heappop(heap)
        if -best < IMPOSSIBLE / 2:
            return
        if node == 0:
            if words not in seen:
                seen.add(words)
                yield Reading(words, phrase, -best)
            continue
        expanded += 1
        batch = network.into[node]
        if batch is None:
            continue
        sources, arcs, before = _backward(network, batch, rest, posteriors)
        scores = (reached[sources] + before).max(axis=1)
        for source, arc, score, rest_of in zip(sources.tolist(), arcs.tolist(), scores, before, strict=True):
            begun = (network.words[arc], *words)
            heapq.heappush(heap, (cost - float(score), fresh, source, begun, phrase, rest_of, cost))
            fresh += 1


def _forward(network: Network, posteriors: Posteriors) -> Floats:
    """(nodes, T + 1): best score of all beginnings that reach a node by time t, silence after it not included.

    Viterbi, one frame after the other, over all phones of all words at once; a word goes on from a node only where
    that is worth believing.
    """
    reached = np.full((posteriors.frames + 1, network.nodes), IMPOSSIBLE, np.float32)
    reached[0, 0] = 0.0
    tree = network.tree
    if tree is None:
        return reached.T
    least = np.zeros(posteriors.frames + 1, np.float32)
    np.cumsum(posteriors.best - np.float32(BEAM[1]), out=least[1:])
    least -= np.float32(BEAM[0])
    earliest = np.ceil(PACE * network.least_phones)
    murmur = np.diff(posteriors.edge)
    rested = reached[0].copy()
    inside = np.full(len(tree.phones), IMPOSSIBLE, np.float32)
    moved = np.empty_like(inside)
    for t in range(1, posteriors.frames + 1):
        logp = posteriors.logp[t - 1]
        tree.step(inside, moved, rested[tree.sources], logp)
        inside, moved = moved, inside
        now = reached[t]
        now[tree.targets] = tree.best(inside)
        rested += np.where(network.edges, murmur[t - 1], logp[SILENCE])
        np.maximum(rested, np.where((now > least[t]) & (earliest <= t), now, IMPOSSIBLE), out=rested)
    return np.ascontiguousarray(reached.T)


def _backward(network: Network, batch: Batch, rest: Floats, posteriors: Posteriors) -> tuple[Ints, Ints, Floats]:
    """For the arcs into a node: source nodes (n,), arcs (n,), and scores of all that follows each source (n, T + 1)."""
    longest = batch.phones.shape[1]
    paths = np.repeat(rest[None], len(batch.lengths), axis=0)
    for step in range(longest - 1, -1, -1):
        rows = batch.rows(step)
        sums = posteriors.sums[batch.phones[:rows, step]]
        ahead = paths[:rows] + sums
        ahead = np.maximum.accumulate(ahead[:, ::-1], axis=1)[:, ::-1]
        paths[:rows, :-SHORTEST] = ahead[:, SHORTEST:] - sums[:, :-SHORTEST]
        paths[:rows, -SHORTEST:] = IMPOSSIBLE
    order = np.argsort(batch.arc, kind="stable")
    arcs, firsts = np.unique(batch.arc[order], return_index=True)
    best = np.maximum.reduceat(paths[order], firsts, axis=0)
    sources = batch.source[order][firsts]
    sums = np.where(network.edges[sources, None], posteriors.edge, posteriors.silence)
    waited = np.maximum.accumulate((best + sums)[:, ::-1], axis=1)[:, ::-1] - sums
    return sources, arcs, np.maximum(best, waited)
