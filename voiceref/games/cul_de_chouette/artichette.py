"""Artichette: « Raitournelle ! » against « Artichette ! »; who becomes ticheur (CDC-045…050, CDC-253)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from voiceref.games.cul_de_chouette import civet, cries, tichette
from voiceref.games.cul_de_chouette.dice import Throw
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Barred, Cry, FirstRace
from voiceref.games.cul_de_chouette.state import Cast, State
from voiceref.games.cul_de_chouette.values import ANSWER_S, ARTICHETTE, OPTION_S
from voiceref.games.engine import Opening, Said


def begin(play: Play, cast: Cast, throw: Throw) -> None:
    """4-3-4: the thrower's word against the others'; a Flan swaps the two words (CDC-253)."""
    own, theirs = cries.RAITOURNELLE, cries.ARTICHETTE
    if cast.flans:
        own, theirs = theirs, own
    who = {own: frozenset({cast.player}), theirs: frozenset(play.state.others(cast.player))}
    play.tell("CDC-045", "artichette_faite", joueur=cast.player, des=cast.dice)
    play.open(FirstRace(who, Artichette(cast, throw), play.t + OPTION_S))


@dataclass(frozen=True)
class Artichette:
    """Sixteen points won or lost; the thrower wins a tie (CDC-047)."""

    cast: Cast
    throw: Throw

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Once, however many opponents cry (D-15); silence gives nothing (D-14)."""
        player = self.cast.player
        points = ARTICHETTE * self.cast.factor * max(1, self.cast.weight)
        own = any(cry.player == player for cry in winners)
        if own:
            rule = "CDC-253" if self.cast.flans else "CDC-047" if len(winners) > 1 else "CDC-045"
            play.gain(rule, "artichette_gagnee", player, points)
        elif winners:
            points = -points
            rule = "CDC-253" if self.cast.flans else "CDC-046"
            play.gain(rule, "artichette_perdue", player, points, par=winners[0].player)
        else:
            points = int(play.rules.get("artichette.silent")) * self.cast.factor * self.cast.sign
            if points:
                play.gain("CDC-045", "artichette_gagnee", player, points)
        nominal = points if winners else ARTICHETTE * self.cast.factor
        civet.settle(play, self.cast, civet.names(play, self.throw), points, nominal)


def begin_tichette(play: Play, cast: Cast, throw: Throw) -> None:
    """4-4-3 made by a Sirop: the first « Salsifi ! » makes the ticheur (CDC-048), who needs six points (CDC-050).

    The cries of the Sirop stay open beside it; those of an Artichette are out of place (CDC-051).
    """
    barred = Barred(_under_six, cries.SALSIFI, "salsifi_six_points", "CDC-050")
    play.tell("CDC-048", "tichette_faite", joueur=cast.player, des=cast.dice)
    who = {cries.SALSIFI: frozenset(play.state.alive)}
    play.open(FirstRace(who, Ticheur(), play.t + OPTION_S, barred=barred))
    civet.settle(play, cast, civet.names(play, throw), 0, 0)


def _under_six(state: State) -> frozenset[str]:
    """Who may not be ticheur (CDC-050)."""
    return frozenset(player for player in state.alive if not tichette.may_tich(state.scores[player]))


@dataclass(frozen=True)
class Ticheur:
    """One ticheur; a tie goes to « Sganabadarlane ! », then to the youngest (CDC-049)."""

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Name the ticheur, or run the tie-break."""
        players = tuple(cry.player for cry in winners)
        if len(players) == 1:
            name_ticheur(play, players[0], "CDC-048")
        elif players:
            play.tell("CDC-049", "salsifi_egalite", joueurs=players)
            until = play.t + play.rules.race_s
            race = FirstRace({cries.SGANABADARLANE: frozenset(players)}, Sganabadarlane(players), until, soft=False)
            play.open(race)


@dataclass(frozen=True)
class Sganabadarlane:
    """The tie-break of those who cried « Salsifi ! » together."""

    players: tuple[str, ...]

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Still tied, or silent: the youngest."""
        tied = tuple(cry.player for cry in winners) or self.players
        if len(tied) == 1:
            name_ticheur(play, tied[0], "CDC-049")
        elif play.state.youngest in tied:
            name_ticheur(play, str(play.state.youngest), "CDC-049")
        else:
            play.tell("CDC-049", "demande_plus_jeune", joueurs=tied)
            play.open(Youngest(tied, play.t + ANSWER_S))


@dataclass(frozen=True)
class Youngest:
    """« Le plus jeune, c'est Carole »; without an answer, the first crier."""

    players: tuple[str, ...]
    until: float | None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """The answer."""
        return (Opening(cries.PLUS_JEUNE, None, self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """One of the tied players."""
        named = said.slots.get("joueur")
        if said.phrase != cries.PLUS_JEUNE or named not in self.players:
            return False
        play.drop(self)
        play.state = play.state.but(youngest=str(named))
        name_ticheur(play, str(named), "CDC-049")
        return True

    def close(self, play: Play) -> None:
        """Nobody told."""
        play.drop(self)
        name_ticheur(play, self.players[0], "CDC-049")


def name_ticheur(play: Play, player: str, rule: str) -> None:
    """The challenge begins when the turn is over; its stake is fixed now (CDC-212)."""
    play.state = play.state.but(ticheur=player, tichette_pot=abs(play.state.scores[player]))
    play.tell(rule, "ticheur", joueur=player)
