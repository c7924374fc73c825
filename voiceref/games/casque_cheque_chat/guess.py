"""How near running talk comes to the expression (CCC-032, D-203): approximate is enough, a piece of it is not."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz

from voiceref.games import words

_SAME_WORD = 70.0
"""Likeness (0..100) under which two words are different words."""


def likeness(said: str, expression: str) -> float:
    """0..100: how much of `expression` is in `said`, in any company, articles and accents aside.

    The smaller of rapidfuzz's token-set ratio and of the share of the expression's letters that are found, so that one
    of its words alone is little; or, for words cut otherwise by an ear, the ratio of the letters in a row.
    """
    said, expression = words.numbers_spelled(said), words.numbers_spelled(expression)
    heard, goal = words.content(said), words.content(expression)
    if not heard or not goal:
        return 0.0
    by_tokens = min(fuzz.token_set_ratio(" ".join(heard), " ".join(goal)), _share(heard, goal))
    in_a_row = max((fuzz.ratio(part, "".join(goal)) for part in _windows(heard, len(goal))), default=0.0)
    if len(goal) == 1 and any(words.sound_alike(part, expression) for part in words.spelled(said).split()):
        return 100.0
    if len(goal) == 1:
        return in_a_row if _same_ends(said, expression) else min(in_a_row, by_tokens, _SAME_WORD)
    return max(by_tokens, in_a_row if in_a_row >= 90.0 else 0.0)


def best_likeness(said: str, expressions: Iterable[str]) -> float:
    """The greatest likeness to one of the accepted `expressions`."""
    return max((likeness(said, expression) for expression in expressions), default=0.0)


def _share(heard: tuple[str, ...], goal: tuple[str, ...]) -> float:
    """Per cent of the letters of `goal` whose words are among `heard`, nearly said alike."""
    total = sum(map(len, goal))
    found = 0.0
    for word in goal:
        nearest = max(fuzz.ratio(word, other) for other in heard)
        found += len(word) * (nearest if nearest >= _SAME_WORD else 0.0)
    return found / total


def _windows(heard: tuple[str, ...], size: int) -> Iterable[str]:
    """Runs of about `size` words of the talk, joined."""
    for width in range(max(1, size - 1), size + 3):
        for start in range(max(1, len(heard) - width + 1)):
            yield "".join(heard[start : start + width])


def _same_ends(said: str, word: str) -> bool:
    """For a lone word: something heard begins with the same sound and ends alike (Bordure is not Ordure)."""
    heard = tuple(words.spelled(said).split())
    goal = words.sounds(words.spelled(word).split()[-1])
    runs = {words.sounds(part) for part in _windows(heard, 1)}
    return any(run[:1] == goal[:1] and run[-1:] == goal[-1:] for run in runs if run)
