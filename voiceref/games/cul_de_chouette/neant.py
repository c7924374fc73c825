"""What moves no points: Néant, Néant Soufflé, Flan, Excalibur (CDC-066…073, CDC-254, CDC-261, CDC-262, CDC-293…296)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import aquitaine, civet, cries, jarret
from voiceref.games.cul_de_chouette.dice import Throw
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Barred, Cry, FirstRace, duel
from voiceref.games.cul_de_chouette.state import Cast, State
from voiceref.games.cul_de_chouette.values import FLOOR, GRAB_S, OPTION_S
from voiceref.games.engine import Opening, Said


def give_grelottine(play: Play, player: str, rule: str) -> None:
    """One Grelottine and no more (CDC-067), from thirty points on where that is asked (CDC-068); six at Aquitaine."""
    held = play.bag(player).grelottines
    if not play.rules.plays(cries.GRELOTTINE):
        return
    if play.rules.aquitaine:
        if held < aquitaine.MAX_GRELOTTINES:
            play.keep(player, grelottines=held + 1)
            play.tell("CDC-293", "grelottine_obtenue", joueur=player)
    elif play.lacks((player,), FLOOR):
        play.tell("CDC-068", "grelottine_trente", joueur=player)
    elif held:
        play.tell(rule, "grelottine_deja", joueur=player)
    else:
        play.keep(player, grelottines=1)
        play.tell(rule, "grelottine_obtenue", joueur=player)


def neant(play: Play, cast: Cast, throw: Throw) -> None:
    """A Grelottine (CDC-067); a Flan waits for the next throw (CDC-261); a Jarret may be kept (CDC-199)."""
    play.tell("CDC-067", "neant", joueur=cast.player, des=cast.dice)
    give_grelottine(play, cast.player, "CDC-067")
    if cast.flans:
        kept = tuple(replace(mark, target=cast.player) for mark in cast.flans)
        play.state = play.state.but(flans=(*play.state.flans, *kept))
        play.tell("CDC-261", "flan_garde", joueur=cast.player)
    civet.settle(play, cast, civet.names(play, throw), 0, 0)
    jarret.after_neant(play, cast)


def neant_souffle(play: Play, cast: Cast, throw: Throw) -> None:
    """1-4-6: a Grelottine for the first « Mécréant ! » of all (CDC-069, CDC-073) who have thirty [NN] (CDC-072)."""
    everybody = frozenset(play.state.alive)
    barred = None if cast.flans or play.rules.negative else Barred(_poor, cries.MECREANT, "mecreant_trente", "CDC-072")
    who = {cries.MECREANT: everybody, cries.MISERABLE: everybody}
    play.tell("CDC-069", "neant_souffle", joueur=cast.player, des=cast.dice)
    if play.rules.on("neant_souffle.roller_auto"):
        give_grelottine(play, cast.player, "CDC-067")
    play.open(FirstRace(who, Mecreant(cast), play.t + OPTION_S, barred=barred))
    civet.settle(play, cast, civet.names(play, throw), 0, 0)
    jarret.after_neant(play, cast)


def _poor(state: State) -> frozenset[str]:
    """[NN] Who has fewer than thirty points (CDC-072); at Aquitaine nobody needs any (CDC-292)."""
    needed = 0 if state.rules.aquitaine else FLOOR
    return frozenset(player for player in state.alive if state.scores[player] < needed)


@dataclass(frozen=True)
class Mecreant:
    """« Mécréant ! » wins a tie against « Je suis un misérable » (CDC-071)."""

    cast: Cast

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """One Mécréant, several, or a misérable alone (CDC-070, D-26)."""
        miscreants = tuple(cry.player for cry in winners if cry.phrase == cries.MECREANT)
        if self.cast.flans:
            self._flanned(play, winners, miscreants)
        elif len(miscreants) == 1:
            self.give(play, miscreants[0])
        elif miscreants:
            play.tell("CDC-071", "mecreant_egalite", joueurs=miscreants)
            until = play.t + play.rules.race_s
            who = {cries.FORT_HEUREUSEMENT: frozenset(miscreants)}
            play.open(FirstRace(who, Fortunately(self, miscreants), until, soft=False))
        elif winners:
            play.tell("CDC-070", "miserable", joueur=winners[0].player)

    def give(self, play: Play, player: str) -> None:
        """The Grelottine."""
        give_grelottine(play, player, "CDC-069")

    def _flanned(self, play: Play, winners: tuple[Cry, ...], miscreants: tuple[str, ...]) -> None:
        """The Mécréant loses a Grelottine; a misérable gives one to everybody (CDC-262)."""
        for player in miscreants:
            if play.bag(player).grelottines:
                play.keep(player, grelottines=play.bag(player).grelottines - 1)
                play.tell("CDC-262", "grelottine_perdue", joueur=player)
        if winners and not miscreants:
            for player in play.state.alive:
                give_grelottine(play, player, "CDC-262")


@dataclass(frozen=True)
class Fortunately:
    """« Fort heureusement… » among those tied; still tied, the lowest die (CDC-071)."""

    race: Mecreant
    tied: tuple[str, ...]

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """The first one, else dice."""
        players = tuple(cry.player for cry in winners) or self.tied
        if len(players) == 1:
            self.race.give(play, players[0])
        else:
            duel(play, players, self, "CDC-071")

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The lowest die."""
        self.race.give(play, player)


