"""Three dice take effect: each combination is handed to the module of its family."""

from __future__ import annotations

from dataclasses import dataclass

from voiceref.games.cul_de_chouette import (
    artichette,
    bleu_rouge,
    civet,
    cries,
    doubles,
    fruits,
    neant,
    sirop,
    soufflette,
    suite,
    velutee,
)
from voiceref.games.cul_de_chouette.dice import Combination, Throw, after_sirop, classify
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace
from voiceref.games.cul_de_chouette.state import Cast
from voiceref.games.cul_de_chouette.values import OPTION_S


def take_effect(play: Play, cast: Cast) -> None:
    """The rule of the combination that was made (CDC-006, CDC-008)."""
    classified = after_sirop if cast.origin == "sirop" else classify
    throw = classified(cast.dice, play.rules.combinations)
    match throw.combination:
        case Combination.CHOUETTE:
            sirop.offer(play, cast, throw)
        case Combination.VELUTE:
            velute(play, cast, throw)
        case Combination.CHOUETTE_VELUTE:
            chouette_velute(play, cast, throw)
        case Combination.CUL_DE_CHOUETTE:
            doubles.made(play, cast, throw)
        case Combination.SUITE:
            suite.begin(play, cast, throw)
            if throw.dice == (1, 2, 3):
                double_nature(play, cast)
        case Combination.SUITE_VELUTEE:
            suite.begin(play, cast, throw)
            velutee.begin(play, cast)
        case Combination.ARTICHETTE:
            artichette.begin(play, cast, throw)
        case Combination.TICHETTE:
            artichette.begin_tichette(play, cast, throw)
        case Combination.SOUFFLETTE:
            soufflette.made(play, cast, throw)
        case Combination.BLEU_ROUGE:
            bleu_rouge.made(play, cast, throw)
        case Combination.FLAN:
            neant.flan(play, cast, throw)
        case Combination.NEANT_SOUFFLE:
            neant.neant_souffle(play, cast, throw)
        case Combination.EXCALIBUR:
            neant.excalibur(play, cast, throw)
        case _:
            neant.neant(play, cast, throw)


def silent(play: Play, cast: Cast) -> bool:
    """Whether nothing can be cried on these dice, so that every early cry is a mistake (CDC-014)."""
    combination = classify(cast.dice, play.rules.combinations).combination
    return combination is Combination.VELUTE or (combination is Combination.NEANT and not cast.jarret)


def velute(play: Play, cast: Cast, throw: Throw) -> None:
    """2c² for the thrower (CDC-031), against him under a Flan (CDC-245)."""
    points = cast.worth(throw.points)
    rule = "CDC-245" if cast.flans else "CDC-031"
    play.gain(rule, "velute", cast.player, points, valeur=throw.value)
    civet.settle(play, cast, civet.names(play, throw), points, throw.points * cast.factor)


def double_nature(play: Play, cast: Cast) -> None:
    """1-2-3 where Suite-Velutée is not played: a Velute of 3 as well as a Suite (CDC-032, D-06)."""
    play.gain("CDC-032", "velute", cast.player, cast.worth(velutee.VELUTE), valeur=3)


def chouette_velute(play: Play, cast: Cast, throw: Throw) -> None:
    """« Pas mou le caillou ! »: everybody's race (CDC-033)."""
    who = {cries.PAS_MOU: frozenset(play.state.alive)}
    play.tell("CDC-033", "chouette_velute_faite", joueur=cast.player, des=cast.dice)
    play.open(FirstRace(who, ChouetteVelute(cast, throw), play.t + OPTION_S))


@dataclass(frozen=True)
class ChouetteVelute:
    """The first one gains, tied ones lose (CDC-034); under a Flan the reverse (CDC-246)."""

    cast: Cast
    throw: Throw

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Nobody: nothing (D-11)."""
        weight = max(1, self.cast.weight)
        points = self.throw.points * self.cast.factor * weight
        flanned = bool(self.cast.flans)
        rules = ("CDC-246", "CDC-246") if flanned else ("CDC-033", "CDC-034")
        before = play.state.scores[self.cast.player]
        fruits.pay_race(play, winners, points, rules, "chouette_velute", tie_gains=flanned)
        cried = any(cry.player == self.cast.player for cry in winners)
        won = play.state.scores[self.cast.player] - before if cried else 0
        nominal = self.throw.points * self.cast.factor
        civet.settle(play, self.cast, civet.names(play, self.throw), won, nominal)
