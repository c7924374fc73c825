"""Claims to verdicts: order, ties, questions, twice, confidence."""

from __future__ import annotations

import pytest

from voiceref.race.verdict import MOST_SURE, Claim, before, judge

TIE, SURE = 0.03, 0.9


def claim(player: str | None, onset: float, uncertainty: float = 0.01, confidence: float = 1.0) -> Claim:
    return Claim(player, onset, uncertainty, confidence)


def test_first_last_and_order_in_time_whatever_the_order_of_arrival() -> None:
    verdict = judge([claim("Chloé", 1.5), claim("Ana", 1.0), claim("Bruno", 1.2)], TIE, SURE)
    assert [c.player for c in verdict.order] == ["Ana", "Bruno", "Chloé"]
    assert (verdict.first, verdict.last, verdict.ties, verdict.reason) == ("Ana", "Chloé", (), "net")


def test_a_tie_for_the_first_place_has_no_first_but_a_last() -> None:
    verdict = judge([claim("Ana", 1.0), claim("Bruno", 1.029), claim("Chloé", 1.5)], TIE, SURE)
    assert (verdict.first, verdict.last, verdict.ties) == (None, "Chloé", (("Ana", "Bruno"),))
    assert verdict.reason == "egalite"


def test_a_tie_ends_exactly_at_the_window() -> None:
    assert judge([claim("Ana", 1.0), claim("Bruno", 1.0 + TIE)], TIE, SURE).first == "Ana"


def test_a_chain_of_near_shouts_is_no_single_tie() -> None:
    """The window counts from the first of the group, so that six quick players are not all equal."""
    verdict = judge([claim("Ana", 1.0), claim("Bruno", 1.02), claim("Chloé", 1.04)], TIE, SURE)
    assert verdict.ties == (("Ana", "Bruno"),)
    assert verdict.last == "Chloé"


def test_who_shouts_twice_counts_once_by_his_first_shout() -> None:
    verdict = judge([claim("Ana", 1.0), claim("Bruno", 1.2), claim("Ana", 1.4)], TIE, SURE)
    assert [c.player for c in verdict.order] == ["Ana", "Bruno"]
    assert verdict.last == "Bruno"


def test_an_unknown_or_doubtful_first_is_asked_for() -> None:
    for doubtful in (claim(None, 1.0), claim("Ana", 1.0, confidence=0.7)):
        verdict = judge([doubtful, claim("Bruno", 1.5)], TIE, SURE)
        assert (verdict.first, verdict.last, verdict.reason) == (None, "Bruno", "qui_a_crie")


def test_a_doubtful_last_leaves_the_first() -> None:
    verdict = judge([claim("Ana", 1.0), claim("Bruno", 1.5, confidence=0.5)], TIE, SURE)
    assert (verdict.first, verdict.last, verdict.reason) == ("Ana", None, "qui_a_crie")


def test_nobody() -> None:
    verdict = judge([], TIE, SURE)
    assert (verdict.order, verdict.first, verdict.reason, verdict.confidence) == ((), None, "personne", 0.0)


def test_one_shouter_is_first_and_last() -> None:
    verdict = judge([claim("Ana", 1.0)], TIE, SURE)
    assert (verdict.first, verdict.last, verdict.confidence) == ("Ana", "Ana", 1.0)


def test_confidence_grows_with_the_gap_and_never_passes_what_was_measured() -> None:
    chances = [before(claim("a", 0.0), claim("b", gap)) for gap in (0.0, 0.005, 0.02, 0.1, 1.0)]
    assert chances == sorted(chances)
    assert chances[0] == pytest.approx(0.5)
    assert chances[-1] == pytest.approx(MOST_SURE)
    assert before(claim("a", 0.0, 0.0), claim("b", 1.0, 0.0)) == pytest.approx(MOST_SURE)
    assert before(claim("a", 0.0), claim("b", 0.04)) < SURE < before(claim("a", 0.0), claim("b", 0.06))
