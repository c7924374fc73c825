"""Bleu-Rouge and Pélican: everybody bets on the sum of the relance (CDC-057…065, CDC-195, CDC-251, CDC-252)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from voiceref.games.cul_de_chouette import civet, cries, jarret
from voiceref.games.cul_de_chouette.dice import Combination, Throw, classify
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace, duel
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.state import Cast, State
from voiceref.games.cul_de_chouette.values import OPTION_S, PELICAN, RELANCE_RIGHT, RELANCE_VALUES
from voiceref.games.engine import Opening, Said

NEANTS = (Combination.NEANT, Combination.NEANT_SOUFFLE)
"""What gives a Jarret on a relance, and no Grelottine (CDC-062, D-22)."""


def made(play: Play, cast: Cast, throw: Throw) -> None:
    """3-4-3: nine points (CDC-057), then the bets."""
    points = cast.worth(throw.points)
    play.gain("CDC-251" if cast.flans else "CDC-057", "bleu_rouge", cast.player, points)
    play.tell("CDC-058", "demande_relances", joueurs=play.state.alive)
    play.open(Relances(cast, throw))


@dataclass(frozen=True)
class Relances:
    """Every player bets on a different sum; compulsory and free (CDC-058). Hard: the relance waits for all."""

    cast: Cast
    throw: Throw
    bets: Mapping[str, int] = field(default_factory=dict)
    until: float | None = None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """A bet by each who has not bet."""
        left = frozenset(p for p in state.alive if p not in self.bets)
        return (Opening(cries.JE_RELANCE, left),)

    def hear(self, play: Play, said: Said) -> bool:
        """A bet; the relance too early is refused."""
        if said.phrase in (cries.LA_RELANCE, cries.TROIS_DES, cries.LES_DES, cries.LES_CHOUETTES):
            left = tuple(p for p in play.state.alive if p not in self.bets)
            play.refuse(said, "relances_manquantes", "CDC-058", joueurs=left)
            return True
        if said.phrase != cries.JE_RELANCE or said.speaker not in play.state.alive:
            return False
        points = said.slots.get("points")
        if said.speaker in self.bets:
            play.fault(said, "deja_mise", "CDC-058")
        elif not isinstance(points, int) or points not in RELANCE_VALUES:
            play.fault(said, "relance_impossible", "CDC-058")
        elif points in self.bets.values():
            self._taken(play, said, points)
        else:
            self._bet(play, said.speaker, points)
        return True

    def _taken(self, play: Play, said: Said, points: int) -> None:
        """A value already taken: choose again (D-20)."""
        play.refuse(said, "relance_prise", "CDC-058", points=points)
        if play.rules.strict or play.rules.get("bleu_rouge.duplicate") == "bevue":
            play.bevue(said.speaker or "", "relance_prise")

    def _bet(self, play: Play, player: str, points: int) -> None:
        """One more bet; after the last one the dice are thrown, three at once (CDC-059)."""
        new = replace(self, bets={**self.bets, player: points})
        play.tell("CDC-058", "relance_misee", joueur=player, points=points)
        if len(new.bets) < len(play.state.alive):
            play.swap(self, new)
            return
        play.drop(self)
        play.tell("CDC-059", "relance_a_lancer", joueur=self.cast.player)
        play.open(Roll(self.cast.player, Relance(self.cast, self.throw, new.bets), at_once=True))

    def close(self, play: Play) -> None:
        """The relance waits for ever."""


@dataclass(frozen=True)
class Relance:
    """The three dice of the relance."""

    cast: Cast
    throw: Throw
    bets: Mapping[str, int]
    rule: str = "CDC-059"
    counts: bool = False
    barred_buyer: str = ""

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """Who bet the sum wins 36 + 2 × sum and the combination (CDC-060), else nothing applies (CDC-061)."""
        total, new = sum(dice), classify(dice, play.rules.combinations)
        winner = next((player for player, points in self.bets.items() if points == total), None)
        play.tell("CDC-059", "relance", joueur=self.cast.player, des=dice, total=total)
        neant = new.combination in NEANTS
        if winner is None:
            play.tell("CDC-061", "relance_perdue", total=total)
        else:
            points = (RELANCE_RIGHT + 2 * total) * self.cast.factor * self.cast.sign
            rule = "CDC-251" if self.cast.flans else "CDC-195" if self.cast.factor > 1 else "CDC-060"
            play.gain(rule, "relance_gagnee", winner, points, total=total)
        if new.combination is Combination.CUL_DE_CHOUETTE and new.value == 6:
            pelican(play, self.cast, self.bets)
        if neant != bool(self.cast.flans):
            jarret.lance_buches(play)
        self._judge(play, winner)
        if winner is not None and not neant:
            play.casts.append(Cast(winner, dice, "relance", self.cast.factor, self.cast.flans))
        elif neant and play.rules.on("jarret.also_grelottine"):
            play.casts.append(Cast(winner or self.cast.player, dice, "relance"))

    def _judge(self, play: Play, winner: str | None) -> None:
        """Bets on the throw: a Civet on Bleu-Rouge needs its owner's relance (CDC-134, D-40)."""
        made = civet.names(play, self.throw)
        if winner != self.cast.player and play.rules.on("civet.bleu_rouge_needs_relance"):
            own = tuple(bet for bet in self.cast.bets if bet.owner == bet.target)
            rest = tuple(bet for bet in self.cast.bets if bet.owner != bet.target)
            points = self.cast.worth(self.throw.points)
            civet.settle(play, replace(self.cast, bets=own), frozenset(), points, points)
            civet.settle(play, replace(self.cast, bets=rest), made, points, self.throw.points * self.cast.factor)
            return
        nominal = self.throw.points * self.cast.factor
        civet.settle(play, self.cast, made, self.cast.worth(self.throw.points), nominal)


