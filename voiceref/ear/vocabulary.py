"""The vocabulary audit: words that the ear can only guess or not hear at all, and phrases that sound too much alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz.distance import Levenshtein

from voiceref.ear.lexicon import Lexicon
from voiceref.ear.phones import Pronunciation, spell

TOO_CLOSE = 0.25
"""Share of different phones up to which two phrases are reported."""


@dataclass(frozen=True)
class Finding:
    """One thing to know before the game. `grave`: the phrase cannot be heard at all."""

    grave: bool
    message: str


def audit_words(words: Iterable[str], lexicon: Lexicon) -> tuple[Finding, ...]:
    """Words without any sound, and words whose pronunciation is guessed, in alphabetical order."""
    found = []
    for word in sorted(set(words)):
        forms = lexicon.pronunciations(word)
        if not forms:
            message = f"« {word} » ne peut pas être entendu : donnez-lui une prononciation avec « says »."
            found.append(Finding(True, message))
        elif not lexicon.knows(word):
            message = f"« {word} » n'est pas au lexique ; il sera écouté comme « {spell(forms[0])} »."
            found.append(Finding(False, message))
    return tuple(found)


def audit_phrases(
    phrases: Mapping[str, str], lexicon: Lexicon, together: Iterable[Collection[str]]
) -> tuple[Finding, ...]:
    """Pairs of phrases (id -> text in words) that can be legal at once (`together`) and sound nearly alike."""
    spoken = {name: _phones(text, lexicon) for name, text in phrases.items()}
    seen: set[tuple[str, str]] = set()
    found = []
    for group in together:
        for a, b in combinations(sorted(name for name in group if spoken.get(name)), 2):
            if (a, b) in seen:
                continue
            seen.add((a, b))
            distance = Levenshtein.normalized_distance(spoken[a], spoken[b])
            if distance <= TOO_CLOSE:
                message = (
                    f"« {phrases[a]} » et « {phrases[b]} » se ressemblent trop ({round(100 * distance)} % de sons "
                    "différents) : changez l'une des deux ou allongez-la."
                )
                found.append(Finding(False, message))
    return tuple(found)


@dataclass(frozen=True)
class Likeness:
    """How near the nearest other wording sounds: 0 is the same, 1 has nothing in common."""

    text: str
    distance: float

    @property
    def too_close(self) -> bool:
        """Whether people and ears would take one for the other."""
        return self.distance <= TOO_CLOSE


def nearest(text: str, others: Iterable[str], lexicon: Lexicon) -> Likeness | None:
    """The one of `others` that sounds most like `text`; None where nothing can be compared."""
    sounds = _phones(text, lexicon)
    if not sounds:
        return None
    spoken = ((other, _phones(other, lexicon)) for other in others)
    compared = [(Levenshtein.normalized_distance(sounds, phones), other) for other, phones in spoken if phones]
    if not compared:
        return None
    distance, other = min(compared)
    return Likeness(other, distance)


def _phones(text: str, lexicon: Lexicon) -> Pronunciation:
    """The usual pronunciation of a text, () when one of its words is mute."""
    forms = [lexicon.pronunciations(word) for word in text.replace("'", "' ").split()]
    return tuple(phone for form in forms for phone in form[0]) if all(forms) else ()
