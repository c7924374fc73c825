"""The template language of the grammars: text to tree.

    words   [optional]   (one|other)   <slot:type>   <type>   <slot:type*2>   (repeated)+   {slot=constant}

A slot that can be filled once holds a value; one that can be filled several times, or that stands in a `(…)+`, holds
a tuple; one filled several times in each round of a `(…)+` holds a tuple of tuples. `<de*2>` fills the slot twice with
one value (« les deux quatre »).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from voiceref.phrases.normalise import tokens
from voiceref.phrases.slots import SlotType, Value, slot_type

_PIECE = re.compile(r"\s+|(?P<sign>[\[\]()|+])|<(?P<slot>[^<>]*)>|\{(?P<set>[^{}]*)\}|(?P<words>[^\[\]()|+<>{}]+)")
_SLOT = re.compile(r"(?:(?P<name>[a-z_]+)\s*:\s*)?(?P<type>[^:*]+?)\s*(?:\*(?P<times>[1-9]))?")
_SET = re.compile(r"(?P<name>[a-z_]+)\s*=\s*(?P<value>.*)")
_CONSTANTS: Mapping[str, Value] = {"()": (), "true": True, "false": False}


@dataclass(frozen=True)
class Word:
    """One word of the template."""

    text: str
    key: str


@dataclass(frozen=True)
class Slot:
    """A place to fill; the value is given `times` times."""

    name: str
    type: SlotType
    times: int = 1


@dataclass(frozen=True)
class Constant:
    """A slot value that the words around it imply."""

    name: str
    value: Value


@dataclass(frozen=True)
class Sequence:
    """Parts one after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """One of several parts."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """A part said once or more."""

    part: Node


OFTEN = 1000
"""Stands for the unknown number of rounds of a `(…)+` in counts of fillings."""

Node = Word | Slot | Constant | Sequence | Choice | Repeat
NOTHING = Sequence(())


class TemplateError(ValueError):
    """A template that cannot be read; the message is a French clause that says why."""


def read(template: str, listed: Mapping[str, SlotType]) -> Node:
    """The tree of a template. Raises TemplateError with a French clause."""
    node = read_part(template, listed)
    if _may_be_empty(node):
        raise TemplateError(f"« {template} » ne contient aucun mot obligatoire")
    return node


def read_part(template: str, listed: Mapping[str, SlotType]) -> Node:
    """The tree of a part of a template, which may be all optional. Raises TemplateError with a French clause."""
    pieces = list(_pieces(template))
    node, rest = _choice(pieces, 0, listed)
    if rest < len(pieces):
        raise TemplateError(f"« {pieces[rest][1]} » de trop dans « {template} »")
    return node


def _pieces(template: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(template):
        found = _PIECE.match(template, at)
        if found is None:
            raise TemplateError(f"« {template[at]} » sans son pendant dans « {template} »")
        at = found.end()
        if found.lastgroup is not None:
            yield found.lastgroup, found[found.lastgroup]


def _choice(pieces: list[tuple[str, str]], at: int, listed: Mapping[str, SlotType]) -> tuple[Node, int]:
    options: list[Node] = []
    while True:
        option, at = _sequence(pieces, at, listed)
        options.append(option)
        if at == len(pieces) or pieces[at] != ("sign", "|"):
            return (options[0] if len(options) == 1 else Choice(tuple(options))), at
        at += 1


def _sequence(pieces: list[tuple[str, str]], at: int, listed: Mapping[str, SlotType]) -> tuple[Node, int]:
    parts: list[Node] = []
    while at < len(pieces):
        kind, text = pieces[at]
        if kind == "words":
            parts += [Word(token.text, token.key) for token in tokens(text)]
        elif kind == "slot":
            parts.append(_slot(text, listed))
        elif kind == "set":
            parts.append(_constant(text))
        elif text in "[(":
            inner, at = _choice(pieces, at + 1, listed)
            closing = "]" if text == "[" else ")"
            if at == len(pieces) or pieces[at] != ("sign", closing):
                raise TemplateError(f"« {text} » sans « {closing} »")
            parts.append(Choice((inner, NOTHING)) if text == "[" else inner)
        elif text == "+":
            if at == 0 or (pieces[at - 1] != ("sign", ")") and pieces[at - 1][0] != "slot"):
                raise TemplateError("« + » doit suivre une parenthèse ou une case")
            if _may_be_empty(parts[-1]):
                raise TemplateError("ce qui se répète ne peut pas être vide")
            parts[-1] = Repeat(parts[-1])
        else:
            break
        at += 1
    return (parts[0] if len(parts) == 1 else Sequence(tuple(parts))), at


def _slot(text: str, listed: Mapping[str, SlotType]) -> Slot:
    found = _SLOT.fullmatch(text.strip())
    if found is None:
        raise TemplateError(f"case illisible « <{text}> »")
    try:
        kind = slot_type(found["type"], listed)
    except ValueError as error:
        raise TemplateError(str(error)) from None
    name = found["name"] or found["type"]
    if not name.isidentifier():
        raise TemplateError(f"il faut un nom à la case « <{text}> », par exemple « <points:{found['type']}> »")
    return Slot(name, kind, int(found["times"] or 1))


def _constant(text: str) -> Constant:
    found = _SET.fullmatch(text.strip())
    if found is None:
        raise TemplateError(f"valeur illisible « {{{text}}} » ; il faut « {{case=valeur}} »")
    value = found["value"].strip()
    return Constant(found["name"], int(value) if value.isdigit() else _CONSTANTS.get(value, value))


def _may_be_empty(node: Node) -> bool:
    match node:
        case Sequence(parts):
            return all(_may_be_empty(part) for part in parts)
        case Choice(options):
            return any(_may_be_empty(option) for option in options)
        case Repeat(part):
            return _may_be_empty(part)
        case Constant():
            return True
        case _:
            return False


def fillings(node: Node) -> Mapping[str, tuple[int, int]]:
    """How often each slot is filled at least and at most; inside a `(…)+` the most is a multiple of OFTEN."""
    match node:
        case Slot(name, _, times):
            return {name: (times, times)}
        case Constant(name, _):
            return {name: (1, 1)}
        case Sequence(parts):
            counted = [fillings(part) for part in parts]
            names = dict.fromkeys(name for counts in counted for name in counts)
            return {
                n: (sum(c.get(n, (0, 0))[0] for c in counted), sum(c.get(n, (0, 0))[1] for c in counted)) for n in names
            }
        case Choice(options):
            counted = [fillings(option) for option in options]
            names = dict.fromkeys(name for counts in counted for name in counts)
            return {
                n: (min(c.get(n, (0, 0))[0] for c in counted), max(c.get(n, (0, 0))[1] for c in counted)) for n in names
            }
        case Repeat(part):
            return {name: (least, OFTEN * most) for name, (least, most) in fillings(part).items()}
        case _:
            return {}


def wordings(node: Node) -> Iterator[tuple[str, ...]]:
    """Every word sequence of a tree, as keys; nothing for trees with slots or repetitions."""
    yield from (tuple(word.key for word in words) for words in _wordings(node))


def spoken(node: Node) -> Iterator[str]:
    """The same as text."""
    yield from (" ".join(word.text for word in words).replace("' ", "'") for words in _wordings(node))


def _wordings(node: Node) -> Iterator[tuple[Word, ...]]:
    match node:
        case Word():
            yield (node,)
        case Constant():
            yield ()
        case Sequence(parts):
            yield from _wordings_of_all(parts)
        case Choice(options):
            for option in options:
                yield from _wordings(option)
        case _:
            return


def _wordings_of_all(parts: tuple[Node, ...]) -> Iterator[tuple[Word, ...]]:
    if not parts:
        yield ()
        return
    for first in _wordings(parts[0]):
        for rest in _wordings_of_all(parts[1:]):
            yield first + rest
