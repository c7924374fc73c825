"""Numbers heard badly are read back and wait for « oui »; other talk is refused as before."""

from __future__ import annotations

import pytest

from tests.referee.table_top import Top, play
from voiceref.ear.hypothesis import Hypothesis, Utterance


def _heard(t: float, text: str, phrase: str | None, reason: str = "entendu", score: float = 0.9) -> Hypothesis:
    return Hypothesis(Utterance(t, t + 0.5, -20.0), t, text, score, reason == "entendu", reason, phrase)


def _table(*heard: Hypothesis) -> Top:
    top = play("")
    for one in heard:
        top.session.hear(one)
        top.session.clock(one.onset + 0.6)
    return top


DOUBT = _heard(1.0, "cul six", "S-THROW", "ambigu", 0.5)


def test_a_doubtful_number_is_read_back_and_changes_nothing() -> None:
    top = _table(DOUBT)
    assert top.record.texts[-1] == "relecture cul six"
    assert not top.record.events


def test_yes_makes_it_count() -> None:
    top = _table(DOUBT, _heard(4.0, "oui", None))
    assert [event.t for event in top.record.events] == [4.0]
    sirop = _table(DOUBT, _heard(4.0, "oui", None), _heard(5.0, "oui", None))
    assert len(sirop.record.events) == 1


def test_no_asks_for_the_dice_again() -> None:
    top = _table(DOUBT, _heard(4.0, "non", None))
    assert top.record.texts[-1] == "relecture_non"
    assert not top.record.events


def test_a_clear_report_takes_its_place() -> None:
    top = _table(DOUBT, _heard(3.0, "cul quatre", "S-THROW"), _heard(4.0, "oui", None))
    assert [event.t for event in top.record.events] == [3.0]


def test_yes_comes_too_late() -> None:
    assert not _table(DOUBT, _heard(30.0, "oui", None)).record.events


@pytest.mark.parametrize(
    "heard",
    [
        _heard(1.0, "cul six", "S-THROW", "ambigu", 0.05),
        _heard(1.0, "cul six", "S-THROW", "autre_parole", 0.5),
        _heard(1.0, "pas mou le caillou", "S-RACE", "ambigu", 0.5),
    ],
)
def test_talk_is_not_read_back(heard: Hypothesis) -> None:
    top = _table(heard)
    assert not any(text.startswith("relecture") for text in top.record.texts)
    assert top.record.reasons == [heard.reason]


HARDLY = _heard(1.0, "cul six", "S-THROW", "ambigu", 0.15)


def test_hardly_understood_dice_are_asked_for_again() -> None:
    top = _table(HARDLY)
    assert top.record.texts[-1] == "des_incompris"
    assert not top.record.events
    assert [event.t for event in _table(HARDLY, _heard(3.0, "cul quatre", "S-THROW")).record.events] == [3.0]


def test_talk_is_not_nagged_at() -> None:
    many = [_heard(float(t), "cul six", "S-THROW", "ambigu", 0.15) for t in range(1, 30)]
    assert _table(*many).record.texts.count("des_incompris") == 3
    for heard in (
        _heard(1.0, "cul six", "S-THROW", "ambigu", 0.05),
        _heard(1.0, "cul six", "S-THROW", "moitié", 0.15),
        _heard(1.0, "cul six", "S-OTHER", "ambigu", 0.15),
        _heard(1.0, "pas mou le caillou", "S-RACE", "ambigu", 0.15),
    ):
        assert "des_incompris" not in _table(heard).record.texts


def test_a_sleeping_or_paused_referee_asks_for_nothing() -> None:
    assert "des_incompris" not in _table(_heard(0.5, "pause", None), HARDLY).record.texts


THROW = _heard(1.0, "cul six", "S-THROW", score=0.99)


def test_an_order_that_takes_back_is_read_back_unless_it_was_clear() -> None:
    """« Annule » in table talk takes nothing away before somebody has said « oui »."""
    doubtful = _table(THROW, _heard(3.0, "annule", None, score=0.9))
    assert doubtful.record.texts[-1] == "relecture annule"
    assert len(doubtful.record.events) == 1
    assert doubtful.desk.course.state == _table(THROW).desk.course.state
    agreed = _table(THROW, _heard(3.0, "annule", None, score=0.9), _heard(5.0, "oui", None))
    clear = _table(THROW, _heard(3.0, "annule", None, score=0.97))
    assert agreed.desk.course.state == clear.desk.course.state != doubtful.desk.course.state
    denied = _table(THROW, _heard(3.0, "annule", None, score=0.9), _heard(5.0, "non", None))
    assert denied.desk.course.state == doubtful.desk.course.state


def test_other_orders_are_obeyed_at_once() -> None:
    assert not _table(_heard(1.0, "score", None, score=0.9)).record.texts[-1].startswith("relecture")
