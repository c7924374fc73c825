"""While a glass runs and after: answers, verdicts, questions (CACH-020 to CACH-033)."""

from __future__ import annotations

from dataclasses import replace

from voiceref.games import words
from voiceref.games.cachamot import answers as understanding
from voiceref.games.cachamot import rounds, timing
from voiceref.games.cachamot.answers import Answer
from voiceref.games.cachamot.preparation import only_cachamot
from voiceref.games.cachamot.state import Phase, Question, State
from voiceref.games.engine import Event, Said, Step
from voiceref.games.steps import refused, then

SILENCE_S = 2.0
"""A lone word is an answer when its speaker is silent for so long before and after it (CACH-028)."""
TOGETHER_S = 1.5
"""Two different answers so close that « oui » may mean either."""


def answer(state: State, said: Said) -> Step[State]:
    """One answer (CACH-020, CACH-023): one each per glass (D-103), begun before its end (D-106)."""
    if (no := _may_not_answer(state, said)) is not None:
        return no
    return _weighed(state, said, str(said.speaker))


def _may_not_answer(state: State, said: Said) -> Step[State] | None:
    """A refusal of whoever may not answer now, whatever he says."""
    name = said.speaker
    glass = state.round.glass
    if glass is None:
        late = state.phase in (Phase.BETWEEN, Phase.JUDGING)
        return refused(state, said, "sablier_termine" if late else "pas_de_sablier", "CACH-026")
    if name is None:
        return refused(state, said, "qui_repond", "CACH-020")
    if name not in state.players:
        return refused(state, said, "joueur_inconnu", "CACH-020", joueur=name)
    if name == state.cachamot:
        return refused(state, said, "cachamot_ne_repond_pas", "CACH-020", joueur=name)
    return None


def _weighed(state: State, said: Said, name: str) -> Step[State]:
    """What `name`, who may answer, has said: his answer, thinking aloud (CACH-028), or more than his one answer."""
    heard = understanding.understood(str(said.slots.get("mot", "")), said.text)
    before = state.spoke.get(name)
    word = heard.word if heard is not None else ""
    state = replace(state, spoke={**state.spoke, name: (said.t, words.folded(word))})
    if heard is None:
        return refused(_withdrawn(state, name), said, "pense_tout_haut", "CACH-028", joueur=name)
    number = state.glass_number
    waiting = next((a for a in state.round.queue if a.player == name and not a.formal and a.settles > said.t), None)
    talking = before is not None and said.t - before[0] < SILENCE_S
    if (number, name) in state.round.used and not (waiting is not None and heard.formal):
        if talking and before is not None and before[1] == words.folded(word):
            return refused(state, said, "repete", "CACH-020", joueur=name)
        if waiting is None:
            return refused(state, said, "deja_repondu", "CACH-020", joueur=name)
        return refused(_withdrawn(state, name), said, "pense_tout_haut", "CACH-028", joueur=name)
    if talking and not heard.formal:
        return refused(state, said, "pense_tout_haut", "CACH-028", joueur=name)
    state = _withdrawn(state, name)
    settles = said.t + (state.rules.tie_window_s if heard.formal else SILENCE_S)
    given = Answer(said.t, name, heard.word, heard.formal, number, settles)
    this = replace(state.round, used=state.round.used | {(number, name)}, queue=(*state.round.queue, given))
    after = replace(state, round=this)
    rule = "CACH-020" if number == 1 else "CACH-023"
    return Step(after, (Event(said.t, rule, "reponse", {"joueur": name, "mot": heard.word}),))


def named_answer(state: State, said: Said) -> Step[State]:
    """« Bob : patate » (CACH-028): names its player, so that the voice need not be known; nobody answers for others."""
    player = said.slots.get("joueur")
    if said.speaker not in (None, player, state.cachamot):
        return refused(state, said, "pas_pour_un_autre", "CACH-028", joueur=player)
    mot = str(said.slots.get("mot", ""))
    return answer(state, replace(said, speaker=str(player), slots={"mot": mot}, text=f"Ma réponse : {mot}"))


