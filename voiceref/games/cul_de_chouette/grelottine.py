"""Grelottine: challenge, stake, two throws; Poulette, Passe-Grelot, Rigodon (CDC-080…100, CDC-297)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from voiceref.games.cul_de_chouette import aquitaine, civet, cries, fruits, grelot
from voiceref.games.cul_de_chouette.dice import Combination, classify
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace, due, duel
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.settings import Rules
from voiceref.games.cul_de_chouette.state import Stake, State
from voiceref.games.cul_de_chouette.values import (
    ANSWER_S,
    FLOOR,
    GRELOTTINE_RATES,
    OPTION_S,
    PASSE_GRELOT_MIN,
    POULETTE,
)
from voiceref.games.engine import Opening, Said

NEANTS = (Combination.NEANT, Combination.NEANT_SOUFFLE)


def greatest(rules: Rules, combination: Combination, scores: Mapping[str, int], one: str, other: str) -> int:
    """The greatest stake: a share of the lower score, rounded up (CDC-086, CDC-087, D-02)."""
    rate = GRELOTTINE_RATES[combination]
    if combination is Combination.CHOUETTE:
        rate = Fraction(rules.get("grelottine.chouette_rate"))
    return max(1, ceil(rate * min(scores[one], scores[other])))


# --- the challenge ---------------------------------------------------------------------------------------------------


def may_challenge(state: State, player: str | None) -> bool:
    """Whether this player holds a Grelottine and may cry it between two turns (CDC-080)."""
    return player in state.bags and player not in state.out and state.bags[str(player)].grelottines > 0


def targets(state: State, player: str) -> tuple[str, ...]:
    """Who else holds a Grelottine, outside one's own team."""
    team = state.rules.team(player)
    return tuple(p for p in state.alive if p not in team and state.bags[p].grelottines)


def why_not(play: Play, said: Said) -> tuple[str, str] | None:
    """The reason and rule against this cry, or None: token, target, scores (CDC-080, CDC-085)."""
    player, named = said.speaker or "", said.slots.get("joueur")
    if not may_challenge(play.state, player):
        return "pas_de_grelottine", "CDC-080"
    possible = targets(play.state, player)
    if not possible or (named is not None and named not in possible):
        return "cible_sans_grelottine", "CDC-080"
    if _too_poor(play, player) or (named is not None and _too_poor(play, str(named))):
        return "grelottine_score", "CDC-085"
    return None


def cried(play: Play, said: Said) -> bool:
    """« Grelottine, Bob ! » between two turns; a second cry in the tie window competes (CDC-082)."""
    player = said.speaker or ""
    named = said.slots.get("joueur")
    why = why_not(play, said)
    if why is not None:
        play.fault(said, *why, cible=named)
    else:
        play.state = play.state.but(sequence="defi", late=frozenset())
        claim = Challenge(player, str(named) if named is not None else None, said)
        play.open(Claims((claim,), dict(play.state.scores), due(said.t, play.rules.tie_s)))
    return True


def _too_poor(play: Play, player: str) -> bool:
    """At zero or below nobody challenges nor is challenged; [NN] below thirty (CDC-085, D-03)."""
    least = 1 if play.rules.negative else FLOOR
    return not play.enough(player, least)


@dataclass(frozen=True)
class Challenge:
    """One cry of « Grelottine ! »."""

    grelottin: str
    defie: str | None
    said: Said


