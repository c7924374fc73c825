"""Civet and Civet-Filoché: bets on the combination of a throw, doubled or not (CDC-130…156)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.dice import Combination, Throw, satisfies
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.state import Bet, Cast, Filoche
from voiceref.games.cul_de_chouette.values import BIDDING_S, CIVET_STAKES
from voiceref.games.engine import Said

C = Combination
WIDER = {
    C.CHOUETTE_VELUTE: (C.CHOUETTE, C.VELUTE),
    C.CUL_DE_CHOUETTE: (C.CHOUETTE,),
    C.BLEU_ROUGE: (C.CHOUETTE,),
    C.ARTICHETTE: (C.CHOUETTE,),
    C.NEANT_SOUFFLE: (C.NEANT,),
}
"""What else a combination counts as when `bets.match` is inclusive (D-30)."""


def names(play: Play, throw: Throw) -> frozenset[Combination]:
    """What a throw may be called in a bet: its exact name, 1-2-3 having three (D-30)."""
    wider = WIDER.get(throw.combination, ()) if play.rules.get("bets.match") == "inclusive" else ()
    return frozenset(wider) | frozenset(name for name in C if satisfies(throw, name))


# --- announcing ------------------------------------------------------------------------------------------------------


def civet(play: Play, said: Said, thrower: str) -> bool:
    """« Civet de cinquante sur une Chouette ! » by the next thrower (CDC-132)."""
    owner, bet = said.speaker or "", _bet(said, thrower)
    if owner != thrower or not play.bag(owner).civet:
        play.fault(said, "pas_de_civet", "CDC-131")
    elif bet is None or bet.points not in CIVET_STAKES:
        play.fault(said, "civet_mise", "CDC-132")
    elif play.lacks((owner,), bet.points):
        play.fault(said, "civet_trop_haut", "CDC-139")
    else:
        play.keep(owner, civet=False)
        play.state = play.state.but(bets=(*play.state.bets, bet))
        play.tell("CDC-132", "civet", joueur=owner, points=bet.points, combinaison=bet.combination.value)
    return True


def filoche(play: Play, said: Said, thrower: str) -> bool:
    """« Civet-Filoché de vingt sur une Velute ! » on another player's throw (CDC-148…150)."""
    owner = said.speaker or ""
    named = said.slots.get("joueur")
    target = str(named) if named is not None else thrower
    bet, held = _bet(said, target), play.bag(owner).filoche if owner in play.state.bags else None
    if held is None:
        play.fault(said, "pas_de_filoche", "CDC-148")
    elif target == owner or target not in play.state.alive or target in held.used_on or _thrown(play, target):
        play.fault(said, "filoche_cible", "CDC-150", cible=target)
    elif bet is None or not 1 <= bet.points <= held.left:
        play.fault(said, "filoche_mise", "CDC-150", reste=held.left)
    elif play.lacks((owner,), bet.points):
        play.fault(said, "civet_trop_haut", "CDC-150")
    else:
        left = held.left - bet.points
        play.keep(owner, filoche=Filoche(left, held.used_on | {target}) if left else None)
        play.state = play.state.but(bets=(*play.state.bets, bet), bidding=said.t + BIDDING_S)
        data = {"joueur": owner, "cible": target, "points": bet.points, "combinaison": bet.combination.value}
        play.tell("CDC-149", "filoche", **data)
    return True


def double(play: Play, said: Said) -> bool:
    """« Civet Doublé ! » and « Civet-Filoché Doublé ! »: the stake counts twice (CDC-140…142, CDC-155, CDC-156)."""
    own = said.phrase == cries.CIVET_DOUBLE
    rule = "CDC-140" if own else "CDC-155"
    doubler = said.speaker or ""
    named = said.slots.get("joueur")
    open_bets = [b for b in play.state.bets if (b.owner == b.target) == own and b.owner != doubler]
    bet = next((b for b in reversed(open_bets) if named in (None, b.owner)), None)
    bag = play.state.bags.get(doubler)
    if bet is None or bag is None or not (bag.civet or bag.filoche):
        play.fault(said, "rien_a_doubler" if bet is None else "pas_de_civet", rule)
    elif play.lacks((bet.owner,), bet.points * bet.times * 2):
        play.fault(said, "civet_double_trop_haut", "CDC-142", cible=bet.owner)
    else:
        play.keep(doubler, **({"civet": False} if bag.civet else {"filoche": None}))
        new = replace(bet, times=bet.times * 2)
        play.state = play.state.but(bets=tuple(new if b is bet else b for b in play.state.bets))
        data = {"joueur": doubler, "cible": bet.owner, "points": new.points * new.times}
        play.tell(rule, "civet_double" if own else "filoche_double", **data)
    return True


def _bet(said: Said, target: str) -> Bet | None:
    """The bet in the slots, or None when it is not whole."""
    points, combination = said.slots.get("points"), said.slots.get("combinaison")
    if not isinstance(points, int) or combination not in {c.value for c in C}:
        return None
    return Bet(said.speaker or "", target, points, C(combination))


def _thrown(play: Play, target: str) -> bool:
    """Whether the chouettes of the target are already down."""
    return any(isinstance(i, Roll) and i.player == target and i.loaded for i in play.state.items)


# --- judging ---------------------------------------------------------------------------------------------------------


def settle(play: Play, cast: Cast, made: Collection[Combination], won: int, nominal: int) -> None:
    """Judge the bets on a cast: `won` is what its combination brought its player, `nominal` what it is worth."""
    own = next((bet for bet in cast.bets if bet.owner == bet.target), None)
    shared = 0
    if own is not None:
        shared = _civet(play, cast, own, own.combination in made, won)
    for bet in cast.bets:
        if bet.owner != bet.target:
            value = won if play.rules.get("filoche.race_value") == "thrower" else nominal
            _filoche(play, bet, bet.combination in made, value, shared)


def _civet(play: Play, cast: Cast, bet: Bet, right: bool, won: int) -> int:
    """The stake won or lost (CDC-133), doubled by a Bi-Jarret (CDC-196), turned round by Flans (CDC-256, CDC-257).

    Returns the stake with its plain sign, for a Filoché on the same throw (CDC-154).
    """
    stake = bet.points * bet.times * cast.factor
    plain = stake if right else -stake
    rule = "CDC-133" if not cast.flans else "CDC-256" if bet.times == 1 else "CDC-257"
    amount = plain * cast.sign
    data = {"combinaison": bet.combination.value, "mise": stake}
    play.gain(rule, "civet_reussi" if right else "civet_rate", bet.owner, amount, **data)
    if not right and won and amount == -won:
        _new_filoche(play, bet.owner, "CDC-146" if cast.flans else "CDC-145")
    return plain


def _filoche(play: Play, bet: Bet, right: bool, value: int, shared: int) -> None:
    """Stake and combination (CDC-151), and the stake of the thrower's own Civet (CDC-154)."""
    stake = bet.points * bet.times
    amount = (stake if right else -stake) + value + shared
    name = "filoche_reussi" if right else "filoche_rate"
    data = {"combinaison": bet.combination.value, "cible": bet.target, "mise": stake}
    play.gain("CDC-154" if shared else "CDC-151", name, bet.owner, amount, **data)
    if not right and value == stake:
        _new_filoche(play, bet.owner, "CDC-147")


def _new_filoche(play: Play, player: str, rule: str) -> None:
    """A lost stake equal to the combination won makes a Civet-Filoché (CDC-145…147, D-74)."""
    if play.rules.plays(cries.FILOCHE):
        play.keep(player, filoche=Filoche())
        play.tell(rule, "filoche_obtenu", joueur=player)
