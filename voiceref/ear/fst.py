"""OpenFst's binary "vector" format, written with `struct`. Source: openfst.org, `fst.h`, `vector-fst.h`."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

_FST_MAGIC, _SYMBOLS_MAGIC = 2125659606, 2125658996
_VECTOR_VERSION = 2
_HAS_SYMBOLS = 3
_EXPANDED_MUTABLE = 3


@dataclass
class Fst:
    """A weighted transducer in the making; state 0 is the start. Costs are negative log probabilities."""

    arcs: list[list[tuple[int, int, float, int]]] = field(default_factory=lambda: [[]])
    finals: dict[int, float] = field(default_factory=dict)

    def state(self) -> int:
        """A fresh state."""
        self.arcs.append([])
        return len(self.arcs) - 1

    def arc(self, source: int, target: int, inside: int, outside: int, cost: float = 0.0) -> None:
        """From `source` to `target`, reading `inside` and writing `outside`; 0 is nothing."""
        self.arcs[source].append((inside, outside, cost, target))

    def encode(self, symbols: Sequence[str] | None = None) -> bytes:
        """The file. Arcs are sorted by output label, which composition needs; `symbols` name both sides' labels."""
        table = _symbols(symbols) if symbols else b""
        count = sum(len(arcs) for arcs in self.arcs)
        head = struct.pack("<i", _FST_MAGIC) + _string("vector") + _string("standard")
        head += struct.pack("<iiQ", _VECTOR_VERSION, _HAS_SYMBOLS if symbols else 0, _EXPANDED_MUTABLE)
        head += struct.pack("<qqq", 0, len(self.arcs), count)
        parts = [head, table, table]
        for state, arcs in enumerate(self.arcs):
            parts.append(struct.pack("<fq", self.finals.get(state, math.inf), len(arcs)))
            parts += [struct.pack("<iifi", *arc) for arc in sorted(arcs, key=lambda arc: arc[1])]
        return b"".join(parts)


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<i", len(data)) + data


def _symbols(symbols: Sequence[str]) -> bytes:
    head = struct.pack("<i", _SYMBOLS_MAGIC) + _string("words") + struct.pack("<qq", len(symbols), len(symbols))
    return head + b"".join(_string(symbol) + struct.pack("<q", key) for key, symbol in enumerate(symbols))
