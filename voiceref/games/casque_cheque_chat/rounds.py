"""How a round ends: won, void, lost by a fault; the silence clock; right answers that wait for a tie."""

from __future__ import annotations

from dataclasses import replace

from voiceref.games.casque_cheque_chat.state import GROUPS, WINS, Guess, Phase, Round, State, other
from voiceref.games.engine import Event, Step
from voiceref.games.steps import then


def camp(team: str) -> dict[str, object]:
    """What sentences need to name a team: its id and « oranges » or « bleus »."""
    return {"equipe": team, "camp": f"{team}s"}


def won(state: State, team: str, t: float, rule: str, name: str) -> Step[State]:
    """`team` wins the round and returns an ordinary slate; the secret one stays (CCC-040, CCC-043, CCC-044)."""
    wins = {**state.wins, team: state.wins[team] + 1}
    event = Event(t, rule, name, {**camp(team), "n": wins[team]}, {team: 1})
    after = replace(state, wins=wins)
    if wins[team] < WINS:
        returned = Event(t, "CCC-044", "ardoise_rendue", {**camp(team), "n": after.slates(team) + 1})
        return then(Step(after, (event, returned)), lambda s: _tidied(s, t))
    over = replace(after, phase=Phase.OVER, played=state.played + 1, round=Round())
    return Step(over, (event, Event(t, "CCC-050", "victoire", camp(team))))


def void(state: State, t: float, rule: str, name: str, team: str | None = None) -> Step[State]:
    """Nobody returns a slate (CCC-041, CCC-042)."""
    return then(Step(state, (Event(t, rule, name, camp(team) if team else {}),)), lambda s: _tidied(s, t))


def right(state: State, guess: Guess) -> Step[State]:
    """A guesser said the expression: void at once without a slate of theirs (D-205), else won unless tied (D-207)."""
    assert guess.team is not None
    if not state.round.right and not state.round.placed[guess.team]:
        return void(state, guess.t, "CCC-041", "manche_nulle_sans_ardoise", guess.team)
    waiting = replace(state.round, right=(*state.round.right, guess), silence_until=None)
    return Step(replace(state, round=waiting))


def settled(state: State, t: float) -> Step[State]:
    """At `t`: the right answers that wait, once the tie window has passed since the first."""
    if not state.round.right or state.round.right[0].t + state.rules.tie_window_s > t:
        return Step(state)
    first, *later = state.round.right
    assert first.team is not None
    if any(guess.team != first.team for guess in later) and not state.rules.tie_first:
        return void(state, t, "CCC-034", "manche_nulle_egalite")
    return won(state, first.team, t, "CCC-040", "manche_gagnee")


def fault(state: State, team: str, t: float) -> Step[State]:
    """`team` wrote an invalid clue: the opponents win at once, slates or not (CCC-043, D-204)."""
    return won(state, other(team), t, "CCC-043", "faute_confirmee")


def silence(state: State, t: float) -> Step[State]:
    """Starts the silence clock when both teams are out; restarts it when it runs (D-202)."""
    from_now = replace(state, round=replace(state.round, silence_until=t + state.rules.silence_s))
    if state.round.silence_until is not None:
        return Step(from_now)
    if all(state.out(team) for team in state.wins):
        return Step(from_now, (Event(t, "CCC-042", "silence", {"n": int(state.rules.silence_s)}),))
    return Step(state)


def _tidied(state: State, t: float) -> Step[State]:
    """Slates wiped, the box to the left (CCC-045); the former First group gives clues again (CCC-010)."""
    left = (state.first + 1) % GROUPS
    after = replace(state, first=left, phase=Phase.BETWEEN, played=state.played + 1, round=Round(), ended_at=t)
    return Step(after, (Event(t, "CCC-045", "boite_a_gauche", {"joueurs": after.groups[left]}),))
