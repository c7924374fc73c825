"""Cachamot as the session sees it: every phrase, secret and tick, dispatched to the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from voiceref.games import decks, words
from voiceref.games.cachamot import guessing, preparation, rounds, timing
from voiceref.games.cachamot.state import Phase, Rules, State
from voiceref.games.engine import Event, Input, Opening, Said, Secret, Step, Summary, Table, Tick
from voiceref.games.steps import checkpoint, refused, then
from voiceref.games.words import Knows, SoundsAlike, WordsFor

SCHEMA: Mapping[str, Sequence[str] | range] = {
    "cachamot.double_turn": ("false", "true"),
    "cachamot.accept": ("cool", "strict"),
    "cachamot.tie": ("cachamot", "fewest", "both"),
    "cachamot.repeat": ("round", "game"),
    "cachamot.secret": ("typed", "cachamot_judges"),
    "cachamot.expert": ("false", "true"),
    "cachamot.challenges": ("false", "true"),
    "race.tie_window_ms": range(1, 1001),
    **decks.ORDER,
}
"""Settings and their values, the default first (tie window: 150)."""

MOST_FOR_DOUBLE_TURN = 4


@dataclass(frozen=True)
class Cachamot:
    """The rules of Cachamot.

    `knows` tells known French words (None: no check of existence); `sounds_alike` tells whether two words are said
    alike (default: from spelling alone); `near` gives words said almost like one, `beginning` words that begin with
    some letters: what the ear must tell from the Shell word (default: none).
    """

    knows: Knows | None = None
    sounds_alike: SoundsAlike = words.sound_alike
    near: WordsFor = words.no_words
    beginning: WordsFor = words.no_words
    name: str = "cachamot"

    def start(self, table: Table) -> Step[State]:
        """The first round's preparation. Raises ValueError with a French sentence."""
        rules = _rules(table.settings)
        least = 1 if rules.challenges else 2
        if len(table.players) < least:
            raise ValueError("Cachamot se joue à deux au moins : nommez les joueurs avec --players Ana,Bruno.")
        if rules.double_turn and len(table.players) > MOST_FOR_DOUBLE_TURN:
            raise ValueError("Le double tour se joue à quatre au plus : retirez cachamot.double_turn=true.")
        first = table.turn if table.turn in table.players else table.players[0]
        cards = {player: table.scores.get(player, 0) for player in table.players}
        state = State(table.players, rules, cards, None if rules.challenges else first)
        state = replace(state, deck=decks.dealt(table.settings, decks.word_cards))
        if rules.challenges:
            return then(Step(state, (Event(0.0, "CACH-071", "entrainement"),)), lambda s: rounds.begun(s, 0.0))
        opening = Event(0.0, "CACH-003", "debut", {"joueur": first})
        double = (Event(0.0, "CACH-005", "double_tour"),) if rules.double_turn else ()
        expert = (Event(0.0, "CACH-070", "mode_expert"),) if rules.expert else ()
        return Step(state, (opening, *double, *expert))

    def reduce(self, state: State, said: Input) -> Step[State]:
        """The next state; what time did before the input comes first."""
        due = timing.advance(state, said.t, self.sounds_alike)
        if isinstance(said, Tick):
            return due
        if isinstance(said, Secret):
            secret = said
            return then(due, lambda s: preparation.secret(s, secret, self.knows))
        phrase = said
        return then(due, lambda s: self._said(s, phrase))

    def openings(self, state: State) -> tuple[Opening, ...]:
        """Every phrase that would be accepted now."""
        guessers = frozenset(state.guessers)
        glass = state.round.glass
        open_now = [Opening(phrase) for phrase in _open(state)]
        question = state.round.question
        if question is not None and question.kind == "departage":
            open_now.append(Opening("CACH-Q024", None, question.until))
        if glass is not None or state.round.late_until is not None:
            until = state.round.late_until if glass is None else glass.ends
            open_now += [Opening("CACH-Q022", None, until), Opening("CACH-Q006", guessers, until)]
        return tuple(open_now)

    def deadline(self, state: State) -> float | None:
        """The next mark or end of the hourglass, the next answer to settle, or the next question to lapse."""
        return timing.deadline(state)

    def words(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """While a glass runs: the Shell word, its forms and list, words said almost alike, words that begin alike.

        Before it, the words of the cards: one of them is imposed (CACH-010).
        """
        this = state.round
        if state.phase is Phase.PREPARATION and state.deck:
            return {"libre": tuple(dict.fromkeys(words.spelled(word) for card in state.deck for word in card.words))}
        if this.glass is None:
            return {}
        letters = "".join(this.shell_letters).lower() or words.folded(this.shell)[:1]
        goals = _goals(state)
        decoys = [decoy for goal in goals for decoy in self.near(goal)] + list(
            self.beginning(letters) if letters else ()
        )
        others = (word for word in decoys if not any(words.same_inflected(word, goal) for goal in goals))
        spoken = tuple(dict.fromkeys((*goals, *others)))
        return {"mot": spoken, "libre": spoken}

    def sought(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """The Shell word and its list while a glass runs: whoever says them in a sentence has found them."""
        goals = _goals(state) if state.round.glass is not None else ()
        return {"mot": goals, "libre": goals} if goals else {}

    def summary(self, state: State) -> Summary:
        """Cards, the Cachamot, the phase and the winners."""
        over = state.phase is Phase.OVER
        return Summary(
            scores=dict(state.cards),
            turn=state.cachamot,
            phase=state.phase.value,
            tokens=dict.fromkeys(state.players, ()),
            over=over,
            winners=rounds.winners_now(state) if over else (),
        )

    def _said(self, state: State, said: Said) -> Step[State]:
        handler = _HANDLERS.get(said.phrase)
        if handler is None:
            return refused(state, said, "hors_sujet")
        if state.phase is Phase.OVER and said.phrase not in ("CACH-Q011", "CACH-Q012", "CACH-Q020"):
            return refused(state, said, "partie_finie", "CACH-060")
        step = handler(state, said)
        changed = step.state is not state and not step.refusals
        return checkpoint(step) if changed else step


def _goals(state: State) -> tuple[str, ...]:
    """The Shell word and its list as they are said."""
    return tuple(words.spelled(goal) for goal in (state.round.shell, *state.round.synonyms) if goal)


def _rules(settings: Mapping[str, str]) -> Rules:
    def chosen(key: str) -> str:
        allowed = [str(value) for value in SCHEMA[key]]
        value = settings.get(key, allowed[0])
        if value not in allowed:
            raise ValueError(f"Réglage {key}={value} : il faut {' ou '.join(allowed)}.")
        return value

    return Rules(
        double_turn=chosen("cachamot.double_turn") == "true",
        strict=chosen("cachamot.accept") == "strict",
        tie=chosen("cachamot.tie"),
        repeat_in_game=chosen("cachamot.repeat") == "game",
        cachamot_judges=chosen("cachamot.secret") == "cachamot_judges",
        expert=chosen("cachamot.expert") == "true",
        challenges=chosen("cachamot.challenges") == "true",
        tie_window_s=int(settings.get("race.tie_window_ms", "150")) / 1000,
    )


def _open(state: State) -> tuple[str, ...]:
    """Phrases that anyone may say in this phase."""
    if state.phase is Phase.OVER:
        return ("CACH-Q011", "CACH-Q020")
    judging = ("CACH-Q008", "CACH-Q009", "CACH-Q010", "CACH-Q011", "CACH-Q012", "CACH-Q020")
    if state.phase is Phase.PREPARATION:
        first = ("CACH-Q001", "CACH-Q013") if preparation.untouched(state) else ()
        ready = ("CACH-Q002", "CACH-Q003", "CACH-Q004", "CACH-Q005", "CACH-Q017", "CACH-Q020", "CACH-Q021")
        late = ("CACH-Q011",) if state.ended is not None else ()
        return (*first, *ready, *late)
    if state.phase is Phase.BETWEEN:
        return ("CACH-Q005", "CACH-Q007", *judging)
    if state.phase is Phase.JUDGING:
        return ("CACH-Q017", *judging)
    return ("CACH-Q014", "CACH-Q016", *judging)


Handler = Callable[[State, Said], Step[State]]

_HANDLERS: Mapping[str, Handler] = {
    "CACH-Q001": preparation.name_cachamot,
    "CACH-Q002": preparation.imposed_word,
    "CACH-Q003": preparation.letters_shown,
    "CACH-Q004": preparation.ready,
    "CACH-Q005": preparation.turn_glass,
    "CACH-Q006": guessing.answer,
    "CACH-Q007": preparation.letter_added,
    "CACH-Q008": guessing.accept,
    "CACH-Q009": guessing.refuse,
    "CACH-Q010": guessing.accept,
    "CACH-Q011": guessing.found_by,
    "CACH-Q012": guessing.nobody,
    "CACH-Q013": preparation.mode,
    "CACH-Q014": guessing.how_long,
    "CACH-Q016": guessing.skip,
    "CACH-Q017": preparation.new_round,
    "CACH-Q020": guessing.forbidden,
    "CACH-Q021": preparation.read_card,
    "CACH-Q022": guessing.named_answer,
    "CACH-Q024": guessing.finder_named,
    "CACH-P001": guessing.printed_answer,
    "CACH-P002": guessing.printed_answer,
    "CACH-P003": guessing.printed_answer,
    "CACH-P004": guessing.printed_answer,
}
