"""The word graph of everything that may be said now, for the ear: a directed graph without cycles, words on its arcs.

Words are readable French as `normalise` gives it, elisions joined (« j'achète », « d'ana »). Slots are small graphs of
their own: a number range is a minimal graph of all its spellings, names come from the context. Ways that sound alike
(« point », « points ») are one path, so that they never compete. Slots of free words need a lexicon in `Context.words`;
without one the templates that have them are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from voiceref.phrases.catalogue import Catalogue, Phrase
from voiceref.phrases.normalise import audible, fold
from voiceref.phrases.pattern import Choice, Constant, Node, Repeat, Sequence, Slot, Word
from voiceref.phrases.slots import Context, NumberRange, Player

ROUNDS = 8
"""How often a `(…)+` is unrolled when its rounds name no player (else: once a player)."""

Arc = tuple[int, int, str]
_Source = tuple[int, str]
"""A state, and an elided word that waits for the next one (« d' »)."""


@dataclass(frozen=True)
class WordGraph:
    """Arcs (source, target, word), source < target; `finals`: state -> id of the phrase that ends there.

    A path from `start` to a final state is a whole phrase. `says`: word -> pronunciation override of these phrases.
    `inside`: what counts in the middle of other talk too.
    """

    arcs: tuple[Arc, ...]
    start: int
    finals: Mapping[int, str]
    says: Mapping[str, str] = field(default_factory=dict)
    inside: Inside | None = None

    @property
    def words(self) -> frozenset[str]:
        """Every word of the graph."""
        return frozenset(word for _, _, word in self.arcs)


@dataclass(frozen=True)
class Inside:
    """What counts inside running talk, and the same phrases with open words that count for nothing."""

    sought: WordGraph
    rivals: WordGraph


def word_graph(catalogue: Catalogue, context: Context, phrase_ids: Iterable[str]) -> WordGraph:
    """Everything that `phrase_ids` may sound like at this table. Raises KeyError for an id that the catalogue lacks.

    The part of each phrase is remembered as long as the same `Context` object is used.
    """
    phrases = [catalogue.phrases[phrase_id] for phrase_id in dict.fromkeys(phrase_ids)]
    return replace(_joined(phrases, context), inside=_inside(phrases, context))


def _inside(phrases: Iterable[Phrase], context: Context) -> Inside | None:
    """None where nothing is sought. Only templates with an open word are looked for."""
    if not any(context.sought.values()):
        return None
    counting = [
        replace(phrase, templates=open_ones)
        for phrase in phrases
        if phrase.inside
        if (open_ones := tuple(t for t in phrase.templates if _first_slot(t.node, lambda slot: slot.type.free)))
    ]
    others = {
        name: tuple(word for word in words if word not in context.sought.get(name, ()))
        for name, words in context.words.items()
    }
    return Inside(
        _joined(counting, replace(context, words=context.sought)), _joined(counting, replace(context, words=others))
    )


def _joined(phrases: Iterable[Phrase], context: Context) -> WordGraph:
    arcs: list[Arc] = []
    finals: dict[int, str] = {}
    says: dict[str, str] = {}
    count = 1
    closed = _closed(context.players, tuple(sorted(context.spoken.items())))
    for phrase in phrases:
        says |= phrase.says
        part = _phrase_fragment(phrase, context if _is_open(phrase) else closed)
        base = count - 1
        arcs += [(0, base + target, word) for word, target in part.first]
        arcs += [(base + source, base + target, word) for source, target, word in part.inner]
        finals |= dict.fromkeys([base + end for end in part.ends], phrase.id)
        count += part.size - 1
    return WordGraph(tuple(arcs), 0, finals, says)


@lru_cache(maxsize=8)
def _closed(players: tuple[str, ...], spoken: tuple[tuple[str, tuple[str, ...]], ...]) -> Context:
    """The same table without open words: one object, so that what does not depend on them is made once."""
    return Context(players, dict(spoken))


@lru_cache(maxsize=2048)
def _is_open(phrase: Phrase) -> bool:
    return any(_first_slot(template.node, lambda slot: slot.type.free) for template in phrase.templates)


@lru_cache(maxsize=2048)
def _phrase_fragment(phrase: Phrase, context: Context) -> _Fragment:
    """The graph of one phrase alone."""
    builder = _Builder(context)
    templates = Choice(tuple(template.node for template in phrase.templates))
    return builder.fragment(Sequence((phrase.before, templates, phrase.after)))


@dataclass(frozen=True)
class _Fragment:
    """A minimal graph of word sequences. State 0 is its start; arcs of the start are apart from the others."""

    first: tuple[tuple[str, int], ...]
    inner: tuple[Arc, ...]
    ends: tuple[int, ...]
    size: int


def _fragment(sequences: Iterable[tuple[str, ...]]) -> _Fragment:
    """The minimal acyclic automaton of the sequences; states are numbered so that every arc goes up."""
    words_of: list[dict[str, int]] = [{}]
    ends: set[int] = set()
    for words in sequences:
        state = 0
        for word in words:
            if word not in words_of[state]:
                words_of[state][word] = len(words_of)
                words_of.append({})
            state = words_of[state][word]
        ends.add(state)
    return _merged(len(words_of), [(s, t, word) for s, found in enumerate(words_of) for word, t in found.items()], ends)


def _merged(count: int, arcs: Iterable[Arc], ends: Iterable[int]) -> _Fragment:
    """The same graph where states with the same continuations by ear are one. Every arc must go up, and still does."""
    leaving: list[list[tuple[str, int]]] = [[] for _ in range(count)]
    for source, target, word in arcs:
        leaving[source].append((word, target))
    is_end = bytearray(count)
    for end in ends:
        is_end[end] = 1
    classes: dict[tuple[int, frozenset[tuple[str, int]]], int] = {}
    class_arcs: list[dict[tuple[str, int], str]] = []
    class_of = [0] * count
    for state in range(count - 1, -1, -1):
        alive: dict[tuple[str, int], str] = {}
        for word, target in sorted(leaving[state]):
            if class_of[target] >= 0:
                alive.setdefault((audible(word), class_of[target]), word)
        if state and not alive and not is_end[state]:
            class_of[state] = -1
            continue
        class_of[state] = classes.setdefault((is_end[state], frozenset(alive)), len(classes))
        if class_of[state] == len(class_arcs):
            class_arcs.append(alive)
    last = len(classes) - 1
    kept = [(last - own, last - t, word) for own, found in enumerate(class_arcs) for (_, t), word in found.items()]
    return _Fragment(
        tuple((word, target) for source, target, word in kept if source == 0),
        tuple(arc for arc in kept if arc[0] != 0),
        tuple(last - own for (final, _), own in classes.items() if final),
        last + 1,
    )


@cache
def _number_fragment(numbers: NumberRange) -> _Fragment:
    return _fragment(numbers.sequences(Context()))


class _Builder:
    """Collects arcs; every method takes the states to go on from and returns the states reached."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._count = 1
        self._arcs: list[Arc] = []

    def fragment(self, node: Node) -> _Fragment:
        """The graph of a whole tree."""
        reached = self._extend(node, ((0, ""),))
        return _merged(self._count, self._arcs, [state for state, elided in reached if not elided])

    def _extend(self, node: Node, sources: tuple[_Source, ...]) -> tuple[_Source, ...]:
        if not sources:
            return ()
        match node:
            case Word(text):
                return self._word(text, sources)
            case Slot():
                return self._slot(node, sources)
            case Sequence(parts):
                for part in parts:
                    sources = self._extend(part, sources)
                return sources
            case Choice(options):
                reached = (source for option in options for source in self._extend(option, sources))
                return tuple(dict.fromkeys(reached))
            case Repeat(part):
                return self._repeat(part, sources)
            case Constant():
                return sources

    def _word(self, text: str, sources: tuple[_Source, ...]) -> tuple[_Source, ...]:
        joined = [(state, elided + text) for state, elided in sources if not elided or _begins_with_vowel(text)]
        if text.endswith("'"):
            return tuple(joined)
        if not joined:
            return ()
        target = self._count
        self._count += 1
        self._arcs += [(state, target, word) for state, word in joined]
        return ((target, ""),)

    def _slot(self, slot: Slot, sources: tuple[_Source, ...]) -> tuple[_Source, ...]:
        if isinstance(slot.type, NumberRange):
            fragment = _number_fragment(slot.type)
        else:
            fragment = _fragment(slot.type.sequences(self._context))
        return self._insert(fragment, sources)

    def _insert(self, fragment: _Fragment, sources: tuple[_Source, ...]) -> tuple[_Source, ...]:
        base = self._count - 1
        self._count += fragment.size - 1
        self._arcs += [
            (state, base + target, elided + word)
            for state, elided in sources
            for word, target in fragment.first
            if not elided or _begins_with_vowel(word)
        ]
        self._arcs += [(base + source, base + target, word) for source, target, word in fragment.inner]
        return tuple((base + end, "") for end in fragment.ends if end)

    def _repeat(self, part: Node, sources: tuple[_Source, ...]) -> tuple[_Source, ...]:
        counted = _first_slot(part, lambda slot: isinstance(slot.type, NumberRange) and slot.type.counted)
        if counted is not None and isinstance(counted.type, NumberRange):
            return self._count_up(part, counted.type, sources)
        names_players = _first_slot(part, lambda slot: isinstance(slot.type, Player)) is not None
        reached: list[_Source] = []
        for _ in range(len(self._context.players) if names_players else ROUNDS):
            sources = self._extend(part, sources)
            reached += sources
        return tuple(dict.fromkeys(reached))

    def _count_up(self, part: Node, counted: NumberRange, sources: tuple[_Source, ...]) -> tuple[_Source, ...]:
        """Rounds whose number rises by one, from any number on: a song may be heard in several breaths."""
        reached: list[_Source] = []
        before: tuple[_Source, ...] = ()
        for n in range(counted.low, counted.high + 1):
            before = self._extend(_with_number(part, n), (*sources, *before))
            reached += before
        return tuple(reached)


def _begins_with_vowel(word: str) -> bool:
    return fold(word)[:1] in set("aeiouyh")


def _first_slot(node: Node, wanted: Callable[[Slot], bool]) -> Slot | None:
    match node:
        case Slot():
            return node if wanted(node) else None
        case Sequence(parts) | Choice(parts):
            return next((found for part in parts if (found := _first_slot(part, wanted)) is not None), None)
        case Repeat(part):
            return _first_slot(part, wanted)
        case _:
            return None


def _with_number(node: Node, n: int) -> Node:
    """The same tree, where the counted slot is the number `n`."""
    match node:
        case Slot(name, NumberRange(counted=True), times):
            return Slot(name, NumberRange(n, n), times)
        case Sequence(parts):
            return Sequence(tuple(_with_number(part, n) for part in parts))
        case Choice(options):
            return Choice(tuple(_with_number(option, n) for option in options))
        case _:
            return node
