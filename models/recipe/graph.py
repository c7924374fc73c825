"""A run-time decoding graph for measuring the streaming network in Vosk: one token a phrase, `[unk]` a phone loop.

The product has its own graph code in voiceref/ear; this small one keeps the recipe independent of it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from .kaldi import POSITIONS, SELF_LOOP, phone_names
from .phones import PHONES

_FST, _SYMBOLS = 2125659606, 2125658996  # OpenFst's magic numbers
_KINDS = dict(zip(POSITIONS, ("begin", "end", "internal", "singleton"), strict=True))
_START, _LOOP, _WORD_END = 0, 1, 2
Arc = tuple[int, int, float, int]  # input label, output label, cost, next state


def _string(out: BinaryIO, text: str) -> None:
    out.write(struct.pack("<i", len(text.encode())) + text.encode())


def _symbol_table(out: BinaryIO, symbols: Sequence[str]) -> None:
    out.write(struct.pack("<i", _SYMBOLS))
    _string(out, "words")
    out.write(struct.pack("<qq", len(symbols), len(symbols)))
    for key, symbol in enumerate(symbols):
        _string(out, symbol)
        out.write(struct.pack("<q", key))


def _write_fst(path: Path, arcs: list[list[Arc]], finals: set[int], symbols: Sequence[str] = ()) -> None:
    """OpenFst's vector format; state 0 is the start; arcs sorted by output label, as composition needs them."""
    with path.open("wb") as out:
        out.write(struct.pack("<i", _FST))
        _string(out, "vector")
        _string(out, "standard")
        out.write(struct.pack("<iiQqqq", 2, 3 if symbols else 0, 3, 0, len(arcs), sum(map(len, arcs))))
        for _ in range(2 if symbols else 0):
            _symbol_table(out, symbols)
        for state, leaving in enumerate(arcs):
            out.write(struct.pack("<fq", 0.0 if state in finals else math.inf, len(leaving)))
            for arc in sorted(leaving, key=lambda arc: arc[1]):
                out.write(struct.pack("<iifi", *arc))


class _Graph:
    def __init__(self) -> None:
        self.arcs: list[list[Arc]] = [[], [], []]
        self._ids = {name: i for i, name in enumerate(phone_names())}

    def state(self) -> int:
        self.arcs.append([])
        return len(self.arcs) - 1

    def jump(self, source: int, target: int, cost: float) -> None:
        self.arcs[source].append((0, 0, cost, target))

    def phone(self, source: int, name: str, target: int, word: int = 0, cost: float = 0.0) -> None:
        """Enter by the 'leave' transition id, stay by the 'self-loop' one, as in toy_vosk_model.py."""
        stay, enter = 2 * self._ids[name] - 1, 2 * self._ids[name]
        middle = self.state()
        self.arcs[source].append((enter, word, cost, middle))
        self.arcs[middle].append((stay, 0, -math.log(SELF_LOOP), middle))
        self.arcs[middle].append((0, 0, -math.log(1 - SELF_LOOP), target))


def write_graph(
    folder: Path,
    lexicon: Mapping[str, Sequence[Sequence[str]]],
    silence_cost: float,
    word_cost: float,
    loop_cost: float,
) -> None:
    """`lexicon`: token -> pronunciations. `loop_cost` is added for each phone of `[unk]`."""
    graph = _Graph()
    words = ["<eps>", "[unk]", *sorted(lexicon), "#0", "<s>", "</s>"]
    for source in (_START, _WORD_END):
        graph.jump(source, _LOOP, silence_cost)
        graph.phone(source, "sil", _LOOP, cost=silence_cost)
    for token, pronunciations in lexicon.items():
        for phones in pronunciations:
            tags = "S" if len(phones) == 1 else "B" + "I" * (len(phones) - 2) + "E"
            state = _LOOP
            for i, (phone, tag) in enumerate(zip(phones, tags, strict=True)):
                target = _WORD_END if i == len(phones) - 1 else graph.state()
                first = i == 0
                graph.phone(state, f"{phone}_{tag}", target, words.index(token) * first, word_cost * first)
                state = target
    middle, cost = graph.state(), math.log(len(PHONES) - 1) + loop_cost
    for phone in PHONES[1:]:
        graph.phone(_LOOP, f"{phone}_B", middle, words.index("[unk]"), word_cost + cost)
        graph.phone(middle, f"{phone}_I", middle, cost=cost)
        graph.phone(middle, f"{phone}_E", _WORD_END, cost=cost)

    (folder / "graph/phones").mkdir(parents=True, exist_ok=True)
    _write_fst(folder / "graph/HCLr.fst", graph.arcs, {_LOOP, _WORD_END})
    usual = [(i, i, math.log(len(lexicon) + 1), 0) for i in range(1, len(words) - 3)]
    _write_fst(folder / "graph/Gr.fst", [usual], {0}, words)
    (folder / "graph/disambig_tid.int").write_text("")
    kinds = ["nonword" if name == "sil" else _KINDS[name[-1]] for name in phone_names()[1:]]
    lines = (f"{i} {kind}\n" for i, kind in enumerate(kinds, 1))
    (folder / "graph/phones/word_boundary.int").write_text("".join(lines))
