"""Before and between the glasses: who is the Cachamot, the words, the letters shown, turning the hourglass."""

from __future__ import annotations

import re
from dataclasses import replace

from voiceref.games import decks, words
from voiceref.games.cachamot import rounds, secret_words, timing
from voiceref.games.cachamot.state import GLASS_S, Glass, Phase, Round, State
from voiceref.games.engine import Event, Refusal, Said, Secret, Step
from voiceref.games.steps import checkpoint, refused, then
from voiceref.games.words import Knows

_LABEL = re.compile(r"^\s*(bulle|coquille|coquillage)\s*:\s*", re.IGNORECASE)


def untouched(state: State) -> bool:
    """Whether the game is still being set up."""
    return state.played == 0 and state.phase is Phase.PREPARATION and state.round == Round()


def only_cachamot(state: State, said: Said) -> Step[State] | None:
    """A refusal when somebody else than the Cachamot is known to speak."""
    if said.speaker is None or state.cachamot is None or said.speaker == state.cachamot:
        return None
    return refused(state, said, "seul_le_cachamot", "CACH-003", cachamot=state.cachamot)


def name_cachamot(state: State, said: Said) -> Step[State]:
    """« Cachamot : Anne » (CACH-003), before the first word; later only if it is so."""
    player = said.slots.get("joueur")
    if player == state.cachamot and state.cachamot is not None:
        return Step(state, (Event(said.t, "CACH-003", "cachamot_confirme", {"joueur": player}),))
    if player not in state.players:
        return refused(state, said, "joueur_inconnu", "CACH-003", joueur=str(player))
    if not untouched(state) or state.rules.challenges:
        return refused(state, said, "pas_son_tour", "CACH-053", cachamot=state.cachamot)
    return Step(replace(state, cachamot=str(player)), (Event(said.t, "CACH-003", "cachamot", {"joueur": player}),))


def mode(state: State, said: Said) -> Step[State]:
    """« Mode expert », « mode normal », « double tour » (CACH-070, CACH-005), before the first word."""
    if not untouched(state) or state.rules.challenges:
        return refused(state, said, "deja_commence", "CACH-003")
    wanted = words.folded(f"{said.slots.get('mode', '')} {said.text}")
    if "double" in wanted:
        if len(state.players) > 4:
            return refused(state, said, "double_tour_a_quatre", "CACH-005")
        rules = replace(state.rules, double_turn=True)
        return Step(replace(state, rules=rules), (Event(said.t, "CACH-005", "double_tour"),))
    expert = "expert" in wanted
    event = Event(said.t, "CACH-070", "mode_expert" if expert else "mode_normal")
    return Step(replace(state, rules=replace(state.rules, expert=expert)), (event,))


def imposed_word(state: State, said: Said) -> Step[State]:
    """« Le mot imposé est Panda » (CACH-010, CACH-011): public."""
    if (other := only_cachamot(state, said)) is not None:
        return other
    if state.phase is not Phase.PREPARATION or state.rules.challenges:
        return refused(state, said, "manche_en_cours", "CACH-010")
    word = words.spelled(str(said.slots.get("mot", "")))
    if not word:
        return refused(state, said, "mot_manquant", "CACH-010")
    return _imposed(state, word, Event(said.t, "CACH-011", "mot_impose", {"mot": word}))


def read_card(state: State, said: Said) -> Step[State]:
    """« Lis la carte » (CACH-010): the top card gives the imposed word, which is public."""
    if not state.deck:
        return refused(state, said, "pas_de_paquet", "CACH-010")
    if state.phase is not Phase.PREPARATION or state.rules.challenges:
        return refused(state, said, "manche_en_cours", "CACH-010")
    word = decks.imposed(state.deck, state.played)
    return _imposed(state, words.spelled(word), Event(said.t, "CACH-010", "mot_impose", {"mot": word}))


