"""The types of slots: which words fill them, with which value, and the fixed homophones allowed inside them (B27)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Protocol

from voiceref.phrases import numbers
from voiceref.phrases.normalise import Token, clean, fold, normalise, tokens

Value = object
"""What a slot holds: int, str, or tuples of those."""

Words = tuple[str, ...]

NUMBER_HOMOPHONES: Mapping[str, str] = {
    fold(heard): fold(number)
    for number, sounds in {
        "un": "hein",
        "deux": "eux deu",
        "trois": "troie",
        "quatre": "katre",
        "cinq": "saint sain sein cinque",
        "six": "si scie sis cis",
        "sept": "set cet cette",
        "dix": "dis dit",
        "vingt": "vin vain vint",
        "cent": "sang sans sent",
    }.items()
    for heard in sounds.split()
}
"""Words that sound like a number word, both as keys. They count as numbers inside a number slot and nowhere else."""

LETTER_NAMES: Mapping[str, str] = {
    "A": "a ah",
    "B": "b bé",
    "C": "c cé",
    "D": "d dé",
    "E": "e euh",
    "F": "f effe",
    "G": "g gé",
    "H": "h ache hache",
    "I": "i",
    "J": "j ji",
    "K": "k ka",
    "L": "l elle aile",
    "M": "m emme aime",
    "N": "n enne haine",
    "O": "o oh eau",
    "P": "p pé",
    "Q": "q qu cu",
    "R": "r erre air",
    "S": "s esse",
    "T": "t té thé",
    "U": "u",
    "V": "v vé",
    "W": "w double-vé double-v",
    "X": "x ixe",
    "Y": "y i-grec",
    "Z": "z zède zed",
}
"""How each letter is said or transcribed; hyphens stand for spaces. The first is the letter itself."""


def _readable(text: str) -> Words:
    """The words for the ear, elisions joined."""
    return tuple(normalise(text).split())


@dataclass(frozen=True)
class Line:
    """One utterance cut into words. `text` is the cleaned text that the token positions refer to."""

    text: str
    tokens: tuple[Token, ...]

    @classmethod
    def of(cls, text: str) -> Line:
        """The words of `text`, any case, NFC or NFD, with any apostrophe."""
        return cls(clean(text), tokens(text))

    @cached_property
    def keys(self) -> Words:
        """The comparison key of each word."""
        return tuple(token.key for token in self.tokens)

    def between(self, start: int, end: int) -> str:
        """The text as written from word `start` to before word `end`."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end].rstrip("'")


@dataclass(frozen=True, eq=False)
class Context:
    """What this table adds to the grammar.

    `players` in turn order; `spoken` gives other ways to say a player's name (name -> forms);
    `words` gives open lexicons to the ear, by slot type (« metier » -> its words); the text matcher needs them only to
    know groups of words as one (« pomme de terre »). `sought` are those that count inside running talk too.
    """

    players: tuple[str, ...] = ()
    spoken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sought: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def groups(self) -> Mapping[str, frozenset[Words]]:
        """By slot type, the keys of the open words that are groups of words."""
        return {
            lexicon: frozenset(keys for entry in entries if len(keys := tuple(t.key for t in tokens(entry))) > 1)
            for lexicon, entries in self.words.items()
        }

    @cached_property
    def names(self) -> Vocabulary:
        """The spoken forms of the players."""
        return Vocabulary.of({name: (name, *self.spoken.get(name, ())) for name in self.players})


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """A closed list: values and the word sequences that mean them."""

    forms: tuple[tuple[Words, Value], ...]
    readable: tuple[Words, ...]

    @classmethod
    def of(cls, values: Mapping[str, Iterable[str]]) -> Vocabulary:
        """From value -> ways to say it. Ways without any word are left out."""
        cut = [(way, value) for value, ways in values.items() for way in ways if tokens(way)]
        forms = dict.fromkeys((tuple(token.key for token in tokens(way)), value) for way, value in cut)
        return cls(tuple(forms), tuple(dict.fromkeys(_readable(way) for way, _ in cut)))

    @cached_property
    def by_first(self) -> Mapping[str, tuple[tuple[Words, Value], ...]]:
        """The forms grouped by the key of their first word."""
        found: dict[str, tuple[tuple[Words, Value], ...]] = {}
        for form in self.forms:
            found[form[0][0]] = (*found.get(form[0][0], ()), form)
        return found

    def starts(self, keys: Words, at: int) -> Iterator[tuple[int, Value]]:
        """(end, value) of every form that begins at index `at`."""
        for form, value in self.by_first.get(keys[at], ()):
            if keys[at : at + len(form)] == form:
                yield at + len(form), value


class SlotType(Protocol):
    """What may fill a slot. `free` types take any words; they rank below every closed reading of the same words."""

    @property
    def free(self) -> bool:
        """Whether any words fit."""
        ...

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """(end, value) of every filling that begins at word `at`."""
        ...

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """Every filling as readable words, for the ear."""
        ...


