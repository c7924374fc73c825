"""Vosk's graph of a game, written at run time: HCLr (phones to words) and Gr (exactly the phrases, or unknown talk).

Each word's label sits on its first phone, so ordinary composition with Gr is exact and no look-ahead table is needed.
Gr is the word graph itself, so words cannot recombine across phrases; `[unk]` is a loop of phones with a cost.
Phone and transition ids are those of `models/recipe/kaldi.py`: phone 1 is silence, then four positions a phone, each
with a self-loop (odd transition id) and a way out (even).
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from voiceref.ear.fst import Fst
from voiceref.ear.phones import PHONES, SILENCE, Pronunciation
from voiceref.ear.posteriors import ModelError
from voiceref.ear.word_graph import WordGraph, words_of

UNKNOWN = "[unk]"
_BEGIN, _END, _INSIDE, _ALONE = range(4)
_KINDS = ("begin", "end", "internal", "singleton")


class Pronouncer(Protocol):
    """The lexicon, as far as a graph needs it."""

    def pronunciations(self, word: str) -> tuple[Pronunciation, ...]: ...


@dataclass(frozen=True)
class GraphCosts:
    """Negative log probabilities: a pause, each phone of unknown talk, and unknown talk as such."""

    pause: float = 0.7
    unknown_phone: float = math.log(len(PHONES) - 1) + 0.5
    unknown: float = 2.0


def self_loop(model: Path) -> float:
    """Probability of staying in a phone for one more frame, from `hmm.toml`. Raises ModelError."""
    try:
        return float(tomllib.loads((model / "hmm.toml").read_text(encoding="utf-8"))["self_loop"])
    except (OSError, tomllib.TOMLDecodeError, KeyError, ValueError) as error:
        raise ModelError(f"Le modèle {model} est incomplet (hmm.toml) : réinstallez VoiceRef.") from error


def write_graph(
    folder: Path, words: WordGraph, lexicon: Pronouncer, loop: float, costs: GraphCosts | None = None
) -> None:
    """Write `graph/` of a Vosk model for everything the word graph can say. Mute words are left out."""
    costs = costs or GraphCosts()
    spoken = {word: forms for word in sorted(words_of(words)) if (forms := lexicon.pronunciations(word))}
    symbols = ["<eps>", UNKNOWN, *spoken, "#0", "<s>", "</s>"]
    number = {word: i for i, word in enumerate(symbols)}
    graph = folder / "graph"
    (graph / "phones").mkdir(parents=True, exist_ok=True)
    (graph / "HCLr.fst").write_bytes(_lexicon_fst(spoken, number, loop, costs).encode())
    (graph / "Gr.fst").write_bytes(_grammar_fst(words, number, costs).encode(symbols))
    (graph / "disambig_tid.int").write_text("", encoding="ascii")
    kinds = ["nonword", *(_KINDS * (len(PHONES) - 1))]
    boundary = "".join(f"{i} {kind}\n" for i, kind in enumerate(kinds, 1))
    (graph / "phones" / "word_boundary.int").write_text(boundary, encoding="ascii")


def _phone_id(phone: int, position: int) -> int:
    return 1 if phone == SILENCE else 2 + 4 * (phone - 1) + position


@dataclass
class _Builder:
    """Adds phones to a transducer."""

    fst: Fst
    stay: float
    leave: float

    def phone(self, source: int, phone: int, position: int, word: int = 0, cost: float = 0.0) -> int:
        """Through one phone, from `source` to a fresh state that can be stayed in; `exit` leaves it."""
        identity = _phone_id(phone, position)
        state = self.fst.state()
        self.fst.arc(source, state, 2 * identity, word, cost)
        self.fst.arc(state, state, 2 * identity - 1, 0, self.stay)
        return state

    def exit(self, state: int, target: int) -> None:
        self.fst.arc(state, target, 0, 0, self.leave)


def _lexicon_fst(
    spoken: dict[str, tuple[Pronunciation, ...]], number: dict[str, int], loop: float, costs: GraphCosts
) -> Fst:
    fst = Fst()
    build = _Builder(fst, -math.log(loop), -math.log(1.0 - loop))
    words, word_end = fst.state(), fst.state()
    for source in (0, word_end):
        fst.arc(source, words, 0, 0, costs.pause)
        build.exit(build.phone(source, SILENCE, 0, cost=costs.pause), words)
    for word, forms in spoken.items():
        for form in forms:
            state, last = words, len(form) - 1
            for i, phone in enumerate(form):
                position = _ALONE if last == 0 else _BEGIN if i == 0 else _END if i == last else _INSIDE
                state = build.phone(state, phone, position, number[word] if i == 0 else 0)
            build.exit(state, word_end)
    inside = fst.state()
    for phone in range(1, len(PHONES)):
        begin = build.phone(words, phone, _BEGIN, number[UNKNOWN], costs.unknown_phone)
        build.exit(begin, inside)
        build.exit(build.phone(inside, phone, _INSIDE, cost=costs.unknown_phone), inside)
        build.exit(build.phone(inside, phone, _END, cost=costs.unknown_phone), word_end)
    fst.finals = {words: 0.0, word_end: 0.0}
    return fst


def _grammar_fst(words: WordGraph, number: dict[str, int], costs: GraphCosts) -> Fst:
    fst = Fst()
    states = {words.start: 0}
    for source, target, word in words.arcs:
        if word in number:
            for state in (source, target):
                if state not in states:
                    states[state] = fst.state()
            fst.arc(states[source], states[target], number[word], number[word])
    fst.finals = {states[state]: 0.0 for state in words.finals if state in states}
    unknown = fst.state()
    fst.arc(0, unknown, number[UNKNOWN], number[UNKNOWN], costs.unknown)
    fst.arc(unknown, unknown, number[UNKNOWN], number[UNKNOWN], costs.unknown)
    fst.finals[unknown] = 0.0
    return fst
