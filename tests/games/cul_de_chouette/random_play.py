"""Plays Le Cul de chouette at random from what the rules say is open: for the property tests and the speed floor."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from voiceref.games.cul_de_chouette import SCHEMA, CulDeChouette, cries, desk, tokens
from voiceref.games.cul_de_chouette.dice import Combination
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.engine import Event, Input, Opening, Said, Step, Table, Tick

NAMES = (
    "Ana", "Bruno", "Chloé", "David", "Emma", "Fatou", "Gaël", "Hugo", "Inès", "Jules", "Karim", "Léa", "Marie",
    "Noé", "Ours", "Paul",
)  # fmt: skip
GAME = CulDeChouette()
TOKENS = ("grelottine", "immunite", "civet", "civet-filoche", "jarret", "jarret-sifflet", "flan")
WANTED = (
    (3, 3, 4), (3, 4, 4), (1, 2, 4), (2, 5, 6), (1, 4, 6), (1, 2, 3), (6, 6, 6), (4, 4, 4), (2, 4, 6), (1, 3, 5),
    (6, 6, 1), (4, 4, 6), (3, 3, 6),
)  # fmt: skip
"""Triples that open much, made more often than by chance."""
NEWCOMER = "Zoé"
REPORTS = (*desk.REPORTS, *desk.SETTING_UP, cries.GRAINES, cries.GORGEES, cries.TOMBE, *tokens.GIFTS)
"""What is open so often that it would crowd out the game."""


@dataclass(frozen=True)
class Record:
    """One game: the table, every input, every event, the last state."""

    table: Table
    inputs: tuple[Input, ...]
    events: tuple[Event, ...]
    state: State


def any_table(rng: random.Random) -> Table:
    """A table with random size, level, settings, scores and tokens."""
    players = NAMES[: rng.choice((2, 2, 3, 3, 4, 5, 8, 16))]
    settings = {}
    for key, allowed in SCHEMA.items():
        if not isinstance(allowed, range) and rng.random() < 0.15:
            settings[key] = rng.choice(allowed)
    negative = settings.get("negative", "true") == "true"
    teams = ()
    if len(players) == 4 and rng.random() < 0.5:
        teams = ((players[0], players[2]), (players[1], players[3]))
    scores = {p: rng.randint(-50 if negative else 0, 320) for p in players}
    if teams:
        scores = {p: scores[team[0]] for team in teams for p in team}
    tokens = {p: tuple({rng.choice(TOKENS) for _ in range(rng.randint(0, 3))}) for p in players}
    return Table(players, rng.randint(1, 4), settings, scores, tokens, rng.choice((None, *players)), teams)


def slots(rng: random.Random, phrase: str, state: State, kept: tuple[int, ...]) -> Mapping[str, object]:
    """Plausible slots for a phrase; dice fit what is kept half of the time."""

    def faces(n: int) -> tuple[int, ...]:
        if rng.random() < 0.5:
            return tuple(rng.randint(1, 6) for _ in range(n))
        return tuple(rng.sample(rng.choice(WANTED), n))

    someone = rng.choice(state.players)
    combination = rng.choice(list(Combination)).value
    if phrase == cries.LES_CHOUETTES:
        return {"des": faces(2)}
    if phrase in cries.ALL_THREE:
        return {"des": (*kept, *faces(3 - len(kept)))}
    if phrase in cries.ONE_DIE:
        return {"de": rng.randint(1, 6)}
    match phrase:
        case cries.JE_GARDE:
            return {"garde": rng.choice(("tout", (), (1,), (6, 6), (2, 4), (rng.randint(1, 6),)))}
        case cries.MISE:
            five = ("chouette", "velute", "chouette_velute", "cul_de_chouette", "sirop_grelot")
            return {"combinaison": rng.choice(five), "points": rng.choice(("max", 1, 5, 60))}
        case cries.GRELOTTINE:
            return rng.choice(
                ({}, {"joueur": someone}, {"joueur": someone, "combinaison": "chouette", "points": "max"})
            )
        case cries.DES_DE_JOUEURS:
            return {"lancers": tuple((p, rng.randint(1, 6)) for p in state.alive)}
        case cries.JE_RELANCE:
            return {"points": rng.randint(3, 18)}
        case cries.CIVET | cries.FILOCHE:
            return {"points": rng.choice((1, 16, 25, 50, 102)), "combinaison": combination}
        case cries.QUI_A_LE_DE:
            return {"joueur": someone, "objet": rng.choice(("de", "deux_chouettes", "une_chouette"))}
        case cries.TOMBE:
            return {"objet": rng.choice(("de", "cul", "chouette"))}
        case cries.DEBOUT:
            return {"joueur": someone, "action": rng.choice(("leve", "assis"))}
        case cries.REPONSE:
            return {"reponse": rng.choice(("oui", "non"))}
        case cries.CORRECTION:
            return {"signe": rng.choice(("ajoute", "enleve")), "points": rng.randint(1, 20), "joueur": someone}
        case cries.CHANTE_SLOUBI | cries.JE_M_APPELLE | cries.MOI_C_EST:
            return {"joueur": NEWCOMER}
        case cries.SLOUBIS:
            return {"sloubis": tuple(range(1, rng.choice((3, 60, 229))))}
        case cries.GORGEES:
            return {"gorgees": ((1, someone),)}
        case cries.REGLES:
            return {"niveau": rng.randint(1, 4)}
        case cries.ON_JOUE:
            return {"joueurs": tuple(rng.sample(state.players, len(state.players)))}
        case cries.ENSEMBLE:
            return {"joueurs": state.players}
        case _:
            if phrase in cries.TICHETTE:
                digits = {0: 1, 1: 2, 2: 3, 3: 3}.get(cries.TICHETTE.index(phrase), rng.choice((0, 1, 2)))
                return {"tiche": int("".join(str(rng.randint(1, 6)) for _ in range(digits)) or 0), "joueur": someone}
            return {"joueur": someone} if rng.random() < 0.8 else {}


def next_input(rng: random.Random, state: State, t: float) -> Input:
    """A phrase that is open (rarely one that is not), by one who may say it, or the clock."""
    if rng.random() < 0.1:
        return Tick(t + rng.choice((0.05, 1.0, 12.0)))
    openings = GAME.openings(state)
    moves = [opening for opening in openings if opening.phrase not in REPORTS]
    chance = rng.random()
    if chance < 0.03:
        opening = Opening(rng.choice((*cries.EARLY, cries.RIGODON, cries.SANS_FIN)))
    elif chance < 0.06 or not moves:
        opening = rng.choice(openings)
    else:
        dice = [opening for opening in moves if opening.phrase in cries.DICE]
        opening = rng.choice(dice if dice and rng.random() < 0.5 else moves)
    speaker = rng.choice(sorted(opening.who)) if opening.who else rng.choice((None, None, *state.players))
    kept = next((item.kept for item in state.items if hasattr(item, "kept")), ())
    if rng.random() < 0.5:
        kept = kept + next((item.chouettes for item in state.items if hasattr(item, "chouettes")), ())
    given = slots(rng, opening.phrase, state, kept[:3])
    return Said(t, speaker, opening.phrase, given, f"({opening.phrase})")


def play(table: Table, rng: random.Random, most: int) -> Record:
    """A game of at most `most` inputs; `GAME` must accept them all."""
    step: Step[State] = GAME.start(table)
    state, events, inputs, t = step.state, list(step.events), [], 1.0
    for _ in range(most):
        if state.over:
            break
        t += rng.choice((0.05, 0.3, 1.0, 2.0))
        given = next_input(rng, state, t)
        t = max(t, given.t)
        inputs.append(given)
        step = GAME.reduce(state, given)
        state = step.state
        events.extend(step.events)
    return Record(table, tuple(inputs), tuple(events), state)
