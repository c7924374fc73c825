"""What letters tell about a clue: inside the expression, of one family, not a known word (CCC-021 to CCC-023)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voiceref.games import words
from voiceref.games.words import Knows

Family = Callable[[str, str], bool]
"""Whether two single words are of one family."""
_SHORTEST_FAMILY = 4
_LONGEST_ACRONYM = 6
_LINKS = words.word_set("d de du des à au aux en et la le les l")


@dataclass(frozen=True)
class ClueFault:
    """Why a clue is not valid. `certain`: shown by its letters; otherwise the table decides (D-212)."""

    rule: str
    reason: str
    certain: bool


def check(
    clue: str, expression: str, knows: Knows | None = None, family: Family = words.same_family
) -> tuple[ClueFault, ...]:
    """The faults of `clue` for `expression`, the certain ones first; none for a clue without reproach.

    `knows`: known words and groups of words (None leaves single words to the table). A group of words that is not
    known as such is a doubt (« Lard haine » on one slate).
    """
    faults = []
    if letters_inside(clue, expression):
        faults.append(ClueFault("CCC-022", "indice_dans_expression", True))
    if _related(clue, expression, family):
        faults.append(ClueFault("CCC-021", "indice_meme_famille", True))
    if not _exists(clue, knows):
        faults.append(ClueFault("CCC-023", "indice_inconnu", False))
    return tuple(faults)


def letters_inside(clue: str, expression: str) -> bool:
    """Whether the clue's letters, accents kept, follow one another inside the expression (D-211)."""
    inner = words.letters(clue)
    return bool(inner) and inner in words.letters(expression)


def _related(clue: str, expression: str, family: Family) -> bool:
    pairs = ((one, other) for one in words.content(clue) for other in words.content(expression))
    return any(
        len(one) >= _SHORTEST_FAMILY and len(other) >= _SHORTEST_FAMILY and family(one, other) for one, other in pairs
    )


def _exists(clue: str, knows: Knows | None) -> bool:
    """Acronyms exist, and so do known words that a small word joins (« château d'eau »)."""
    spelled = words.spelled(clue)
    if clue.strip().isupper() and len(spelled) <= _LONGEST_ACRONYM:
        return True
    parts = spelled.split()
    joined = len(parts) > 2 and all(part in _LINKS for part in parts[1:-1])
    if joined and (knows is None or (knows(parts[0]) and knows(parts[-1]))):
        return True
    heavy = [part for part in spelled.split() if part not in words.ARTICLES]
    if len(heavy) <= 1 and (knows is None or all(knows(part) for part in heavy)):
        return True
    return knows is not None and knows(spelled)
