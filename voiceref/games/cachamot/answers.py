"""Which words are an answer (CACH-028), and whether it is the right one (CACH-030 to CACH-033, « be cool »)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from voiceref.games import words
from voiceref.games.words import SoundsAlike

_FORMS = ("ma reponse est", "ma reponse c est", "ma reponse", "je dis", "je propose", "c est mon choix")
_LONE_FORMS = ("c est", "ce serait")
_COMPOUND_LINKS = words.word_set("de d a au aux en et la le l")
_DOUBT = words.word_set(
    "ou peut etre euh hum hein voyons attends attendez pas non si je crois pense genre sinon alors comme quoi "
    "sorte espece truc chose"
)
PRINTED_PAIRS = (frozenset({"patate", "pomme de terre"}),)
"""Words that the rulebook itself takes for one another (CACH-030); its other pair is an inflection."""
ASK_FROM = 88.0
"""Likeness (0..100) in writing and in sound from which the Cachamot is asked: patte is not near patate."""


@dataclass(frozen=True)
class Answer:
    """One player's answer. It is `formal` when said with « Ma réponse : … »; a lone word waits for silence."""

    t: float
    player: str
    word: str
    formal: bool
    glass: int
    settles: float


@dataclass(frozen=True)
class Wording:
    """The word inside an utterance and the way it was said."""

    word: str
    formal: bool


class Verdict(Enum):
    """What the referee finds by itself."""

    EXACT = "exact"
    INFLECTED = "inflected"
    LISTED = "listed"
    HOMOPHONE = "homophone"
    ASK = "ask"
    ASK_SPELLING = "ask spelling"
    WRONG = "wrong"

    @property
    def rule(self) -> str:
        """The rule that says so."""
        return _RULES[self]

    @property
    def right(self) -> bool:
        """Whether the answer wins without a question."""
        return self in (Verdict.EXACT, Verdict.INFLECTED, Verdict.LISTED, Verdict.HOMOPHONE)


_RULES = {
    Verdict.EXACT: "CACH-021",
    Verdict.INFLECTED: "CACH-031",
    Verdict.LISTED: "CACH-030",
    Verdict.HOMOPHONE: "CACH-033",
    Verdict.ASK: "CACH-032",
    Verdict.ASK_SPELLING: "CACH-033",
    Verdict.WRONG: "CACH-020",
}


def understood(mot: str, text: str) -> Wording | None:
    """The answer in `mot` (the free slot) of the whole `text`; None when it is thinking aloud (CACH-028)."""
    whole, free = words.folded(text), words.folded(mot)
    formal = any(whole.startswith(form) or f" {form} " in f" {whole} " for form in _FORMS)
    for form in sorted((*_FORMS, *_LONE_FORMS), key=len, reverse=True):
        if free.startswith(form + " "):
            free = free[len(form) + 1 :]
            mot = " ".join(mot.replace("'", " ").replace("’", " ").split()[len(form.split()) :]).lstrip(" :,")
            break
    said = words.without_article(free).split()
    if not said:
        return None
    mot = mot.strip(" .!?…:,")
    word = mot[:1].lower() + mot[1:]
    if formal:
        return Wording(word, True)
    asking = text.rstrip().endswith("?") and len(whole.split()) > 1
    if asking or not _is_lone(said, "-" in mot) or (len(said) > 1 and any(part in _DOUBT for part in said)):
        return None
    return Wording(word, False)


def _is_lone(said: list[str], hyphened: bool) -> bool:
    """One word, or a compound such as « pomme de terre », « chou-fleur », « arc en ciel »."""
    heavy = [part for part in said if part not in _COMPOUND_LINKS]
    linked = any(part in _COMPOUND_LINKS for part in said[1:-1])
    return len(heavy) == 1 or (len(heavy) == 2 and linked) or (len(heavy) <= 3 and hyphened)


def judge(word: str, target: str, synonyms: tuple[str, ...], strict: bool, sounds_alike: SoundsAlike) -> Verdict:
    """The verdict on `word` when the Shell word is `target` (D-104). Strict takes only the word and its list."""
    answer, goal = words.without_article(word), words.without_article(target)
    if answer.replace(" ", "") == goal.replace(" ", ""):
        return Verdict.EXACT
    if any(answer == words.without_article(synonym) for synonym in synonyms):
        return Verdict.LISTED
    if strict:
        return Verdict.WRONG
    if any(words.same_inflected(word, known) for known in (target, *synonyms)):
        return Verdict.INFLECTED if words.same_inflected(word, target) else Verdict.LISTED
    if any(_among(answer, pair) and _among(goal, pair) for pair in PRINTED_PAIRS):
        return Verdict.LISTED
    if sounds_alike(words.bare(word), words.bare(target)):
        return Verdict.HOMOPHONE if answer[:1] == goal[:1] else Verdict.ASK_SPELLING
    single = " " not in answer and " " not in goal
    if (single and words.same_family(answer, goal)) or _close(answer, goal):
        return Verdict.ASK
    return Verdict.WRONG


def _among(word: str, pair: frozenset[str]) -> bool:
    return any(words.same_inflected(word, known) for known in pair)


def _close(answer: str, goal: str) -> bool:
    heard, sought = words.sounds(answer), words.sounds(goal)
    return words.near(answer, goal) >= ASK_FROM and words.near(heard, sought) >= ASK_FROM
