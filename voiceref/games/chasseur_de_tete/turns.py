"""The phrases of Chasseur de tête, one handler each: before the first die, a turn, its end (CDT-004 to CDT-031)."""

from __future__ import annotations

import re
from dataclasses import replace

from voiceref.games import words
from voiceref.games.chasseur_de_tete import answers
from voiceref.games.chasseur_de_tete.state import MARATHON_PILE, PILE, TEAM, Face, Job, Phase, State, Turn, hand
from voiceref.games.engine import Event, Refusal, Said, Secret, Step
from voiceref.games.steps import checkpoint, refused, then

_TWO = re.compile(
    r"(?P<said>(?P<first>.+?),? (?:est |n'est )?(?P<not>non |pas )?qualifiée?)[ .,;!]+(?:et )?(?P<second>\S.*)",
    re.IGNORECASE,
)
"""« Martin, qualifié. Zazelle » in front of another « non qualifiée »."""


def pile_size(cards: tuple[Face, ...], marathon: bool) -> int:
    """How many jobs are to be guessed: seven, or all the cards; a small deck gives what it has."""
    if marathon:
        return len(cards) or MARATHON_PILE
    return min(PILE, len(cards) or PILE)


def untouched(state: State) -> bool:
    return state.turns == 0 and state.phase is Phase.DIE and state.turn == Turn()


# --- before the first die --------------------------------------------------------------------------------------------


def number_of_players(state: State, said: Said) -> Step[State]:
    """« On est cinq » (CDT-004): says how many cards each player draws."""
    number = said.slots.get("n")
    if number != len(state.players):
        return refused(state, said, "nombre_de_joueurs", "CDT-004", n=len(state.players))
    return Step(state, (Event(said.t, "CDT-004", "cartes_chacun", {"n": hand(len(state.players))}),))


def who_begins(state: State, said: Said) -> Step[State]:
    """« Carole commence » (CDT-005)."""
    player = said.slots.get("joueur")
    if player not in state.players:
        return refused(state, said, "joueur_inconnu", "CDT-005", joueur=str(player))
    if not untouched(state):
        return refused(state, said, "deja_commence", "CDT-005")
    after = replace(state, guesser=state.players.index(str(player)))
    return Step(after, (Event(said.t, "CDT-005", "commence", {"joueur": player}),))


def marathon(state: State, said: Said) -> Step[State]:
    """« Mode marathon » (CDT-031): all the job cards, no lives (D-305)."""
    if not untouched(state):
        return refused(state, said, "deja_commence", "CDT-031")
    pile = pile_size(state.cards, marathon=True) - state.guessed
    after = replace(state, rules=replace(state.rules, marathon=True), lives=0, pile=pile)
    return Step(after, (Event(said.t, "CDT-031", "mode_marathon", {"n": pile}),))


# --- a turn ----------------------------------------------------------------------------------------------------------


def die_thrown(state: State, said: Said) -> Step[State]:
    """« Dé lancé » (CDT-010): its value stays secret (D-307)."""
    if state.phase not in (Phase.DIE, Phase.END):
        return refused(state, said, "de_deja_lance", "CDT-010")
    turn = state.turn if state.phase is Phase.DIE else Turn()
    event = Event(said.t, "CDT-010", "de_lance", {"joueur": state.who, "n": state.each})
    ask = (Event(said.t, "CDT-010", "demande_de_tape"),) if state.rules.die_typed and turn.job is None else ()
    return Step(replace(state, phase=Phase.CLUES, turn=turn), (event, *ask))


def typed(state: State, said: Secret) -> Step[State]:
    """The die, typed out of the guesser's sight: its number, the job, or both (D-307)."""
    if state.phase in (Phase.JUDGING, Phase.OVER):
        return Step(state, (), (Refusal(said.t, "secret", "secret_trop_tard", "CDT-010"),))
    begun = Turn() if state.phase is Phase.END else state.turn
    phase = Phase.DIE if state.phase is Phase.END else state.phase
    job = answers.typed_job(said.text, said.synonyms)
    after = replace(state, phase=phase, turn=replace(begun, job=job))
    return checkpoint(Step(after, (Event(said.t, "CDT-010", "de_tape"),)))


