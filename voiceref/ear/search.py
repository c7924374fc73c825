"""The best readings of an utterance: exact N-best search of phone posteriors through a network of phrases.

Time runs inside the arrays: a node holds, for each frame, the best log score of having reached it by then, and one
phone is one running maximum over time. Going through the nodes forwards gives exact scores of all beginnings; a best-
first search from the ends, guided by them, then yields complete readings in order of their score.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voiceref.ear.network import Batch, Network
from voiceref.ear.phones import SILENCE

Floats = npt.NDArray[np.float32]
IMPOSSIBLE = np.float32(-1e9)
SHORTEST = 1
"""Fewest frames of a phone."""
MURMUR = 2.0
"""At the edges of an utterance any sound passes for silence at this cost a frame (log likelihood)."""
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
    """Log posteriors (T, 36) with running sums, so that a stretch of any phone is one subtraction."""

    def __init__(self, logp: Floats) -> None:
        self.logp = logp
        self.frames = len(logp)
        self.best = logp.max(axis=1)
        self.sums = _running(logp.T)
        self.silence = self.sums[SILENCE]
        murmur = np.maximum(logp[:, SILENCE], self.best - np.float32(MURMUR))
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
    for node, phrase in network.finals.items():
        cost = (costs or {}).get(phrase, 0.0)
        best = float((reached[node] + end).max()) - cost
        heap.append((-best, len(heap), node, (), phrase, end, cost))
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
        for source, arc, before in _backward(network, batch, rest, posteriors):
            score = float((reached[source] + before).max()) - cost
            heapq.heappush(heap, (-score, fresh, source, (network.words[arc], *words), phrase, before, cost))
            fresh += 1


def _forward(network: Network, posteriors: Posteriors) -> Floats:
    """(nodes, T + 1): best score of all beginnings that reach a node by time t, silence after it not included.

    Word by word: the nodes that were reached in a better way go on, as long as that is worth believing.
    """
    reached = np.full((network.nodes, posteriors.frames + 1), IMPOSSIBLE, np.float32)
    reached[0, 0] = 0.0
    least = np.zeros(posteriors.frames + 1, np.float32)
    np.cumsum(posteriors.best - np.float32(BEAM[1]), out=least[1:])
    least -= np.float32(BEAM[0])
    times = np.arange(posteriors.frames + 1)
    frontier = np.zeros(1, np.intp)
    while network.arcs is not None and len(frontier):
        batch = network.arcs.keep(np.isin(network.arcs.source, frontier))
        if not len(batch.lengths):
            break
        rested = reached[frontier]
        sums = np.where(network.edges[frontier, None], posteriors.edge, posteriors.silence)
        np.maximum(rested, np.maximum.accumulate(rested - sums, axis=1) + sums, out=rested)
        paths = rested[np.searchsorted(frontier, batch.source)]
        for step in range(int(batch.lengths[0])):
            rows = batch.rows(step)
            paths[:rows] = stretch(paths[:rows], posteriors.sums[batch.phones[:rows, step]])
        order = np.argsort(batch.target, kind="stable")
        targets, firsts = np.unique(batch.target[order], return_index=True)
        best = np.maximum.reduceat(paths[order], firsts, axis=0)
        believable = (best > least) & (times >= PACE * network.least_phones[targets, None])
        gained = (believable & (best > reached[targets])).any(axis=1)
        reached[targets] = np.maximum(reached[targets], best)
        frontier = targets[gained]
    return reached


def stretch(before: Floats, sums: Floats) -> Floats:
    """Go through one phone: from the best score of being before it at each time to that of being after it."""
    ahead = before - sums
    np.maximum.accumulate(ahead, axis=1, out=ahead)
    after = np.full_like(before, IMPOSSIBLE)
    np.add(ahead[:, :-SHORTEST], sums[:, SHORTEST:], out=after[:, SHORTEST:])
    return after


def _backward(
    network: Network, batch: Batch, rest: Floats, posteriors: Posteriors
) -> Iterator[tuple[int, int, Floats]]:
    """(source node, arc, score of all that follows the source at each time) for each arc into a node."""
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
    for source, arc, before in zip(sources, arcs, np.maximum(best, waited), strict=True):
        yield int(source), int(arc), before