def letters_shown(state: State, said: Said) -> Step[State]:
    """« Bulle : B, A. Coquille : P » (CACH-014): read back, since spoken letters are easily confused."""
    if (other := only_cachamot(state, said)) is not None:
        return other
    if state.rules.expert and state.phase is Phase.BETWEEN:
        return _letters_again(state, said)
    if state.phase is not Phase.PREPARATION or state.rules.challenges:
        return refused(state, said, "manche_en_cours", "CACH-014")
    bubble, shell = _letters(said.slots.get("bulle")), _letters(said.slots.get("coquille"))
    if state.rules.expert and len(bubble) > 1:
        return refused(state, said, "expert_une_lettre", "CACH-070")
    if not bubble or len(bubble) > 2 or len(shell) != 1:
        return refused(state, said, "lettres_a_montrer", "CACH-014")
    this = replace(state.round, bubble_letters=bubble, shell_letters=shell)
    rule = "CACH-070" if state.rules.expert else "CACH-014"
    events = (Event(said.t, rule, "lettres", rounds.visible(this)), *_mismatch(this, said.t))
    return Step(replace(state, round=this, ended=None), events)


def _letters_again(state: State, said: Said) -> Step[State]:
    """« Bulle : R, A. Coquille : P » by an expert between the glasses: the last letter of the Bubble is the new one."""
    bubble, shell = _letters(said.slots.get("bulle")), _letters(said.slots.get("coquille"))
    shown = state.round.shell_letters
    if len(bubble) != 2 or (shown and shell != shown):
        return refused(state, said, "lettres_a_montrer", "CACH-070")
    told = {"bulle": bubble[:1], "lettre": bubble[1]}
    return letter_added(state, replace(said, slots=told))


def secret(state: State, said: Secret, knows: Knows | None) -> Step[State]:
    """The Shell word, typed, with its accepted forms (CACH-015); « bulle : … » types the Bubble word.

    What is certainly forbidden is kept apart, and « C'est prêt » refused until it is replaced (CACH-040 to CACH-045).
    """
    if state.rules.challenges or state.rules.cachamot_judges:
        return _secret_refused(state, said, "secret_inutile")
    if state.phase is not Phase.PREPARATION:
        return _secret_refused(state, said, "secret_trop_tard")
    label = _LABEL.match(said.text)
    word = said.text[label.end() :].strip() if label else said.text.strip()
    if label and label.group(1).lower() == "bulle":
        this = replace(state.round, bubble=word)
    else:
        this = replace(state.round, shell=word, synonyms=said.synonyms)
    fault = _fault(state, this)
    this = replace(this, fault=fault)
    after = replace(state, round=this, ended=None)
    if fault is not None:
        return checkpoint(Step(after, (Event(said.t, fault.rule, fault.reason),)))
    doubt = secret_words.doubt(word, knows)
    doubts = (Event(said.t, doubt.rule, doubt.reason),) if doubt else ()
    events = (Event(said.t, "CACH-015", "secret_recu"), *doubts, *_mismatch(this, said.t))
    return checkpoint(Step(after, events))


def ready(state: State, said: Said) -> Step[State]:
    """« C'est prêt » (CACH-015), once no word is certainly forbidden."""
    if (other := only_cachamot(state, said)) is not None:
        return other
    if state.phase is not Phase.PREPARATION:
        return refused(state, said, "manche_en_cours", "CACH-015")
    if (fault := state.round.fault) is not None:
        return refused(state, said, fault.reason, fault.rule)
    known = "pret" if state.referee_knows else "pret_cachamot_juge"
    return Step(replace(state, ended=None), (Event(said.t, "CACH-015", known, {"cachamot": state.cachamot}),))


