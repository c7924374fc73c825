"""A word graph with every word spelled out in phones, laid out for array work: levels of words that start together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voiceref.ear.lexicon import Lexicon
from voiceref.ear.phones import PHONES, Pronunciation
from voiceref.ear.word_graph import WordGraph

Ints = npt.NDArray[np.intp]
_SCHWA = PHONES.index("ə")


@dataclass(frozen=True)
class Batch:
    """Pronunciations handled together, longest first: phones (rows, longest), and each row's nodes and word."""

    phones: Ints
    lengths: Ints
    source: Ints
    target: Ints
    arc: Ints

    def rows(self, step: int) -> int:
        """How many pronunciations have more than `step` phones: they are the first ones."""
        return int(np.searchsorted(-self.lengths, -step, side="left"))

    def keep(self, mask: npt.NDArray[np.bool_]) -> Batch:
        """The pronunciations chosen by `mask` (rows)."""
        return Batch(self.phones[mask], self.lengths[mask], self.source[mask], self.target[mask], self.arc[mask])


@dataclass(frozen=True)
class Network:
    """Nodes are numbered so that arcs go upwards; node 0 is the start. `levels`: batches in order of their sources.

    `into`: the batch of arcs that end at a node. `edges`: whether a node is the start or an end. `least_phones`: of the
    shortest way to a node. `leaving`: (arc, pronunciation, target) of the arcs that start at a node.
    """

    nodes: int
    words: tuple[str, ...]
    levels: tuple[tuple[Ints, Batch | None], ...]
    into: tuple[Batch | None, ...]
    finals: Mapping[int, str]
    edges: npt.NDArray[np.bool_]
    least_phones: Ints
    leaving: tuple[tuple[tuple[int, Pronunciation, int], ...], ...]

    @classmethod
    def compile(cls, graph: WordGraph, lexicon: Lexicon) -> Network:
        """Words without any pronunciation cut the paths that need them (`audit` reports those)."""
        spoken = [(source, target, word, lexicon.pronunciations(word)) for source, target, word in graph.arcs]
        spoken = [arc for arc in dict.fromkeys(spoken) if arc[3]]
        depth = _depths(graph.start, [(source, target) for source, target, _, _ in spoken])
        order = sorted(depth, key=lambda state: (depth[state], state))
        number = {state: node for node, state in enumerate(order)}
        arcs = [(number[s], number[t], word, forms) for s, t, word, forms in spoken if s in number]
        words = tuple(word for _, _, word, _ in arcs)
        rows = [(s, t, a, form) for a, (s, t, _, forms) in enumerate(arcs) for form in forms]
        finals = {number[state]: name for state, name in graph.finals.items() if state in number}
        node_depth = np.array([depth[state] for state in order])
        by_depth: dict[int, list[tuple[int, int, int, Pronunciation]]] = {}
        by_target: dict[int, list[tuple[int, int, int, Pronunciation]]] = {}
        leaving: list[list[tuple[int, Pronunciation, int]]] = [[] for _ in order]
        for row in rows:
            by_depth.setdefault(int(node_depth[row[0]]), []).append(row)
            by_target.setdefault(row[1], []).append(row)
            leaving[row[0]].append((row[2], row[3], row[1]))
        deepest = int(node_depth.max(initial=0))
        least = np.full(len(order), 10**6)
        least[0] = 0
        for source, target, _, form in sorted(rows):
            least[target] = min(least[target], least[source] + len(form))
        edges = np.zeros(len(order), bool)
        edges[[0, *finals]] = True
        return cls(
            nodes=len(order),
            words=words,
            levels=tuple((np.flatnonzero(node_depth == d), _batch(by_depth.get(d, []))) for d in range(deepest + 1)),
            into=tuple(_batch(by_target.get(node, [])) for node in range(len(order))),
            finals=finals,
            edges=edges,
            least_phones=least,
            leaving=tuple(tuple(some) for some in leaving),
        )

    def continues(self, spoken: Pronunciation) -> bool:
        """Whether something longer than these phones, and beginning with them, can be said as well."""
        inside: set[tuple[Pronunciation, int, int, int]] = set()  # pronunciation, place in it, target, arc
        nodes = {0}
        finished: set[str] = set()
        for phone in spoken:
            started = {(form, 0, target, arc) for node in nodes for arc, form, target in self.leaving[node]}
            moved = {(f, k + 1, target, arc) for f, k, target, arc in inside | started if f[k] == phone}
            nodes = {target for form, k, target, _ in moved if k == len(form)}
            finished = {self.words[arc] for form, k, _, arc in moved if k == len(form)}
            inside = {state for state in moved if state[1] < len(state[0])}
        if any(self.leaving[node] for node in nodes):
            return True
        return any(form[k:] != (_SCHWA,) and self.words[arc] not in finished for form, k, _, arc in inside)


def _depths(start: int, arcs: list[tuple[int, int]]) -> dict[int, int]:
    """State -> length of the longest path to it, for all states within reach. Raises ValueError on a cycle."""
    leaving: dict[int, list[int]] = {}
    for source, target in arcs:
        leaving.setdefault(source, []).append(target)
    entering: dict[int, int] = {}
    seen, left = {start}, [start]
    while left:
        for target in leaving.get(left.pop(), ()):
            entering[target] = entering.get(target, 0) + 1
            if target not in seen:
                seen.add(target)
                left.append(target)
    if start in entering:
        raise ValueError("the word graph has a cycle through its start")
    depth, ready = {start: 0}, [start]
    done = 0
    while ready:
        state = ready.pop()
        done += 1
        for target in leaving.get(state, ()):
            depth[target] = max(depth.get(target, 0), depth[state] + 1)
            entering[target] -= 1
            if entering[target] == 0:
                ready.append(target)
    if done < len(seen):
        raise ValueError("the word graph has a cycle")
    return depth


def _batch(rows: list[tuple[int, int, int, Pronunciation]]) -> Batch | None:
    if not rows:
        return None
    rows = sorted(rows, key=lambda row: -len(row[3]))
    phones = np.zeros((len(rows), len(rows[0][3])), np.intp)
    for i, (_, _, _, form) in enumerate(rows):
        phones[i, : len(form)] = form
    return Batch(
        phones=phones,
        lengths=np.array([len(row[3]) for row in rows]),
        source=np.array([row[0] for row in rows]),
        target=np.array([row[1] for row in rows]),
        arc=np.array([row[2] for row in rows]),
    )
