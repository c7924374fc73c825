"""Achat and Double Achat: another player throws the cul on his own account (CDC-175…183)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, due, duel, first
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.cul_de_chouette.values import ACHAT
from voiceref.games.engine import Opening, Said

if TYPE_CHECKING:
    from voiceref.games.cul_de_chouette.roll import Roll

PHRASES = (cries.J_ACHETE, cries.JE_RACHETE)


@dataclass(frozen=True)
class Tied:
    """Several buyers at once: one die each, the lowest buys; the others wait (CDC-180)."""

    roll: Roll

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The lowest die buys."""
        play.open(bought(play, replace(self.roll, buyers=(), until=None), player))


def openings(state: State, roll: Roll) -> Iterable[Opening]:
    """Who may buy the cul now."""
    if not roll.chouettes or forbidden(state, roll):
        return ()
    rich = (p for p in state.others(roll.player) if state.rules.aquitaine or state.scores[p] >= ACHAT)
    who = frozenset(rich) - {roll.purpose.barred_buyer}
    return tuple(Opening(phrase, who) for phrase in PHRASES) if who else ()


def forbidden(state: State, roll: Roll) -> str | None:
    """Why this cul may not be bought (CDC-179, CDC-181; CDC-202 for a Jarret), or None."""
    if not state.rules.plays(cries.J_ACHETE):
        return "achat_interdit"
    if roll.purpose.rule == "CDC-090" and len(state.alive) == 2:
        return "achat_a_deux"
    if not roll.buyable or roll.bets or roll.jarret or roll.number > 1:
        return "achat_interdit"
    return "achat_double_six" if roll.chouettes == (6, 6) else None


def hear(play: Play, roll: Roll, said: Said) -> bool:
    """« J'achète ! » between chouettes and cul; « Je rachète ! » takes it over, without limit (CDC-182, CDC-183)."""
    if said.phrase not in PHRASES or not play.rules.plays(said.phrase):
        return False
    buyer = said.speaker
    if buyer is None or not (roll.chouettes or roll.purpose.rule == "CDC-090") or buyer not in play.state.alive:
        return False
    if buyer == roll.purpose.barred_buyer or buyer == roll.player or any(cry.player == buyer for cry in roll.buyers):
        play.fault(said, "achat_a_soi", "CDC-175")
        return True
    why = forbidden(play.state, roll)
    if why is not None:
        play.fault(said, why, "CDC-181" if why == "achat_a_deux" else "CDC-179")
    elif not roll.chouettes:
        play.fault(said, "hors_fenetre", "CDC-175")
    elif not play.enough(buyer, ACHAT):
        play.fault(said, "achat_trente", "CDC-176")
    else:
        buyers = (*roll.buyers, Cry(buyer, said.t, said.phrase))
        play.swap(roll, replace(roll, buyers=buyers, until=due(buyers[0].t, play.rules.tie_s)))
    return True


def settle(play: Play, roll: Roll) -> None:
    """The tie window is over: the first one buys, or dice decide (CDC-180)."""
    tied = first(roll.buyers, play.rules.tie_s)
    if len(tied) == 1:
        play.swap(roll, bought(play, replace(roll, buyers=(), until=None), tied[0].player))
    elif tied:
        play.drop(roll)
        duel(play, (cry.player for cry in tied), Tied(roll), "CDC-180")


def bought(play: Play, roll: Roll, buyer: str) -> Roll:
    """The roll in the hands of its buyer, who pays thirty points (CDC-175, CDC-182).

    He takes over the Flans on it too (CDC-258, CDC-259); those waiting for himself keep waiting.
    """
    rule, name = ("CDC-175", "achat") if roll.seller is None else ("CDC-182", "double_achat")
    play.gain(rule, name, buyer, -ACHAT, vendeur=roll.player)
    return replace(roll, player=buyer, seller=roll.owner)


def pay_seller(play: Play, roll: Roll) -> None:
    """Who was bought keeps the Chouette that his chouettes made (CDC-175, D-38)."""
    if roll.seller is not None and roll.chouettes and roll.chouettes[0] == roll.chouettes[1]:
        points = roll.chouettes[0] ** 2
        play.gain("CDC-175", "chouette_achetee", roll.seller, points, valeur=roll.chouettes[0])