def character(state: State, said: Said) -> Step[State]:
    """« Martin, qualifié » (CDT-011): one each, two with three players, on either side; or several in one breath."""
    if (no := _not_a_helper(state, said, (Phase.CLUES,))) is not None:
        return no
    name = str(said.slots.get("personnage", ""))
    if (both := _TWO.match(name)) is not None:
        first = {"personnage": both["first"], "qualifie": both["not"] is None}
        step = character(state, replace(said, slots=first, text=both["said"]))
        rest = replace(said, slots={**said.slots, "personnage": both["second"]}, text=said.text[len(both["said"]) :])
        return then(step, lambda s: character(s, rest))
    qualified = said.slots.get("qualifie") in (True, "oui")
    agreed = "qualifiée" if words.spelled(said.text).endswith("ée") else "qualifié"
    data = {"personnage": name, "accord": agreed, "joueur": said.speaker}
    event = Event(said.t, "CDT-011", "qualifie" if qualified else "non_qualifie", data)
    if said.speaker is None:
        return Step(state, (event,))
    laid = state.turn.characters.get(said.speaker, 0)
    if laid >= state.each:
        return refused(state, said, "personnage_deja_joue", "CDT-011", joueur=said.speaker, n=state.each)
    characters = {**state.turn.characters, said.speaker: laid + 1}
    return Step(replace(state, turn=replace(state.turn, characters=characters)), (event,))


def cover(state: State, said: Said) -> Step[State]:
    """« Je cache la Bible de Martin » (CDT-012): one card each, two with three players (D-306)."""
    if (no := _not_a_helper(state, said, (Phase.CLUES, Phase.ANSWER))) is not None:
        return no
    event = Event(said.t, "CDT-012", "cache", {"texte": said.slots.get("texte", ""), "joueur": said.speaker})
    if said.speaker is None:
        return Step(state, (event,))
    laid = state.turn.covers.get(said.speaker, 0)
    if laid >= state.each:
        return refused(state, said, "cache_deja_joue", "CDT-012", joueur=said.speaker, n=state.each)
    covers = {**state.turn.covers, said.speaker: laid + 1}
    return Step(replace(state, turn=replace(state.turn, covers=covers)), (event,))


def _not_a_helper(state: State, said: Said, phases: tuple[Phase, ...]) -> Step[State] | None:
    if state.phase not in phases:
        return refused(state, said, "pas_maintenant", "CDT-011")
    if said.speaker == state.who:
        return refused(state, said, "tu_devines", "CDT-011", joueur=state.who)
    return None


def all_played(state: State, said: Said) -> Step[State]:
    """« Tout le monde a joué » (CDT-012)."""
    if state.phase is not Phase.CLUES:
        return refused(state, said, "pas_maintenant", "CDT-012")
    event = Event(said.t, "CDT-013", "a_toi_de_deviner", {"joueur": state.who})
    return Step(replace(state, phase=Phase.ANSWER), (event,))


def answer(state: State, said: Said) -> Step[State]:
    """« Je crois que c'est le métier de … » (CDT-013): one final answer, by the guesser (D-302)."""
    if state.phase is Phase.JUDGING:
        return refused(state, said, "deja_repondu", "CDT-013", joueur=state.who)
    if state.phase not in (Phase.CLUES, Phase.ANSWER):
        return refused(state, said, "pas_maintenant", "CDT-013")
    if said.speaker is not None and said.speaker != state.who:
        return refused(state, said, "pas_a_toi", "CDT-013", joueur=state.who)
    if state.rules.final_form and not answers.is_final(said.text):
        return refused(state, said, "pense_tout_haut", "CDT-013")
    number = said.slots.get("numero")
    answer: str | int = number if isinstance(number, int) else answers.first_named(str(said.slots.get("metier", "")))
    if not answer:
        return refused(state, said, "metier_manquant", "CDT-013")
    named = answers.NUMBERS[answer - 1] if isinstance(answer, int) else answer
    told = replace(state, phase=Phase.JUDGING)
    event = Event(said.t, "CDT-013", "reponse", {"joueur": state.who, "metier": named})
    verdict = answers.judged(answer, _known_job(state)) if state.turn.job is not None else None
    if verdict is None:
        return Step(told, (event, Event(said.t, "CDT-013", "demande_juste", {"joueur": state.who})))
    return then(Step(told, (event,)), lambda s: _right(s, said.t) if verdict else _wrong(s, s.turn.job, said.t))


