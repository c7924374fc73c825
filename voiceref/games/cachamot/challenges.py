"""The four printed challenges (CACH-071), played without a Cachamot as training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Challenge:
    """The imposed word, the letters shown as printed, the Bubble word, the Shell word and what else is accepted."""

    imposed: str
    bubble_letters: str
    shell_letters: str
    bubble: str
    shell: str
    accepted: tuple[str, ...] = ()


CHALLENGES = (
    Challenge("fromage", "R", "P", "raclette", "patate", ("pomme de terre",)),
    Challenge("chiot", "PO", "S", "portée", "solfège"),
    Challenge("basilic", "PE", "S", "pesto", "sauce"),
    Challenge("squelette", "Z", "C", "zombi", "cerveau"),
)
