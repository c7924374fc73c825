"""The end of a sequence: who is out, who has won, whose turn comes (CDC-009, CDC-018, CDC-019)."""

from __future__ import annotations

from dataclasses import dataclass

from voiceref.games.cul_de_chouette import tichette
from voiceref.games.cul_de_chouette.challenge import begin_tichette
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import duel
from voiceref.games.cul_de_chouette.values import GOAL, OUT_AT


def end_sequence(play: Play) -> None:
    """Nothing is open any more: play the Tichette that is due, else judge the scores and pass the turn (D-60)."""
    state = play.state
    if state.ticheur is not None:
        ticheur = state.ticheur
        play.state = state.but(ticheur=None)
        if ticheur in state.alive and len(state.alive) > 1 and tichette.may_tich(state.scores[ticheur]):
            begin_tichette(play, ticheur, state.tichette_pot)
            return
    was_turn = state.sequence in ("tour", "tichette")
    play.state = play.state.but(sequence="", wrong=frozenset())
    if was_turn:
        pass_turn(play)
    judge(play)


def judge(play: Play) -> None:
    """Who is out and who has won, between two turns; sips win nothing (CDC-301)."""
    if play.rules.aquitaine:
        return
    eliminate(play)
    if not win(play) and play.state.turn in play.state.out:
        pass_turn(play)


def pass_turn(play: Play) -> None:
    """The next player on the right; rounds are counted when the starter's seat is passed (CDC-004, D-57)."""
    state = play.state
    following = state.after(state.turn)
    seats = state.players
    first = seats.index(state.starter) if state.starter in seats else 0
    place = [(seats.index(player) - first) % len(seats) for player in (state.turn, following)]
    if state.rules.get("turn.direction") == "left":
        place = [-p % len(seats) for p in place]
    rounds = state.rounds + (1 if place[1] <= place[0] else 0)
    play.state = state.but(turn=following, rounds=rounds, turns=state.turns + 1, jarret="", spent_jarret=0)


def eliminate(play: Play) -> None:
    """At -343 or below a player is out until the next game (CDC-009)."""
    if play.rules.negative:
        for player in play.state.alive:
            if play.state.scores[player] <= OUT_AT:
                play.state = play.state.but(out=play.state.out | {player})
                play.tell("CDC-009", "elimine", joueur=player)


def reached(play: Play) -> bool:
    """Whether somebody stands at 343 in the middle of a sequence (D-60, `immediate`)."""
    return not play.rules.aquitaine and max(play.state.scores.values()) >= GOAL and play.state.sequence != "fin"


def win(play: Play) -> bool:
    """343 reached: the highest score wins, dice decide between equals (CDC-018, CDC-019, D-59)."""
    state = play.state
    alive = state.alive
    reached = [player for player in alive if state.scores[player] >= GOAL]
    if reached:
        best = max(state.scores[player] for player in reached)
        return declare(play, [player for player in reached if state.scores[player] == best])
    return finish(play, ()) if not alive else False


def declare(play: Play, best: list[str]) -> bool:
    """One player or team, or dice between several."""
    teams = {play.rules.team(player) for player in best}
    if len(teams) == 1:
        return finish(play, play.rules.team(best[0]))
    play.state = play.state.but(sequence="fin")
    duel(play, (team[0] for team in sorted(teams)), Best(), "CDC-019")
    return True


@dataclass(frozen=True)
class Best:
    """Equal winners: the lowest die (D-59)."""

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The game is his."""
        finish(play, play.rules.team(player))


def finish(play: Play, winners: tuple[str, ...]) -> bool:
    """The game is over."""
    play.state = play.state.but(over=True, winners=winners, items=(), sequence="")
    play.tell("CDC-018", "victoire" if winners else "personne_ne_gagne", joueurs=winners)
    return True