def _known_job(state: State) -> Job:
    """The job of the typed die; with a deck its number alone tells the name."""
    return _named(state, state.turn.job or Job())


def _named(state: State, job: Job) -> Job:
    if job.number is None or job.names or not state.jobs:
        return job
    return replace(job, names=(state.jobs[job.number - 1],))


def judged_right(state: State, said: Said) -> Step[State]:
    """« Juste » (CDT-015), by the others."""
    return _verdict_refused(state, said) or _right(state, said.t)


def judged_wrong(state: State, said: Said) -> Step[State]:
    """« Non, c'était le quatre : cascadeur » (CDT-014), by the others."""
    number, job = said.slots.get("numero"), said.slots.get("metier")
    told = Job(number if isinstance(number, int) else None, (str(job),) if job else ())
    return _verdict_refused(state, said) or _wrong(state, told, said.t)


def _verdict_refused(state: State, said: Said) -> Step[State] | None:
    if state.phase is not Phase.JUDGING:
        return refused(state, said, "pas_de_reponse", "CDT-013")
    if said.speaker is not None and said.speaker == state.who:
        return refused(state, said, "aux_autres_de_juger", "CDT-013", joueur=state.who)
    return None


def _right(state: State, t: float) -> Step[State]:
    """The job card leaves the game (CDT-015); the last one wins it (CDT-021)."""
    after = replace(state, guessed=state.guessed + 1, pile=state.pile - 1, cards=state.cards[1:])
    name = "juste" if after.pile else "juste_dernier"
    event = Event(t, "CDT-015", name, {"n": after.pile}, {TEAM: 1})
    return then(Step(after, (event,)), lambda s: _end(s, t))


def _wrong(state: State, job: Job | None, t: float) -> Step[State]:
    """The card turns over, under the pile, and costs a life (CDT-014); in the marathon it is put apart (D-305)."""
    told = _named(state, job or Job())
    named, number = (told.names or ("",))[0], told.number
    if state.rules.marathon:
        after = replace(state, pile=state.pile - 1, cards=state.cards[1:])
        event = Event(t, "CDT-031", "faux_marathon", {"n": after.pile})
    else:
        under = state.cards[: state.pile]
        turned = (*under[1:], *(face.turned() for face in under[:1]), *state.cards[state.pile :])
        after = replace(state, lives=state.lives - 1, cards=turned)
        event = Event(t, "CDT-014", "faux" if after.lives else "faux_dernier", {"n": after.lives})
    reveal = {"n": number, "metier": named}
    name = "c_etait_les_deux" if number and named else "c_etait_numero" if number else "c_etait_metier"
    shown = (Event(t, "CDT-014", name, reveal),) if number or named else ()
    return then(Step(after, (event, *shown)), lambda s: _end(s, t))


def _end(state: State, t: float) -> Step[State]:
    """Refill, the box to the left (CDT-016), or the end of the game (CDT-020, CDT-021)."""
    state = replace(state, timer_until=None)
    if state.rules.marathon and state.pile == 0:
        event = Event(t, "CDT-031", "fin_du_marathon", {"n": state.guessed})
        return Step(replace(state, phase=Phase.OVER), (event,))
    if not state.rules.marathon and state.lives == 0:
        return Step(replace(state, phase=Phase.OVER), (Event(t, "CDT-020", "defaite", {"n": state.guessed}),))
    if state.pile == 0:
        return Step(replace(state, phase=Phase.OVER), (Event(t, "CDT-021", "victoire"),))
    following = replace(
        state,
        phase=Phase.END,
        guesser=(state.guesser + 1) % len(state.players),
        turns=state.turns + 1,
        turn=Turn(),
    )
    passed = Event(t, "CDT-016", "boite_a_gauche", {"joueur": following.who})
    return Step(following, (*_refill(state, t), passed))


