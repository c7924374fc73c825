"""Soufflette: a challenge to make 4-2-1 in three throws (CDC-052…056, CDC-250)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import civet, cries
from voiceref.games.cul_de_chouette.dice import Throw
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.state import Cast, FlanMark, State
from voiceref.games.cul_de_chouette.values import ANSWER_S, FLOOR, OPTION_S, SOUFFLETTE, SOUFFLETTE_LOST
from voiceref.games.engine import Opening, Said

DICE = [1, 2, 4]


def made(play: Play, cast: Cast, throw: Throw) -> None:
    """4-2-1: the maker may challenge somebody (CDC-052); flanné, he must challenge the dice alone (CDC-250)."""
    play.tell("CDC-052", _name(play, cast), joueur=cast.player)
    civet.settle(play, cast, civet.names(play, throw), 0, 0)
    if not cast.flans:
        for player in (cast.player, *cast.partners):
            play.open(SouffletteOption(replace(cast, player=player), play.t + OPTION_S))
    elif play.enough(cast.player, FLOOR):
        play.tell("CDC-250", "soufflette_seul", joueur=cast.player)
        play.open(Roll(cast.player, Soufflette(None, cast.player, cast.flans)))
    else:
        play.state = play.state.but(flans=(*play.state.flans, *cast.flans))
        play.tell("CDC-250", "flan_garde", joueur=cast.player)


def _name(play: Play, cast: Cast) -> str:
    """What is told of a 4-2-1: that it may be used, or that it cannot be (CDC-053, CDC-250)."""
    if cast.flans:
        return "soufflette_sous_flan"
    playable = not play.lacks((cast.player,), FLOOR)
    return "soufflette_faite" if playable else "soufflette_injouable"


@dataclass(frozen=True)
class SouffletteOption:
    """« En garde ma mignonne ! » until the next throw; silence costs nothing (D-16). `asked`: « Qui ? »"""

    cast: Cast
    until: float | None
    soft: bool = True
    asked: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """The challenge, or the name that is missing."""
        maker = frozenset({self.cast.player})
        if self.asked:
            return (Opening(cries.CIBLE, None, self.until),)
        return (Opening(cries.EN_GARDE, maker, self.until), Opening(cries.JE_PRENDS, maker, self.until))

    def hear(self, play: Play, said: Said) -> bool:
        """The maker's challenge."""
        maker = self.cast.player
        if said.phrase == cries.JE_PRENDS and said.speaker in (None, maker):
            play.drop(self)
            return True
        if said.phrase == cries.CIBLE and self.asked:
            self._challenge(play, said, said.slots.get("joueur"))
            return True
        if said.phrase != cries.EN_GARDE or said.speaker != maker:
            return False
        self._challenge(play, said, said.slots.get("joueur"))
        return True

    def _challenge(self, play: Play, said: Said, named: object) -> None:
        """Check the target and give him the dice (CDC-053)."""
        maker, others = self.cast.player, play.state.others(self.cast.player)
        target = str(named) if named is not None else others[0] if len(others) == 1 else None
        strict_floor = 50 if play.rules.on("soufflette.strict_floor") else FLOOR
        if any(isinstance(item, Roll) for item in play.state.items):
            play.refuse(said, "attends", "CDC-152", phase="lancer")
        elif play.lacks((maker,), strict_floor) or (target is None and not others):
            play.fault(said, "soufflette_trente", "CDC-053")
        elif target is None:
            play.tell("CDC-052", "demande_cible", joueur=maker)
            play.swap(self, replace(self, asked=True, soft=False, until=play.t + ANSWER_S))
        elif target not in others:
            play.fault(said, "cible_impossible", "CDC-052", cible=target)
        elif play.lacks((target,), FLOOR):
            play.fault(said, "soufflette_trente", "CDC-053", cible=target)
        else:
            play.drop(self)
            play.tell("CDC-054", "soufflette", joueur=maker, cible=target)
            play.open(Roll(target, Soufflette(maker, target)))

    def close(self, play: Play) -> None:
        """No challenge."""
        play.drop(self)


@dataclass(frozen=True)
class Soufflette:
    """One of the three throws of the soufflé; `souffleur` None: a flanné against the dice alone."""

    souffleur: str | None
    souffle: str
    flans: tuple[FlanMark, ...] = ()
    rule: str = "CDC-054"
    counts: bool = False
    barred_buyer: str = ""

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """Made, or the next throw, or lost."""
        if sorted(dice) == DICE:
            self._move(play, SOUFFLETTE[roll.number], "CDC-055", "soufflette_reussie", roll.number)
        elif roll.number < 3:
            number = roll.number + 1
            play.tell("CDC-054", "soufflette_encore", joueur=self.souffle, des=dice, lancer=number)
            play.open(Roll(self.souffle, self, number, table=dice))
        else:
            self._move(play, -SOUFFLETTE_LOST, "CDC-056", "soufflette_ratee", 3)
            play.casts.append(Cast(self.souffle, dice, "soufflette", flans=self.flans))

    def _move(self, play: Play, points: int, rule: str, name: str, number: int) -> None:
        """The soufflé's gain is the souffleur's loss; alone, only his own score moves."""
        points *= sum(mark.weight for mark in self.flans) or 1
        who = {"joueur": self.souffle, "souffleur": self.souffleur, "points": abs(points), "lancer": number}
        if self.souffleur is None:
            play.score("CDC-250", f"{name}_seul", {self.souffle: points}, **who)
        else:
            play.score(rule, name, {self.souffle: points, self.souffleur: -points}, **who)
