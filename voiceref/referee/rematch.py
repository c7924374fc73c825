"""« Encore une partie »: the table of the next game, with the same players and rules and the next one to begin."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from voiceref.games.engine import Summary, Table

_DICE_DECIDE = frozenset({"cul-de-chouette"})
"""Games in which every game begins with a die from each player (CDC-003); in the others the turn goes on by one."""


def rematch(game: str, table: Table, summary: Summary, shuffle: Callable[[list[int]], None] = random.shuffle) -> Table:
    """The next table: no scores, no tokens, newcomers of the last game stay, cards are shuffled anew."""
    joined = tuple(name for name in summary.scores if name not in table.players) if game in _DICE_DECIDE else ()
    players = table.players if table.teams else (*table.players, *joined)
    began = table.players.index(table.turn) if table.turn in table.players else 0
    turn = None if game in _DICE_DECIDE else players[(began + 1) % len(players)]
    settings = _reshuffled(table.settings, shuffle)
    return replace(table, players=players, settings=settings, scores={}, tokens={}, turn=turn)


def numbered(journal: Path, games: int) -> Path:
    """Where the game after `games` others is kept: `soir.jsonl`, `soir-2.jsonl`, …"""
    return journal.with_stem(f"{journal.stem}-{games + 1}") if games else journal


def _reshuffled(settings: Mapping[str, str], shuffle: Callable[[list[int]], None]) -> Mapping[str, str]:
    if "deck.places" not in settings or settings.get("deck.order") == "fichier":
        return settings
    places = [int(place) for place in settings["deck.places"].split(",")]
    shuffle(places)
    return {**settings, "deck.places": ",".join(map(str, places))}
