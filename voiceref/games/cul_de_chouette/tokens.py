"""Tokens given away: Lance-Civet, -Civet-Filoché, -Jarret and -Flan (CDC-136, CDC-153, CDC-198, CDC-242)."""

from __future__ import annotations

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.engine import Said

GIFTS = {
    cries.LANCE_CIVET: ("civet", "CDC-136", "CDC-137"),
    cries.LANCE_FILOCHE: ("filoche", "CDC-153", "CDC-153"),
    cries.LANCE_JARRET: ("jarret", "CDC-198", "CDC-198"),
    cries.LANCE_FLAN: ("flan", "CDC-242", "CDC-242"),
}
"""Phrase -> token, its rule, the rule of the Bévue when the receiver has one already."""

NOTHING = {"civet": False, "filoche": None, "jarret": 0, "flan": False}
SHOWN = {"civet": "civet", "filoche": "civet-filoche", "jarret": "jarret", "flan": "flan"}


def give(play: Play, said: Said, target: str) -> None:
    """The receiver must accept, unless he has one already: then it is a Bévue and nothing moves."""
    token, rule, doubled = GIFTS[said.phrase]
    giver = said.speaker or ""
    if giver not in play.state.bags or not getattr(play.bag(giver), token):
        play.fault(said, "rien_a_lancer", rule, jeton=SHOWN[token])
    elif target == giver or target not in play.state.alive:
        play.fault(said, "cible_impossible", rule, cible=target)
    elif getattr(play.bag(target), token):
        play.fault(said, "lance_doublon", doubled, cible=target, jeton=SHOWN[token])
    else:
        held = getattr(play.bag(giver), token)
        play.keep(giver, **{token: NOTHING[token]})
        play.keep(target, **{token: held})
        play.tell(rule, "lance_jeton", joueur=giver, cible=target, jeton=SHOWN[token])
