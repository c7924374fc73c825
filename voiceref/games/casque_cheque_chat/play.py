"""The phrases of a round, one handler each: groups, choice, slates, guesses, faults (CCC-004 to CCC-045)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from voiceref.games import words
from voiceref.games.casque_cheque_chat import rounds
from voiceref.games.casque_cheque_chat.guess import best_likeness
from voiceref.games.casque_cheque_chat.rounds import camp
from voiceref.games.casque_cheque_chat.state import TEAMS, Guess, Phase, Question, Round, State, other
from voiceref.games.decks import LETTERS
from voiceref.games.engine import Event, Said, Step
from voiceref.games.steps import refused, then

LATE_S = 3.0
"""How long after the end of a round (s) an answer is told that it is too late."""
QUESTION_S = 15.0
"""How long the referee waits for « oui », « non » or a colour before it goes on without."""


def untouched(state: State) -> bool:
    """Whether the game is still being set up."""
    return state.played == 0 and state.phase is Phase.CHOICE and state.round == Round()


def first_group(state: State, said: Said) -> Step[State]:
    """« Premier groupe : Anne » (CCC-004), before anything else."""
    player = said.slots.get("joueur")
    place = next((i for i, group in enumerate(state.groups) if player in group), None)
    if place is None:
        return refused(state, said, "joueur_inconnu", "CCC-004", joueur=str(player))
    if place != state.first and not untouched(state):
        return refused(state, said, "pas_ce_groupe", "CCC-045", joueurs=state.groups[state.first])
    after = replace(state, first=place)
    data = {"joueurs": after.groups[place], "indices": after.givers, "devinent": after.guessers}
    return Step(after, (Event(said.t, "CCC-004", "premier_groupe", data),))


def letter(state: State, said: Said) -> Step[State]:
    """« On prend la B » (CCC-011), by the clue-givers."""
    chosen = str(said.slots.get("lettre", "")).upper()
    if chosen not in LETTERS:
        return refused(state, said, "lettre_inconnue", "CCC-011")
    if state.phase is Phase.CLUES:
        return refused(state, said, "manche_en_cours", "CCC-011")
    after = replace(state, phase=Phase.CHOICE, round=replace(state.round, letter=chosen))
    return Step(after, (Event(said.t, "CCC-011", "lettre", {"lettre": chosen}),))


def tiles_laid(state: State, said: Said) -> Step[State]:
    """« Quatre mots : deux, deux, un, trois » (CCC-014): read back; the number of words must agree."""
    value = said.slots.get("mots", ())
    laid = value if isinstance(value, tuple) else (value,)
    number = said.slots.get("nombre", len(laid))
    if number != len(laid):
        return refused(state, said, "tuiles_en_desaccord", "CCC-014", n=len(laid))
    return Step(state, (Event(said.t, "CCC-014", "tuiles", {"n": len(laid), "syllabes": laid}),))


def slate(state: State, said: Said) -> Step[State]:
    """« Ardoise bleue ! » (CCC-024): one more slate on the line."""
    team = str(said.slots.get("equipe", ""))
    if (closed := _closed(state, said)) is not None:
        return closed
    if state.round.placed[team] >= state.slates(team):
        return refused(state, said, "plus_d_ardoises", "CCC-025", **camp(team))
    placed = {**state.round.placed, team: state.round.placed[team] + 1}
    after = replace(state, phase=Phase.CLUES, round=replace(state.round, placed=placed))
    event = Event(said.t, "CCC-024", "ardoise_posee", {**camp(team), "n": after.in_hand(team)})
    return then(Step(after, (event,)), lambda s: rounds.silence(s, said.t))


def secret_slate(state: State, said: Said) -> Step[State]:
    """« Ardoise secrète bleue ! » (CCC-026): once, and only after a slate of the team on the line (D-210)."""
    team = str(said.slots.get("equipe", ""))
    if (closed := _closed(state, said)) is not None:
        return closed
    if team in state.round.secret_given:
        return refused(state, said, "secrete_deja_donnee", "CCC-026", **camp(team))
    if not state.round.placed[team]:
        if state.rules.secret_early_fault:
            return rounds.fault(state, team, said.t)
        return refused(state, said, "secrete_trop_tot", "CCC-026", **camp(team))
    after = replace(state, round=replace(state.round, secret_given=state.round.secret_given | {team}))
    event = Event(said.t, "CCC-026", "ardoise_secrete", camp(team))
    return then(Step(after, (event,)), lambda s: rounds.silence(s, said.t))


def no_more(state: State, said: Said) -> Step[State]:
    """« Plus d'ardoise » / « On a fini » (D-202): of the team named, of the speaker's team, or of both."""
    if state.phase is not Phase.CLUES:
        return refused(state, said, "pas_encore_d_ardoise", "CCC-042")
    named = said.slots.get("equipe") or state.team_of(said.speaker)
    teams = frozenset(TEAMS if named is None else (str(named),))
    after = replace(state, round=replace(state.round, finished=state.round.finished | teams))
    event = Event(said.t, "CCC-042", "plus_d_ardoise", {"camps": [f"{team}s" for team in TEAMS if team in teams]})
    if state.round.silence_until is not None:
        return Step(after, (event,))
    return then(Step(after, (event,)), lambda s: rounds.silence(s, said.t))


def guess(state: State, said: Said) -> Step[State]:
    """Running talk (CCC-030 to CCC-035): the expression in it wins the round, or voids it; all else is free."""
    if state.round.question is not None:
        return Step(replace(state, round=replace(state.round, held=(*state.round.held, said))))
    text = str(said.slots.get("expression") or said.text)
    named = said.slots.get("equipe")
    team = state.team_of(said.speaker) or (str(named) if named else None)
    known = bool(state.round.expressions)
    is_it = known and best_likeness(text, state.round.expressions) >= state.rules.threshold
    if state.phase is Phase.CHOICE and is_it:
        name = "manche_nulle_sans_ardoise" if team else "manche_nulle_avant_ardoise"
        return rounds.void(state, said.t, "CCC-041", name, team)
    if state.phase is Phase.CHOICE and known:
        return refused(state, said, "pas_l_expression", "CCC-030")
    if state.phase is Phase.BETWEEN:
        late = state.ended_at is not None and said.t - state.ended_at < LATE_S
        return refused(state, said, "manche_finie" if late else "hors_sujet", "CCC-042")
    if state.phase is not Phase.CLUES:
        return refused(state, said, "pas_encore_d_ardoise", "CCC-030")
    if said.speaker in state.givers:
        return _giver_said(state, said) if is_it else refused(state, said, "pas_l_expression", "CCC-030")
    attempt = Guess(said.t, team, text)
    if not is_it:
        after = replace(state, round=replace(state.round, doubtful=attempt))
        if not known:
            return Step(after)
        return refused(after, said, "pas_l_expression", "CCC-032")
    return _heard(state, attempt, said.t)


def accept(state: State, said: Said) -> Step[State]:
    """« Accepté ! », « Oui » (CCC-032, CCC-043): the fault that was asked about, or the last guess."""
    question = state.round.question
    if question is not None and question.kind == "faute" and question.team is not None:
        return rounds.fault(_answered(state), question.team, said.t)
    if question is not None:
        return refused(state, said, "quelle_equipe", "CCC-031")
    doubtful = state.round.doubtful
    if (asked := _doubted(state, said)) is not None:
        return Step(asked)
    if said.speaker in state.guessers:
        return refused(state, said, "seuls_les_faiseurs", "CCC-032")
    plain_yes = "accept" not in words.folded(said.text)
    if doubtful is None or (plain_yes and state.round.expressions):
        return refused(state, said, "rien_a_juger", "CCC-032")
    return _heard(state, doubtful, said.t)


def refuse(state: State, said: Said) -> Step[State]:
    """« Refusé », « Non »: no fault after all, or not the expression."""
    if state.round.question is not None:
        return dropped(state, said.t)
    doubted = state.round.doubted
    if doubted is not None and (asked := _doubted(state, said)) is not None:
        return asked_fault(asked, doubted.team, said.t)
    if state.round.doubtful is None:
        return refused(state, said, "rien_a_juger", "CCC-032")
    return Step(replace(state, round=replace(state.round, doubtful=None)))


def _doubted(state: State, said: Said) -> State | None:
    """The state without the question whether a clue exists, when `said` answers it (CCC-023); guessers say much."""
    doubted = state.round.doubted
    if doubted is None or doubted.until < said.t or said.speaker in state.guessers:
        return None
    return replace(state, round=replace(state.round, doubted=None))


def accuse(state: State, said: Said) -> Step[State]:
    """« Faute des bleus ! » (CCC-043): asked back; without a colour, the speaker's opponents."""
    if state.phase is not Phase.CLUES:
        return refused(state, said, "pas_encore_d_ardoise", "CCC-043")
    if state.round.question is not None:
        return refused(state, said, "question_ouverte", "CCC-043")
    own = state.team_of(said.speaker)
    named = said.slots.get("equipe") or (other(own) if own else None)
    return asked_fault(state, None if named is None else str(named), said.t)