def pelican(play: Play, cast: Cast, bets: Mapping[str, int]) -> None:
    """A relance of 6-6-6: the first « Pélican ! » takes 28 points (CDC-063), 200 in all for who bet 18 (CDC-065)."""
    play.tell("CDC-063", "pelican_fait", joueur=cast.player)
    bettor = next((player for player, points in bets.items() if points == 18), None)
    who = {cries.PELICAN: frozenset(play.state.alive)}
    play.open(FirstRace(who, Pelican(cast, bettor, cries.PELICAN), play.t + OPTION_S))


NEXT = {cries.PELICAN: cries.PASSE_MONTAGNE, cries.PASSE_MONTAGNE: cries.ZBRADARALDJAN}
"""The tie-breaks of the Pélican, in order (CDC-064)."""


@dataclass(frozen=True)
class Pelican:
    """One stage of the race for the Pélican."""

    cast: Cast
    bettor: str | None
    """Who bet 18."""
    phrase: str
    tied: tuple[str, ...] = ()

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """The first one, or the next tie-break; under a Flan all the first ones lose (CDC-252)."""
        players = tuple(cry.player for cry in winners) or self.tied
        if not players:
            return
        if self.cast.flans:
            for player in players:
                self._pay(play, player, "CDC-252")
        elif len(players) == 1:
            self._pay(play, players[0], "CDC-063" if self.phrase == cries.PELICAN else "CDC-064")
        elif self.phrase in NEXT:
            phrase = NEXT[self.phrase]
            play.tell("CDC-064", "pelican_egalite", joueurs=players, phrase=phrase)
            until = play.t + play.rules.race_s
            race = replace(self, phrase=phrase, tied=players)
            play.open(FirstRace({phrase: frozenset(players)}, race, until, soft=False))
        elif self.bettor in players or (
            self.bettor is not None and not play.rules.on("pelican.bettor_must_be_tied")  # D-23
        ):
            self._pay(play, str(self.bettor), "CDC-064")
        else:
            duel(play, players, self, "CDC-064")

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The lowest die."""
        self._pay(play, player, "CDC-064")

    def _pay(self, play: Play, player: str, rule: str) -> None:
        play.gain(rule, "pelican", player, self.cast.worth(PELICAN))
