"""Forbidden words (CACH-040 to CACH-045) as far as their letters tell: certain faults, and doubts to be settled."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from voiceref.games import words
from voiceref.games.words import Knows

LEAST_LETTERS = 3


@dataclass(frozen=True)
class WordFault:
    """Why a word may not be used: the reason (a row of the wording) and the rule."""

    reason: str
    rule: str


TOO_SHORT = WordFault("mot_trop_court", "CACH-045")
REPEATED = WordFault("mot_repete", "CACH-043")
ACRONYM = WordFault("sigle_peut_etre", "CACH-040")
PROPER = WordFault("nom_propre_peut_etre", "CACH-044")
UNKNOWN = WordFault("mot_inconnu", "CACH-042")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.){2,}|^[A-ZÀÂÉÈÊËÎÏÔÖÙÛÜÇ]{2,6}$")


def certain_fault(word: str, others: Iterable[str]) -> WordFault | None:
    """The fault that the letters of `word` prove: too short (CACH-045), or one of `others` again (D-107)."""
    if len(words.letters(word)) < LEAST_LETTERS:
        return TOO_SHORT
    if any(other and words.same_inflected(word, other) for other in others):
        return REPEATED
    return None


def doubt(word: str, knows: Knows | None) -> WordFault | None:
    """What the table should look at (D-109): an acronym, a proper noun, a word not known (`knows` None: not asked)."""
    if _ACRONYM.search(word.strip()):
        return ACRONYM
    known = knows is not None and all(knows(part) or part in words.ARTICLES for part in words.spelled(word).split())
    if known:
        return None
    if word.strip()[:1].isupper():
        return PROPER
    return None if knows is None else UNKNOWN
