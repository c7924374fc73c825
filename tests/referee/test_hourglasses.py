"""The hourglasses of three games on a fake clock: pauses, a machine asleep, a clock that jumps, the last instant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from voiceref.ear.hypothesis import Hypothesis, Utterance
from voiceref.ear.script import Typed
from voiceref.games.engine import Event, Refusal, Summary, Table
from voiceref.phrases import catalogue
from voiceref.referee import course, roster
from voiceref.referee.clock import GameClock
from voiceref.referee.desk import Desk
from voiceref.referee.orders import Aids, NoMouth, Orders
from voiceref.referee.session import Session
from voiceref.referee.telling import Teller
from voiceref.voice.style import Weight
from voiceref.voice.wording import Wording

PLAYERS = ("Ana", "Bruno", "Chloé", "David")


@dataclass(frozen=True)
class Glass:
    """How an hourglass of a game is started by 10 s, when it ends, the event of its end, and what answers in time."""

    game: str
    start: tuple[tuple[float, str, str], ...]
    ends: float
    over: str
    answer: str = ""
    won: Mapping[str, int] | None = None
    secret: str = ""


GLASSES = (
    Glass(
        "cachamot",
        ((10.0, "Ana", "Sablier !"),),
        70.0,
        "sablier_termine_premier",
        "Ma réponse : patate",
        {"Ana": 0, "Bruno": 1, "Chloé": 0, "David": 0},
        "patate",
    ),
    Glass(
        "casque-cheque-chat",
        ((6.0, "Ana", "Ardoise orange"), (7.0, "David", "Ardoise bleue"), (10.0, "?", "On a fini")),
        25.0,
        "manche_nulle_silence",
        "Bleu : passerelle !",
        {"orange": 0, "bleu": 1},
        "passerelle",
    ),
    Glass("chasseur-de-tete", ((10.0, "?", "Minuteur trente secondes"),), 40.0, "minuteur_fini"),
)
ANSWERED = GLASSES[:2]


class Told:
    """An outlet that keeps sentences and events."""

    def __init__(self) -> None:
        self.said: list[tuple[float, str]] = []
        self.events: list[tuple[float, str]] = []
        self.refused_for: list[str] = []

    def say(self, t: float, text: str, weight: Weight) -> None:
        self.said.append((t, text))

    def event(self, t: float, event: Event) -> None:
        self.events.append((t, event.name))

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        pass

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        self.refused_for.append(refusal.reason)

    def table(self, summary: Summary) -> None:
        pass

    def close(self, game: str, summary: Summary) -> None:
        pass


class Evening:
    """A session whose hourglass runs."""

    def __init__(self, glass: Glass) -> None:
        self.told = Told()
        begun, _ = course.begin(roster.GAMES[glass.game].load(), Table(PLAYERS))
        phrases = catalogue.load(glass.game)
        self.desk = Desk(begun, Teller(glass.game, Wording.load(), (self.told,)), None, GameClock())
        aids = Aids(catalogue=phrases, mouth=NoMouth(), explain=lambda rule: ())
        self.session = Session(self.desk, Orders(self.desk, aids), phrases, PLAYERS, strict=False)
        if glass.secret:
            self.session.secret(Typed(2.0, glass.secret))
        for onset, speaker, text in glass.start:
            self.say(onset, text, speaker)
        self.session.clock(11.0)

    def say(self, onset: float, text: str, speaker: str = "?", takes: float = 0.8) -> None:
        """Words that the ear delivers when they have ended; the watermark comes later."""
        utterance = Utterance(onset, onset + takes, -20.0)
        who = None if speaker == "?" else speaker
        self.session.hear(Hypothesis(utterance, onset, text, 1.0, True, "texte", speaker=who))

    def when(self, name: str) -> list[float]:
        """The times of the events of this name."""
        return [round(t, 3) for t, told in self.told.events if told == name]


@pytest.fixture(params=GLASSES, ids=lambda glass: glass.game)
def glass(request: pytest.FixtureRequest) -> Glass:
    found: Glass = request.param
    return found


def test_the_time_left_half_a_second_before_the_end(glass: Glass) -> None:
    evening = Evening(glass)
    evening.say(glass.ends - 0.5, "Combien de temps ?")
    evening.session.clock(glass.ends + 3.0)
    assert any("une seconde" in text.lower() for _, text in evening.told.said)
    assert evening.when(glass.over) == [glass.ends]


def test_a_pause_stops_the_sand(glass: Glass) -> None:
    evening = Evening(glass)
    evening.say(15.0, "Pause", takes=0.0)
    evening.session.clock(100.0)
    assert evening.when(glass.over) == []
    evening.say(115.0, "Reprends", takes=0.0)
    evening.session.clock(glass.ends + 99.0)
    assert evening.when(glass.over) == []
    evening.session.clock(glass.ends + 101.0)
    assert evening.when(glass.over) == [glass.ends + 100.0]


def test_a_machine_that_slept_stops_the_sand_until_somebody_resumes(glass: Glass) -> None:
    evening = Evening(glass)
    evening.session.slept(16.0)
    evening.session.clock(5000.0)
    assert evening.when(glass.over) == []
    evening.say(5001.0, "Reprends", takes=0.0)
    evening.session.clock(5001.0 + glass.ends - 16.0 + 1.0)
    assert evening.when(glass.over) == [pytest.approx(5001.0 + glass.ends - 16.0)]


def test_a_clock_that_jumps_ends_it_once_at_its_time(glass: Glass) -> None:
    evening = Evening(glass)
    evening.session.clock(90_000.0)
    evening.session.clock(90_001.0)
    assert evening.when(glass.over) == [glass.ends]


@pytest.mark.parametrize("glass", ANSWERED, ids=lambda glass: glass.game)
def test_an_answer_begun_before_the_end_counts_though_it_is_understood_later(glass: Glass) -> None:
    evening = Evening(glass)
    evening.session.clock(glass.ends - 0.3)
    evening.say(glass.ends - 0.2, glass.answer, "Bruno", takes=1.5)
    evening.session.clock(glass.ends + 4.0)
    assert evening.desk.summary.scores == glass.won


@pytest.mark.parametrize("glass", ANSWERED, ids=lambda glass: glass.game)
def test_an_answer_begun_after_the_end_is_told_that_it_is_late(glass: Glass) -> None:
    evening = Evening(glass)
    evening.say(glass.ends + 0.2, glass.answer, "Bruno")
    evening.session.clock(glass.ends + 4.0)
    assert set(evening.desk.summary.scores.values()) == {0}
    assert any("trop tard" in text.lower() for _, text in evening.told.said)
