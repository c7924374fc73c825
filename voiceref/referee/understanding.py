"""Several sentences in one breath: « J'achète ! Cul : cinq. » is two phrases, when every part of it is a whole one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from voiceref.ear.hypothesis import Hypothesis
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context

FOR_RULES = frozenset({"add_points", "new_player"})
"""Orders that change the game, so that the rules carry them out."""

MOST = 3
"""Phrases in one breath."""

SHORTEST_S = 0.4
"""No phrase takes less time, so that the next one comes after the tie window of the former."""

_CUTS = (re.compile(r"[.!?…;]+"), re.compile(r"[.!?…;,]+"))
"""Where a breath may be cut: between sentences, or else at commas too."""
_LINK = re.compile(r"^(?:et puis|et|puis)\s+", re.IGNORECASE)


def sentences(text: str, catalogue: Catalogue, context: Context, legal: Sequence[str]) -> tuple[str, ...]:
    """The phrases that `text` is made of, in their order; `text` alone when it is one phrase, or none.

    Table talk stays whole, and so nothing: every part must be a whole phrase of the game word for word, no order to
    the referee, and the first one legal now (`legal`, as for `matcher.match`). What follows may become legal by it.
    """
    if isinstance(match(text, catalogue, context, legal), Match):
        return (text,)
    for cut in _CUTS:
        parts = tuple(_LINK.sub("", part.strip()) for part in cut.split(text) if part.strip())
        if 1 < len(parts) <= MOST and _all_phrases(parts, catalogue, context, legal):
            return parts
    return (text,)


def in_turn(heard: Hypothesis, parts: Sequence[str]) -> tuple[Hypothesis, ...]:
    """`heard` as its `parts` (one or more), each with its onset: the time of the utterance is shared out by letters.

    A typed line takes no time of its own, so each part is given `SHORTEST_S` at least.
    """
    pace = max(0.0, heard.utterance.end - heard.onset) / max(1, sum(map(len, parts)))
    found, onset = [], heard.onset
    for part in parts:
        utterance = replace(heard.utterance, end=max(heard.utterance.end, onset))
        found.append(replace(heard, utterance=utterance, text=part, onset=onset))
        onset += max(SHORTEST_S, pace * len(part))
    return tuple(found)


def _all_phrases(parts: tuple[str, ...], catalogue: Catalogue, context: Context, legal: Sequence[str]) -> bool:
    found = [match(part, catalogue, context, legal) for part in parts]
    exact = (
        isinstance(one, Match) and one.reason == "exact" and (one.command is None or one.command in FOR_RULES)
        for one in found
    )
    first = found[0]
    return all(exact) and isinstance(first, Match) and first.phrase_id in legal