def flan(play: Play, cast: Cast, throw: Throw) -> None:
    """6-5-2: « À Kadoc ! » before the next throw (CDC-066)."""
    play.tell("CDC-066", "flan_fait", joueur=cast.player, des=cast.dice)
    play.open(Kadoc((cast.player, *cast.partners), play.t + OPTION_S))
    civet.settle(play, cast, civet.names(play, throw), 0, 0)


@dataclass(frozen=True)
class Kadoc:
    """Who may take the Flan: the thrower, and in a challenge the owner of a Filoché too (CDC-152)."""

    players: tuple[str, ...]
    until: float | None
    soft: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """« À Kadoc ! »."""
        return (Opening(cries.A_KADOC, frozenset(self.players), self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """A Flan, never two (CDC-066); one's own Flan is gone with it (CDC-254)."""
        if said.phrase != cries.A_KADOC or said.speaker not in self.players:
            return False
        play.keep(said.speaker, flan=True)
        play.tell("CDC-066", "flan_obtenu", joueur=said.speaker)
        left = tuple(p for p in self.players if p != said.speaker)
        if left:
            play.swap(self, replace(self, players=left))
        else:
            play.drop(self)
        return True

    def close(self, play: Play) -> None:
        """Too late: nothing (D-24)."""
        play.drop(self)


def excalibur(play: Play, cast: Cast, throw: Throw) -> None:
    """1-3-5 at Aquitaine: players may cry together (CDC-294)."""
    play.tell("CDC-294", "excalibur_fait", joueur=cast.player, des=cast.dice)
    who = {cries.EXCALIBUR: frozenset(play.state.alive)}
    play.open(FirstRace(who, Excalibur(), play.t + OPTION_S))


@dataclass(frozen=True)
class Excalibur:
    """Alone a Bévue, all a civil war, else they name a king (CDC-294, CDC-296)."""

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """As the number of those who cried together says."""
        alive = play.state.alive
        verdict = aquitaine.excalibur([cry.player for cry in winners], alive)
        match verdict.verdict:
            case aquitaine.Verdict.BEVUE:
                play.bevue(verdict.criers[0], "excalibur_seul")
            case aquitaine.Verdict.KING:
                play.tell("CDC-294", "demande_roi", joueurs=verdict.criers)
                play.open(King(verdict.criers, verdict.sips, play.t + GRAB_S))
            case aquitaine.Verdict.WAR:
                play.tell("CDC-296", "guerre_civile", joueurs=alive, gorgees=verdict.sips, unite=play.rules.unit)
            case aquitaine.Verdict.NOTHING:
                pass


@dataclass(frozen=True)
class King:
    """« Le roi est Bob »: he drinks (CDC-294)."""

    criers: tuple[str, ...]
    sips: int
    until: float | None
    soft: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """The name of the king."""
        return (Opening(cries.ROI, None, self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """Any player at the table."""
        if said.phrase != cries.ROI:
            return False
        named = said.slots.get("joueur")
        if named not in play.state.alive:
            play.refuse(said, "cible_impossible", "CDC-294", cible=named)
            return True
        play.drop(self)
        play.state = play.state.but(king=str(named))
        play.tell("CDC-294", "roi", joueur=named, gorgees=self.sips, unite=play.rules.unit)
        return True

    def close(self, play: Play) -> None:
        """Nobody named."""
        play.drop(self)
