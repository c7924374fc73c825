"""Cul de Chouette, and doubling it: all or nothing, or diminished (CDC-035, CDC-160…171)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import civet, cries
from voiceref.games.cul_de_chouette.dice import Combination, Throw, classify
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.state import Cast, State
from voiceref.games.cul_de_chouette.values import ANSWER_S, OPTION_S
from voiceref.games.engine import Opening, Said

DOUBLINGS = (cries.CUL_DOUBLE, cries.DIMINUE)
# A Civet on a doubled Cul de Chouette is announced and judged as « Cul de Chouette » (CDC-135).
MADE = frozenset({Combination.CUL_DE_CHOUETTE})


def made(play: Play, cast: Cast, throw: Throw) -> None:
    """The points at once at level ★; from ★★ on the maker may double first (CDC-160), also a Sirop-Grelot (CDC-165)."""
    if not any(play.rules.plays(phrase) for phrase in DOUBLINGS):
        take(play, cast, throw)
        return
    play.tell("CDC-035", "cul_de_chouette_fait", joueur=cast.player, valeur=throw.value, des=cast.dice)
    play.open(CulOption(cast, throw, play.t + OPTION_S))


def take(play: Play, cast: Cast, throw: Throw) -> None:
    """40 + 10v for the maker (CDC-035), against him under a Flan (CDC-247, CDC-255)."""
    points = cast.worth(throw.points)
    rule = "CDC-035" if not cast.flans else "CDC-255" if cast.origin == "sirop" else "CDC-247"
    play.gain(rule, "cul_de_chouette", cast.player, points, valeur=throw.value)
    civet.settle(play, cast, civet.names(play, throw), points, throw.points * cast.factor)


@dataclass(frozen=True)
class CulOption:
    """The maker takes his Cul de Chouette, or doubles it. `asked`: he has cried and must confirm (D-43)."""

    cast: Cast
    throw: Throw
    until: float | None
    soft: bool = True
    asked: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """Take, double, diminish, confirm."""
        maker = frozenset({self.cast.player})
        if self.asked:
            return (Opening(cries.REPONSE, maker, self.until),)
        doublings = (phrase for phrase in DOUBLINGS if state.rules.plays(phrase))
        return tuple(Opening(phrase, maker, self.until) for phrase in (cries.JE_PRENDS, *doublings))

    def hear(self, play: Play, said: Said) -> bool:
        """The maker's choice."""
        if said.speaker not in (None, self.cast.player):
            return False
        if said.phrase == cries.JE_PRENDS:
            self.close(play)
        elif said.phrase == cries.CUL_DOUBLE and said.speaker is not None:
            self._ask(play)
        elif said.phrase == cries.REPONSE and self.asked:
            if said.slots.get("reponse") == "oui":
                self._start(play, diminished=False)
            else:
                self.close(play)
        elif said.phrase == cries.DIMINUE and said.speaker is not None and play.rules.plays(said.phrase):
            if play.lacks((self.cast.player,), 2 * self.throw.points):
                play.fault(said, "diminue_trop_cher", "CDC-011")
            else:
                self._start(play, diminished=True)
        elif self.asked and said.phrase in cries.ALL_THREE and said.speaker is not None:
            play.refuse(said, "confirme_le_double", "CDC-160")
        else:
            return False
        return True

    def _ask(self, play: Play) -> None:
        """« Tu doubles ? », unless the table is strict (D-43)."""
        if play.rules.strict or not play.rules.on("cdc_double.confirm"):
            self._start(play, diminished=False)
        elif not self.asked:
            play.tell("CDC-160", "demande_doubler", joueur=self.cast.player)
            play.swap(self, replace(self, asked=True, soft=False, until=play.t + ANSWER_S))

    def _start(self, play: Play, diminished: bool) -> None:
        """Three dice at once, one throw (CDC-160, CDC-166)."""
        play.drop(self)
        rule, name = ("CDC-166", "cul_diminue") if diminished else ("CDC-160", "cul_double")
        play.tell(rule, name, joueur=self.cast.player, valeur=self.throw.value)
        play.open(Roll(self.cast.player, Doubling(self.cast, self.throw, diminished, rule), at_once=True))

    def close(self, play: Play) -> None:
        """He takes the points."""
        play.drop(self)
        take(play, self.cast, self.throw)


