"""Chante-Sloubi: a newcomer, his value, his song, his seat (CDC-275…280, CDC-300)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import cries, sloubi
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.state import Bag, State
from voiceref.games.engine import Opening, Said

NAMINGS = (cries.JE_M_APPELLE, cries.CHANTE_SLOUBI, cries.MOI_C_EST)
"""How a newcomer says his name; the last only when asked."""

FULL = 16
"""Seats at a table (CDC-002)."""


def cried(play: Play, said: Said) -> bool:
    """« Chante-Sloubi ! Je m'appelle Nora » when a turn has ended (CDC-275); not for who is out (CDC-010, CDC-280)."""
    state = play.state
    named = said.slots.get("joueur") or said.speaker
    if named is None:
        play.tell("CDC-275", "demande_nom")
        play.state = state.but(sequence="sloubi")
        play.open(Naming(play.t + sloubi.PATIENCE_S))
        return True
    why = why_not(play, said)
    if why is not None:
        play.refuse(said, *why, joueur=str(named))
    else:
        _begin(play, said, str(named))
    return True


def why_not(play: Play, said: Said) -> tuple[str, str] | None:
    """The reason and rule against this newcomer, or None: out, at the table already, no seat left."""
    name = said.slots.get("joueur") or said.speaker
    if name in play.state.out:
        return "sloubi_elimine", "CDC-280"
    if name in play.state.players:
        return "sloubi_deja_la", "CDC-275"
    return ("table_pleine", "CDC-002") if len(play.state.players) >= FULL else None


def _begin(play: Play, said: Said, name: str) -> None:
    """The value of the moment, and the choice to sing (CDC-276, CDC-279); at Aquitaine one must (CDC-300)."""
    state = play.state
    played = state.turns if play.rules.get("sloubi.turns") == "player_turns" else state.rounds
    if play.rules.aquitaine:
        base, goal = 0, sloubi.aquitaine_goal(played)
    else:
        alive = [team[0] for team in dict.fromkeys(play.rules.team(p) for p in state.alive)]
        scores = [state.scores[player] for player in alive]
        base = sloubi.value(scores, played, play.rules.get("sloubi.round")) if len(scores) > 1 else 0
        goal = abs(base)
    if not sloubi.may_enter(base):
        play.refuse(said, "sloubi_trop_haut", "CDC-279", joueur=name, valeur=base)
        return
    play.state = state.but(sequence="sloubi")
    play.tell("CDC-276", "sloubi_valeur" if goal else "sloubi_zero", joueur=name, valeur=goal)
    song = sloubi.begin(goal, play.t)
    if goal == 0:
        enter(play, name, base, sung=False)
    else:
        play.open(Singing(name, base, song, song.deadline + sloubi.PATIENCE_S))


@dataclass(frozen=True)
class Naming:
    """« Comment t'appelles-tu ? »"""

    until: float | None
    soft: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """The name, or the cry again with a name."""
        return (Opening(phrase, None, self.until) for phrase in NAMINGS)

    def hear(self, play: Play, said: Said) -> bool:
        """The name, by nobody who sits here already."""
        if said.phrase not in NAMINGS or (said.phrase == cries.MOI_C_EST and said.speaker in play.state.players):
            return False
        play.drop(self)
        return cried(play, said)

    def close(self, play: Play) -> None:
        """Nobody came."""
        play.drop(self)


@dataclass(frozen=True)
class Singing:
    """The song, number by number; silence, a mistake or a refusal end it (CDC-277, CDC-278)."""

    name: str
    base: int
    song: sloubi.Song
    until: float | None
    soft: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """The song or the refusal."""
        return (Opening(cries.SLOUBIS, None, self.until), Opening(cries.REFUSE_CHANT, None, self.until))

    def hear(self, play: Play, said: Said) -> bool:
        """The newcomer sings or refuses."""
        if said.speaker not in (None, self.name):
            return False
        if said.phrase == cries.REFUSE_CHANT:
            self.close(play)
            return True
        if said.phrase != cries.SLOUBIS:
            return False
        numbers = said.slots.get("sloubis")
        sung = tuple(numbers) if isinstance(numbers, tuple) else ()
        song = sloubi.sing(self.song, sung, said.t)
        if song.done:
            play.drop(self)
            enter(play, self.name, self.base, sung=True)
        elif song.broken:
            self.close(play)
        else:
            play.swap(self, replace(self, song=song, until=song.deadline))
        return True

    def close(self, play: Play) -> None:
        """Not sung: the base value (CDC-278)."""
        play.drop(self)
        enter(play, self.name, self.base, sung=False)


def enter(play: Play, name: str, base: int, sung: bool) -> None:
    """A seat at the end of the row and a score to begin with (CDC-277, CDC-278)."""
    state = play.state
    score = 0 if play.rules.aquitaine else sloubi.start_score(base, sung, play.rules.get("sloubi.round"))
    play.state = replace(
        state,
        players=(*state.players, name),
        scores={**state.scores, name: 0},
        bags={**state.bags, name: Bag()},
    )
    rule, event = ("CDC-277", "sloubi_chante") if sung else ("CDC-278", "sloubi_non_chante")
    if play.rules.aquitaine:
        play.tell("CDC-300", f"{event}_gorgees", joueur=name)
    else:
        play.score(rule, event, {name: score}, joueur=name, points=score)