def turn_glass(state: State, said: Said) -> Step[State]:
    """« Sablier ! » (CACH-016, CACH-022): sixty seconds from the word's onset. It begins a challenge that is due."""
    if (other := only_cachamot(state, said)) is not None:
        return other
    if state.phase not in (Phase.PREPARATION, Phase.BETWEEN):
        return refused(state, said, "sablier_deja", "CACH-016")
    if (fault := state.round.fault) is not None:
        return refused(state, said, fault.reason, fault.rule)
    first = state.phase is Phase.PREPARATION
    if first and state.rules.challenges and not state.round.shell:
        return then(rounds.begun(state, said.t), lambda s: turn_glass(s, said))
    waiting = () if not state.referee_knows else state.round.queue
    this = replace(state.round, glass=Glass(said.t + GLASS_S), queue=waiting, late_until=None)
    after = replace(state, phase=Phase.GLASS_1 if first else Phase.GLASS_2, round=this, ended=None)
    name = "sablier_premier" if first else "sablier_second"
    return Step(after, (Event(said.t, "CACH-016" if first else "CACH-022", name, {"n": int(GLASS_S)}),))


def letter_added(state: State, said: Said) -> Step[State]:
    """« Deuxième lettre : A » or « Coquille : S, A » (CACH-022, CACH-070), between the glasses, once."""
    if (other := only_cachamot(state, said)) is not None:
        return other
    if state.phase is not Phase.BETWEEN:
        return refused(state, said, "pas_de_deuxieme_lettre", "CACH-022")
    shown = state.round.bubble_letters if state.rules.expert else state.round.shell_letters
    if len(shown) >= 2:
        return refused(state, said, "lettre_deja_donnee", "CACH-022")
    told = said.slots.get("bulle" if state.rules.expert else "coquille")
    if told is None and (said.slots.get("bulle") or said.slots.get("coquille")):
        return refused(state, said, "pas_cette_lettre", "CACH-070" if state.rules.expert else "CACH-022")
    first = _letters(told)[:1]
    if first and shown and first != shown[:1]:
        return refused(state, said, "premiere_lettre_autre", "CACH-022")
    if first and not shown:
        this = state.round
        expert = state.rules.expert
        this = replace(this, bubble_letters=first) if expert else replace(this, shell_letters=first)
        state = replace(state, round=this)
    (letter, *_) = _letters(said.slots.get("lettre")) or ("",)
    if not letter:
        return refused(state, said, "lettres_a_montrer", "CACH-022")
    step = timing.second_letter(state, letter, said.t)
    return then(step, lambda s: Step(s, _mismatch(s.round, said.t)))


def new_round(state: State, said: Said) -> Step[State]:
    """« Nouvelle manche » (CACH-004): between rounds, or when only a verdict was awaited."""
    if state.phase is Phase.JUDGING:
        step = rounds.not_found(state, said.t)
        return step if step.state.phase is Phase.OVER else then(step, lambda s: rounds.begun(s, said.t))
    if state.phase is not Phase.PREPARATION or state.round.imposed and not state.rules.challenges:
        return refused(state, said, "manche_en_cours", "CACH-053")
    return rounds.begun(state, said.t)


def _imposed(state: State, word: str, event: Event) -> Step[State]:
    this = replace(state.round, imposed=word)
    return Step(replace(state, round=replace(this, fault=_fault(state, this)), ended=None), (event,))


def _letters(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, tuple | list) else (value,)
    return tuple(str(item).upper() for item in items if item)


def _fault(state: State, this: Round) -> secret_words.WordFault | None:
    earlier = state.used_words if state.rules.repeat_in_game else ()
    checks = ((this.bubble, (this.imposed, *earlier)), (this.shell, (this.imposed, this.bubble, *earlier)))
    faults = (secret_words.certain_fault(word, others) for word, others in checks if word)
    return next((fault for fault in faults if fault is not None), None)


def _mismatch(this: Round, t: float) -> tuple[Event, ...]:
    """A warning when a shown letter is not that of the typed word."""
    pairs = ((this.bubble, this.bubble_letters), (this.shell, this.shell_letters))
    wrong = any(
        word and shown and not words.folded(word).replace(" ", "").startswith(words.folded("".join(shown)))
        for word, shown in pairs
    )
    return (Event(t, "CACH-014", "lettre_douteuse"),) if wrong else ()


def _secret_refused(state: State, said: Secret, reason: str) -> Step[State]:
    """A secret out of place: its words are not repeated."""
    return Step(state, (), (Refusal(said.t, "secret", reason, "CACH-015"),))