def printed_answer(state: State, said: Said) -> Step[State]:
    """A Shell word of a printed challenge said alone (CACH-071): an answer like any other."""
    return answer(state, replace(said, slots={"mot": said.text, **said.slots}))


def accept(state: State, said: Said) -> Step[State]:
    """« J'accepte » or « Oui, c'est ça ! » (CACH-032, D-108): the answer asked about, or the one just given."""
    if (no := _no_verdict(state, said)) is not None:
        return no
    this = state.round
    if this.question is not None:
        (asked,) = this.question.answers
        return _won(replace(state, round=replace(this, question=None)), (asked,), said.t, "CACH-032")
    if this.queue:
        return _latest(state, said.t)
    own_word = said.speaker is not None and said.speaker == state.cachamot and "accept" in words.folded(said.text)
    wrong = [given for given in this.wrong if given.glass == state.glass_number]
    if own_word and wrong and state.phase is not Phase.PREPARATION:
        return _won(state, (wrong[-1],), said.t, "CACH-032")
    return refused(state, said, "rien_a_juger", "CACH-032")


def refuse(state: State, said: Said) -> Step[State]:
    """« Refusé » or « Non »: what was asked about, or every answer that waits for the Cachamot."""
    if (no := _no_verdict(state, said)) is not None:
        return no
    this = state.round
    if this.question is not None:
        return timing.lapsed(state, said.t)
    if not this.queue or state.referee_knows:
        return refused(state, said, "rien_a_juger", "CACH-032")
    event = Event(said.t, "CACH-032", "reponse_refusee", {"joueurs": _names(this.queue)})
    after = replace(state, round=replace(this, queue=(), wrong=(*this.wrong, *this.queue)))
    return then(Step(after, (event,)), lambda s: timing.emptied(s, said.t))


def found_by(state: State, said: Said) -> Step[State]:
    """« Trouvé par Bob » (CACH-021): settles the round, a tie, or a round that had just ended with nothing."""
    player = said.slots.get("joueur")
    if player not in state.players:
        return refused(state, said, "joueur_inconnu", "CACH-021", joueur=str(player))
    finder = str(player)
    if state.phase in (Phase.PREPARATION, Phase.OVER):
        return _late_finder(state, said, finder)
    if finder == state.cachamot:
        return refused(state, said, "cachamot_ne_repond_pas", "CACH-020", joueur=finder)
    question = state.round.question
    candidates = question.answers if question is not None else (*state.round.wrong, *state.round.queue)
    if question is not None and question.kind == "departage" and finder not in _names(candidates):
        return refused(state, said, "qui_a_trouve", "CACH-027", joueurs=_names(candidates))
    given = next((item for item in reversed(candidates) if item.player == finder), None)
    glass = given.glass if given is not None else state.glass_number
    word = given.word if given is not None else ""
    return rounds.found(state, (finder,), glass, word, said.t, "CACH-021")


def finder_named(state: State, said: Said) -> Step[State]:
    """« Chloé » by the Cachamot, in answer to « Qui a trouvé ? » (CACH-027, D-105)."""
    question = state.round.question
    if question is None or question.kind != "departage" or said.speaker not in (None, state.cachamot):
        return refused(state, said, "rien_a_juger", "CACH-027")
    return found_by(state, said)


def nobody(state: State, said: Said) -> Step[State]:
    """« Personne n'a trouvé » (CACH-024): after a glass; harmless once the round has ended."""
    if state.phase in (Phase.GLASS_1, Phase.GLASS_2):
        return refused(state, said, "sablier_en_cours", "CACH-024")
    if state.phase in (Phase.PREPARATION, Phase.OVER):
        return Step(state) if state.ended is not None else refused(state, said, "pas_de_sablier", "CACH-024")
    return rounds.not_found(state, said.t)


def forbidden(state: State, said: Said) -> Step[State]:
    """« Mot interdit ! » (D-109): the round is void, even found out just after its end."""
    if state.phase not in (Phase.PREPARATION, Phase.OVER):
        return rounds.void(state, said.t)
    if state.ended is None:
        return refused(state, said, "pas_de_sablier", "CACH-040")
    return rounds.corrected(state, {}, "manche_nulle", "CACH-040", said.t)


