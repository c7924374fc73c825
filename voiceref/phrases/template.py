"""A template as a small automaton: from the words of an utterance to the slots it fills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from voiceref.phrases.normalise import fold
from voiceref.phrases.pattern import (
    NOTHING,
    OFTEN,
    Choice,
    Constant,
    Node,
    Repeat,
    Sequence,
    Slot,
    TemplateError,
    Word,
    fillings,
    read,
)
from voiceref.phrases.slots import Context, Line, SlotType, Value

_TIES = 4
"""How many readings that differ only in their slots are kept: more than one is already ambiguous."""


def _shape(name: str, least: int, most: int) -> int:
    """0: a value; 1: a tuple of values; k: a tuple of k-tuples. Raises TemplateError when rounds differ in size."""
    if most == 1:
        return 0
    rounds, once = divmod(most, OFTEN)
    if rounds < 2:
        return 1
    if least % rounds or once % rounds:
        raise TemplateError(f"la case « {name} » doit être remplie le même nombre de fois à chaque répétition")
    return rounds


@dataclass(frozen=True)
class Reading:
    """One way to read a whole utterance: the slots, and how many words were closed (not taken by a free slot)."""

    slots: Mapping[str, Value]
    closed: int


_Filled = tuple[tuple[str, Value], ...]
Row = dict[int, tuple[int, list[_Filled]]]
"""State -> closed words so far, and the partial fillings that got there."""
Chart = list[Row]
_Leap = tuple[_Filled, int]
"""Constants met on the way without words, and the state reached."""


@dataclass(frozen=True)
class _State:
    """What may come next: by word key, by slot, and whether the utterance may end here (with which constants)."""

    words: Mapping[str, tuple[_Leap, ...]]
    slots: tuple[tuple[_Filled, Slot, int], ...]
    ends: tuple[_Filled, ...]


@dataclass(frozen=True)
class Template:
    """A compiled template: its tree (for the ear), and its automaton (for the matcher) with what may come around it."""

    source: str
    node: Node
    states: tuple[_State, ...]
    shapes: Mapping[str, int]

    @property
    def first_keys(self) -> frozenset[str]:
        """Keys of the words with which it may begin."""
        return frozenset(self.states[0].words)

    @property
    def begins_with_slot(self) -> bool:
        """Whether a slot may come first."""
        return bool(self.states[0].slots)

    def readings(self, chart: Chart) -> tuple[Reading, ...]:
        """The readings of the whole line that leave the fewest words to free slots; () when it does not fit."""
        best: Row = {}
        for index, (closed, partials) in chart[-1].items():
            for constants in self.states[index].ends:
                _advance(best, 0, closed, [filled + constants for filled in partials])
        closed, filled_all = best.get(0, (0, []))
        return tuple(Reading(self.collect(filled), closed) for filled in filled_all)

    def furthest(self, chart: Chart) -> tuple[int, frozenset[SlotType]]:
        """How many words, none of them free, begin an utterance of this template, and the slots that may come next."""
        for at in range(len(chart) - 1, 0, -1):
            states = [index for index, (closed, _) in chart[at].items() if closed == at]
            if states:
                return at, frozenset(slot.type for index in states for _, slot, _ in self.states[index].slots)
        return 0, frozenset()

    def chart(self, line: Line, context: Context) -> Chart:
        """For every number of words read, the states reached."""
        last = len(line.tokens)
        chart: list[Row] = [{} for _ in range(last + 1)]
        chart[0][0] = (0, [()])
        for at in range(last):
            key = line.keys[at]
            for index, (closed, partials) in chart[at].items():
                state = self.states[index]
                for constants, target in state.words.get(key, ()):
                    _advance(chart[at + 1], target, closed + 1, [filled + constants for filled in partials])
                for constants, slot, target in state.slots:
                    for end, value in slot.type.starts(line, at, context):
                        gain = 0 if slot.type.free else end - at
                        given = (*constants, *((slot.name, value),) * slot.times)
                        _advance(chart[end], target, closed + gain, [filled + given for filled in partials])
        return chart

    def collect(self, filled: _Filled) -> Mapping[str, Value]:
        """The slots of an utterance from the values that it fills, in order."""
        slots: dict[str, Value] = {}
        for name in dict.fromkeys(name for name, _ in filled):
            values = tuple(value for given, value in filled if given == name)
            shape = self.shapes[name]
            if shape == 0:
                slots[name] = values[0]
            elif shape == 1:
                slots[name] = values
            else:
                slots[name] = tuple(values[i : i + shape] for i in range(0, len(values), shape))
        return slots


def _advance(row: Row, target: int, closed: int, partials: list[_Filled]) -> None:
    """Record partial readings at `target`, keeping only those with the most closed words, and few ties."""
    known_closed, known = row.get(target, (-1, []))
    if closed > known_closed:
        row[target] = (closed, partials[:_TIES])
    elif closed == known_closed:
        known += [filled for filled in partials if filled not in known][: _TIES - len(known)]


def compile_template(
    source: str, listed: Mapping[str, SlotType], before: Node = NOTHING, after: Node = NOTHING
) -> Template:
    """Read and compile a template, with parts that may come `before` and `after` it. Raises TemplateError."""
    own = read(source, listed)
    shapes = {name: _shape(name, least, most) for name, (least, most) in fillings(own).items()}
    automaton = _Automaton()
    end = automaton.add(Sequence((before, own, after)), 0)
    return Template(source, own, automaton.states(end), shapes)


def with_common_shapes(templates: Iterable[Template]) -> tuple[Template, ...]:
    """The same templates, where a slot that holds a tuple in one of them does so in all (a constant stays as it is)."""
    templates = tuple(templates)
    common: dict[str, int] = {}
    for template in templates:
        for name, shape in template.shapes.items():
            common[name] = max(shape, common.get(name, 0))
    return tuple(
        replace(
            t, shapes={name: common[name] if name in _slot_names(t.node) else own for name, own in t.shapes.items()}
        )
        for t in templates
    )


def _slot_names(node: Node) -> frozenset[str]:
    match node:
        case Slot(name):
            return frozenset((name,))
        case Sequence(parts) | Choice(parts):
            return frozenset().union(*map(_slot_names, parts))
        case Repeat(part):
            return _slot_names(part)
        case _:
            return frozenset()


class _Automaton:
    """Builds the states of a template; silent moves are removed at the end."""

    def __init__(self) -> None:
        self._silent: list[list[tuple[_Filled, int]]] = [[]]
        self._moves: list[list[tuple[Word | Slot, int]]] = [[]]

    def _new(self) -> int:
        self._silent.append([])
        self._moves.append([])
        return len(self._moves) - 1

    def add(self, node: Node, start: int) -> int:
        """Add `node` after state `start`; return the state after it."""
        match node:
            case Word() | Slot():
                end = self._new()
                self._moves[start].append((node, end))
                return end
            case Constant(name, value):
                end = self._new()
                self._silent[start].append((((name, value),), end))
                return end
            case Sequence(parts):
                return self._add_sequence(parts, start)
            case Choice(options):
                end = self._new()
                for option in options:
                    self._silent[self.add(option, self._branch(start))].append(((), end))
                return end
            case Repeat(part):
                begin = self._branch(start)
                end = self.add(part, begin)
                self._silent[end].append(((), begin))
                return self._branch(end)

    def _branch(self, start: int) -> int:
        state = self._new()
        self._silent[start].append(((), state))
        return state

    def _add_sequence(self, parts: tuple[Node, ...], start: int) -> int:
        state = start
        elided: tuple[Word, int] | None = None
        for part in parts:
            before, state = state, self.add(part, state)
            if elided is not None and isinstance(part, Word):
                joined = elided[0].text + part.text
                self._moves[elided[1]].append((Word(joined, fold(joined)), state))
            elided = (part, before) if isinstance(part, Word) and part.text.endswith("'") else None
        return state

    def states(self, end: int) -> tuple[_State, ...]:
        """The finished states, number 0 first."""
        return tuple(self._state(index, end) for index in range(len(self._moves)))

    def _state(self, index: int, end: int) -> _State:
        words: dict[str, tuple[_Leap, ...]] = {}
        slots: list[tuple[_Filled, Slot, int]] = []
        ends: list[_Filled] = []
        for constants, reached in self._reachable(index):
            if reached == end:
                ends.append(constants)
            for label, target in self._moves[reached]:
                if isinstance(label, Word):
                    words[label.key] = (*words.get(label.key, ()), (constants, target))
                else:
                    slots.append((constants, label, target))
        return _State(words, tuple(slots), tuple(ends))

    def _reachable(self, index: int) -> Iterator[_Leap]:
        yield (), index
        for constants, target in self._silent[index]:
            for further, reached in self._reachable(target):
                yield constants + further, reached
