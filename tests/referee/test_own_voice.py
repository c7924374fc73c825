"""B62: what the referee says is never an order, should the ear hear it in spite of being closed."""

from __future__ import annotations

import re

import pytest

from voiceref.phrases import catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.voice.wording import Wording

ANSWERS = {"name", "yes", "no", "nobody"}
"""Orders that mean something only after a question."""
SAMPLES = {
    "points": "seize points",
    "gagne": "gagne seize points",
    "gagnent": "gagnent seize points",
    "dés": "quatre, deux et un",
    "et": "Ana et Bruno",
    "ou": "Ana ou Bruno",
    "de": "d'Ana",
    "à": "à Ana",
    "que": "qu'Ana",
    "un": "une Velute",
    "le": "la Velute",
    "nom": "Velute",
    "du": "de la Velute",
    "au": "à la Velute",
    "scores": "Ana, seize points ; Bruno, un point",
    "durée": "une minute",
    "ordinal": "deuxième",
    "ordinale": "deuxième",
    "mots": "seize",
    "mots_f": "seize",
    "cités": "« Je sirote ! »",
}


def spoken(template: str) -> str:
    """A template with plausible words in its fields."""

    def field(found: re.Match[str]) -> str:
        form = found[1] or ""
        return form.split("|")[0] if "|" in form else SAMPLES.get(form, f"deux {form}" if form else "Ana")

    return re.sub(r"\{\w+(?::([^}]*))?\}", field, template)


@pytest.mark.parametrize("game", catalogue.GAMES)
def test_no_sentence_and_no_part_of_one_is_an_order(game: str) -> None:
    phrases, context, wording = catalogue.load(game), Context(("Ana", "Bruno", "Chloé")), Wording.load()
    obeyed = []
    for table in (game.replace("-", "_"), "table"):
        for row, sentences in wording.templates[table].items():
            for sentence in map(spoken, sentences):
                for part in (sentence, *re.split(r"(?<=[.!?;:])\s+", sentence)):
                    found = match(part, phrases, context)
                    if isinstance(found, Match) and found.command not in (None, *ANSWERS):
                        obeyed.append((row, part, found.command))
    assert not obeyed
