"""Verdier: a bet on the Velute 6-4-2 between chouettes and cul (CDC-186…189)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.cul_de_chouette.values import BIRD_GAIN, BIRD_STAKE, VERDIER_DICE, VERDIER_PAIRS
from voiceref.games.engine import Opening, Said

if TYPE_CHECKING:
    from voiceref.games.cul_de_chouette.roll import Roll


def open_to(state: State, roll: Roll) -> bool:
    """Whether a Verdier may be bet on these chouettes (CDC-187, CDC-189)."""
    return state.rules.plays(cries.VERT_LINETTE) and not roll.at_once and tuple(sorted(roll.chouettes)) in VERDIER_PAIRS


def openings(state: State, roll: Roll) -> Iterable[Opening]:
    """Everybody but the one who threw the chouettes."""
    if not open_to(state, roll):
        return ()
    who = frozenset(p for p in state.others(roll.owner) if p not in roll.verdier)
    return (Opening(cries.VERT_LINETTE, who),) if who else ()


def hear(play: Play, roll: Roll, said: Said) -> bool:
    """« Vert-Linette ! » (CDC-186); with less than five points a Bévue (CDC-188)."""
    bettor = said.speaker
    if said.phrase != cries.VERT_LINETTE or not open_to(play.state, roll):
        return False
    if bettor is None or bettor == roll.owner or bettor not in play.state.alive:
        return False
    if bettor in roll.verdier:
        return True
    if play.lacks((bettor,), BIRD_STAKE):
        play.fault(said, "pari_cinq_points", "CDC-188")
    else:
        play.swap(roll, replace(roll, verdier=(*roll.verdier, bettor)))
        play.tell("CDC-186", "verdier_parie", joueur=bettor)
    return True


def settle(play: Play, roll: Roll, three: tuple[int, int, int]) -> None:
    """Twenty-five points for 6-4-2, else five lost."""
    won = tuple(sorted(three)) == VERDIER_DICE
    for bettor in roll.verdier:
        if won:
            play.gain("CDC-186", "verdier_gagne", bettor, BIRD_GAIN)
        else:
            play.gain("CDC-186", "verdier_perdu", bettor, -BIRD_STAKE)
