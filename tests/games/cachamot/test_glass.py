"""The hourglass on a fake clock: marks, clock jumps, the last instant."""

from __future__ import annotations

from voiceref.games.cachamot import Cachamot
from voiceref.games.cachamot.state import State
from voiceref.games.engine import Event, Input, Said, Secret, Table, Tick

GAME = Cachamot()


def after(*given: Input) -> tuple[State, list[Event]]:
    """The state after a glass turned at 100 s and `given`, and the events of `given`."""
    state = GAME.start(Table(("Ana", "Bruno", "Chloé"))).state
    state = GAME.reduce(state, Secret(90.0, "patate")).state
    state = GAME.reduce(state, Said(100.0, "Ana", "CACH-Q005", {}, "Sablier !")).state
    events: list[Event] = []
    for one in given:
        step = GAME.reduce(state, one)
        state = step.state
        events += step.events
    return state, events


def test_deadlines_are_the_marks_then_the_end() -> None:
    state, _ = after()
    seen = []
    while (due := GAME.deadline(state)) is not None and due <= 160.0:
        seen.append(due)
        state = GAME.reduce(state, Tick(due)).state
    assert seen == [130.0, 150.0, 157.0, 158.0, 159.0, 160.0]
    assert GAME.summary(state).phase == "entre_sabliers"


def test_a_clock_that_jumps_ends_the_glass_and_does_not_tell_old_marks() -> None:
    state, events = after(Tick(10_000.0))
    assert [event.name for event in events] == ["sablier_termine_premier"]
    assert events[0].t == 160.0
    assert state.round.glass is None


def test_half_a_second_before_the_end() -> None:
    _, events = after(Said(159.5, None, "CACH-Q014", {}, "Combien de temps ?"))
    assert events[-1].data == {"n": 1}


def test_the_last_instant_is_in_time_and_the_end_is_not() -> None:
    answer = {"mot": "patate"}
    state, _ = after(Said(159.999, "Bruno", "CACH-Q006", answer, "Ma réponse : patate"), Tick(161.0))
    assert state.cards["Bruno"] == 1
    state, _ = after(Said(160.0, "Bruno", "CACH-Q006", answer, "Ma réponse : patate"), Tick(161.0))
    assert state.cards["Bruno"] == 0


def test_a_lone_word_waits_for_silence_and_may_be_taken_back_by_more_talk() -> None:
    lone = Said(110.0, "Bruno", "CACH-Q006", {"mot": "pain"}, "Pain")
    state, events = after(lone, Tick(111.9))
    assert [event.name for event in events] == ["reponse"]
    state, events = after(lone, Tick(112.0))
    assert [event.name for event in events] == ["reponse", "mauvaise_reponse"]
    more = Said(111.0, "Bruno", "CACH-Q006", {"mot": "poivre"}, "Poivre")
    final = Said(118.0, "Bruno", "CACH-Q006", {"mot": "patate"}, "Patate")
    state, _ = after(lone, more, final, Tick(121.0))
    assert state.cards["Bruno"] == 1