def skip(state: State, said: Said) -> Step[State]:
    """« On passe » (CACH-025): the glass is cut short once everybody has answered."""
    glass = state.round.glass
    if glass is None:
        return refused(state, said, "pas_de_sablier", "CACH-025")
    missing = tuple(p for p in state.guessers if (state.glass_number, p) not in state.round.used)
    if missing:
        return refused(state, said, "reponses_attendues", "CACH-025", joueurs=missing)
    cut = replace(glass, ends=said.t, marks=())
    event = Event(said.t, "CACH-025", "on_passe")
    return Step(replace(state, round=replace(state.round, glass=cut)), (event,))


def how_long(state: State, said: Said) -> Step[State]:
    """« Combien de temps ? » (CACH-016): whole seconds left, rounded up."""
    glass = state.round.glass
    if glass is None:
        return refused(state, said, "pas_de_sablier", "CACH-016")
    left = -int(-glass.left(said.t) // 1)
    return Step(state, (Event(said.t, "CACH-016", "temps_restant", {"n": left}),))


def _no_verdict(state: State, said: Said) -> Step[State] | None:
    """A refusal of « oui » and « non » from somebody else, or where a name is asked for."""
    question = state.round.question
    if (other := only_cachamot(state, said)) is not None:
        return other
    if question is not None and question.kind == "departage":
        return refused(state, said, "qui_a_trouve", "CACH-027", joueurs=_names(question.answers))
    return None


def _withdrawn(state: State, player: str) -> State:
    """The player was thinking aloud: a lone word that still waits for silence was no answer after all."""
    this = state.round
    waiting = [item for item in this.queue if item.player == player and not item.formal]
    if not waiting or not state.spoke or waiting[0].settles <= state.spoke[player][0]:
        return state
    kept = tuple(item for item in this.queue if item is not waiting[0])
    return replace(state, round=replace(this, queue=kept, used=this.used - {(waiting[0].glass, player)}))


def _latest(state: State, t: float) -> Step[State]:
    """« Oui » means the answer just given; the first who gave that same word wins."""
    queue = state.round.queue
    latest = queue[-1]
    others = [item for item in queue[:-1] if not timing.same_answer(item, latest)]
    if others and latest.t - others[-1].t < TOGETHER_S:
        question = Question("departage", (others[-1], latest), t + rounds.TIE_ANSWER_S)
        event = Event(t, "CACH-027", "demande_qui_a_trouve", {"joueurs": _names(question.answers)})
        return Step(replace(state, round=replace(state.round, question=question, queue=())), (event,))
    return _won(state, tuple(item for item in queue if timing.same_answer(item, latest)), t, "CACH-021")


def _won(state: State, same: tuple[Answer, ...], t: float, rule: str) -> Step[State]:
    first = same[0]
    equal = tuple(item for item in same if item.t - first.t <= state.rules.tie_window_s)
    if len(equal) > 1:
        return rounds.tied(state, equal, first.word, t)
    return rounds.found(state, (first.player,), first.glass, first.word, t, rule)


def _late_finder(state: State, said: Said, finder: str) -> Step[State]:
    """The last round turns out to have been won by `finder`."""
    ended = state.ended
    if ended is None:
        return refused(state, said, "pas_de_sablier", "CACH-021")
    if ended.deltas:
        return refused(state, said, "deja_attribue", "CACH-021")
    if finder == ended.cachamot:
        return refused(state, said, "cachamot_ne_repond_pas", "CACH-020", joueur=finder)
    deltas = {finder: 1}
    if ended.glass == 2 and ended.cachamot is not None:
        deltas[ended.cachamot] = 1
    rule = "CACH-050" if ended.glass == 1 else "CACH-051"
    return rounds.corrected(state, deltas, "trouve_apres_coup", rule, said.t, joueur=finder)


def _names(answers: tuple[Answer, ...]) -> tuple[str, ...]:
    return tuple(item.player for item in answers)