def asked_fault(state: State, team: str | None, t: float) -> Step[State]:
    """The referee's question; guesses wait until it is answered."""
    until = t + QUESTION_S
    if team is None:
        question, event = Question("equipe_fautive", until), Event(t, "CCC-043", "demande_equipe_fautive")
    else:
        question, event = Question("faute", until, team), Event(t, "CCC-043", "demande_faute", camp(team))
    return Step(replace(state, round=replace(state.round, question=question)), (event,))


def colour(state: State, said: Said) -> Step[State]:
    """« Orange » or « Bleu », the answer to « Quelle équipe ? »."""
    question = state.round.question
    team = str(said.slots.get("equipe", ""))
    if question is None or question.kind == "faute":
        return refused(state, said, "hors_sujet")
    if question.kind == "equipe_fautive":
        return asked_fault(state, team, said.t)
    assert question.guess is not None
    return _heard(_answered(state), replace(question.guess, team=team), said.t)


def void(state: State, said: Said) -> Step[State]:
    """« Manche nulle » (CCC-041), said by the table."""
    if state.phase not in (Phase.CHOICE, Phase.CLUES):
        return refused(state, said, "pas_de_manche", "CCC-041")
    return rounds.void(state, said.t, "CCC-041", "manche_nulle")


def how_many(state: State, said: Said) -> Step[State]:
    """« Combien d'ardoises ? » (CCC-003): what each team can still write on, the secret slate included."""
    counts = {team: state.in_hand(team) for team in TEAMS}
    if len(set(counts.values())) == 1:
        return Step(state, (Event(said.t, "CCC-003", "ardoises_chacun", {"n": counts[TEAMS[0]]}),))
    return Step(state, tuple(Event(said.t, "CCC-003", "ardoises", {**camp(t), "n": n}) for t, n in counts.items()))