@dataclass(frozen=True)
class NumberRange:
    """Numbers `low`..`high` in words (all regions) or digits; value int. `counted`: the ear expects a rising count.

    `masculine`: the ear does not expect « une », with which too much everyday talk begins.
    """

    low: int
    high: int
    counted: bool = False
    masculine: bool = False
    free: bool = field(default=False, init=False)

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """Numbers in range, homophones included: « d'eux » and « deux » are 2."""
        first = at + 1 if line.keys[at] == "d" and line.keys[at + 1 : at + 2] == ("eux",) else at
        keys = [NUMBER_HOMOPHONES.get(key, key) for key in line.keys[first : first + numbers.LONGEST]]
        for end, value in numbers.starts(keys, 0):
            if self.low <= value <= self.high:
                yield first + end, value

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """Every spelling of every number of the range."""
        every = _range_sequences(self.low, self.high)
        return tuple(words for words in every if words != ("une",)) if self.masculine else every


@cache
def _range_sequences(low: int, high: int) -> tuple[Words, ...]:
    return tuple(words for n in range(low, high + 1) for words in numbers.spellings(n))


@dataclass(frozen=True)
class Player:
    """A player of the table; value: the name as the table writes it."""

    free: bool = field(default=False, init=False)

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """Names and their spoken forms, whatever the case and accents."""
        return context.names.starts(line.keys, at)

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """The names, then their other spoken forms."""
        return context.names.readable


@dataclass(frozen=True)
class Listed:
    """One of a list of values, written in a grammar file under `[types.NAME]`; value: its id."""

    vocabulary: Vocabulary
    free: bool = field(default=False, init=False)

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """Every listed form that begins here."""
        return self.vocabulary.starts(line.keys, at)

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """Every listed form."""
        return self.vocabulary.readable


_LETTERS = Vocabulary.of(
    {letter: (way.replace("-", " ") for way in ways.split()) for letter, ways in LETTER_NAMES.items()}
)


@dataclass(frozen=True)
class Letter:
    """A spelled letter, « B », « bé », « B comme Bruno »; value: the capital letter."""

    free: bool = field(default=False, init=False)

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """Letter names; the word after « comme » must begin with the letter."""
        for end, value in _LETTERS.starts(line.keys, at):
            yield end, value
            example = line.keys[end + 1 : end + 2]
            if line.keys[end : end + 1] == ("come",) and example and example[0][0] == str(value).casefold():
                yield end + 2, value

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """The letters by their own sign (the ear knows how a lone letter is said)."""
        return tuple((letter.casefold(),) for letter in LETTER_NAMES)


@dataclass(frozen=True)
class FreeWords:
    """Up to `most` words of any kind; value: the text as written. The ear needs `Context.words[lexicon]` for them."""

    lexicon: str
    most: int
    free: bool = field(default=True, init=False)

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """Every length up to `most` words, and the groups of words of the context."""
        for end in range(at + 1, min(at + self.most, len(line.tokens)) + 1):
            yield end, line.between(at, end)
        for keys in context.groups.get(self.lexicon, ()):
            if len(keys) > self.most and line.keys[at : at + len(keys)] == keys:
                yield at + len(keys), line.between(at, at + len(keys))

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """The words given by the context."""
        return tuple(_readable(entry) for entry in context.words.get(self.lexicon, ()))


@dataclass(frozen=True)
class NewName:
    """The name of somebody who is not at the table yet, one to four words; value: the name with a capital."""

    free: bool = field(default=True, init=False)

    def starts(self, line: Line, at: int, context: Context) -> Iterator[tuple[int, Value]]:
        """Up to four words; as written when written with a capital."""
        for end in range(at + 1, min(at + 4, len(line.tokens)) + 1):
            name = line.between(at, end)
            yield end, name if name != name.casefold() else name.title()

    def sequences(self, context: Context) -> tuple[Words, ...]:
        """First names the ear may expect, given as `Context.words["nom"]`."""
        return tuple(_readable(entry) for entry in context.words.get("nom", ()))


_RANGE = re.compile(r"(compte )?(\d+)\.\.(\d+)")

BUILT_IN: Mapping[str, SlotType] = {
    "joueur": Player(),
    "de": NumberRange(1, 6, masculine=True),
    "lettre": Letter(),
    "nom": NewName(),
    "mot": FreeWords("mot", 1),
    "libre": FreeWords("libre", 40),
    "metier": FreeWords("metier", 6),
    "personnage": FreeWords("personnage", 4),
}
"""Types that need no list: players, a die (1..6), a letter, free words. Numbers are written `LOW..HIGH` (0 to 999);
`compte LOW..HIGH` is a number of a rising count (« Sloubi un, sloubi deux »)."""


def slot_type(name: str, listed: Mapping[str, SlotType]) -> SlotType:
    """The type called `name`. Raises ValueError with a French sentence."""
    bounds = _RANGE.fullmatch(name)
    if bounds:
        low, high = int(bounds[2]), int(bounds[3])
        if not low <= high <= numbers.HIGHEST:
            raise ValueError(
                f"l'intervalle « {name} » doit aller du plus petit au plus grand, entre 0 et {numbers.HIGHEST}"
            )
        return NumberRange(low, high, counted=bounds[1] is not None)
    known = listed.get(name) or BUILT_IN.get(name)
    if known is None:
        names = ", ".join(sorted({*listed, *BUILT_IN}))
        raise ValueError(f"type de case inconnu « {name} » ; types possibles : {names}, ou un intervalle comme 1..6")
    return known
