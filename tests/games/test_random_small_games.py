"""Random play of the three small games: no input crashes them, scores are the sums of changes, and replay is live play.

Moves are drawn from what the game says may be said now, with some that may not; times only grow.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voiceref.games.cachamot import Cachamot
from voiceref.games.cachamot import game as cachamot_game
from voiceref.games.casque_cheque_chat import CasqueChequeChat
from voiceref.games.casque_cheque_chat import game as casque_game
from voiceref.games.chasseur_de_tete import ChasseurDeTete
from voiceref.games.chasseur_de_tete import game as chasseur_game
from voiceref.games.engine import Game, Input, Said, Secret, Table, Tick
from voiceref.voice.wording import Wording

PLAYERS = ("Ana", "Bruno", "Chloé", "David")
WORDS = ("patate", "pommes de terre", "joueur", "joueuse", "seau", "sceau", "as", "panda", "", "pâte", "Paul")
WORDING = Wording.load()


@dataclass(frozen=True)
class Rig:
    """A game with what may be said in it: phrase -> slots and text."""

    game: Game[Any]
    table: Table
    phrases: tuple[str, ...]
    secrets: tuple[str, ...]


Draw = random.Random


def slots_of(phrase: str, draw: Draw) -> tuple[dict[str, object], str]:
    """Slots for any phrase of the three games, sometimes odd ones, and words to go with them."""
    word = draw.choice(WORDS)
    slots: dict[str, object] = {
        "joueur": draw.choice((*PLAYERS, "Zoé")),
        "mot": word,
        "lettre": draw.choice("ABCPZ"),
        "bulle": draw.choice((("P",), ("P", "A"), ())),
        "coquille": draw.choice(("P", "")),
        "equipe": draw.choice(("orange", "bleu")),
        "expression": draw.choice(("Ali Baba et les quarante voleurs", "passerelle", "rien", "")),
        "n": draw.randint(2, 11),
        "nombre": draw.randint(1, 3),
        "mots": tuple(draw.randint(1, 4) for _ in range(draw.randint(1, 3))),
        "metier": draw.choice(("pompier", "cascadeur. Non, clown", "")),
        "numero": draw.randint(1, 6),
        "personnage": "Martin",
        "qualifie": draw.choice(("oui", "non")),
        "texte": "la Bible",
        "indice": draw.choice(("passe", "chat", "réel")),
        "mode": draw.choice(("expert", "normal", "double_tour")),
    }
    kept = {key: value for key, value in slots.items() if draw.random() < 0.85}
    if phrase in ("CACH-Q006", "CDT-P001") and draw.random() < 0.8:
        kept.pop("joueur", None)
    if phrase != "CDT-P001" or draw.random() < 0.5:
        kept.pop("numero", None)
    text = draw.choice((f"Ma réponse : {word}", word, "Je crois que c'est le métier de pompier", "J'accepte", "Oui"))
    return kept, text


def moves(rig: Rig, draw: Draw, count: int) -> list[Input]:
    """A random game: mostly what is open now, said by somebody who may say it."""
    state = rig.game.start(rig.table).state
    t, played = 0.0, list[Input]()
    for _ in range(count):
        t += draw.choice((0.05, 0.5, 1.5, 4.0, 11.0, 40.0))
        due = rig.game.deadline(state)
        kind = draw.random()
        given: Input
        if kind < 0.2:
            given = Tick(t if due is None or draw.random() < 0.3 else max(t, due))
        elif kind < 0.3:
            given = Secret(t, draw.choice(rig.secrets), tuple(draw.sample(rig.secrets, draw.randint(0, 2))))
        else:
            openings = rig.game.openings(state)
            opening = draw.choice(openings) if openings and draw.random() < 0.9 else None
            phrase = opening.phrase if opening else draw.choice(rig.phrases)
            who = sorted(opening.who) if opening and opening.who else list(PLAYERS)
            speaker = draw.choice(who) if draw.random() < 0.8 else None
            given = Said(t, speaker, phrase, *slots_of(phrase, draw))
        t = given.t
        played.append(given)
        state = rig.game.reduce(state, given).state
    return played


def rigs() -> list[Rig]:
    table = Table(PLAYERS)
    cachamot = tuple(cachamot_game._HANDLERS)
    casque = tuple(casque_game._HANDLERS)
    chasseur = tuple(chasseur_game._HANDLERS)
    judges = Table(PLAYERS[:3], settings={"cachamot.secret": "cachamot_judges", "cachamot.tie": "both"})
    expert = Table(PLAYERS[:2], settings={"cachamot.expert": "true", "cachamot.double_turn": "true"})
    training = Table(PLAYERS[:2], settings={"cachamot.challenges": "true"})
    strict = Table(PLAYERS, settings={"ccc.giver_says": "fault", "ccc.secret_early": "fault", "ccc.tie": "first"})
    marathon = Table(PLAYERS[:3], settings={"cdt.marathon": "true", "cdt.final_form": "any"})
    expressions = ("Ali Baba et les quarante voleurs", "passerelle", "!")
    return [
        *(Rig(Cachamot(), t, cachamot, WORDS[:-3]) for t in (table, judges, expert, training)),
        *(Rig(CasqueChequeChat(pronounce=list), t, casque, expressions) for t in (table, strict)),
        *(Rig(ChasseurDeTete(), t, chasseur, ("4", "deux", "pompier")) for t in (table, marathon)),
    ]


def check(rig: Rig, given: list[Input]) -> None:
    """Play `given` and check what must hold at every step."""
    step = rig.game.start(rig.table)
    begun = dict(rig.game.summary(step.state).scores)
    total = dict(begun)
    for one in given:
        before = step.state
        step = rig.game.reduce(before, one)
        for event in step.events:
            assert event.rule
            WORDING.render(rig.game.name, event.name, event.data)
            for name, change in event.deltas.items():
                total[name] += change
        for refusal in step.refusals:
            WORDING.render(rig.game.name, refusal.reason, refusal.data)
        summary = rig.game.summary(step.state)
        assert dict(summary.scores) == total
        assert bool(summary.over) or not summary.winners
        due = rig.game.deadline(step.state)
        assert due is None or due > one.t or (due == one.t and isinstance(one, Said))
        assert rig.game.reduce(before, one) == step
        assert all(opening.phrase in rig.phrases for opening in rig.game.openings(step.state))


@pytest.mark.parametrize("rig", rigs(), ids=lambda rig: f"{rig.game.name} {dict(rig.table.settings)}")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_play(rig: Rig, seed: int) -> None:
    check(rig, moves(rig, random.Random(seed), 60))


Policy = Callable[[Any, float, Draw], Input]


def cachamot_policy(state: Any, t: float, draw: Draw) -> Input:
    """What a real table does next in Cachamot."""
    phase = state.phase.value
    if phase == "preparation":
        ready = state.round.shell or draw.random() < 0.2
        return Said(t, state.cachamot, "CACH-Q005", {}, "Sablier !") if ready else Secret(t, "patate")
    if phase == "entre_sabliers":
        return Said(t, state.cachamot, "CACH-Q005", {}, "Sablier !")
    word = draw.choice(("patate", "pain", "poivre"))
    return Said(t, draw.choice(state.guessers), "CACH-Q006", {"mot": word}, f"Ma réponse : {word}")


def casque_policy(state: Any, t: float, draw: Draw) -> Input:
    """What a real table does next in Casque Chèque Chat."""
    team = draw.choice(("orange", "bleu"))
    if state.phase.value == "entre_manches":
        return Said(t, None, "CCC-Q013", {}, "Nouvelle manche")
    if not state.round.expressions:
        return Secret(t, "Passerelle")
    if draw.random() < 0.6:
        return Said(t, None, "CCC-Q004", {"equipe": team}, "Ardoise")
    text = draw.choice(("passerelle", "poubelle"))
    return Said(t, draw.choice(state.guessers), "CCC-P001", {"expression": text}, text)


def chasseur_policy(state: Any, t: float, draw: Draw) -> Input:
    """What a real table does next in Chasseur de tête."""
    text = "Je crois que c'est le métier de pompier"
    verdict = draw.choice(("CDT-Q007", "CDT-Q008"))
    return {
        "de": Said(t, None, "CDT-Q003", {}, "Dé lancé"),
        "indices": Said(t, None, "CDT-Q006", {}, "Tout le monde a joué"),
        "reponse": Said(t, None, "CDT-P001", {"metier": "pompier"}, text),
        "jugement": Said(t, None, verdict, {}, "Juste"),
        "fin_de_tour": Said(t, None, "CDT-Q011", {}, "Nouveau tour"),
    }[state.phase.value]


@pytest.mark.parametrize(
    ("rig", "policy"),
    [(rigs()[0], cachamot_policy), (rigs()[4], casque_policy), (rigs()[6], chasseur_policy)],
    ids=["cachamot", "casque", "chasseur"],
)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_real_play_ends_with_the_right_winners(rig: Rig, policy: Policy, seed: int) -> None:
    draw, t, given = random.Random(seed), 0.0, list[Input]()
    state = rig.game.start(rig.table).state
    for _ in range(3000):
        if rig.game.summary(state).over:
            break
        t += draw.choice((1.0, 3.0, 20.0))
        due = rig.game.deadline(state)
        one = Tick(t) if due is not None and due <= t else policy(state, t, draw)
        given.append(one)
        state = rig.game.reduce(state, one).state
    summary = rig.game.summary(state)
    assert summary.over
    if rig.game.name == "cachamot":
        most = max(summary.scores.values())
        assert set(summary.winners) == {name for name, cards in summary.scores.items() if cards == most}
    if rig.game.name == "casque-cheque-chat":
        assert [summary.scores[team] for team in summary.winners] == [4]
    if rig.game.name == "chasseur-de-tete":
        assert bool(summary.winners) == (state.lives > 0)
    check(rig, given)
