"""A game small enough to check the session by hand: throws, a race with an eight-second hourglass, and a stake."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from voiceref.games.engine import Event, Input, Opening, Refusal, Said, Secret, Step, Summary, Table
from voiceref.phrases.catalogue import Catalogue, load

RACE_S = 8.0

GRAMMAR = """
[[phrase]]
id = "S-THROW"
text = "Cul : six"
pattern = ["[le] cul [fait] <n:de>"]
kind = "report"
rule = "S-1"

[[phrase]]
id = "S-RACE"
text = "Pas mou le caillou !"
kind = "race-first"
rule = "S-2"

[[phrase]]
id = "S-ALONE"
text = "Je sirote !"
kind = "single"
rule = "S-3"

[[phrase]]
id = "S-FIX"
text = "Ajoute dix points à Bob"
pattern = [
    "ajoute {signe=ajoute} <points:1..343> points à <joueur>",
    "enlève {signe=enleve} <points:1..343> points à <joueur>",
]
kind = "command"
rule = "S-4"
command = "add_points"

[[phrase]]
id = "T-OVERRULE"
text = "C'était Bob"
pattern = ["c'était <joueur>", "c'était moi le premier {moi=true}"]
kind = "command"
rule = "S-5"
command = "overrule"

[[phrase]]
id = "T-NAME"
text = "C'est Bob"
pattern = ["[(c'est|c'était)] <joueur>", "<joueurs:joueur> (et <joueurs:joueur>)+", "c'est moi {moi=true}"]
kind = "command"
command = "name"

[[phrase]]
id = "T-CORRECT"
text = "Bob a seize points, pas dix"
pattern = ["<joueur> a <points:0..999> points [pas <ancien:0..999>]"]
kind = "command"
command = "correct"
"""

COMMANDS = {
    "scores": "scores",
    "undo": "annule",
    "repeat": "répète",
    "pause": "pause",
    "resume": "on reprend",
    "sleep": "dors",
    "wake": "réveille-toi",
    "help": "aide",
    "turn": "à qui le tour",
    "missing": "combien il manque",
    "end": "fin de la partie",
    "yes": "oui",
    "no": "non",
    "louder": "plus fort",
    "quiet": "tais-toi",
    "stop": "stop",
    "check": "tu m'entends",
    "time": "combien de temps",
    "explain": "explique la suite",
    "video": "la vidéo",
}


@cache
def catalogue() -> Catalogue:
    """The phrases of the small game with every order."""
    orders = [
        f'[[phrase]]\nid = "T-{name}"\ntext = "{text}"\nkind = "command"\ncommand = "{name}"\n'
        for name, text in COMMANDS.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "small.toml")
        path.write_text(GRAMMAR + "\n".join(orders), encoding="utf-8")
        return load(path)


@dataclass(frozen=True)
class State:
    """Scores, whose turn it is, and the race that is open until `until`."""

    players: tuple[str, ...]
    scores: Mapping[str, int] = field(default_factory=dict)
    turn: int = 0
    until: float | None = None
    secret: str = ""


class SmallGame:
    """A throw opens a race; the first cry gets the points of the throw; silence costs the thrower one point."""

    name = "cul-de-chouette"

    def start(self, table: Table) -> Step[State]:
        if len(table.players) < 2:
            raise ValueError("Il faut deux joueurs.")
        return Step(State(table.players, {name: table.scores.get(name, 0) for name in table.players}))

    def reduce(self, state: State, said: Input) -> Step[State]:
        match said:
            case Said(phrase="S-THROW"):
                return Step(replace(state, until=said.t + RACE_S), (Event(said.t, "S-1", "lancer"),), checkpoint=True)
            case Said(phrase="S-RACE", speaker=str(name)) if state.until is not None:
                return self._scored(replace(state, until=None), said.t, name, 32)
            case Said(phrase="S-ALONE", speaker=str(name)) if name == state.players[state.turn]:
                return self._scored(state, said.t, name, 4)
            case Said(phrase="S-FIX"):
                points = int(str(said.slots["points"])) * (1 if said.slots["signe"] == "ajoute" else -1)
                step = self._scored(state, said.t, str(said.slots["joueur"]), points)
                return replace(step, checkpoint=True)
            case Said():
                return Step(state, (), (Refusal(said.t, said.text, "pas_maintenant", "S-9", said.speaker),))
            case Secret():
                return Step(replace(state, secret=said.text))
        if state.until is not None and said.t >= state.until:
            after = replace(state, until=None, turn=(state.turn + 1) % len(state.players))
            return self._scored(after, said.t, state.players[state.turn], -1)
        return Step(state)

    def openings(self, state: State) -> tuple[Opening, ...]:
        everybody = frozenset(state.players)
        alone = frozenset({state.players[state.turn]})
        race = (Opening("S-RACE", everybody, state.until),) if state.until is not None else ()
        return (*race, Opening("S-THROW"), Opening("S-ALONE", alone), Opening("S-FIX"))

    def deadline(self, state: State) -> float | None:
        return state.until

    def summary(self, state: State) -> Summary:
        return Summary(state.scores, state.players[state.turn], "jeu", {}, max(state.scores.values()) >= 343)

    def _scored(self, state: State, t: float, name: str, points: int) -> Step[State]:
        scores = {**state.scores, name: state.scores[name] + points}
        event = Event(t, "S-2", "marque", {"joueur": name, "points": points}, {name: points})
        return Step(replace(state, scores=scores), (event,))
