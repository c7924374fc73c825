"""Suite-Velutée: « Patte de canaaard ! » against « Velutée ! », and the chouettes (CDC-042…044, CDC-249)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.dice import Combination, classify, velute_points
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, dice, dice_of_players, die, due
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.state import Cast, State
from voiceref.games.cul_de_chouette.values import GRAB_S, OPTION_S
from voiceref.games.engine import Opening, Said

VELUTE = velute_points(3)
NO_POINTS = (Combination.SUITE, Combination.SUITE_VELUTEE)


def begin(play: Play, cast: Cast) -> None:
    """1-2-3: the race for the chouettes runs beside that of the Suite (D-07)."""
    if play.rules.on("suite_velutee.auto_velute"):
        play.gain("CDC-031", "velute", cast.player, cast.worth(VELUTE), valeur=3)
    play.open(Grabbing(cast, play.t + OPTION_S))


@dataclass(frozen=True)
class Grabbing:
    """The thrower's « Patte de canaaard ! » against the others' « Velutée ! »."""

    cast: Cast
    until: float | None
    soft: bool = True
    heard: tuple[Cry, ...] = ()

    def openings(self, state: State) -> Iterable[Opening]:
        """Patte for the thrower, Velutée for the others (D-08)."""
        yield Opening(cries.PATTE, frozenset({self.cast.player}), self.until)
        yield Opening(cries.VELUTEE, frozenset(state.others(self.cast.player)), self.until)

    def hear(self, play: Play, said: Said) -> bool:
        """Patte settles it; the first Velutée opens the tie window."""
        if said.phrase == cries.PATTE and said.speaker == self.cast.player:
            play.drop(self)
            play.missed(cries.PATTE, cries.VELUTEE)
            rule = "CDC-249" if self.cast.flans else "CDC-042"
            if not play.rules.on("suite_velutee.auto_velute"):
                play.gain(rule, "patte_de_canard", self.cast.player, self.cast.worth(VELUTE))
            return True
        if said.phrase != cries.VELUTEE or said.speaker not in play.state.others(self.cast.player):
            return False
        if all(cry.player != said.speaker for cry in self.heard):
            heard = (*self.heard, Cry(said.speaker, said.t, said.phrase))
            play.swap(self, replace(self, heard=heard, until=due(heard[0].t, play.rules.tie_s)))
        return True

    def close(self, play: Play) -> None:
        """Nobody, or somebody has grabbed: who holds what?"""
        play.drop(self)
        play.missed(cries.PATTE)
        if not self.heard:
            play.missed(cries.VELUTEE)
            return
        criers = tuple(cry.player for cry in self.heard)
        play.tell("CDC-043", "demande_chouettes", joueurs=criers)
        play.open(Grabbed(self.cast, criers, play.t + GRAB_S))


@dataclass(frozen=True)
class Grabbed:
    """« J'ai les deux chouettes », « J'ai une chouette »; without a word, the first crier has both."""

    cast: Cast
    criers: tuple[str, ...]
    until: float | None
    soft: bool = False
    holders: tuple[str, ...] = ()

    def openings(self, state: State) -> Iterable[Opening]:
        """Who holds what, a second crier, or at once the dice."""
        yield Opening(cries.QUI_A_LE_DE, None, self.until)
        yield Opening(cries.LES_CHOUETTES, frozenset(self.criers), self.until)
        left = frozenset(state.others(self.cast.player)) - frozenset(self.criers)
        if left:
            yield Opening(cries.VELUTEE, left, self.until)

    def hear(self, play: Play, said: Said) -> bool:
        """An answer, or the dice of one who holds both."""
        if said.phrase == cries.VELUTEE and said.speaker in play.state.others(self.cast.player):
            if said.speaker not in self.criers:
                play.swap(self, replace(self, criers=(*self.criers, said.speaker)))
            return True
        if said.phrase == cries.QUI_A_LE_DE:
            holder = str(said.slots.get("joueur") or said.speaker)
            if holder not in self.criers:
                play.refuse(said, "pas_en_lice", "CDC-043")
            elif said.slots.get("objet") == "une_chouette":
                self._one(play, holder)
            else:
                self._both(play, holder)
            return True
        if said.phrase == cries.LES_CHOUETTES and (said.speaker in self.criers or len(self.criers) == 1):
            self._both(play, said.speaker or self.criers[0])
            return play.state.items[-1].hear(play, said)
        return False

    def _one(self, play: Play, holder: str) -> None:
        """A chouette in one hand; with two hands it is the second form (CDC-044)."""
        holders = (*self.holders, holder) if holder not in self.holders else self.holders
        if len(holders) < 2:
            play.swap(self, replace(self, holders=holders, until=play.t + GRAB_S))
            return
        play.drop(self)
        play.tell("CDC-044", "velutee_a_deux", joueurs=holders)
        play.open(TwoHands(self.cast, holders))

    def _both(self, play: Play, holder: str) -> None:
        """One player re-throws both chouettes, the cul stays (CDC-043)."""
        play.drop(self)
        play.missed(cries.VELUTEE)
        play.tell("CDC-043", "velutee", joueur=holder, cul=self.cast.dice[2])
        play.open(Roll(holder, Velutee(self.cast), kept=self.cast.dice[2:]))

    def close(self, play: Play) -> None:
        """No answer."""
        self._both(play, (self.holders or self.criers)[0])


@dataclass(frozen=True)
class Velutee:
    """The re-thrown chouettes: the new combination is his (CDC-043); under a Flan he loses its points (CDC-249)."""

    cast: Cast
    rule: str = "CDC-043"
    counts: bool = False
    barred_buyer: str = ""

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """Take effect for the one who grabbed."""
        if self.cast.flans:
            lost = points_only(play, dice) * self.cast.factor * self.cast.weight
            play.gain("CDC-249", "velutee_perdue", roll.player, -lost)
            return
        play.casts.append(Cast(roll.player, dice, "velutee", self.cast.factor))


@dataclass(frozen=True)
class TwoHands:
    """Two players re-throw one chouette each (CDC-044)."""

    cast: Cast
    players: tuple[str, ...]
    faces: tuple[tuple[str, int], ...] = ()
    until: float | None = None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """Two dice, told together or one by one."""
        own = frozenset(self.players)
        return (
            Opening(cries.LES_CHOUETTES),
            Opening(cries.DES_DE_JOUEURS),
            Opening(cries.MON_DE, own),
            Opening(cries.LE_SIROP, own),
        )

    def hear(self, play: Play, said: Said) -> bool:
        """The dice of both."""
        told = dice_of_players(said)
        faces = dict(self.faces)
        if said.phrase == cries.LES_CHOUETTES and (said.speaker is None or said.speaker in self.players):
            faces = dict(zip(self.players, dice(said), strict=False))
        elif said.phrase in cries.ONE_DIE and said.speaker in self.players:
            faces[said.speaker] = die(said)
        elif told is not None:
            faces.update({player: face for player, face in told.items() if player in self.players})
        else:
            return False
        play.swap(self, new := replace(self, faces=tuple(faces.items())))
        if len(faces) == 2:
            new._land(play)
        return True

    def _land(self, play: Play) -> None:
        """The points are taken from the thrower; under a Flan the combination takes effect on him (CDC-249)."""
        play.drop(self)
        play.missed(cries.VELUTEE)
        play.checkpoint = True
        (_, one), (_, two) = self.faces
        three = (one, two, self.cast.dice[2])
        if self.cast.flans:
            play.casts.append(Cast(self.cast.player, three, "velutee", self.cast.factor, self.cast.flans))
            return
        lost = points_only(play, three) * self.cast.factor
        play.gain("CDC-044", "velutee_a_deux_perdue", self.cast.player, -lost, joueurs=self.players, des=three)

    def close(self, play: Play) -> None:
        """Dice wait for ever."""


def points_only(play: Play, three: tuple[int, int, int]) -> int:
    """The points of a triple when only its points apply: none for a Suite (D-09)."""
    throw = classify(three, play.rules.combinations)
    return 0 if throw.combination in NO_POINTS else throw.points
