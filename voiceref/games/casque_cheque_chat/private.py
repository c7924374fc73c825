"""The blue side of the card, for the clue-givers who cannot read (CCC-005, CCC-013): A, B and C, never for guessers."""

from __future__ import annotations

from dataclasses import replace

from voiceref.games.casque_cheque_chat.state import Phase, State
from voiceref.games.decks import ExpressionCard
from voiceref.games.engine import Event, Said, Step
from voiceref.games.steps import refused

WAIT_S = 60.0
"""How long the guessers have (s) to say that they do not listen."""


def read_expressions(state: State, said: Said) -> Step[State]:
    """« Arbitre, lis les expressions »: into the headset at once, else once no guesser listens."""
    card = state.card
    if card is None:
        return refused(state, said, "pas_de_paquet", "CCC-005")
    if state.phase is not Phase.CHOICE:
        return refused(state, said, "manche_en_cours", "CCC-013")
    if said.speaker in state.guessers:
        return refused(state, said, "pas_aux_devineurs", "CCC-013")
    if state.rules.headset:
        return Step(state, (_read(card, said.t),))
    waiting = replace(state.round, reading_until=said.t + WAIT_S, deaf=frozenset())
    ask = Event(said.t, "CCC-013", "demande_oreilles", {"joueurs": state.guessers})
    return Step(replace(state, round=waiting), (ask,))


def not_listening(state: State, said: Said) -> Step[State]:
    """« On n'écoute pas »: a guesser, or a voice that speaks for all of them. The last one lets the card be read."""
    until, card = state.round.reading_until, state.card
    if card is None or until is None or until < said.t:
        return refused(state, said, "rien_a_juger", "CCC-013")
    if said.speaker in state.givers:
        return refused(state, said, "aux_devineurs", "CCC-013", joueurs=state.guessers)
    names = state.guessers if said.speaker is None else (said.speaker,)
    deaf = state.round.deaf | frozenset(names)
    if not deaf.issuperset(state.guessers):
        return Step(replace(state, round=replace(state.round, deaf=deaf)))
    done = replace(state, round=replace(state.round, reading_until=None, deaf=frozenset()))
    return Step(done, (_read(card, said.t), Event(said.t, "CCC-013", "carte_lue")))


def _read(card: ExpressionCard, t: float) -> Event:
    first, second, third = card.expressions
    return Event(t, "CCC-013", "expressions_prive", {"premiere": first, "deuxieme": second, "troisieme": third})
