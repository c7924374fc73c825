"""How a round ends, what it gives, and how the next one begins (CACH-050 to CACH-061)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from voiceref.games import words
from voiceref.games.cachamot.answers import Answer
from voiceref.games.cachamot.challenges import CHALLENGES, Challenge
from voiceref.games.cachamot.state import Ended, Phase, Question, Round, State
from voiceref.games.engine import Event, Step
from voiceref.games.steps import then

TIE_ANSWER_S = 8.0
"""How long the Cachamot may think about a tie before the player with fewer cards wins it (D-105)."""


def found(state: State, finders: tuple[str, ...], glass: int, word: str, t: float, rule: str) -> Step[State]:
    """The round is won by `finders` in `glass`: cards, then the end of the round."""
    deltas = dict.fromkeys(finders, 1)
    points_rule, name = "CACH-050" if glass == 1 else "CACH-051", "trouve_premier_sablier"
    if glass == 2 and state.cachamot is not None:
        name = "trouve_second_sablier"
        deltas[state.cachamot] = deltas.get(state.cachamot, 0) + 1
    right = {"joueurs": finders, "mot": word or state.round.shell}
    events: tuple[Event, ...] = (
        Event(t, rule, "bonne_reponse" if right["mot"] else "bonne_reponse_sans_mot", right),
        Event(t, points_rule, name, {"joueurs": finders, "cachamot": state.cachamot}, deltas),
    )
    if rule != "CACH-021":
        events = (Event(t, "CACH-021", "reponse_acceptee", right), *events)
    return then(Step(_scored(state, deltas), events), lambda s: _end(s, glass, deltas, t))


def not_found(state: State, t: float) -> Step[State]:
    """Nobody scores and the Word card goes back to the box (CACH-052)."""
    shell = state.round.shell
    data = {"mot": shell}
    event = Event(t, "CACH-052", "pas_trouve_mot" if shell else "pas_trouve", data)
    return then(Step(state, (event,)), lambda s: _end(s, s.glass_number, {}, t))


def void(state: State, t: float) -> Step[State]:
    """A forbidden word was found out: the round is void (D-109)."""
    return then(Step(state, (Event(t, "CACH-040", "manche_nulle"),)), lambda s: _end(s, s.glass_number, {}, t))


def corrected(state: State, deltas: Mapping[str, int], name: str, rule: str, t: float, **data: object) -> Step[State]:
    """The last round gives `deltas` instead of what it gave."""
    assert state.ended is not None
    change = {
        player: deltas.get(player, 0) - state.ended.deltas.get(player, 0)
        for player in state.players
        if deltas.get(player, 0) != state.ended.deltas.get(player, 0)
    }
    after = replace(_scored(state, change), ended=replace(state.ended, deltas=dict(deltas)))
    step = Step(after, (Event(t, rule, name, data, change),))
    return then(step, lambda s: _victory(s, t)) if state.phase is Phase.OVER else step


def winners_now(state: State) -> tuple[str, ...]:
    """Who has the most cards; ties share the victory (CACH-061)."""
    most = max(state.cards.values())
    return tuple(player for player in state.players if state.cards[player] == most)


def tied(state: State, answers: tuple[Answer, ...], word: str, t: float) -> Step[State]:
    """Two or more right answers at once (D-105)."""
    names = tuple(answer.player for answer in answers)
    if state.rules.tie == "both":
        return found(state, names, answers[0].glass, word, t, "CACH-027")
    if state.rules.tie == "fewest" or state.cachamot is None:
        return settle_tie(state, answers, word, t)
    question = Question("departage", answers, t + TIE_ANSWER_S)
    event = Event(t, "CACH-027", "demande_departage", {"joueurs": names, "cachamot": state.cachamot})
    return Step(replace(state, round=replace(state.round, question=question, queue=())), (event,))


def settle_tie(state: State, answers: tuple[Answer, ...], word: str, t: float) -> Step[State]:
    """The tied player with fewer cards wins, then the earlier one (D-105)."""
    winner = min(answers, key=lambda answer: (state.cards[answer.player], answer.t))
    return found(state, (winner.player,), winner.glass, word, t, "CACH-027")


def begun(state: State, t: float) -> Step[State]:
    """« Nouvelle manche »: says whose round it is; in training, the next printed challenge."""
    if state.rules.challenges:
        number = state.played % len(CHALLENGES)
        shown = CHALLENGES[number]
        event = Event(t, "CACH-071", "defi", {"n": number + 1, "mot": shown.imposed, **visible(shown_round(shown))})
        return Step(replace(state, round=shown_round(shown), ended=None), (event,))
    event = Event(t, "CACH-004", "manche", {"n": state.played + 1, "joueur": state.cachamot})
    return Step(replace(state, ended=None), (event,))


def shown_round(challenge: Challenge) -> Round:
    """The round of a printed challenge, as it is shown."""
    return Round(
        imposed=challenge.imposed,
        bubble=challenge.bubble,
        bubble_letters=tuple(challenge.bubble_letters),
        shell_letters=tuple(challenge.shell_letters),
        shell=challenge.shell,
        synonyms=challenge.accepted,
    )


def visible(this: Round) -> dict[str, str]:
    """The letters that everybody sees, spelled for the ear: « R, A »."""
    return {"bulle": ", ".join(this.bubble_letters), "coquille": ", ".join(this.shell_letters)}


def _scored(state: State, deltas: Mapping[str, int]) -> State:
    return replace(state, cards={player: cards + deltas.get(player, 0) for player, cards in state.cards.items()})


def _end(state: State, glass: int, deltas: Mapping[str, int], t: float) -> Step[State]:
    this = state.round
    used = tuple(words.folded(word) for word in (this.imposed, this.bubble, this.shell) if word)
    ended = Ended(state.cachamot, glass, dict(deltas))
    after = replace(
        state,
        phase=Phase.PREPARATION,
        played=state.played + 1,
        round=Round(),
        ended=ended,
        spoke={},
        used_words=(*state.used_words, *used),
    )
    total = len(CHALLENGES) if state.rules.challenges else state.rounds
    if after.played >= total:
        over = replace(after, phase=Phase.OVER)
        return then(Step(over, (Event(t, "CACH-060", "fin_de_partie"),)), lambda s: _victory(s, t))
    if state.cachamot is None:
        return Step(after)
    place = state.players.index(state.cachamot)
    left = state.players[(place + 1) % len(state.players)]
    return Step(replace(after, cachamot=left), (Event(t, "CACH-053", "rotation", {"joueur": left}),))


def _victory(state: State, t: float) -> Step[State]:
    winners = winners_now(state)
    data = {"joueurs": winners, "n": state.cards[winners[0]]}
    return Step(state, (Event(t, "CACH-061", "victoire" if len(winners) == 1 else "victoire_partagee", data),))
