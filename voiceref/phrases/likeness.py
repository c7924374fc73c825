"""How near a phrase is to some words by spelling: which cry was meant when it is a little off.

Distance by phones is the ear's. Words are compared by their keys (see `normalise.fold`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from voiceref.phrases import numbers
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.normalise import fold

ACCEPT = 0.85
MARGIN = 0.15
WORD = 0.6
"""Least likeness of a whole cry, its lead over the next phrase, and likeness of each of its words (0..1)."""
NEAR = 0.6
"""Likeness from which a phrase is worth naming in the log."""
_SMALL_WORD = 3
_NEGATIONS = frozenset(map(fold, ("ne", "n'", "pas", "non", "sans", "plus")))

Keys = tuple[str, ...]


@dataclass(frozen=True)
class Close:
    """The cry nearest to some words. `accepted`: near enough, and far enough ahead of `runner_up`, to count as said."""

    phrase_id: str
    score: float
    runner_up: str | None
    accepted: bool


def close_phrase(said: Keys, catalogue: Catalogue) -> Close | None:
    """The long cry without slots that is nearest to the words `said`, None when nothing is near."""
    spelled = " ".join(said)
    ranked = sorted(
        (
            (max((Levenshtein.normalized_similarity(spelled, " ".join(keys)), keys) for keys in ways), phrase_id)
            for phrase_id, ways in catalogue.long_cries
        ),
        reverse=True,
    )
    if not ranked or ranked[0][0][0] < NEAR:
        return None
    (score, keys), phrase_id = ranked[0]
    next_score, runner_up = (ranked[1][0][0], ranked[1][1]) if len(ranked) > 1 else (0.0, None)
    accepted = score >= ACCEPT and score - next_score >= MARGIN and _same_words(said, keys)
    return Close(phrase_id, score, runner_up, accepted)


def _same_words(said: Keys, meant: Keys) -> bool:
    """Whether the words pair up in order, each like its pair; words of up to three letters may be missing or added.

    Numbers must be the same, and so must negations: « je mange » is not « je ne mange pas ».
    """
    for special in (_numbers, _negations):
        if special(said) != special(meant):
            return False
    long_said = [key for key in said if len(key) > _SMALL_WORD]
    long_meant = [key for key in meant if len(key) > _SMALL_WORD]
    if len(long_said) != len(long_meant) or abs(len(said) - len(meant)) > 1:
        return False
    return all(_alike(a, b) for a, b in zip(long_said, long_meant, strict=True))


def _alike(said: str, meant: str) -> bool:
    """Same beginning and much the same letters: « rachète » is not « achète »."""
    return said[0] == meant[0] and Levenshtein.normalized_similarity(said, meant) >= WORD


def _numbers(keys: Keys) -> list[int]:
    return [value for key in keys if (value := numbers.of_keys((key,))) is not None]


def _negations(keys: Keys) -> list[str]:
    return [key for key in keys if key in _NEGATIONS]
