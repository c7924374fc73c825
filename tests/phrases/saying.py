"""Says templates aloud: words that a template allows, with the slot values that they must give."""

from __future__ import annotations

from random import Random

from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.numbers import spellings
from voiceref.phrases.pattern import Choice, Constant, Node, Repeat, Sequence, Slot, Word
from voiceref.phrases.slots import Context, FreeWords, Letter, Listed, NewName, NumberRange, Player
from voiceref.phrases.template import Template

PLAYERS = ("Ana", "Bruno", "Chloé", "Maëlle-Rose")
CONTEXT = Context(PLAYERS, spoken={"Bruno": ("Nono",)})
STRANGE = ("zigoto", "carambole", "parapluie", "quincaillerie")
"""Free words that are in no grammar."""

Filled = tuple[tuple[str, object], ...]


def say(template: Template, dice: Random) -> tuple[str, dict[str, object]]:
    """Words that the template allows, drawn with `dice`, and the slots they must give."""
    words, filled = _say(template.node, dice)
    return " ".join(words).replace("' ", "'"), dict(template.collect(filled))


def _say(node: Node, dice: Random) -> tuple[list[str], Filled]:
    match node:
        case Word(text):
            return [text], ()
        case Constant(name, value):
            return [], ((name, value),)
        case Choice(options):
            return _say(dice.choice(options), dice)
        case Sequence(parts):
            said = [_say(part, dice) for part in parts]
        case Repeat(part):
            said = [_say(part, dice) for _ in range(dice.randint(1, 4))]
        case Slot(name, _, times):
            words, value = _fill(node, dice)
            return words, ((name, value),) * times
    return [word for words, _ in said for word in words], tuple(pair for _, filled in said for pair in filled)


def _fill(slot: Slot, dice: Random) -> tuple[list[str], object]:
    kind = slot.type
    if isinstance(kind, NumberRange):
        n = dice.randint(kind.low, kind.high)
        return list(dice.choice([*spellings(n), (str(n),)])), n
    if isinstance(kind, Player):
        name = dice.choice(PLAYERS)
        return name.split(), name
    if isinstance(kind, Listed):
        keys, value = dice.choice(kind.vocabulary.forms)
        return list(keys), value
    if isinstance(kind, Letter):
        letter = dice.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return [letter], letter
    if isinstance(kind, NewName):
        return ["Zébulon"], "Zébulon"
    assert isinstance(kind, FreeWords)
    words = [dice.choice(STRANGE) for _ in range(dice.randint(1, min(kind.most, 3)))]
    return words, " ".join(words)


def every_template(catalogue: Catalogue) -> list[tuple[str, Template]]:
    """(phrase id, template) of a whole catalogue."""
    return [(phrase.id, template) for phrase in catalogue.phrases.values() for template in phrase.readable]
