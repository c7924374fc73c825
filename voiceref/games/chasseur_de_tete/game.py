"""Chasseur de tête as the session sees it: every phrase, the typed die and ticks (CDT-001 to CDT-031)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from voiceref.games import decks
from voiceref.games.chasseur_de_tete import turns
from voiceref.games.chasseur_de_tete.state import LIVES, TEAM, Face, Phase, Rules, State, hand
from voiceref.games.engine import Event, Input, Opening, Said, Secret, Step, Summary, Table, Tick
from voiceref.games.steps import checkpoint, refused, then

SCHEMA: Mapping[str, Sequence[str] | range] = {
    "cdt.final_form": ("required", "any"),
    "cdt.die": ("after", "typed"),
    "cdt.lives": ("3", "2", "1"),
    "cdt.marathon": ("false", "true"),
    "cdt.marathon_lives": ("0",),
    **decks.ORDER,
}
"""Settings and their values, the default first."""


@dataclass(frozen=True)
class ChasseurDeTete:
    """The rules of Chasseur de tête."""

    name: str = "chasseur-de-tete"

    def start(self, table: Table) -> Step[State]:
        """The first turn, before the die. Raises ValueError with a French sentence."""
        drawn = hand(len(table.players))
        rules = Rules(
            final_form=table.settings.get("cdt.final_form") != "any",
            marathon=table.settings.get("cdt.marathon") == "true",
            die_typed=table.settings.get("cdt.die") == "typed",
        )
        guessed = table.scores.get(TEAM, 0)
        cards = tuple(Face(card) for card in decks.dealt(table.settings, decks.job_cards))
        pile = turns.pile_size(cards, rules.marathon) - guessed
        if guessed < 0 or pile < 1:
            raise ValueError(f"Il ne reste pas de métier à deviner : donnez --scores {TEAM}=0.")
        lives = 0 if rules.marathon else int(table.settings.get("cdt.lives", str(LIVES)))
        seat = table.players.index(table.turn) if table.turn in table.players else 0
        state = State(table.players, rules, seat, lives=lives, pile=pile, guessed=guessed, cards=cards)
        opening = Event(0.0, "CDT-003", "debut", {"n": drawn, "joueur": state.who})
        marathon = (Event(0.0, "CDT-031", "mode_marathon", {"n": pile}),) if rules.marathon else ()
        return Step(state, (opening, *marathon))

    def reduce(self, state: State, said: Input) -> Step[State]:
        """The next state; a timer that ran out before the input rings first."""
        rung = turns.rung(state, said.t)
        if isinstance(said, Tick):
            return rung
        if isinstance(said, Secret):
            secret = said
            return then(rung, lambda s: turns.typed(s, secret))
        phrase = said
        return then(rung, lambda s: self._said(s, phrase))

    def openings(self, state: State) -> tuple[Opening, ...]:
        """Every phrase that would be accepted now; the table reports, so that voices need no names."""
        by_phase = {
            Phase.DIE: ("CDT-Q003", *(("CDT-Q001", "CDT-Q002", "CDT-Q010") if turns.untouched(state) else ())),
            Phase.CLUES: ("CDT-Q004", "CDT-Q005", "CDT-Q006", *_answering(state)),
            Phase.ANSWER: ("CDT-Q005", *_answering(state)),
            Phase.JUDGING: ("CDT-Q007", "CDT-Q008"),
            Phase.END: ("CDT-Q011", "CDT-Q003"),
            Phase.OVER: (),
        }
        over = state.phase is Phase.OVER
        always = ("CDT-Q009", "CDT-Q013", *(() if over else ("CDT-Q015", "CDT-Q016", "CDT-Q017")))
        return tuple(Opening(phrase) for phrase in (*by_phase[state.phase], *always))

    def deadline(self, state: State) -> float | None:
        """The end of the timer that players asked for; the game itself has none (CDT-018)."""
        return state.timer_until

    def words(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """The six jobs of the card on top, and the names typed with the die."""
        typed = state.turn.job.names if state.turn.job is not None else ()
        jobs = tuple(dict.fromkeys((*state.jobs, *typed)))
        return {"metier": jobs, "mot": jobs} if jobs else {}

    def sought(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """The same: any job in a final sentence is the answer (CDT-013)."""
        return self.words(state)

    def summary(self, state: State) -> Summary:
        """Jobs guessed and lives left, of the whole team; `turn` is who guesses."""
        over = state.phase is Phase.OVER
        won = over and (state.rules.marathon or state.lives > 0)
        return Summary(
            scores={TEAM: state.guessed},
            turn=state.who,
            phase=state.phase.value,
            tokens={TEAM: ("vie",) * state.lives},
            over=over,
            winners=state.players if won else (),
        )

    def _said(self, state: State, said: Said) -> Step[State]:
        handler = _HANDLERS.get(said.phrase)
        if handler is None:
            return refused(state, said, "hors_sujet")
        if state.phase is Phase.OVER and said.phrase != "CDT-Q009":
            return refused(state, said, "partie_finie", "CDT-021")
        step = handler(state, said)
        changed = step.state is not state and not step.refusals
        return checkpoint(step) if changed else step


def _answering(state: State) -> tuple[str, ...]:
    return ("CDT-P001",) if state.rules.final_form else ("CDT-P001", "CDT-P002")


Handler = Callable[[State, Said], Step[State]]

_HANDLERS: Mapping[str, Handler] = {
    "CDT-P001": turns.answer,
    "CDT-P002": turns.answer,
    "CDT-Q001": turns.number_of_players,
    "CDT-Q002": turns.who_begins,
    "CDT-Q003": turns.die_thrown,
    "CDT-Q004": turns.character,
    "CDT-Q005": turns.cover,
    "CDT-Q006": turns.all_played,
    "CDT-Q007": turns.judged_right,
    "CDT-Q008": turns.judged_wrong,
    "CDT-Q009": turns.how_many,
    "CDT-Q010": turns.marathon,
    "CDT-Q011": turns.new_turn,
    "CDT-Q013": turns.read_card,
    "CDT-Q015": turns.pile_empty,
    "CDT-Q016": turns.timer,
    "CDT-Q017": turns.time_left,
}
