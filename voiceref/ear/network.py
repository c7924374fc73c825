"""A word graph with every word spelled out in phones, laid out for array work."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os.path import commonprefix

import numpy as np
import numpy.typing as npt

from voiceref.ear.lexicon import Pronouncing
from voiceref.ear.phones import PHONES, Pronunciation
from voiceref.ear.word_graph import WordGraph

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float32]
_SCHWA = PHONES.index("ə")
Row = tuple[int, int, int, Pronunciation]
"""Source node, target node, arc, phones."""
_WIDE = 64
"""Ways to a node from which they lie side by side."""
LONGEST = 210
"""Phones beyond which no utterance goes (7 s at the fastest): whatever lies further in the graph is left out."""


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

    def only(self, rows: Ints) -> Batch:
        """Some of the pronunciations, in the order that they have here."""
        return Batch(self.phones[rows], self.lengths[rows], self.source[rows], self.target[rows], self.arc[rows])


@dataclass(frozen=True)
class Chain:
    """All pronunciations end to end, ordered by the node they lead to, for work on each of them alone.

    `phones` (states,): the phone of each state. `firsts`, `lasts`, `sources` (pronunciations,): the states at which
    each begins and ends, and the node it leaves. `targets` (k,): the nodes reached; the pronunciations that lead to
    `targets[i]` begin at `groups[i]` of `lasts`.
    """

    phones: Ints
    firsts: Ints
    lasts: Ints
    sources: Ints
    targets: Ints
    groups: Ints

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Chain | None:
        """From (source, target, arc, phones); None without any. Words that sound alike between two nodes are one."""
        ordered = sorted({(target, source, form) for source, target, _, form in rows})
        if not ordered:
            return None
        ends = np.cumsum([len(form) for _, _, form in ordered])
        targets, groups = np.unique([target for target, _, _ in ordered], return_index=True)
        return cls(
            phones=np.array([phone for _, _, form in ordered for phone in form]),
            firsts=np.concatenate([[0], ends[:-1]]),
            lasts=ends - 1,
            sources=np.array([source for _, source, _ in ordered]),
            targets=targets,
            groups=groups,
        )


@dataclass(frozen=True)
class Tree:
    """All pronunciations as trees, one for each node that they leave, for one pass over them at every frame.

    States are laid out so that nearly every state follows the one before it. `phones` (states,): the phone of each.
    `roots`: states at which pronunciations begin, `sources` the nodes they leave; `branches`: states that follow
    another state than the one before, `parents` that one. `targets`: the nodes reached, those with about as many ways
    to them together; `lasts`: the states at which these ways end, one array after another, where ways are made a power
    of two by repetition: (ways, nodes), or (nodes, ways) from _WIDE ways on; `sizes`: (ways, nodes) of each.
    `count`: of pronunciations.
    """

    phones: Ints
    roots: Ints
    sources: Ints
    branches: Ints
    parents: Ints
    targets: Ints
    lasts: Ints
    sizes: tuple[tuple[int, int], ...]
    count: int

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Tree | None:
        """From (source, target, arc, phones); None without any. Words that sound alike between two nodes are one."""
        if not rows:
            return None
        phones: list[int] = []
        roots: list[tuple[int, int]] = []
        branches: list[tuple[int, int]] = []
        ends: dict[int, list[int]] = {}
        path: list[int] = []
        begun, known = -1, Pronunciation()
        for source, form, target in sorted({(source, form, target) for source, target, _, form in rows}):
            shared = len(commonprefix((known, form))) if source == begun else 0
            path = path[:shared]
            for phone in form[shared:]:
                state = len(phones)
                if not path:
                    roots.append((state, source))
                elif path[-1] != state - 1:
                    branches.append((state, path[-1]))
                path.append(state)
                phones.append(phone)
            ends.setdefault(target, []).append(path[-1])
            begun, known = source, form
        grouped: dict[int, dict[int, list[int]]] = {}
        for target, states in sorted(ends.items()):
            grouped.setdefault(1 << (len(states) - 1).bit_length(), {})[target] = states
        return cls(
            phones=np.array(phones, np.intp),
            roots=np.array([state for state, _ in roots], np.intp),
            sources=np.array([source for _, source in roots], np.intp),
            branches=np.array([state for state, _ in branches], np.intp),
            parents=np.array([parent for _, parent in branches], np.intp),
            targets=np.array([target for same in grouped.values() for target in same], np.intp),
            lasts=np.concatenate(
                [
                    np.array(
                        [np.resize(states, ways) for states in same.values()],
                        np.intp,
                        order="C" if ways >= _WIDE else "F",
                    ).ravel("K")
                    for ways, same in grouped.items()
                ]
            ),
            sizes=tuple((ways, len(same)) for ways, same in grouped.items()),
            count=sum(map(len, ends.values())),
        )

    def step(self, inside: Floats, moved: Floats, entering: Floats | float, logp: Floats) -> None:
        """One frame of Viterbi: log scores (states,) before it and, written to `moved`, after it.

        `entering`: score with which each of `roots` may begin; `logp` (36,): log posteriors of the frame.
        """
        np.maximum(inside[1:], inside[:-1], out=moved[1:])
        moved[self.roots] = np.maximum(inside[self.roots], entering)
        moved[self.branches] = np.maximum(inside[self.branches], inside[self.parents])
        moved += np.take(logp, self.phones, mode="clip")

    def ways(self, target: int) -> Ints:
        """The states at which the ways to a node end, in order of (source, phones)."""
        place, done, first = int(np.flatnonzero(self.targets == target)[0]), 0, 0
        for ways, nodes in self.sizes:
            if place < done + nodes:
                part = self.lasts[first : first + ways * nodes]
                part = part.reshape(nodes, ways).T if ways >= _WIDE else part.reshape(ways, nodes)
                return np.unique(part[:, place - done])
            done, first = done + nodes, first + ways * nodes
        raise ValueError("no such node")

    def best(self, inside: Floats) -> Floats:
        """(states,) -> for each of `targets` the greatest value of the states that end there."""
        ended = np.take(inside, self.lasts, mode="clip")
        found = np.empty(len(self.targets), np.float32)
        done = first = 0
        for ways, nodes in self.sizes:
            part = ended[first : first + ways * nodes]
            part = part.reshape(nodes, ways).T if ways >= _WIDE else part.reshape(ways, nodes)
            np.maximum.reduce(part, axis=0, out=found[done : done + nodes])
            done, first = done + nodes, first + ways * nodes
        return found


@dataclass(frozen=True)
class Network:
    """Nodes are numbered so that arcs go upwards; node 0 is the start.

    `rows`: all pronunciations; `tree`: the same read from their last phone to the first, for the search, and
    `openings` the states of the tree at which those of `out[0]` are read. `out`: those that leave a node. `edges`:
    whether a node is the start or an end. `least_phones`: of the shortest way from a node to an end. `leaving`: (arc,
    pronunciation, target) of what starts at a node.
    """

    nodes: int
    words: tuple[str, ...]
    rows: tuple[Row, ...]
    tree: Tree | None
    openings: Ints
    out: tuple[Batch | None, ...]
    finals: Mapping[int, str]
    edges: npt.NDArray[np.bool_]
    least_phones: Ints
    leaving: tuple[tuple[tuple[int, Pronunciation, int], ...], ...]

    @classmethod
    def compile(cls, graph: WordGraph, lexicon: Pronouncing) -> Network:
        """Words without any pronunciation cut the paths that need them (`audit` reports those)."""
        spoken = [(source, target, word, lexicon.pronunciations(word)) for source, target, word in graph.arcs]
        spoken = _within_reach(graph.start, [arc for arc in dict.fromkeys(spoken) if arc[3]])
        depth = _depths(graph.start, [(source, target) for source, target, _, _ in spoken])
        order = sorted(depth, key=lambda state: (depth[state], state))
        number = {state: node for node, state in enumerate(order)}
        arcs = [(number[s], number[t], word, forms) for s, t, word, forms in spoken if s in number]
        words = tuple(word for _, _, word, _ in arcs)
        rows = [(s, t, a, form) for a, (s, t, _, forms) in enumerate(arcs) for form in forms]
        finals = {number[state]: name for state, name in graph.finals.items() if state in number}
        by_source: dict[int, list[Row]] = {}
        leaving: list[list[tuple[int, Pronunciation, int]]] = [[] for _ in order]
        for row in rows:
            by_source.setdefault(row[0], []).append(row)
            leaving[row[0]].append((row[2], row[3], row[1]))
        least = np.full(len(order), 10**6)
        least[list(finals)] = 0
        for source, target, _, form in sorted(rows, reverse=True):
            least[source] = min(least[source], least[target] + len(form))
        edges = np.zeros(len(order), bool)
        edges[[0, *finals]] = True
        tree = Tree.of([(target, source, arc, form[::-1]) for source, target, arc, form in rows])
        out = tuple(_batch(by_source.get(node, [])) for node in range(len(order)))
        return cls(
            nodes=len(order),
            words=words,
            rows=tuple(rows),
            tree=tree,
            openings=_openings(tree, out[0]),
            out=out,
            finals=finals,
            edges=edges,
            least_phones=least,
            leaving=tuple(tuple(some) for some in leaving),
        )

    @cached_property
    def chain(self) -> Chain | None:
        """The pronunciations end to end, made when they are wanted."""
        return Chain.of(self.rows)

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


_Arc = tuple[int, int, str, tuple[Pronunciation, ...]]


def _within_reach(start: int, arcs: list[_Arc]) -> list[_Arc]:
    """The arcs whose end can be reached in LONGEST phones."""
    leaving: dict[int, list[_Arc]] = {}
    for arc in arcs:
        leaving.setdefault(arc[0], []).append(arc)
    least, left = {start: 0}, deque([start])
    while left:
        state = left.popleft()
        for _, target, _, forms in leaving.get(state, ()):
            phones = least[state] + min(len(form) for form in forms)
            if phones < least.get(target, LONGEST + 1):
                least[target] = phones
                left.append(target)
    return [arc for arc in arcs if arc[0] in least and arc[1] in least]


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


def _openings(tree: Tree | None, batch: Batch | None) -> Ints:
    """The states of the tree at which the pronunciations that leave the start are read."""
    if tree is None or batch is None:
        return np.array([], np.intp)
    ways = [
        (target, tuple(phones[length - 1 :: -1].tolist()))
        for target, phones, length in zip(batch.target.tolist(), batch.phones, batch.lengths, strict=True)
    ]
    place = dict(zip(sorted(set(ways)), tree.ways(0).tolist(), strict=True))
    return np.array([place[way] for way in ways], np.intp)


def _batch(rows: list[Row]) -> Batch | None:
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
