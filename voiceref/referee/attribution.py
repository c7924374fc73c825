"""Whose words they are: known from the ear, from the only player who may say them, not needed, or to be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from voiceref.games.engine import Opening
from voiceref.phrases.matcher import Match
from voiceref.phrases.phrase_file import RACES
from voiceref.table import find

_NEEDS_SPEAKER = frozenset({*RACES, "bet"})


@dataclass(frozen=True)
class Speaker:
    """The answer: `name` (None: nobody needs to be named), or `ask` when a person must tell."""

    name: str | None
    ask: bool = False


def attribute(heard_from: str | None, phrase: str, kind: str, openings: Iterable[Opening], *, strict: bool) -> Speaker:
    """Who said `phrase`, of `kind` (as in `grammars/*.toml`), with these openings.

    An unknown voice is the one player who may say it now. It is asked for when several may, or when the kind makes
    no sense without a name; a phrase out of place needs a name only where that costs points (`strict`).
    """
    if heard_from is not None:
        return Speaker(heard_from)
    now = [opening for opening in openings if opening.phrase == phrase]
    named = [opening.who for opening in now if opening.who is not None]
    allowed = frozenset[str]().union(*named)
    if now and len(named) == len(now):
        return Speaker(next(iter(allowed))) if len(allowed) == 1 else Speaker(None, ask=True)
    needed = kind in _NEEDS_SPEAKER and (bool(now) or strict)
    return Speaker(None, ask=needed)


def for_speaker(found: Match, heard_from: str | None, openings: Iterable[Opening]) -> Match:
    """The reading that this speaker may say now, where the same words have several; else the first."""
    if heard_from is None or not found.alternatives:
        return found
    open_to = {
        opening.phrase for opening in openings if opening.who is None or find(opening.who, heard_from) is not None
    }
    readings = (found, *found.alternatives)
    return next((reading for reading in readings if reading.command or reading.phrase_id in open_to), found)
