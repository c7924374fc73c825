"""Push to talk: what is said between two presses counts, nothing else does."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass, field

import pytest

from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance
from voiceref.ear.script import ScriptHearing
from voiceref.referee.hearings import Ear
from voiceref.referee.keyboard import Keyboard
from voiceref.referee.pressing import NoKeyError, PushToTalk, behind_a_key


@dataclass
class FakeKeyboard(Keyboard):
    """Presses at given monotonic seconds, each delivered once that moment has come."""

    presses: list[float]
    clock: list[float] = field(default_factory=lambda: [0.0])

    def pressed(self):  # type: ignore[no-untyped-def]
        while self.presses and self.presses[0] <= self.clock[0]:
            yield self.presses.pop(0)


def heard(t: float) -> Hypothesis:
    return Hypothesis(Utterance(t, t + 0.5, -20.0), t, f"à {t:g}", 0.9, True, "entendu")


def said(presses: list[float], *onsets: float) -> list[float]:
    keyboard = FakeKeyboard(presses)
    hearing = ScriptHearing(tuple(map(heard, onsets)))
    gate = PushToTalk(hearing, keyboard, lambda: keyboard.clock[0], lambda: keyboard.clock[0])
    kept = []
    for item in _ticking(gate, keyboard, onsets):
        if isinstance(item, Hypothesis):
            kept.append(item.onset)
    return kept


def _ticking(gate: PushToTalk, keyboard: FakeKeyboard, onsets: tuple[float, ...]):  # type: ignore[no-untyped-def]
    """The clock is past each utterance when it is delivered."""
    keyboard.clock[0] = (onsets[0] if onsets else 0.0) + 1.0
    for item in gate.events():
        yield item
        if isinstance(item, Clock):
            keyboard.clock[0] = item.t + 1.0


def test_only_what_is_said_between_two_presses_counts() -> None:
    assert said([4.5, 7.5], 1.0, 5.0, 9.0) == [5.0]


def test_a_shout_just_before_the_key_counts_and_one_that_goes_on_after_it() -> None:
    assert said([5.2, 5.3], 5.0) == [5.0]
    assert said([6.0, 7.0], 5.0) == []


def test_a_second_press_opens_it_again() -> None:
    assert said([0.5, 2.0, 8.5], 1.0, 5.0, 9.0) == [1.0, 9.0]


def test_the_clock_goes_on_while_it_is_closed() -> None:
    keyboard = FakeKeyboard([])
    gate = PushToTalk(ScriptHearing((heard(1.0),)), keyboard, lambda: 0.0)
    assert [type(item) for item in gate.events()] == [Clock, Clock]
    assert not gate.open


def test_enter_on_an_empty_line_is_the_key() -> None:
    keyboard = Keyboard(io.StringIO("\n  \nscores\n\n"), ())
    until = time.monotonic() + 5.0
    while not keyboard.closed and time.monotonic() < until:
        time.sleep(0.01)
    assert len(list(keyboard.pressed())) == 3
    assert [line.text for line in keyboard.typed(1.0)] == ["scores"]


def test_it_needs_a_keyboard_and_a_room() -> None:
    ear = Ear(ScriptHearing(()), lambda: 0.0, float)
    assert behind_a_key(ear) is ear
    with pytest.raises(NoKeyError, match=r"demande un clavier"):
        behind_a_key(Ear(ScriptHearing(()), lambda: 0.0, float, by_sound=True, live=True))