@dataclass(frozen=True)
class Doubling:
    """The one throw of a Cul de Chouette Doublé or Diminué; nothing else may come of it (CDC-164)."""

    cast: Cast
    throw: Throw
    diminished: bool
    rule: str
    counts: bool = False
    barred_buyer: str = ""

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """A second Cul de Chouette, or not."""
        new = classify(dice, play.rules.combinations)
        if new.combination is not Combination.CUL_DE_CHOUETTE:
            self._fail(play)
        elif self.diminished:
            self._diminished(play, new)
        else:
            self._doubled(play, new)

    def _fail(self, play: Play) -> None:
        """Out of the game (CDC-162), or twice the first Cul de Chouette lost (CDC-168)."""
        player = self.cast.player
        lost = 0
        if self.diminished:
            lost = -2 * self.throw.points * self.cast.factor
            play.gain("CDC-168", "diminue_rate", player, lost)
        else:
            play.state = play.state.but(out=play.state.out | {player})
            play.tell("CDC-162", "double_rate", joueur=player)
        civet.settle(play, self.cast, frozenset(), lost, lost)

    def _doubled(self, play: Play, new: Throw) -> None:
        """Both Culs de Chouette (CDC-161); the same twice wins the game (CDC-163)."""
        points = (self.throw.points + new.points) * self.cast.factor
        play.gain("CDC-161", "double_reussi", self.cast.player, points)
        civet.settle(play, self.cast, MADE, points, points)
        if new.value == self.throw.value:
            team = play.rules.team(self.cast.player)
            play.state = play.state.but(winners=team, over=True, items=())
            play.tell("CDC-163", "double_identique", joueur=self.cast.player)

    def _diminished(self, play: Play, new: Throw) -> None:
        """Half as much again (CDC-167); the same twice must be collected with « Unisson » (CDC-169)."""
        points = (self.throw.points + new.points) * self.cast.factor * 3 // 2
        if new.value != self.throw.value:
            play.gain("CDC-167", "diminue_reussi", self.cast.player, points)
            civet.settle(play, self.cast, MADE, points, points)
            return
        player = self.cast.player
        who = {cries.UNISSON: frozenset({player}), cries.PETIT_INTERVALLE: frozenset(play.state.others(player))}
        play.tell("CDC-169", "unisson_attendu", joueur=player)
        play.open(FirstRace(who, Unison(self.cast, points), play.t + OPTION_S))


@dataclass(frozen=True)
class Unison:
    """« Unisson » against « un petit intervalle diminué de temps en temps » (CDC-169…171, D-44)."""

    cast: Cast
    points: int

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """All for the thrower; half and half; or the tied ones lose a half each."""
        player, half = self.cast.player, self.points // 2
        others = tuple(cry.player for cry in winners if cry.player != player)
        won = self.points
        if not winners:
            won = 0
            play.tell("CDC-169", "unisson_oublie", joueur=player)
        elif len(others) < len(winners):
            play.gain("CDC-169", "unisson", player, self.points)
        elif len(others) == 1 or set(others) <= set(play.rules.team(others[0])):
            won = half
            share = half * len(others)
            rule = "CDC-170" if len(others) == 1 else "CDC-288"
            changes = {player: half, others[0]: share} if player != others[0] else {player: half + share}
            play.score(rule, "petit_intervalle", changes, joueur=others[0], lanceur=player, points=share)
        else:
            changes = {player: self.points, **dict.fromkeys(others, -half)}
            data = {"joueur": player, "joueurs": others, "points": half}
            play.score("CDC-171", "petit_intervalle_egalite", changes, **data)
        civet.settle(play, self.cast, MADE, won, self.points)
