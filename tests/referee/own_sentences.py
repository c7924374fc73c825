"""Every sentence that the referee can say, with plausible words in its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voiceref.voice.wording import Wording

SAMPLES = {
    "points": "seize points",
    "gagne": "gagne seize points",
    "gagnent": "gagnent seize points",
    "perd": "perd seize points",
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


def sentences(game: str) -> Iterator[tuple[str, str]]:
    """Row of the wording and sentence, of one game and of the table."""
    wording = Wording.load()
    for table in (game.replace("-", "_"), "table"):
        for row, templates in wording.templates[table].items():
            for template in templates:
                if template:
                    yield row, spoken(template)
