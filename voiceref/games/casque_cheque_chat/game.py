"""Casque Chèque Chat as the session sees it: every phrase, secret and tick, dispatched to the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from voiceref.games import decks
from voiceref.games.casque_cheque_chat import clues, play, private, rounds
from voiceref.games.casque_cheque_chat.state import GROUPS, TEAMS, WINS, Doubted, Phase, Rules, State
from voiceref.games.casque_cheque_chat.tiles import Accent, Pronounce, tiles
from voiceref.games.engine import Event, Input, Opening, Refusal, Said, Secret, Step, Summary, Table, Tick
from voiceref.games.steps import checkpoint, refused, then
from voiceref.games.words import ARTICLES, Knows, WordsFor, no_words, spelled

SCHEMA: Mapping[str, Sequence[str] | range] = {
    "ccc.silence_s": ("15", "10"),
    "ccc.threshold": range(50, 101),
    "ccc.giver_says": ("void", "fault"),
    "ccc.tie": ("void", "first"),
    "ccc.secret_early": ("refuse", "fault"),
    "ccc.accent": ("nord", "midi"),
    "race.tie_window_ms": range(1, 1001),
    "deck.private": ("demande", "casque"),
    **decks.ORDER,
}
"""Settings and their values, the default first (threshold: 85, tie window: 150)."""


STARTERS = 3
"""Rounds that are played with starter cards (CCC-006)."""


@dataclass(frozen=True)
class CasqueChequeChat:
    """The rules of Casque Chèque Chat.

    `pronounce` gives the phones of a word, for the Hmm tiles (None: players lay them by their own ear); `knows` tells
    known French words, for clues said with their slate (None: no check of existence); `near` gives words said almost
    like one, which the ear must tell from those of the expression (default: none).
    """

    pronounce: Pronounce | None = None
    knows: Knows | None = None
    near: WordsFor = no_words
    name: str = "casque-cheque-chat"

    def start(self, table: Table) -> Step[State]:
        """The choice of the first expression. Raises ValueError with a French sentence."""
        wins = {team: table.scores.get(team, 0) for team in TEAMS}
        if not all(0 <= won < WINS for won in wins.values()):
            raise ValueError("Une équipe a déjà quatre manches, ou moins de zéro : donnez --scores orange=0,bleu=0.")
        groups = _groups(table)
        first = next((i for i, group in enumerate(groups) if table.turn in group), 0)
        cards = _starters_first(decks.dealt(table.settings, decks.expression_cards))
        state = State(groups, _rules(table.settings), wins, first, deck=cards)
        data = {"orange": groups[0] + groups[2], "bleu": groups[1] + groups[3]}
        return Step(state, (Event(0.0, "CCC-002", "equipes", data),))

    def reduce(self, state: State, said: Input) -> Step[State]:
        """The next state; what time did before the input comes first."""
        due = _advance(state, said.t)
        if isinstance(said, Tick):
            return due
        if isinstance(said, Secret):
            secret = said
            return then(due, lambda s: self._secret(s, secret))
        phrase = said
        return then(due, lambda s: self._said(s, phrase))

    def openings(self, state: State) -> tuple[Opening, ...]:
        """Every phrase that would be accepted now; anyone may report, and guesses need no name when a team is said.

        While guessers may say anything, set-up phrases are listed too: they are refused and not taken for guesses.
        """
        if state.phase is Phase.OVER:
            return ()
        always = ("CCC-Q003", "CCC-Q012")
        between = ("CCC-Q002", "CCC-Q013", "CCC-Q017")
        if state.phase is Phase.BETWEEN:
            return _anyone(*always, *between, "CCC-Q007")
        setting_up = ("CCC-Q001",) if play.untouched(state) else ()
        if state.phase is Phase.CHOICE:
            reports = ("CCC-Q002", "CCC-Q004", "CCC-Q005", *between, *always, *setting_up, "CCC-Q011", "CCC-Q019")
            reports = (*reports, *(("CCC-Q020", "CCC-Q021") if state.deck else ()))
            early = ("CCC-Q007", "CCC-P001") if state.round.expressions else ()
            return _anyone(*dict.fromkeys(reports), *early)
        question = state.round.question
        colour = ("CCC-Q016",) if question is not None and question.kind != "faute" else ()
        clue = ("CCC-Q004", "CCC-Q005", "CCC-Q006", "CCC-Q010", "CCC-Q011", "CCC-Q008", "CCC-Q009", "CCC-Q019")
        refused_now = ("CCC-Q001", *between)
        talk = tuple(Opening(phrase, None, state.round.silence_until) for phrase in ("CCC-Q007", "CCC-P001"))
        return (*_anyone(*colour, *clue, *always, *refused_now), *talk)

    def deadline(self, state: State) -> float | None:
        """The end of the silence clock, of a tie window or of a question."""
        return _deadline(state)

    def words(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """From the choice on: the accepted expressions, their words alone, and words said almost like those."""
        if state.phase not in (Phase.CHOICE, Phase.CLUES) or not state.round.expressions:
            return {}
        goals = tuple(spelled(goal) for goal in state.round.expressions)
        parts = tuple(dict.fromkeys(part for goal in goals for part in goal.split() if len(part) > 2))
        decoys = tuple(decoy for part in parts for decoy in self.near(part))
        return {"libre": tuple(dict.fromkeys((*goals, *parts, *decoys)))}

    def sought(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """The accepted expressions once a slate lies, with and without their articles (CCC-032): guessers babble."""
        if state.phase is not Phase.CLUES:
            return {}
        goals = [spelled(goal) for goal in state.round.expressions]
        bare = [" ".join(word for word in goal.split() if word not in ARTICLES) for goal in goals]
        return {"libre": tuple(dict.fromkeys(goal for goal in (*goals, *bare) if goal))}

    def summary(self, state: State) -> Summary:
        """Rounds won by colour; `turn` is the first player of the First group."""
        winners = tuple(team for team in TEAMS if state.wins[team] >= WINS)
        return Summary(
            scores=dict(state.wins),
            turn=state.groups[state.first][0],
            phase=state.phase.value,
            tokens={},
            over=state.phase is Phase.OVER,
            winners=winners,
        )

    def _said(self, state: State, said: Said) -> Step[State]:
        handler = _HANDLERS.get(said.phrase)
        if handler is None:
            return refused(state, said, "hors_sujet")
        if state.phase is Phase.OVER:
            return refused(state, said, "partie_finie", "CCC-050")
        if said.phrase in _SLATES:
            said = _of_team(state, said)
        if said.phrase in _NAMES_TEAM and said.slots.get("equipe") not in TEAMS:
            return refused(state, said, "quelle_equipe", "CCC-002")
        step = handler(state, said)
        if said.phrase == "CCC-Q004" and not step.refusals:
            step = then(step, lambda s: self._clue(s, said))
        if said.phrase == "CCC-Q002" and not step.refusals and state.card is not None:
            step = then(step, lambda s: self._chosen(s, said.t))
        changed = step.state is not state and not step.refusals
        return checkpoint(step) if changed else step

    def _secret(self, state: State, said: Secret) -> Step[State]:
        """The expression of the round (CCC-013), never said aloud; its tiles are public (CCC-014)."""
        if state.phase in (Phase.CLUES, Phase.OVER):
            return Step(state, (), (Refusal(said.t, "secret", "secret_trop_tard", "CCC-013"),))
        if not any(letter.isalpha() for letter in said.text):
            return Step(state, (), (Refusal(said.t, "secret", "secret_vide", "CCC-013"),))
        return checkpoint(self._known(state, (said.text, *said.synonyms), said.t))

    def _chosen(self, state: State, t: float) -> Step[State]:
        """« On prend la B » with a deck: the referee then knows the expression (CCC-013)."""
        assert state.card is not None
        return self._known(state, (state.card.expression(state.round.letter),), t)

    def _known(self, state: State, expressions: tuple[str, ...], t: float) -> Step[State]:
        after = replace(state, phase=Phase.CHOICE, round=replace(state.round, expressions=expressions))
        events = [Event(t, "CCC-013", "secret_recu")]
        if self.pronounce is not None:
            laid = tiles(expressions[0], self.pronounce, state.rules.accent)
            events.append(Event(t, "CCC-014", "tuiles", {"n": len(laid), "syllabes": laid}))
        return Step(after, tuple(events))

    def _clue(self, state: State, said: Said) -> Step[State]:
        """A clue said with its slate is checked by its letters; a certain fault is put to the table (CCC-043)."""
        clue = said.slots.get("indice")
        if not isinstance(clue, str) or not state.round.expressions or state.round.question is not None:
            return Step(state)
        team = str(said.slots["equipe"])
        faults = clues.check(clue, state.round.expressions[0], self.knows)
        if not faults:
            return Step(state)
        worst = faults[0]
        found = Event(said.t, worst.rule, worst.reason, {"indice": clue, **rounds.camp(team)})
        if not worst.certain:
            doubted = Doubted(team, said.t + play.QUESTION_S)
            return Step(replace(state, round=replace(state.round, doubted=doubted)), (found,))
        return then(Step(state, (found,)), lambda s: play.asked_fault(s, team, said.t))


def _of_team(state: State, said: Said) -> Said:
    """« Ardoise ! » without a colour is that of the player named, else of the speaker (CCC-024)."""
    team = state.team_of(str(said.slots.get("joueur", said.speaker)))
    if said.slots.get("equipe") is not None or team is None:
        return said
    return replace(said, slots={**said.slots, "equipe": team})


def _anyone(*phrases: str) -> tuple[Opening, ...]:
    return tuple(Opening(phrase) for phrase in phrases)


def _deadline(state: State) -> float | None:
    this = state.round
    settle = this.right[0].t + state.rules.tie_window_s if this.right else None
    if this.question is not None:
        return this.question.until if settle is None else min(settle, this.question.until)
    times = (settle, this.silence_until)
    return min((time for time in times if time is not None), default=None)


def _advance(state: State, t: float) -> Step[State]:
    """Everything that is due by `t`, in the order of time."""
    step = Step(state)
    while (due := _deadline(step.state)) is not None and due <= t:
        step = then(step, _fired(due))
    return step


def _fired(t: float) -> Callable[[State], Step[State]]:
    def fire(state: State) -> Step[State]:
        this = state.round
        if this.right and this.right[0].t + state.rules.tie_window_s <= t:
            return rounds.settled(state, t)
        if this.question is not None and this.question.until <= t:
            return play.dropped(state, t)
        return rounds.void(state, t, "CCC-042", "manche_nulle_silence")

    return fire


def _groups(table: Table) -> tuple[tuple[str, ...], ...]:
    """The four groups round the table. Raises ValueError with a French sentence."""
    if table.teams and len(table.teams) not in (2, GROUPS):
        raise ValueError("Casque Chèque Chat oppose deux équipes : donnez --set teams=Ana+Chloé,Bruno+David.")
    if len(table.teams) == GROUPS:
        groups = table.teams
    elif table.teams:
        orange, blue = table.teams
        groups = (orange[0::2], blue[0::2], orange[1::2], blue[1::2])
    else:
        groups = tuple(table.players[i::GROUPS] for i in range(GROUPS))
    if not all(groups):
        raise ValueError("Casque Chèque Chat se joue à quatre au moins : donnez --players Ana,Bruno,Chloé,David.")
    return groups


def _starters_first(cards: tuple[decks.ExpressionCard, ...]) -> tuple[decks.ExpressionCard, ...]:
    """Three starter cards on top for the first three rounds (CCC-006), the others in their order."""
    starters = [card for card in cards if card.starter][:STARTERS]
    return (*starters, *(card for card in cards if card not in starters))


def _rules(settings: Mapping[str, str]) -> Rules:
    return Rules(
        silence_s=float(settings.get("ccc.silence_s", "15")),
        threshold=float(settings.get("ccc.threshold", "85")),
        giver_fault=settings.get("ccc.giver_says") == "fault",
        tie_first=settings.get("ccc.tie") == "first",
        secret_early_fault=settings.get("ccc.secret_early") == "fault",
        accent=Accent(settings.get("ccc.accent", "nord")),
        headset=settings.get("deck.private") == "casque",
        tie_window_s=int(settings.get("race.tie_window_ms", "150")) / 1000,
    )


Handler = Callable[[State, Said], Step[State]]

_NAMES_TEAM = frozenset({"CCC-Q004", "CCC-Q005", "CCC-Q016"})
_SLATES = ("CCC-Q004", "CCC-Q005")
_HANDLERS: Mapping[str, Handler] = {
    "CCC-P001": play.guess,
    "CCC-Q001": play.first_group,
    "CCC-Q002": play.letter,
    "CCC-Q003": play.tiles_laid,
    "CCC-Q004": play.slate,
    "CCC-Q005": play.secret_slate,
    "CCC-Q006": play.no_more,
    "CCC-Q007": play.guess,
    "CCC-Q008": play.accept,
    "CCC-Q009": play.refuse,
    "CCC-Q010": play.accuse,
    "CCC-Q011": play.void,
    "CCC-Q012": play.how_many,
    "CCC-Q013": play.new_round,
    "CCC-Q016": play.colour,
    "CCC-Q017": play.read_card,
    "CCC-Q019": play.no_such_team,
    "CCC-Q020": private.read_expressions,
    "CCC-Q021": private.not_listening,
}
