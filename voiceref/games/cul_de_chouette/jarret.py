"""The Jarret: Lance-Bûches, Mi-, Bi-Jarret and Jarret-Sifflet, Jarret-Souple against Charret (CDC-190…202, CDC-260)."""

from __future__ import annotations

from dataclasses import dataclass

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace
from voiceref.games.cul_de_chouette.state import Cast
from voiceref.games.cul_de_chouette.values import OPTION_S
from voiceref.games.engine import Said

USES = {
    cries.MI_JARRET: ("mi", "CDC-192"),
    cries.BI_JARRET: ("bi", "CDC-194"),
    cries.JARRET_SIFFLET: ("sifflet", "CDC-201"),
}
"""How a Jarret is used, announced before the chouettes of one's own turn (CDC-191)."""

TWO_THROWS = ("mi", "sifflet")
DOUBLED = ("bi", "sifflet")


def lance_buches(play: Play) -> None:
    """The race for the Jarret; all tied players get one (CDC-190)."""
    if not play.rules.plays(cries.LANCE_BUCHES):
        return
    play.tell("CDC-190", "jarret_en_jeu")
    who = {cries.LANCE_BUCHES: frozenset(play.state.alive)}
    play.open(FirstRace(who, LanceBuches(), play.t + OPTION_S))


@dataclass(frozen=True)
class LanceBuches:
    """Who becomes Lance-Bûches."""

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """A Jarret for each, never two."""
        for cry in winners:
            play.keep(cry.player, jarret=max(1, play.bag(cry.player).jarret))
            play.tell("CDC-190", "jarret_obtenu", joueur=cry.player)


def why_not(play: Play, said: Said, thrower: str) -> tuple[str, str] | None:
    """The reason and rule against using a Jarret now, or None (CDC-191, CDC-201)."""
    kind, rule = USES[said.phrase]
    held = play.bag(thrower).jarret if said.speaker == thrower else 0
    if not held or play.state.sequence == "defi":
        return "pas_de_jarret", rule
    return ("sifflet_sans_souple", "CDC-201") if kind == "sifflet" and held < 2 else None


def use(play: Play, said: Said, thrower: str) -> bool:
    """« Mi-Jarret ! », « Bi-Jarret ! », « Jarret-Sifflet ! » by whoever throws next."""
    kind, rule = USES[said.phrase]
    player = said.speaker or ""
    why = why_not(play, said, thrower)
    if why is not None:
        play.fault(said, *why)
    else:
        held = play.bag(player).jarret
        play.keep(player, jarret=0)
        play.state = play.state.but(jarret=kind, spent_jarret=held)
        play.tell(rule, f"jarret_{kind}", joueur=player)
    return True


def after_neant(play: Play, cast: Cast) -> None:
    """A Néant under a Jarret: its owner may keep it (CDC-199); a Flan swaps the two cries (CDC-260)."""
    if not cast.jarret:
        return
    own, theirs = cries.JARRET_SOUPLE, cries.CHARRET
    if cast.flans:
        own, theirs = theirs, own
    others = frozenset(play.state.others(cast.player))
    play.tell("CDC-199", "souple_en_jeu", joueur=cast.player)
    play.open(FirstRace({own: frozenset({cast.player}), theirs: others}, Souple(cast), play.t + OPTION_S))


@dataclass(frozen=True)
class Souple:
    """The owner first, or tied: kept, and a Jarret-Sifflet from now on (CDC-199, CDC-201); else lost (CDC-200)."""

    cast: Cast

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Kept or lost."""
        player = self.cast.player
        if any(cry.player == player for cry in winners):
            play.keep(player, jarret=2)
            play.tell("CDC-199", "jarret_souple", joueur=player)
        else:
            play.tell("CDC-200", "jarret_perdu", joueur=player)
