"""Races: who cried first, who cried last, ties on the onset (D-12), and the dice that decide what cries do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.engine import Opening, Said


@dataclass(frozen=True, slots=True)
class Cry:
    """A whole phrase of a race: who, at what onset (s), which phrase."""

    player: str
    t: float
    phrase: str


class Verdict(Protocol):
    """What a race or duel leads to."""

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Take the tied cries that came first (or last); none when nobody cried."""
        ...


class DiceVerdict(Protocol):
    """What dice lead to."""

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """Take the one the dice chose, and how often they were thrown."""
        ...


def due(t: float, seconds: float) -> float:
    """A moment `seconds` after `t`, to the tenth of a millisecond."""
    return round(t + seconds, 4)


def first(heard: tuple[Cry, ...], tie_s: float) -> tuple[Cry, ...]:
    """The first cry and those within the tie window of it."""
    return tuple(cry for cry in heard if cry.t < due(heard[0].t, tie_s)) if heard else ()


def last(heard: tuple[Cry, ...], tie_s: float) -> tuple[Cry, ...]:
    """The last cry and those within the tie window before it."""
    return tuple(cry for cry in heard if heard[-1].t < due(cry.t, tie_s)) if heard else ()


@dataclass(frozen=True, slots=True)
class Barred:
    """Players who may not cry in a race as the scores stand at their cry, and what it is when they do."""

    players: Callable[[State], frozenset[str]]
    phrase: str
    reason: str
    rule: str


@dataclass(frozen=True)
class FirstRace:
    """Whoever cries first. Open until `until`; from the first cry on, for the tie window only."""

    who: Mapping[str, frozenset[str]]
    """Each phrase and who may cry it."""
    verdict: Verdict
    until: float | None
    soft: bool = True
    heard: tuple[Cry, ...] = ()
    barred: Barred | None = None

    def openings(self, state: State) -> Iterable[Opening]:
        """Each phrase for its players, but for the barred ones."""
        for phrase, who in self.who.items():
            out = self.barred.players(state) if self.barred and self.barred.phrase == phrase else frozenset()
            yield Opening(phrase, who - out, self.until)

    def hear(self, play: Play, said: Said) -> bool:
        """A cry of the race; crying twice is free."""
        barred = self.barred
        if barred is not None and said.phrase == barred.phrase and said.speaker in barred.players(play.state):
            play.fault(said, barred.reason, barred.rule)
            return True
        if said.speaker is None or said.speaker not in self.who.get(said.phrase, ()):
            return False
        if any(cry.player == said.speaker for cry in self.heard):
            return True
        heard = tuple(sorted((*self.heard, Cry(said.speaker, said.t, said.phrase)), key=lambda cry: cry.t))
        play.swap(self, replace(self, heard=heard, until=due(heard[0].t, play.rules.tie_s)))
        return True

    def close(self, play: Play) -> None:
        """Who was first decides."""
        play.drop(self)
        play.missed(*self.who)
        self.verdict.decided(play, first(self.heard, play.rules.tie_s))


@dataclass(frozen=True)
class LastRace:
    """Everybody in `who` must cry; whoever is last, or silent when time is up, loses (CDC-036, D-10)."""

    phrase: str
    who: tuple[str, ...]
    verdict: Verdict
    until: float | None
    soft: bool = True
    heard: tuple[Cry, ...] = ()

    def openings(self, state: State) -> Iterable[Opening]:
        """The phrase for those who must cry it."""
        return (Opening(self.phrase, frozenset(self.who), self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """A cry of the race; it is over when all have cried."""
        if said.phrase != self.phrase or said.speaker is None or said.speaker not in self.who:
            return False
        if any(cry.player == said.speaker for cry in self.heard):
            return True
        heard = tuple(sorted((*self.heard, Cry(said.speaker, said.t, said.phrase)), key=lambda cry: cry.t))
        new = replace(self, heard=heard)
        play.swap(self, new)
        if len(heard) == len(self.who):
            new.close(play)
        return True

    def close(self, play: Play) -> None:
        """The silent ones are last; else the last cries."""
        play.drop(self)
        play.missed(self.phrase)
        cried = {cry.player for cry in self.heard}
        silent = tuple(Cry(player, play.t, "") for player in self.who if player not in cried)
        self.verdict.decided(play, silent or last(self.heard, play.rules.tie_s))


@dataclass(frozen=True)
class DiceDuel:
    """One die each; the lowest wins (CDC-016), or the highest where the book says so; ties throw again."""

    players: tuple[str, ...]
    verdict: DiceVerdict
    rule: str
    highest: bool = False
    rolls: Mapping[str, int] | None = None
    throws: int = 1
    until: float | None = None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """Dice told by anyone, or by each for himself."""
        own = frozenset(self.players)
        return (Opening(cries.DES_DE_JOUEURS), Opening(cries.MON_DE, own), Opening(cries.LE_SIROP, own))

    def hear(self, play: Play, said: Said) -> bool:
        """Dice of the players concerned."""
        told = dice_of_players(said)
        if said.phrase == cries.LE_SIROP and said.speaker in self.players:
            told = {said.speaker: die(said)}
        if told is None:
            return False
        mine = {player: face for player, face in told.items() if player in self.players}
        if not mine:
            play.refuse(said, "des_des_autres", self.rule, joueurs=self.players)
            return True
        rolls = {**(self.rolls or {}), **mine}
        if len(rolls) < len(self.players):
            play.swap(self, replace(self, rolls=rolls))
        else:
            self._decide(play, rolls)
        return True

    def _decide(self, play: Play, rolls: Mapping[str, int]) -> None:
        """The extreme die; when it is shared, those throw again."""
        best = (max if self.highest else min)(rolls.values())
        tied = tuple(player for player in self.players if rolls[player] == best)
        if len(tied) > 1:
            play.swap(self, replace(self, players=tied, rolls=None, throws=self.throws + 1))
            play.tell(self.rule, "des_encore", joueurs=tied)
        else:
            play.drop(self)
            self.verdict.rolled(play, tied[0], self.throws)

    def close(self, play: Play) -> None:
        """Dice wait for ever."""


def duel(
    play: Play, players: Iterable[str], verdict: DiceVerdict, rule: str, highest: bool = False, throws: int = 1
) -> None:
    """Ask these players for one die each."""
    who = tuple(players)
    play.tell(rule, "demande_des", joueurs=who)
    play.open(DiceDuel(who, verdict, rule, highest, None, throws))


def dice_of_players(said: Said) -> Mapping[str, int] | None:
    """The dice of « Anne deux, Bob cinq », or of « six » for oneself; None for another phrase."""
    if said.phrase == cries.MON_DE and said.speaker is not None:
        return {said.speaker: die(said)}
    if said.phrase != cries.DES_DE_JOUEURS:
        return None
    told = said.slots.get("lancers")
    return {str(name): int(face) for name, face in told} if isinstance(told, tuple) else {}


def die(said: Said) -> int:
    """The face in « Cul : six » or « Le sirop fait trois »."""
    face = said.slots.get("de")
    return face if isinstance(face, int) else 0


def dice(said: Said) -> tuple[int, ...]:
    """The faces in « Chouettes : quatre et deux » or « Les dés : … »."""
    faces = said.slots.get("des")
    return tuple(faces) if isinstance(faces, tuple) else ()
