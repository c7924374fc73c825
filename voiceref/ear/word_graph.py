"""What may be said, as the ear takes it: a directed acyclic graph of words. The phrase room builds the real ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


class WordGraph(Protocol):
    """Arcs (source state, target state, word) from `start` to `finals` (state -> phrase id), without cycles.

    `says`: word -> spoken form, where the usual pronunciation does not hold. `inside`: what counts in the middle of
    other talk too.
    """

    @property
    def arcs(self) -> Sequence[tuple[int, int, str]]: ...

    @property
    def start(self) -> int: ...

    @property
    def finals(self) -> Mapping[int, str]: ...

    @property
    def says(self) -> Mapping[str, str]: ...

    @property
    def inside(self) -> Inside | None: ...


class Inside(Protocol):
    """Two graphs without an `inside` of their own: what counts, and what sounds almost like it and does not."""

    @property
    def sought(self) -> WordGraph: ...

    @property
    def rivals(self) -> WordGraph: ...


@dataclass(frozen=True)
class PhraseList:
    """The simplest graph: each phrase is a chain of its words."""

    arcs: tuple[tuple[int, int, str], ...]
    finals: Mapping[int, str]
    start: int = 0
    says: Mapping[str, str] = field(default_factory=dict)
    inside: Inside | None = None

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, str]]) -> PhraseList:
        """From (phrase id, words separated by spaces); phrases without words are left out."""
        arcs: list[tuple[int, int, str]] = []
        finals: dict[int, str] = {}
        fresh = 1
        for name, text in phrases:
            state = 0
            for word in text.split():
                arcs.append((state, fresh, word))
                state, fresh = fresh, fresh + 1
            if state:
                finals[state] = name
        return cls(tuple(arcs), finals)


def words_of(graph: WordGraph) -> set[str]:
    """Every word of the graph."""
    return {word for _, _, word in graph.arcs}
