"""What is settled by voice before a game: which game, who plays in which order, which level. A pure dialogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from voiceref.phrases.matcher import Match
from voiceref.referee.roster import GAMES
from voiceref.referee.telling import Line
from voiceref.table import fold

LEVELLED = "cul-de-chouette"
"""The game whose rules come in four levels."""
FEWEST = 2


class Step(Enum):
    """What the referee waits for."""

    GAME = "game"
    PLAYERS = "players"
    LEVEL = "level"
    AGREEMENT = "agreement"
    PLAY = "play"
    RESUME = "resume"
    LEAVE = "leave"


LEGAL: Mapping[Step, frozenset[str]] = {
    Step.GAME: frozenset({"game", "resume_game", "leave", "repeat"}),
    Step.PLAYERS: frozenset({"player", "done", "no", "leave", "repeat"}),
    Step.LEVEL: frozenset({"level", "no", "leave", "repeat"}),
    Step.AGREEMENT: frozenset({"yes", "no", "leave", "repeat"}),
}
"""The commands of `grammars/welcome.toml` that make sense at each step; there are none at the last three."""


@dataclass(frozen=True)
class Welcome:
    """How far the table is settled."""

    step: Step = Step.GAME
    game: str = ""
    players: tuple[str, ...] = ()
    level: int = 4

    @property
    def over(self) -> bool:
        return self.step not in LEGAL


def question(state: Welcome) -> tuple[Line, ...]:
    """What the referee asks now."""
    match state.step:
        case Step.GAME:
            return (Line("accueil"),)
        case Step.PLAYERS:
            return (Line("accueil_suivant" if state.players else "accueil_premier"),)
        case Step.LEVEL:
            return (Line("accueil_niveau"),)
        case Step.AGREEMENT:
            game = {"jeu": GAMES[state.game].title, "joueurs": list(state.players)}
            return (Line("accueil_table", game), Line("accueil_accord"))
    return ()


def answered(state: Welcome, found: Match) -> tuple[Welcome, tuple[Line, ...]]:
    """The table after an answer, and what is said to it. What makes no sense here changes nothing and is not told."""
    commands = LEGAL.get(state.step, frozenset())
    said = next((reading for reading in (found, *found.alternatives) if reading.command in commands), None)
    if said is None:
        return state, ()
    before: tuple[Line, ...] = ()
    after = state
    match said.command:
        case "leave":
            return replace(state, step=Step.LEAVE), (Line("accueil_fin"),)
        case "resume_game":
            return replace(state, step=Step.RESUME), ()
        case "game":
            after = replace(state, step=Step.PLAYERS, game=str(said.slots["jeu"]).replace("_", "-"))
            after, before = _complete(after) if after.players else (after, ())
        case "player":
            after, before = _seated(state, str(said.slots["joueur"]))
        case "done":
            after, before = _complete(state)
        case "level":
            after = replace(state, step=Step.AGREEMENT, level=int(str(said.slots["n"])))
        case "repeat":
            after = state
        case "yes":
            return replace(state, step=Step.PLAY), ()
        case "no":
            after, before = _taken_back(state)
    return after, (*before, *question(after))


def _seated(state: Welcome, name: str) -> tuple[Welcome, tuple[Line, ...]]:
    if fold(name) in map(fold, state.players):
        return state, (Line("accueil_deja", {"joueur": name}),)
    return replace(state, players=(*state.players, name)), (Line("accueil_nom", {"joueur": name}),)


def _complete(state: Welcome) -> tuple[Welcome, tuple[Line, ...]]:
    if len(state.players) < FEWEST:
        return state, (Line("accueil_trop_peu"),)
    return replace(state, step=Step.LEVEL if state.game == LEVELLED else Step.AGREEMENT), ()


def _taken_back(state: Welcome) -> tuple[Welcome, tuple[Line, ...]]:
    """« Non »: the last name is wrong, or the whole table."""
    if state.step is not Step.PLAYERS:
        return Welcome(Step.PLAYERS, state.game), (Line("accueil_recommence"),)
    if not state.players:
        return Welcome(), ()
    return replace(state, players=state.players[:-1]), (Line("accueil_retire", {"joueur": state.players[-1]}),)
