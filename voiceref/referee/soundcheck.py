"""The sound check before a game: each player shouts, and the referee says whom it heard. A pure dialogue.

With a microphone each it finds whose microphone is whose; with one for all it tells the voices that it knows, or learns
them if the players agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

import numpy as np

from voiceref.audio.levels import measure
from voiceref.audio.source import EAR_RATE, Samples
from voiceref.race.profiles import FEWEST, ProfileError
from voiceref.referee.telling import Line

SHORTEST_S = 0.4
"""A shout shorter than this says too little."""
_TRIES = 2


class Way(Enum):
    """How players are told apart at this table."""

    MICROPHONES = "microphones"
    VOICES = "voices"
    AGREEING = "agreeing"
    LEARNING = "learning"
    LEVELS = "levels"


class Voices(Protocol):
    """The voices of the table."""

    def name(self, shout: Samples) -> str | None:
        """Whose voice it is, None when not sure enough."""

    def learn(self, player: str, shouts: Sequence[Samples]) -> None:
        """Keep a voice. Raises ProfileError."""


@dataclass(frozen=True)
class Check:
    """How far the check has come: whose turn it is to shout, what was found. `microphones`: player -> channel."""

    players: tuple[str, ...]
    way: Way
    turn: int = 0
    tries: int = 0
    shouts: tuple[Samples, ...] = field(default=(), repr=False)
    microphones: Mapping[str, int] = field(default_factory=dict)
    over: bool = False

    @property
    def player(self) -> str:
        """Who is to shout."""
        return self.players[self.turn]

    @property
    def order(self) -> tuple[int, ...] | None:
        """The channel of each player, where all were found."""
        found = tuple(self.microphones[name] for name in self.players if name in self.microphones)
        return found if len(found) == len(self.players) else None


Step = tuple[Check, tuple[Line, ...]]


def begun(players: tuple[str, ...], channels: int, *, known: bool) -> Step:
    """The check of a table with a microphone of so many channels; `known`: all voices were learnt before."""
    shared = Way.VOICES if known else Way.AGREEING
    way = Way.MICROPHONES if 1 < channels == len(players) else shared
    check = Check(players, way, over=len(players) < 2)
    return check, () if check.over else (Line("essai_debut"), *asked(check))


def asked(check: Check) -> tuple[Line, ...]:
    """What the referee asks now."""
    if check.over:
        return ()
    if check.way is Way.AGREEING:
        return (Line("essai_apprendre"),)
    row = "essai_encore" if check.shouts or check.tries else "essai_cri"
    return (Line(row, {"joueur": check.player}),)


def answered(check: Check, command: str) -> Step:
    """« Passe », « on joue », « oui » or « non »; anything else changes nothing."""
    if command == "play":
        return replace(check, over=True), ()
    if command == "pass":
        return _next(check) if check.way is not Way.AGREEING else _way(check, Way.LEVELS)
    if check.way is Way.AGREEING and command in ("yes", "no"):
        return _way(check, Way.LEARNING if command == "yes" else Way.LEVELS)
    return (check, asked(check)) if command == "repeat" else (check, ())


def shouted(check: Check, shout: Samples, voices: Voices) -> Step:
    """A shout of (n, channels) at 16 kHz, from its onset."""
    if check.over or check.way is Way.AGREEING or len(shout) < SHORTEST_S * EAR_RATE:
        return check, ()
    level = measure(shout, EAR_RATE)
    if level.clipped > 0.001 or level.peak_db < -45.0:
        poor = Line("micro_trop_fort" if level.clipped > 0.001 else "micro_trop_faible")
        return _again(check, poor)
    return _WAYS[check.way](check, shout, voices)


def _microphone(check: Check, shout: Samples, voices: Voices) -> Step:
    channel = int(np.square(shout, dtype=np.float64).sum(axis=0).argmax())
    owner = next((name for name, other in check.microphones.items() if other == channel), None)
    if owner is not None:
        return _again(check, Line("essai_deja", {"joueur": owner}))
    found = replace(check, microphones={**check.microphones, check.player: channel})
    return _next(found, Line("essai_micro", {"joueur": check.player, "n": channel + 1}))


def _voice(check: Check, shout: Samples, voices: Voices) -> Step:
    name = voices.name(shout)
    if name == check.player:
        return _next(check, Line("essai_reconnu", {"joueur": name}))
    heard = Line("essai_inconnu") if name is None else Line("essai_autre", {"joueur": name})
    return _again(check, heard)


def _learnt(check: Check, shout: Samples, voices: Voices) -> Step:
    taken = replace(check, shouts=(*check.shouts, shout))
    if len(taken.shouts) < FEWEST:
        return taken, asked(taken)
    try:
        voices.learn(check.player, taken.shouts)
    except ProfileError:
        return replace(check, over=True), (Line("essai_sans_voix"),)
    told = Line("essai_appris", {"joueur": check.player})
    if check.turn + 1 < len(check.players):
        return _next(taken, told)
    recognising, asks = _way(taken, Way.VOICES)
    return recognising, (told, Line("essai_verifie"), *asks)


def _level(check: Check, shout: Samples, voices: Voices) -> Step:
    return _next(check, Line("essai_entendu", {"joueur": check.player}))


_WAYS: Mapping[Way, Callable[[Check, Samples, Voices], Step]] = {
    Way.MICROPHONES: _microphone,
    Way.VOICES: _voice,
    Way.LEARNING: _learnt,
    Way.LEVELS: _level,
}


def _way(check: Check, way: Way) -> Step:
    first = replace(check, way=way, turn=0, tries=0, shouts=())
    return first, asked(first)


def _again(check: Check, told: Line) -> Step:
    """The same player once more, or the next one after two tries in vain."""
    if check.tries + 1 >= _TRIES:
        return _next(check, told)
    once_more = replace(check, tries=check.tries + 1)
    return once_more, (told, *asked(once_more))


def _next(check: Check, *told: Line) -> Step:
    if check.turn + 1 >= len(check.players):
        return replace(check, over=True), (*told, Line("essai_fini"))
    following = replace(check, turn=check.turn + 1, tries=0, shouts=())
    return following, (*told, *asked(following))
