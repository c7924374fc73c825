"""The Tichette challenge: forms, order, quiches, who may say what, and how it ends (CDC-210…230)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from voiceref.games.cul_de_chouette.tichette import (
    BICHETTE,
    MICHETTE,
    NAMING,
    QUICHAGE,
    QUICHETTE,
    RESINE,
    TICHAGE,
    TICHETTE,
    TichetteStep,
    holds,
    may_tich,
    openings,
    quiche,
    say,
    start,
)
from voiceref.games.engine import Said

WORDS = {"M": MICHETTE, "T": TICHETTE, "B": BICHETTE, "R": RESINE, "Q": QUICHETTE}


def phrase(line: str) -> Said:
    """« B M5 »: B says Michette de cinq; « C ! D »: C cries Quichage at D; « B tichage »; « ? 542 »: the dice."""
    speaker, what, *rest = line.split()
    if speaker == "?":
        return Said(0, None, "CDC-Q009", {"des": tuple(int(face) for face in what)}, line)
    if what == "!":
        return Said(0, speaker, QUICHAGE, {"joueur": rest[0]} if rest else {}, line)
    if what == "tichage":
        return Said(0, speaker, TICHAGE, {}, line)
    return Said(0, speaker, WORDS[what[0]], {"tiche": int(what[1:])}, line)


def play(
    lines: Sequence[str], pot: int = 120, settings: dict[str, str] | None = None, seats: str = "BCD"
) -> TichetteStep:
    """Every step joined: the last state, all events and all refusals."""
    step = start(seats[0], seats[1:], pot, settings or {}, 0.0)
    state, events, refusals = step.state, step.events, step.refusals
    for line in lines:
        step = say(state, phrase(line))
        state, events, refusals = step.state, events + step.events, refusals + step.refusals
    return TichetteStep(state, events, refusals)


def paid(step: TichetteStep) -> dict[str, int]:
    """The sum of all changes of score."""
    total: dict[str, int] = {}
    for event in step.events:
        for player, change in event.deltas.items():
            total[player] = total.get(player, 0) + change
    return total


def reasons(step: TichetteStep) -> list[str]:
    return [refusal.reason for refusal in step.refusals]


WRONG_TICHAGE = ["B M5", "C T44", "D Q0", "B T55", "C Q44", "B tichage", "? 542"]


def test_wrong_tichage_costs_the_pot_and_the_quiche_is_paid() -> None:
    step = play(WRONG_TICHAGE)
    assert (paid(step), step.state.over, reasons(step)) == ({"C": -44, "B": -120}, True, [])


def test_right_tichage_wins_the_pot() -> None:
    assert paid(play([*WRONG_TICHAGE[:-1], "? 552"])) == {"C": -44, "B": 120}


def test_resine_is_an_immediate_tichage() -> None:
    lines = ["B M5", "C T52", "D B522", "B B542", "C R552", "? 552"]
    assert paid(play(lines)) == {"C": 120}
    assert paid(play(lines, settings={"tichette.zero_sum": "true"})) == {"C": 120, "B": -120}
    assert paid(play([*lines[:-1], "? 542"])) == {"C": -120}


def test_quichage_after_words_the_referee_did_not_understand() -> None:
    step = play(["B M3", "C T33", "D T34", "B T35", "C T36", "C ! D"])
    assert (paid(step), step.state.turn, step.state.over) == ({"D": -34}, "B", False)


def test_quichage_of_a_refused_announcement_out_of_turn() -> None:
    assert paid(play(["B M3", "C T33", "D T34", "C T36", "D ! C"])) == {"C": -33}


def test_quichage_without_a_name_asks_whom_where_that_is_not_plain() -> None:
    """CDC-229: the referee may have understood nothing of the fault, so nobody goes out on a guess."""
    asked = play(["B M3", "C T33", "D T34", "C !"])
    assert (asked.events[-1].name, paid(asked), asked.state.active) == ("demande_quichage", {}, ("B", "C", "D"))
    named = say(asked.state, Said(0, "D", NAMING, {"joueur": "B"}, "B"))
    assert paid(named) == {"B": -3}
    assert paid(play(["B M3", "C T33", "D T34", "C T36", "D !"])) == {"C": -33}
    assert paid(play(["B M3", "C T34", "C !"], seats="BC")) == {"B": -3}


def test_quichage_needs_a_fault() -> None:
    step = play(["B M3", "C T33", "D ! C"])
    assert (paid(step), reasons(step)) == ({}, ["quichage_sans_faute"])


def test_a_fault_is_forgotten_after_the_next_valid_announcement() -> None:
    assert reasons(play(["B M3", "D T33", "C T34", "C ! B"])) == ["tichette_pas_ton_tour", "quichage_sans_faute"]
    assert paid(play(["B M3", "B T33", "D ! B"])) == {"B": -3}
    assert reasons(play(["B M3", "B T33", "C T34", "D ! B"])) == ["tichette_pas_ton_tour", "quichage_sans_faute"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["B T33"], "tichette_commence_michette"),
        (["B M3", "C M3"], "tichette_plus_haut"),
        (["B M3", "C B341"], "tichette_saut"),
        (["B M3", "C T34", "D M5"], "tichette_descend"),
        (["B M3", "C T37"], "tiche_impossible"),
        (["B M3", "C T40"], "tiche_impossible"),
        (["B M3", "D M4"], "tichette_pas_ton_tour"),
        (["B M3", "A M4"], "tichette_hors_defi"),
        (["B M3", "C T34", "D R552"], "resine_sans_bichette"),
        (["B M3", "C T34", "D B342", "B R355"], "resine_interdit_ticheur"),
        (["B M3", "C T34", "D B666"], "bichette_666"),
        (["B M3", "C T34", "D Q34"], "quichette_fausse"),
        (["B M3", "C T34", "D T35", "B Q3"], "ticheur_tenu"),
        (["B M3", "C tichage"], "tichage_trop_tot"),
        (["B M3", "? 542"], "tichette_des_caches"),
        (["B M3", "C T34", "D Q0", "B T35", "C Q34", "B T36"], "dernier_doit_ticher"),
        (["B M5", "C T52", "D B522", "B B542", "C R552", "D B553"], "tichette_des_attendus"),
        ([*WRONG_TICHAGE, "B M1"], "tichette_finie"),
    ],
)
def test_what_is_refused_changes_nothing_but_is_a_fault(lines: list[str], reason: str) -> None:
    before, after = play(lines[:-1]), play(lines)
    assert reasons(after) == [reason]
    assert paid(after) == paid(before)
    assert (after.state.tiche, after.state.turn, after.state.active) == (
        before.state.tiche,
        before.state.turn,
        before.state.active,
    )


def test_nobody_bid_ends_it_without_points() -> None:
    step = play(["B M3", "C Q0", "D Q0"])
    assert (paid(step), step.state.over, step.events[-1].rule) == ({}, True, "CDC-222")


def test_the_ticheur_left_alone_after_a_bid_must_tich() -> None:
    step = play(["B M3", "C M4", "D Q0", "B M5", "C Q4"])
    assert (step.state.over, step.events[-1].name, [o.phrase for o in openings(step.state)]) == (
        False,
        "dernier_tichant",
        [TICHAGE],
    )


def test_the_ticheur_says_resine_and_is_pointed_at() -> None:
    step = play(["B M3", "C T34", "D B341", "B B342", "C B345", "D B346", "B R355", "C ! B"])
    assert (paid(step), "B" in step.state.active) == ({"B": -134}, False)


def test_only_666_left_lets_the_held_ticheur_go() -> None:
    lines = ["B M3", "C T34", "D B341", "B B342", "C B665"]
    step = play([*lines, "D Q134", "B Q134"], pot=340)
    assert (reasons(step), paid(step)) == ([], {"D": -134, "B": -134})
    assert reasons(play([*lines[:-1], "C B664", "D Q134", "B Q134"], pot=340)) == ["ticheur_tenu"]


def test_quiches_of_the_book() -> None:
    assert [quiche(tiche) for tiche in (0, 3, 45, 634)] == [0, 3, 45, 163]


def test_tiches_against_dice() -> None:
    assert [holds(tiche, (5, 3, 1)) for tiche in (53, 35, 31, 531, 135, 55, 44, 52)] == [True] * 5 + [False] * 3


def test_who_may_be_ticheur() -> None:
    assert [may_tich(score) for score in (-6, -5, 0, 5, 6)] == [True, False, False, False, True]


def test_openings_follow_the_state() -> None:
    def said(lines: list[str]) -> set[str]:
        return {opening.phrase for opening in openings(play(lines).state)}

    assert said([]) == {MICHETTE, QUICHAGE}
    assert said(["B M3"]) == {MICHETTE, TICHETTE, QUICHETTE, QUICHAGE}
    assert said(["B M3", "C T34", "D B341"]) == {BICHETTE, QUICHAGE}
    assert said(["B M3", "C T34", "D B341", "B B342"]) == {BICHETTE, RESINE, QUICHETTE, QUICHAGE}
    assert said([*WRONG_TICHAGE[:-1]]) == {"CDC-Q003", "CDC-Q009"}
    assert said(WRONG_TICHAGE) == set()