@dataclass(frozen=True)
class Claims:
    """The cries within one tie window; the lowest score becomes grelottin, else the lowest die (CDC-082, D-72)."""

    claims: tuple[Challenge, ...]
    base: Mapping[str, int]
    """Scores at the cry, which later Bévues do not change (CDC-088)."""
    until: float | None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """Another cry at the same time."""
        who = frozenset(p for p in state.alive if may_challenge(state, p))
        return (Opening(cries.GRELOTTINE, who, self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """A second claim; anything else in the challenge means the first one stands."""
        if said.phrase == cries.GRELOTTINE and may_challenge(play.state, said.speaker):
            if all(claim.grelottin != said.speaker for claim in self.claims):
                named = said.slots.get("joueur")
                claim = Challenge(str(said.speaker), str(named) if named is not None else None, said)
                play.swap(self, replace(self, claims=(*self.claims, claim)))
            return True
        if said.phrase in (cries.MISE, cries.MAX, cries.PASSE_GRELOT, cries.RIGODON, cries.CIBLE):
            self.close(play)
            return bool(play.state.items) and play.state.items[-1].hear(play, said)
        return False

    def close(self, play: Play) -> None:
        """Who is grelottin?"""
        lowest = min(play.state.scores[claim.grelottin] for claim in self.claims)
        tied = tuple(claim.grelottin for claim in self.claims if play.state.scores[claim.grelottin] == lowest)
        play.drop(self)
        if len(tied) > 1:
            duel(play, tied, self, "CDC-082")
        else:
            self.rolled(play, tied[0], 1)

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The grelottin is known: against whom, and for what?"""
        claim = next(claim for claim in self.claims if claim.grelottin == player)
        if len(self.claims) > 1:
            play.tell("CDC-082", "grelottin", joueur=player)
        possible = targets(play.state, player)
        defie = claim.defie if claim.defie is not None else possible[0] if len(possible) == 1 else None
        if defie is None:
            play.tell("CDC-080", "demande_cible", joueur=player)
            play.open(Target(player, self.base, claim.said, play.t + ANSWER_S))
        else:
            challenge(play, player, defie, self.base, claim.said)


@dataclass(frozen=True)
class Target:
    """« Contre qui ? »"""

    grelottin: str
    base: Mapping[str, int]
    said: Said
    until: float | None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """A name."""
        return (Opening(cries.CIBLE, None, self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """One who holds a Grelottine."""
        named = said.slots.get("joueur")
        if said.phrase != cries.CIBLE:
            return False
        if named not in targets(play.state, self.grelottin):
            play.refuse(said, "cible_sans_grelottine", "CDC-080", cible=named)
            return True
        play.drop(self)
        if _too_poor(play, str(named)):
            play.fault(replace(self.said, t=said.t), "grelottine_score", "CDC-085")
        else:
            challenge(play, self.grelottin, str(named), self.base, self.said)
        return True

    def close(self, play: Play) -> None:
        """No answer: no challenge."""
        play.drop(self)
        play.tell("CDC-080", "defi_abandonne", joueur=self.grelottin)


def challenge(play: Play, grelottin: str, defie: str, base: Mapping[str, int], said: Said) -> None:
    """The challenge stands; now the combination and the stake, perhaps already in the same breath (CDC-083)."""
    play.tell("CDC-080", "grelottine", joueur=grelottin, cible=defie)
    item = Staking(grelottin, defie, base)
    play.open(item)
    if said.slots.get("combinaison") is not None:
        item.hear(play, Said(play.t, grelottin, cries.MISE, said.slots, said.text))


# --- the stake, Passe-Grelot, Rigodon --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Staking:
    """The grelottin names combination and stake; until then an immune défié may escape (CDC-096…100)."""

    grelottin: str
    defie: str
    base: Mapping[str, int]
    named: Combination | None = None
    maximum: bool = False
    passed: bool = False
    escape: Said | None = None
    """A Passe-Grelot or Rigodon in its tie window: the stake would win (CDC-098)."""
    until: float | None = None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """The stake, and the escapes of an immune défié."""
        yield from (Opening(phrase, frozenset({self.grelottin})) for phrase in (cries.MISE, cries.MAX))
        if self.escape is not None and self.until is None:
            yield Opening(cries.CIBLE)
        if state.bags[self.defie].immunites and not self.passed:
            if state.rules.plays(cries.RIGODON):
                yield Opening(cries.RIGODON, frozenset({self.defie}))
            if state.rules.plays(cries.PASSE_GRELOT) and len(state.alive) >= 3:
                yield Opening(cries.PASSE_GRELOT, frozenset({self.defie}))

    def hear(self, play: Play, said: Said) -> bool:
        """Stake or escape."""
        if said.phrase == cries.MISE and said.speaker in (None, self.grelottin):
            self._stake(play, said)
        elif said.phrase == cries.MAX and said.speaker in (None, self.grelottin):
            self._maximum(play, said)
        elif said.phrase in (cries.PASSE_GRELOT, cries.RIGODON) and said.speaker == self.defie:
            self._escape(play, said)
        elif said.phrase == cries.CIBLE and self.escape is not None and self.until is None:
            self._pass(play, said, said.slots.get("joueur"))
        else:
            return False
        return True

    def _maximum(self, play: Play, said: Said) -> None:
        """« Max ! » (CDC-089), with the combination named before or still to be named."""
        if self.named is not None:
            slots = {"combinaison": self.named.value, "points": "max"}
            self._stake(play, replace(said, slots=slots))
            return
        play.swap(self, replace(self, maximum=True))
        play.tell("CDC-083", "demande_combinaison", joueur=self.grelottin)

    def _stake(self, play: Play, said: Said) -> None:
        """One of the five combinations, one point at least, the maximum at most (CDC-083, CDC-086)."""
        named = said.slots.get("combinaison")
        combination = Combination(named) if named in {c.value for c in GRELOTTINE_RATES} else None
        if combination is None or (play.rules.aquitaine and combination is Combination.SIROP_GRELOT):
            play.fault(said, "grelottine_combinaison", "CDC-083")
            return
        most = greatest(play.rules, combination, self.base, self.grelottin, self.defie)
        points = most if self.maximum else said.slots.get("points")
        points = most if points == "max" else points
        if play.rules.aquitaine:
            points = aquitaine.stake(play.bag(self.grelottin).grelottines)
        elif points is None:
            play.swap(self, replace(self, named=combination))
            return
        if not isinstance(points, int) or (not play.rules.aquitaine and not 1 <= points <= most):
            play.fault(said, "mise_trop_haute", "CDC-086", maximum=most)
            return
        self._begin(play, Stake(self.grelottin, self.defie, combination, points))

    def _begin(self, play: Play, stake: Stake) -> None:
        """The Grelottine is spent (CDC-081, D-27), the défié throws (CDC-090)."""
        play.drop(self)
        play.keep(stake.grelottin, grelottines=max(0, play.bag(stake.grelottin).grelottines - 1))
        if play.rules.on("grelottine.target_spends"):
            play.keep(stake.defie, grelottines=max(0, play.bag(stake.defie).grelottines - 1))
        data = {"joueur": stake.grelottin, "cible": stake.defie, "points": stake.points}
        play.missed(cries.PASSE_GRELOT, cries.RIGODON)
        play.tell("CDC-083", "mise_grelottine", combinaison=stake.combination.value, **data)
        play.open(Roll(stake.defie, Defi(stake), buyable=True))

    def _escape(self, play: Play, said: Said) -> None:
        """Only the first défié, and only with an immunity (CDC-096, CDC-099, CDC-100)."""
        passing = said.phrase == cries.PASSE_GRELOT
        rule = "CDC-096" if passing else "CDC-100"
        if self.passed:
            play.fault(said, "passe_grelot_deja", "CDC-099")
        elif not play.rules.plays(said.phrase) or not play.bag(self.defie).immunites:
            play.fault(said, "pas_d_immunite", rule)
        elif passing and len(play.state.alive) < 3:
            play.fault(said, "passe_grelot_a_deux", "CDC-099")
        else:
            play.swap(self, replace(self, escape=said, until=due(said.t, play.rules.tie_s)))

    def close(self, play: Play) -> None:
        """No stake came at the same time: the escape holds (CDC-098)."""
        said = self.escape
        if said is None:
            return
        if said.phrase == cries.PASSE_GRELOT:
            self._pass(play, said, said.slots.get("joueur"))
            return
        play.drop(self)
        for player in (self.grelottin, self.defie):
            play.keep(player, grelottines=max(0, play.bag(player).grelottines - 1))
        play.keep(self.defie, immunites=play.bag(self.defie).immunites - 1)
        play.tell("CDC-100", "rigodon", joueur=self.defie, grelottin=self.grelottin)

    def _pass(self, play: Play, said: Said, named: object) -> None:
        """The new défié: not the grelottin, three points at least (CDC-097, D-33)."""
        least = PASSE_GRELOT_MIN if play.rules.negative else FLOOR
        others = tuple(p for p in play.state.alive if p not in (self.grelottin, self.defie))
        target = str(named) if named is not None else others[0] if len(others) == 1 else None
        if target is None:
            play.swap(self, replace(self, escape=said, until=None))
            play.tell("CDC-096", "demande_cible", joueur=self.defie)
            return
        if target not in others or not play.enough(target, least):
            play.swap(self, replace(self, escape=None, until=None))
            play.fault(said, "passe_grelot_cible", "CDC-097", cible=target)
            return
        play.keep(self.defie, immunites=play.bag(self.defie).immunites - 1)
        play.tell("CDC-096", "passe_grelot", joueur=self.defie, cible=target)
        play.swap(self, replace(self, defie=target, passed=True, escape=None, until=None))


# --- the two throws --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Defi:
    """The throws of the défié: two, unless the first succeeds (CDC-090)."""

    stake: Stake
    rule: str = "CDC-090"
    counts: bool = True

    @property
    def barred_buyer(self) -> str:
        """The grelottin cannot be his own défié (CDC-181)."""
        return self.stake.grelottin

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """Success, a second throw, or failure; then the combination counts (CDC-092). A buyer is défié (CDC-177)."""
        throw = classify(dice, play.rules.combinations)
        stake = replace(self.stake, defie=roll.player)
        if stake.combination is Combination.SIROP_GRELOT:
            self._sirop_grelot(play, roll, dice, stake)
            return
        success = stake.combination in civet.names(play, throw)
        if not success and roll.number == 1:
            self._again(play, roll, dice, stake)
            return
        grelot.judge(play, stake, success)
        if not success and throw.combination in NEANTS:
            poulette(play, stake)
        play.casts.append(roll.cast(dice, "grelottine"))

    def _again(self, play: Play, roll: Roll, dice: tuple[int, int, int], stake: Stake) -> None:
        """The second throw, keeping what he wants."""
        play.tell("CDC-090", "defi_encore", joueur=roll.player, des=dice)
        again = replace(roll, purpose=replace(self, stake=stake), number=2, table=dice, chouettes=(), kept=())
        play.open(replace(again, seller=None, verdier=(), buyers=(), until=None))

    def _sirop_grelot(self, play: Play, roll: Roll, dice: tuple[int, int, int], stake: Stake) -> None:
        """Two throws, then a Chouette must be sipped (CDC-084); a Cul de Chouette made by itself fails (D-29)."""
        throw = classify(dice, play.rules.combinations)
        if roll.number == 1:
            self._again(play, roll, dice, stake)
        elif throw.combination is Combination.CHOUETTE:
            play.casts.append(replace(roll.cast(dice, "grelottine"), stake=stake))
        else:
            grelot.judge(play, stake, success=False)
            if throw.combination in NEANTS:
                poulette(play, stake)
            play.casts.append(roll.cast(dice, "grelottine"))


def poulette(play: Play, stake: Stake) -> None:
    """A lost challenge ending in a Néant: « Elle est où la Poulette ? » (CDC-094)."""
    if play.rules.plays(cries.POULETTE):
        who = {cries.POULETTE: frozenset({stake.grelottin, stake.defie})}
        play.open(FirstRace(who, Poulette(), play.t + OPTION_S))


@dataclass(frozen=True)
class Poulette:
    """The first gains ten; both at once lose ten (CDC-095, D-31)."""

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """One, two or none."""
        fruits.pay_race(play, winners, POULETTE, ("CDC-094", "CDC-095"), "poulette", tie_gains=False)
