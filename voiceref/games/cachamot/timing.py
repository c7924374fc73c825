"""What time does by itself in Cachamot: marks of the hourglass, its end, answers that settle, questions that lapse."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from voiceref.games import words
from voiceref.games.cachamot.answers import Answer, Verdict, judge
from voiceref.games.cachamot.challenges import CHALLENGES
from voiceref.games.cachamot.rounds import found, not_found, settle_tie, tied, visible
from voiceref.games.cachamot.state import Phase, Question, State
from voiceref.games.engine import Event, Step
from voiceref.games.steps import then
from voiceref.games.words import SoundsAlike

ACCEPT_S = 10.0
"""How long the Cachamot may think about « Cachamot, tu acceptes ? »; silence is a refusal."""
JUDGE_S = 8.0
"""How long answers of the second glass wait for the Cachamot's verdict after its end."""
LATE_S = 3.0
"""How long after the end of a glass (s) words are still taken for an answer that comes too late."""
STALE_S = 1.0
"""A mark so long past (a clock that jumped, a group taken back) is not announced any more."""


def deadline(state: State) -> float | None:
    """The next time (s) at which something happens by itself."""
    this = state.round
    times = [
        None if this.glass is None else this.glass.next(),
        None if this.question is None else this.question.until,
        this.judging_until,
        this.late_until,
    ]
    if state.referee_knows and this.question is None and this.queue:
        times.append(this.queue[0].settles)
    return min((time for time in times if time is not None), default=None)


def advance(state: State, t: float, sounds_alike: SoundsAlike) -> Step[State]:
    """Everything that is due by `t`, in the order of time."""
    step = Step(state)
    while (due := deadline(step.state)) is not None and due <= t:
        step = then(step, partial(_fire, t=due, now=t, sounds_alike=sounds_alike))
    return step


def _fire(state: State, t: float, now: float, sounds_alike: SoundsAlike) -> Step[State]:
    this = state.round
    if this.question is not None and this.question.until <= t:
        return lapsed(state, t)
    if state.referee_knows and this.question is None and this.queue and this.queue[0].settles <= t:
        return _settled(state, t, sounds_alike)
    if this.judging_until is not None and this.judging_until <= t:
        return not_found(state, t)
    if this.late_until is not None and this.late_until <= t:
        return Step(replace(state, round=replace(this, late_until=None)))
    glass = this.glass
    assert glass is not None
    if not glass.marks:
        return _glass_over(state, t)
    left, *later = glass.marks
    name, rule = ("sablier_compte" if left <= 3 else "sablier_reste"), "CACH-016"
    after = replace(state, round=replace(this, glass=replace(glass, marks=tuple(later))))
    stale = now - t > STALE_S
    return Step(after, () if stale else (Event(t, rule, name, {"n": left}),))


def _glass_over(state: State, t: float) -> Step[State]:
    """The end of a glass (CACH-022, CACH-024). Answers begun before it still settle (CACH-026)."""
    this = replace(state.round, glass=None, late_until=t + LATE_S)
    if state.phase is Phase.GLASS_1:
        event = Event(t, "CACH-022", "sablier_termine_premier", {"cachamot": state.cachamot})
        after = replace(state, phase=Phase.BETWEEN, round=this)
        if state.cachamot is not None:
            return Step(after, (event,))
        training = Event(t, "CACH-022", "sablier_termine_defi")
        letter = CHALLENGES[state.played % len(CHALLENGES)].shell[1].upper()
        return then(Step(after, (training,)), lambda s: second_letter(s, letter, t))
    event = Event(t, "CACH-024", "sablier_termine_second")
    if not this.queue and this.question is None:
        return then(Step(replace(state, round=this), (event,)), lambda s: not_found(s, t))
    until = None if state.referee_knows else t + JUDGE_S
    return Step(replace(state, phase=Phase.JUDGING, round=replace(this, judging_until=until)), (event,))


def second_letter(state: State, letter: str, t: float) -> Step[State]:
    """One more letter is shown: of the Shell word, or of the Bubble word for experts (CACH-022, CACH-070)."""
    this = state.round
    if state.rules.expert:
        this, rule = replace(this, bubble_letters=(*this.bubble_letters, letter)), "CACH-070"
    else:
        this, rule = replace(this, shell_letters=(*this.shell_letters, letter)), "CACH-022"
    data = {"lettre": letter, **visible(this)}
    name = "deuxieme_lettre" if data["bulle"] and data["coquille"] else "deuxieme_lettre_seule"
    return Step(replace(state, round=this), (Event(t, rule, name, data),))


def _settled(state: State, t: float, sounds_alike: SoundsAlike) -> Step[State]:
    """The oldest answer is judged by the referee, who knows the Shell word."""
    this = state.round
    answer, *later = this.queue
    verdict = _verdict(state, answer, sounds_alike)
    if verdict.right:
        equal = tuple(
            other
            for other in later
            if other.t - answer.t <= state.rules.tie_window_s and _verdict(state, other, sounds_alike).right
        )
        if equal:
            return tied(state, (answer, *equal), this.shell, t)
        return found(state, (answer.player,), answer.glass, answer.word, t, verdict.rule)
    rest = replace(state, round=replace(this, queue=tuple(later)))
    if verdict in (Verdict.ASK, Verdict.ASK_SPELLING) and state.cachamot is not None:
        question = Question("accepte", (answer,), t + ACCEPT_S)
        spelling = verdict is Verdict.ASK_SPELLING
        rule, name = ("CACH-033", "demande_orthographe") if spelling else ("CACH-032", "demande_accord")
        data = {"cachamot": state.cachamot, "joueur": answer.player, "mot": answer.word}
        return Step(replace(rest, round=replace(rest.round, question=question)), (Event(t, rule, name, data),))
    return wrong(rest, answer, t)


def wrong(state: State, answer: Answer, t: float) -> Step[State]:
    """`answer` is not the word; it has left the queue."""
    rule = "CACH-020" if answer.glass == 1 else "CACH-023"
    event = Event(t, rule, "mauvaise_reponse", {"joueur": answer.player, "mot": answer.word})
    step = Step(replace(state, round=replace(state.round, wrong=(*state.round.wrong, answer))), (event,))
    return then(step, lambda s: emptied(s, t))


def emptied(state: State, t: float) -> Step[State]:
    """An answer has gone: when none waits any more, the round may be over, or « on passe » possible (CACH-025)."""
    this = state.round
    if this.queue or this.question is not None:
        return Step(state)
    if state.phase is Phase.JUDGING:
        return not_found(state, t)
    everybody = all((state.glass_number, player) in this.used for player in state.guessers)
    may_pass = this.glass is not None and everybody
    return Step(state, (Event(t, "CACH-025", "tous_ont_repondu"),) if may_pass else ())


def lapsed(state: State, t: float) -> Step[State]:
    """Nobody answered the referee's question: an acceptance is refused, a tie goes to the one with fewer cards."""
    question = state.round.question
    assert question is not None
    clear = replace(state, round=replace(state.round, question=None))
    if question.kind == "departage":
        return settle_tie(clear, question.answers, question.answers[0].word, t)
    return wrong(clear, question.answers[0], t)


def _verdict(state: State, answer: Answer, sounds_alike: SoundsAlike) -> Verdict:
    this = state.round
    return judge(answer.word, this.shell, this.synonyms, state.rules.strict, sounds_alike)


def same_answer(one: Answer, other: Answer) -> bool:
    """Whether two players said the same word."""
    return words.same_inflected(one.word, other.word) or words.sound_alike(one.word, other.word)