def _refill(state: State, t: float) -> tuple[Event, ...]:
    """Who draws how many cards, as far as the cards laid down were said aloud; together when the number is the same."""
    drawn: dict[int, list[str]] = {}
    for player in state.players:
        number = state.turn.characters.get(player, 0) + state.turn.covers.get(player, 0)
        if number:
            drawn.setdefault(number, []).append(player)
    return tuple(
        Event(t, "CDT-016", "pioche", {"joueurs": tuple(names), "n": number})
        for number, names in sorted(drawn.items(), reverse=True)
    )


def new_turn(state: State, said: Said) -> Step[State]:
    """« Nouveau tour » (CDT-016)."""
    if state.phase not in (Phase.END, Phase.DIE):
        return refused(state, said, "tour_en_cours", "CDT-016")
    event = Event(said.t, "CDT-016", "nouveau_tour", {"joueur": state.who})
    return Step(replace(state, phase=Phase.DIE), (event,))


def read_card(state: State, said: Said) -> Step[State]:
    """« Lis la carte »: the six jobs, which everybody may hear (CDT-001)."""
    if not state.jobs:
        return refused(state, said, "pas_de_paquet", "CDT-001")
    jobs = dict(zip(answers.NUMBERS, state.jobs, strict=True))
    return Step(state, (Event(said.t, "CDT-001", "carte", jobs),))


def pile_empty(state: State, said: Said) -> Step[State]:
    """« La pioche est vide » (CDT-017): the discard becomes the new draw pile."""
    return Step(state, (Event(said.t, "CDT-017", "pioche_vide"),))


def timer(state: State, said: Said) -> Step[State]:
    """« Minuteur deux minutes » (CDT-018): a reminder on request, which decides nothing; « arrête le minuteur »."""
    minutes, seconds = said.slots.get("minutes"), said.slots.get("secondes")
    if isinstance(minutes, int):
        after = replace(state, timer_until=said.t + 60.0 * minutes)
        return Step(after, (Event(said.t, "CDT-018", "minuteur", {"n": minutes}),))
    if isinstance(seconds, int):
        after = replace(state, timer_until=said.t + seconds)
        return Step(after, (Event(said.t, "CDT-018", "minuteur_secondes", {"n": seconds}),))
    if state.timer_until is None:
        return refused(state, said, "pas_de_minuteur", "CDT-018")
    return Step(replace(state, timer_until=None), (Event(said.t, "CDT-018", "minuteur_arrete"),))


def time_left(state: State, said: Said) -> Step[State]:
    """« Combien de temps ? » (CDT-018): whole seconds left, rounded up."""
    if state.timer_until is None:
        return refused(state, said, "pas_de_minuteur", "CDT-018")
    left = -int(-(state.timer_until - said.t) // 1)
    return Step(state, (Event(said.t, "CDT-018", "temps_restant", {"n": left}),))


def rung(state: State, t: float) -> Step[State]:
    """The timer rings once, at its end (CDT-018)."""
    if state.timer_until is None or state.timer_until > t:
        return Step(state)
    return Step(replace(state, timer_until=None), (Event(state.timer_until, "CDT-018", "minuteur_fini"),))


def how_many(state: State, said: Said) -> Step[State]:
    """« Combien de vies ? », « Où en est-on ? » (CDT-002)."""
    if state.rules.marathon:
        data = {"n": state.guessed, "reste": state.pile}
        return Step(state, (Event(said.t, "CDT-031", "ou_en_est_on_marathon", data),))
    asked = words.folded(said.text)
    name = "ou_en_est_on" if "carte" not in asked else "combien_de_cartes"
    data = {"vies": state.lives, "metiers": state.pile, "n": hand(len(state.players))}
    return Step(state, (Event(said.t, "CDT-002", name, data),))
