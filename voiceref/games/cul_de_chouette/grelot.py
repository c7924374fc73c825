"""The verdict of a Grelottine challenge: the stake changes hands (CDC-091)."""

from __future__ import annotations

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.state import Stake


def judge(play: Play, stake: Stake, success: bool) -> None:
    """The défié wins or loses the stake; a winner is immune once (CDC-091, CDC-096, D-32). Sips at Aquitaine."""
    winner, loser = (stake.defie, stake.grelottin) if success else (stake.grelottin, stake.defie)
    name = "defi_reussi" if success else "defi_rate"
    data = {"joueur": stake.defie, "grelottin": stake.grelottin, "points": stake.points}
    if play.rules.aquitaine:
        play.tell("CDC-297", name + "_gorgees", **data)
        play.tell("CDC-297", "gorgees_a_boire", joueur=loser, gorgees=stake.points, unite=play.rules.unit)
    else:
        play.score("CDC-091", name, {winner: stake.points, loser: -stake.points}, **data)
    if success and (play.rules.plays(cries.PASSE_GRELOT) or play.rules.plays(cries.RIGODON)):
        tokens = int(play.rules.get("immunity.tokens"))
        play.keep(stake.defie, immunites=max(play.bag(stake.defie).immunites, tokens))
        play.tell("CDC-096", "immunite", joueur=stake.defie)