def read_card(state: State, said: Said) -> Step[State]:
    """« Lis la carte » (CCC-005): its public side only, the theme and the language."""
    card = state.card
    if card is None:
        return refused(state, said, "pas_de_paquet", "CCC-005")
    name = "carte_en_langue" if card.language else "carte"
    return Step(state, (Event(said.t, "CCC-005", name, {"theme": card.theme, "langue": card.language}),))


def new_round(state: State, said: Said) -> Step[State]:
    """« Nouvelle manche » (CCC-045)."""
    if state.phase is Phase.CLUES:
        return refused(state, said, "manche_en_cours", "CCC-045")
    after = replace(state, phase=Phase.CHOICE)
    data = {"joueurs": state.groups[state.first], "indices": state.givers, "devinent": state.guessers}
    return Step(after, (Event(said.t, "CCC-010", "manche", data),))


def no_such_team(state: State, said: Said) -> Step[State]:
    """« Ardoise verte ! » (CCC-002): there are two teams only."""
    return refused(state, said, "pas_cette_couleur", "CCC-002")


def dropped(state: State, t: float) -> Step[State]:
    """The question is answered « non », or nobody answers: what was said meanwhile is heard now."""
    question = state.round.question
    assert question is not None
    held = state.round.held
    name = "pas_de_faute" if question.kind != "equipe" else "equipe_inconnue"
    step = Step(_answered(state), (Event(t, "CCC-043" if question.kind != "equipe" else "CCC-031", name),))
    for waiting in held:
        step = then(then(step, partial(rounds.settled, t=waiting.t)), partial(guess, said=waiting))
    step = then(step, partial(rounds.settled, t=t))
    if question.kind == "equipe":
        return then(step, lambda s: rounds.silence(s, t))
    return step


def _answered(state: State) -> State:
    return replace(state, round=replace(state.round, question=None, held=()))


def _closed(state: State, said: Said) -> Step[State] | None:
    if state.phase in (Phase.CHOICE, Phase.CLUES):
        return None
    return refused(state, said, "pas_de_manche", "CCC-045")


def _heard(state: State, attempt: Guess, t: float) -> Step[State]:
    """The expression was said: by a team, or by a voice that must be named first."""
    if attempt.team is not None:
        return then(rounds.right(state, attempt), partial(rounds.settled, t=t))
    question = Question("equipe", t + QUESTION_S, guess=attempt)
    waiting = replace(state.round, question=question, silence_until=None)
    return Step(replace(state, round=waiting), (Event(t, "CCC-031", "demande_equipe"),))


def _giver_said(state: State, said: Said) -> Step[State]:
    """A clue-giver said the expression aloud (D-206)."""
    team = state.team_of(said.speaker)
    if state.rules.giver_fault and team is not None:
        return rounds.fault(state, team, said.t)
    return rounds.void(state, said.t, "CCC-035", "manche_nulle_faiseur", team)
