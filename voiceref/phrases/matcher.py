"""One utterance to a Match or a Rejection with its reason.

Numbers, names and commands are read exactly. Only a long cry without slots may be a little off, and only when no other
phrase is near. The whole utterance must fit: a cry or a command inside a sentence is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from voiceref.phrases import numbers
from voiceref.phrases.catalogue import Catalogue, Phrase
from voiceref.phrases.likeness import close_phrase
from voiceref.phrases.normalise import clean, repair
from voiceref.phrases.slots import Context, Line, NumberRange, Player, SlotType, Value
from voiceref.phrases.template import Chart, Reading, Template

_TELLING = 4
"""Letters of a word that must have been understood before a reason names the phrase that was meant."""
_NAME_WORDS = 3
_SOLID = 3
"""Closed words without which a phrase out of place that also takes free words is taken for talk."""


@dataclass(frozen=True)
class Match:
    """A phrase that was said.

    `score`: 1.0 for an exact reading, less for a cry that was a little off (`reason` `exact` or `close`).
    `runner_up`: id of the next nearest phrase. `legal`: whether the caller listed it, or the session handles it.
    `command`: what the session does (None: the rules get the phrase); a template may override it with `{command=…}`.
    `alternatives`: other legal readings of the same words, in the caller's order (« Les dés : … » is two reports).
    """

    phrase_id: str
    slots: Mapping[str, Value]
    score: float
    runner_up: str | None
    reason: str
    legal: bool
    text: str
    command: str | None = None
    alternatives: tuple[Match, ...] = ()


@dataclass(frozen=True)
class Rejection:
    """Words that are no phrase. `nearest`: the id of the phrase that was meant, as far as one can tell.

    `reason`: `empty` (no words) · `unknown` (no phrase) · `incomplete` (only the beginning of a phrase) ·
    `number` (a phrase with a number that it cannot take) · `name` (a phrase with a name that nobody here has) ·
    `near` (close to a cry, not enough) · `ambiguous` (two readings that differ) · `mojibake` (damaged letters).
    """

    reason: str
    text: str
    nearest: str | None = None


_Trace = tuple[Phrase, Template, Chart]
"""A template that may begin with the first word, and how far the words go in it."""


@dataclass(frozen=True)
class _Found:
    """A reading with its phrase; `rank` puts the caller's phrases first, then the commands, then those out of place."""

    phrase: Phrase
    reading: Reading
    free: int
    rank: int
    legal: bool
    ambiguous: bool = field(default=False)


def match(text: str, catalogue: Catalogue, context: Context, legal: Sequence[str] = ()) -> Match | Rejection:
    """Read `text` (typed or recognised) as one whole phrase of `catalogue`.

    `legal`: ids of the phrases that may be said now, the most likely first. Phrases with a `command` are always legal,
    after those. A phrase that is not legal is still returned, with `legal=False`, unless most of it is free words.
    """
    try:
        mended = repair(text)
    except UnicodeError:
        return Rejection("mojibake", clean(text).strip())
    line = Line.of(text if mended is None else mended)
    said = line.text.strip()
    if not line.tokens:
        return Rejection("empty", said)
    order = {phrase_id: index for index, phrase_id in enumerate(legal)}
    traces = [(p, template, template.chart(line, context)) for p, template in catalogue.candidates(line.keys[0])]
    found = _exact(line, traces, order)
    if not found:
        stranger = _stranger(line, catalogue, context, order)
        return stranger or _inexact(line, traces, said, catalogue, order)
    found.sort(key=lambda f: (not f.legal, f.free, f.rank))
    best = found[0]
    if best.ambiguous:
        return Rejection("ambiguous", said, best.phrase.id)
    others = tuple(_as_match(f, said) for f in found[1:] if f.legal and f.free == best.free and not f.ambiguous)
    runner_up = found[1].phrase.id if len(found) > 1 else None
    return replace(_as_match(best, said), runner_up=runner_up, alternatives=others if best.legal else ())


def _as_match(found: _Found, said: str) -> Match:
    slots = dict(found.reading.slots)
    override = slots.pop("command", None)
    command = override if isinstance(override, str) else found.phrase.command
    return Match(found.phrase.id, slots, 1.0, None, "exact", found.legal, said, command)


def _exact(line: Line, traces: Sequence[_Trace], order: Mapping[str, int]) -> list[_Found]:
    """The best exact reading of each phrase that fits."""
    best: dict[str, _Found] = {}
    for phrase, template, chart in traces:
        readings = template.readings(chart)
        if not readings:
            continue
        free = len(line.tokens) - readings[0].closed
        legal = phrase.id in order or phrase.command is not None
        if free and not legal and readings[0].closed < _SOLID:
            continue
        known = best.get(phrase.id)
        if known is None or free < known.free:
            rank = order.get(phrase.id, len(order))
            best[phrase.id] = _Found(phrase, readings[0], free, rank, legal, len(readings) > 1)
    return list(best.values())


def _stranger(line: Line, catalogue: Catalogue, context: Context, order: Mapping[str, int]) -> Rejection | None:
    """« Carole commence »: a whole phrase if only a capitalised word, wherever it stands, were a player here."""
    for at in range(len(line.tokens)):
        name = line.between(at, at + 1)
        if not name[:1].isupper() or not _telling((*line.keys[:at], *line.keys[at + 1 :])):
            continue
        known = replace(context, players=(*context.players, name))
        candidates = catalogue.candidates(line.keys[0])
        read = _exact(line, [(p, template, template.chart(line, known)) for p, template in candidates], order)
        named = [f for f in read if f.legal and not f.free and name in _flat(f.reading.slots.values())]
        if named:
            return Rejection("name", line.text.strip(), named[0].phrase.id)
    return None


def _flat(values: Iterable[Value]) -> Iterator[Value]:
    for value in values:
        yield from value if isinstance(value, tuple) else (value,)


def _inexact(
    line: Line, traces: Sequence[_Trace], said: str, catalogue: Catalogue, order: Mapping[str, int]
) -> Match | Rejection:
    close = close_phrase(line.keys, catalogue)
    if close is not None and close.accepted:
        legal = close.phrase_id in order
        return Match(close.phrase_id, {}, close.score, close.runner_up, "close", legal, said)
    stuck = [(*template.furthest(chart), phrase.id) for phrase, template, chart in traces]
    stuck.sort(key=lambda found: -found[0])
    for name, reason in (("incomplete", _incomplete), ("number", _wrong_number), ("name", _unknown_name)):
        for at, expected, phrase_id in stuck:
            if at > 0 and reason(line, at, expected):
                return Rejection(name, said, phrase_id)
    if close is not None:
        return Rejection("near", said, close.phrase_id)
    return Rejection("unknown", said)


def _incomplete(line: Line, at: int, expected: frozenset[SlotType]) -> bool:
    return at == len(line.tokens) and _telling(line.keys[:at])


def _wrong_number(line: Line, at: int, expected: frozenset[SlotType]) -> bool:
    wants_number = any(isinstance(slot, NumberRange) for slot in expected)
    return wants_number and at < len(line.keys) and any(numbers.starts(line.keys, at))


def _unknown_name(line: Line, at: int, expected: frozenset[SlotType]) -> bool:
    wants_player = any(isinstance(slot, Player) for slot in expected)
    return wants_player and 0 < len(line.tokens) - at <= _NAME_WORDS and _telling(line.keys[:at])


def _telling(keys: Sequence[str]) -> bool:
    """Whether one of these words is long enough to say which phrase was meant."""
    return any(len(key) >= _TELLING for key in keys)
