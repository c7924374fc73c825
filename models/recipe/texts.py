"""Endless French texts to speak: the games' phrases and everyday sentences, their slots filled at random."""

from __future__ import annotations

import functools
import random
import re

from . import paths
from .words import number, slot_words

GAME_SHARE = 0.25  # of the texts that are phrases of the games


@functools.cache
def _lines(name: str) -> list[str]:
    return (paths.HERE / "texts" / name).read_text(encoding="utf-8").split("\n")[:-1]


def _number(rng: random.Random) -> str:
    return number(rng.choice([rng.randint(0, 20), rng.randint(0, 100), rng.randint(0, 999)]), rng.random() < 0.3)


def random_text(rng: random.Random) -> str:
    """One utterance; the commonest words come more often than rare ones."""
    template = rng.choice(_lines("phrases.txt" if rng.random() < GAME_SHARE else "templates.txt"))

    def fill(match: re.Match[str]) -> str:
        slot = match.group(1)
        if slot == "n":
            return _number(rng)
        words = slot_words()[slot]
        if slot == "word":
            return words[int(len(words) * rng.random() ** 2)]
        return rng.choice(words)

    text = re.sub(r"\{(\w+)\}", fill, template)
    for vowel in "aeiouyéèêhâœ":  # "le ami" is no French
        text = re.sub(rf"\b([LlDd])[ea] (?={vowel})", r"\1'", text)
        text = re.sub(rf"\bdu (?={vowel})", "de l'", text)
    return text + rng.choice(["", "", ".", " !"]) if text[-1].isalpha() else text
