"""Suite: everybody cries « Grelotte ça picote ! », the last one loses ten (CDC-036…040, CDC-248)."""

from __future__ import annotations

from dataclasses import dataclass

from voiceref.games.cul_de_chouette import civet, cries
from voiceref.games.cul_de_chouette.dice import Throw
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace, LastRace, duel
from voiceref.games.cul_de_chouette.state import Cast
from voiceref.games.cul_de_chouette.values import SUITE


def begin(play: Play, cast: Cast, throw: Throw) -> None:
    """The race of a Suite or of the Suite in 1-2-3 (CDC-036, CDC-041); under a Flan the first one loses (CDC-248)."""
    who = play.state.alive
    play.tell(throw.rule, "suite_faite", joueur=cast.player, des=cast.dice)
    until = play.t + play.rules.race_s
    if cast.flans:
        play.open(FirstRace({cries.GRELOTTE: frozenset(who)}, FlannedSuite(cast, throw), until))
    else:
        play.open(LastRace(cries.GRELOTTE, who, Grelotte(cast, throw), until))


@dataclass(frozen=True)
class Grelotte:
    """One last player loses; several must go on to « Sans fin… » (CDC-037)."""

    cast: Cast
    throw: Throw

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """`winners` came last."""
        players = tuple(cry.player for cry in winners)
        if len(players) == 1:
            lose(play, self.cast, self.throw, players[0], 1, "CDC-036")
            return
        play.tell("CDC-037", "suite_egalite", joueurs=players)
        until = play.t + play.rules.race_s
        play.open(LastRace(cries.SANS_FIN, players, SansFin(self.cast, self.throw), until, soft=False))


@dataclass(frozen=True)
class SansFin:
    """The last of the tied ones loses; still tied, dice decide (CDC-038)."""

    cast: Cast
    throw: Throw

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """`winners` came last again."""
        players = tuple(cry.player for cry in winners)
        if len(players) == 1:
            lose(play, self.cast, self.throw, players[0], 1, "CDC-037")
        else:
            duel(play, players, self, "CDC-038", highest=True)

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The highest die loses ten points a throw (CDC-039)."""
        lose(play, self.cast, self.throw, player, throws, "CDC-039" if throws > 1 else "CDC-038")


@dataclass(frozen=True)
class FlannedSuite:
    """The first, or only, crier loses; silence is free (CDC-248, D-52)."""

    cast: Cast
    throw: Throw

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Every tied first one loses."""
        points = -SUITE * self.cast.factor * self.cast.weight
        for cry in winners:
            play.gain("CDC-248", "suite_flannee", cry.player, points)
        won = points if any(cry.player == self.cast.player for cry in winners) else 0
        _settle(play, self.cast, self.throw, won)


def lose(play: Play, cast: Cast, throw: Throw, player: str, throws: int, rule: str) -> None:
    """Ten points, doubled under a Bi-Jarret (D-45)."""
    points = -SUITE * throws * cast.factor
    play.gain(rule, "suite_perdue", player, points)
    _settle(play, cast, throw, points if player == cast.player else 0)


def _settle(play: Play, cast: Cast, throw: Throw, won: int) -> None:
    """Bets on a Suite; its nominal value is what it costs (D-73)."""
    civet.settle(play, cast, civet.names(play, throw), won, throw.points * cast.factor)
