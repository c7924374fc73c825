"""What is settled by voice before a game: which game, who plays in which order, which level and options.

A pure dialogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from voiceref.phrases.matcher import Match
from voiceref.referee import options
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
    Step.AGREEMENT: frozenset({"yes", "no", "option", "usual", "options", "first", "order", "swap", "leave", "repeat"}),
}
"""The commands of `grammars/welcome.toml` that make sense at each step; there are none at the last three."""


@dataclass(frozen=True)
class Welcome:
    """How far the table is settled."""

    step: Step = Step.GAME
    game: str = ""
    players: tuple[str, ...] = ()
    level: int = 4
    first: str | None = None
    """Who begins, if not the first named."""
    chosen: Mapping[str, int | None] = field(default_factory=dict)
    """The options asked for (`options.OPTIONS`) and the number said with each, in the order of asking."""

    @property
    def over(self) -> bool:
        return self.step not in LEGAL

    @property
    def settings(self) -> Mapping[str, str]:
        """What the options come to, as `--set` takes it."""
        found: dict[str, str] = {}
        for name, number in self.chosen.items():
            found.update(options.chosen(name, self.game, self.players, number) or {})
        return found


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
            first = (Line("accueil_commence", {"joueur": state.first}),) if state.first else ()
            return (Line("accueil_table", game), *first, *map(_told, state.chosen.items()), Line("accueil_accord"))
    return ()


def _told(option: tuple[str, int | None]) -> Line:
    name, number = option
    return Line(f"option_{name}", {} if number is None else {"n": number})


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
        case "option" | "usual" | "options" | "first" | "order" | "swap":
            return _arranged(state, said)
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


def _arranged(state: Welcome, said: Match) -> tuple[Welcome, tuple[Line, ...]]:
    """An option, who begins, or the seats; then « on commence ? » again."""
    after, told = state, Line("accueil_pas_ici")
    match said.command:
        case "option":
            after, told = _opted(state, str(said.slots["option"]), said.slots.get("n"))
        case "usual":
            after, told = replace(state, chosen={}), Line("accueil_habituelles")
        case "options":
            return state, (Line("accueil_options"), *map(_named, options.of_game(state.game)), Line("accueil_encore"))
        case "first":
            first = str(said.slots["joueur"])
            after, told = replace(state, first=first), Line("accueil_commence", {"joueur": first})
        case "order" | "swap":
            after = replace(state, players=_reseated(state.players, said))
            told = Line("accueil_ordre", {"joueurs": list(after.players)})
    return after, (told, Line("accueil_encore"))


def _named(option: str) -> Line:
    numbers = options.OPTIONS[option].numbers
    return _told((option, numbers[-1] if numbers else None))


def _opted(state: Welcome, name: str, number: object) -> tuple[Welcome, Line]:
    count = number if isinstance(number, int) else None
    settings = options.chosen(name, state.game, state.players, count)
    if settings is None:
        return state, Line("accueil_pas_ici")
    kept = {
        other: value
        for other, value in state.chosen.items()
        if not settings.keys() & (options.chosen(other, state.game, state.players, value) or {}).keys()
    }
    return replace(state, chosen={**kept, name: count}), _told((name, count))


def _reseated(players: tuple[str, ...], said: Match) -> tuple[str, ...]:
    """The players in the order said (all of them, each once), with two of them exchanged, or the other way round."""
    named = said.slots.get("joueurs", ())
    if not isinstance(named, tuple) or not named:
        return (players[0], *reversed(players[1:]))
    if said.command == "swap" and len(named) == 2:
        other = {named[0]: str(named[1]), named[1]: str(named[0])}
        return tuple(other.get(name, name) for name in players)
    return tuple(map(str, named)) if sorted(named) == sorted(players) else players


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
