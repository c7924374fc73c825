"""The one final answer of a turn (D-302) and whether it names the job of the die (D-308)."""

from __future__ import annotations

import re

from voiceref.games import words
from voiceref.games.chasseur_de_tete.state import Job

_FINAL = ("je crois que c est", "je pense que c est", "je dirais que c est", "c est le metier", "c est mon choix")
_CUT = re.compile(r"[.!?;…]|\bnon\b|\bou plutôt\b", re.IGNORECASE)
_LEAD = re.compile(r"^(?:le |du )?m[ée]tier (?:de |d['’]|du )?", re.IGNORECASE)
_NEAR = 85.0
NUMBERS = ("un", "deux", "trois", "quatre", "cinq", "six")


def is_final(text: str) -> bool:
    """Whether the sentence is one of the final forms; anything else is thinking aloud."""
    said = f" {words.folded(text)} "
    return any(f" {form} " in said for form in _FINAL) or " reponse " in said


def first_named(job: str) -> str:
    """The first job of « pompier. Non, cascadeur »: only the first final sentence counts."""
    head = next((part for part in (piece.strip(" ,:") for piece in _CUT.split(job)) if part), "")
    return _LEAD.sub("", head)


def number_in(text: str) -> int | None:
    """1..6 from « 4 » or « quatre »; None for anything else."""
    said = words.folded(text)
    if said in NUMBERS:
        return NUMBERS.index(said) + 1
    return int(said) if said in ("1", "2", "3", "4", "5", "6") else None


def typed_job(text: str, synonyms: tuple[str, ...]) -> Job:
    """A die typed as « 4 », « quatre = scientifique = savant » or the job alone."""
    number = number_in(text)
    return Job(number, synonyms) if number is not None else Job(None, (text, *synonyms))


def judged(answer: str | int, job: Job) -> bool | None:
    """Whether `answer` (a job, or a number 1..6) is `job`; None when the referee cannot know."""
    if isinstance(answer, int):
        return None if job.number is None else answer == job.number
    if not job.names:
        return None
    return any(
        words.same_inflected(answer, name)
        or words.sound_alike(answer, name)
        or words.near(answer, name) >= _NEAR
        or words.without_article(name) in words.without_article(answer)
        for name in job.names
    )
