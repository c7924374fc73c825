"""Opening ears, and the loop between an ear and a session."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.referee.small_game import SmallGame, catalogue
from tests.referee.table_top import FakeMouth, Phrases, Record
from voiceref.audio.source import AudioError, Trouble
from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance
from voiceref.ear.script import ScriptError, ScriptHearing
from voiceref.games.engine import Table
from voiceref.phrases.graph import WordGraph
from voiceref.referee import course
from voiceref.referee.clock import GameClock
from voiceref.referee.desk import Desk
from voiceref.referee.hearings import Ear, listen, open_ear
from voiceref.referee.orders import Aids, Orders
from voiceref.referee.session import Session
from voiceref.referee.telling import Teller

PLAYERS = ("Ana", "Bruno", "Chloé")


class FakeEar:
    """Reports a list of events and remembers what it was told to expect."""

    def __init__(self, events: list[Hypothesis | Clock | Trouble]) -> None:
        self._events = events
        self.expected: list[frozenset[str]] = []
        self.graphs: list[WordGraph] = []

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        self.graphs.append(graph)
        self.expected.append(frozenset(legal or ()))

    def events(self) -> Iterator[Hypothesis | Clock | Trouble]:
        yield from self._events

    def mute(self, start: float, end: float) -> None:
        raise AssertionError("nobody speaks here")


def said(onset: float, end: float, text: str, *, channel: int | None = None, accepted: bool = True) -> Hypothesis:
    reason = "entendu" if accepted else "douteux"
    return Hypothesis(Utterance(onset, end, -20.0), onset, text, 0.97, accepted, reason, channel=channel)


def heard(
    events: list[Hypothesis | Clock | Trouble], *, live: bool = False, sleeps: Iterator[float] | None = None
) -> tuple[Record, Desk, FakeEar]:
    """Run the loop over `events`; `sleeps` are successive answers of the machine's sleep counter."""
    begun, _ = course.begin(SmallGame(), Table(PLAYERS))
    record, ear = Record(), FakeEar(events)
    desk = Desk(begun, Teller("cul-de-chouette", Phrases(), (record,)), None, GameClock())
    aids = Aids(catalogue=catalogue(), mouth=FakeMouth(), explain=lambda rule: ())
    session = Session(desk, Orders(desk, aids), catalogue(), PLAYERS, strict=False)
    opened = Ear(ear, float, float, by_sound=True, live=live)
    listen(session, opened, catalogue(), (lambda: next(sleeps)) if sleeps else (lambda: 0.0))
    session.close()
    return record, desk, ear


def test_the_channel_tells_who_spoke() -> None:
    events = [
        said(1.0, 2.0, "cul six", channel=0),
        Clock(2.5),
        said(3.0, 4.0, "pas mou le caillou", channel=2),
        Clock(5.0),
    ]
    assert heard(events)[1].summary.scores["Chloé"] == 32


def test_what_the_ear_doubts_is_not_acted_on() -> None:
    record, desk, _ = heard([said(1.0, 2.0, "ajoute dix points à Ana", accepted=False), Clock(3.0)])
    assert desk.summary.scores["Ana"] == 0
    assert record.reasons == ["douteux"]
    assert not record.said


def test_what_was_recognised_too_late_is_refused_aloud() -> None:
    late = Hypothesis(Utterance(1.0, 2.0, -20.0), 1.0, "cul six", 0.9, False, "trop_tard")
    record, _, _ = heard([late, Clock(6.0)])
    assert record.reasons == ["trop_tard"]
    assert record.texts[0].startswith("trop_tard")


def test_a_cry_that_arrives_late_keeps_its_onset() -> None:
    """Chloé began first but spoke longer: her words are delivered after Bruno's, before the watermark passes."""
    events = [
        said(1.0, 1.5, "cul six", channel=0),
        Clock(2.0),
        said(3.2, 3.6, "pas mou le caillou", channel=1),
        said(3.0, 4.4, "pas mou le caillou", channel=2),
        Clock(5.0),
    ]
    assert heard(events)[1].summary.scores == {"Ana": 0, "Bruno": 0, "Chloé": 32}


def test_the_answer_is_said_after_the_words() -> None:
    record, _, _ = heard([said(1.0, 2.5, "ajoute dix points à Ana", channel=0), Clock(3.0)])
    assert record.said[0][0] == 2.5
    assert record.events[0].t == 1.0


def test_the_ear_is_told_what_may_be_said_now() -> None:
    _, _, ear = heard([said(1.0, 2.0, "cul six", channel=0), Clock(3.0)])
    assert "S-RACE" not in ear.expected[0]
    assert "S-RACE" in ear.expected[-1]
    assert all("T-scores" in expected for expected in ear.expected)
    assert {"cul", "caillou", "bruno"} <= ear.graphs[0].words


def test_while_nothing_changes_the_ear_is_given_the_same_graph() -> None:
    """A new one at each tick of the clock would cost more than listening does."""
    _, _, ear = heard([Clock(t / 20) for t in range(1, 40)])
    assert len(ear.graphs) > 30
    assert all(graph is ear.graphs[0] for graph in ear.graphs)


def test_a_microphone_that_goes_away_is_told() -> None:
    record, _, _ = heard([Trouble(4.0, "micro_muet", "Le micro ne répond plus.")])
    assert record.said == [(4.0, "Le micro ne répond plus.")]


def test_a_sleep_of_the_machine_stops_the_hourglass() -> None:
    events = [said(1.0, 2.0, "cul six", channel=0), Clock(3.0), Clock(3.1), Clock(60.0)]
    record, desk, _ = heard(events, live=True, sleeps=iter([100.0, 100.0, 3700.0, 3700.0, 3700.0]))
    assert "veille" in record.texts
    assert not desk.clock.running
    assert desk.summary.scores["Ana"] == 0


def test_a_file_takes_no_notice_of_the_machine() -> None:
    record, _, _ = heard([Clock(3.0), Clock(3.1)], sleeps=iter([0.0, 9000.0, 9000.0]))
    assert "veille" not in record.texts


@pytest.mark.parametrize(("given", "error"), [("x.mp3", ScriptError), ("x.txt", ScriptError), ("x.wav", AudioError)])
def test_what_cannot_be_heard(tmp_path: Path, given: str, error: type[Exception]) -> None:
    with ExitStack() as stack, pytest.raises(error):
        open_ear(str(tmp_path / given), PLAYERS, stack)


def test_a_text_table_is_an_ear(tmp_path: Path) -> None:
    (tmp_path / "T.TXT").write_text("5.5 Ana Scores\n", encoding="utf-8")
    with ExitStack() as stack:
        ear = open_ear(str(tmp_path / "T.TXT"), PLAYERS, stack)
    assert isinstance(ear.hearing, ScriptHearing)
    assert ear.first == 5.5
