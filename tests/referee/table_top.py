"""A session of the small game over a text table, with everything that it told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.referee.small_game import SmallGame, catalogue
from voiceref.audio.source import Samples
from voiceref.ear import script
from voiceref.games.engine import Event, Refusal, Summary, Table
from voiceref.referee import course
from voiceref.referee.clock import GameClock
from voiceref.referee.course import Course
from voiceref.referee.desk import Desk, Keeper
from voiceref.referee.hearings import Ear, listen
from voiceref.referee.learning import Learner
from voiceref.referee.orders import Aids, Orders
from voiceref.referee.session import Session
from voiceref.referee.telling import Teller
from voiceref.referee.video import Video
from voiceref.voice.style import Weight


class Phrases:
    """Wording that shows the row's name and its data, so that tests see what was meant."""

    def sentences(self, game: str, name: str, data: Mapping[str, object]) -> tuple[str, ...]:
        return (f"{name} {' '.join(str(value) for value in data.values())}".strip(),)


@dataclass
class Record:
    """An outlet that keeps everything."""

    said: list[tuple[float, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    understood: list[str] = field(default_factory=list)
    shown: list[Summary] = field(default_factory=list)
    closed: Summary | None = None

    def say(self, t: float, text: str, weight: Weight) -> None:
        self.said.append((t, text))

    def event(self, t: float, event: Event) -> None:
        self.events.append(event)

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        self.understood.append(text)

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        self.refusals.append(refusal)

    def table(self, summary: Summary) -> None:
        self.shown.append(summary)

    def close(self, game: str, summary: Summary) -> None:
        self.closed = summary

    @property
    def reasons(self) -> list[str]:
        return [refusal.reason for refusal in self.refusals]

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self.said]


@dataclass
class Watched:
    """A journal that calls `after` when a record is kept, before anything is told."""

    keeper: Keeper
    after: Callable[[], None]

    def append(self, kind: str, content: Mapping[str, Any]) -> bool:
        kept = self.keeper.append(kind, content)
        self.after()
        return kept


@dataclass
class FakeMouth:
    """Remembers what was asked of the voice."""

    done: list[str] = field(default_factory=list)

    def adjust(self, order: str) -> bool:
        self.done.append(order)
        return self.done.count(order) < 3

    def interrupt(self, now: float) -> None:
        self.done.append("interrupt")

    def play(self, at: float, samples: Samples, rate: int) -> None:
        self.done.append(f"play {len(samples) / rate:.1f}")


@dataclass
class Top:
    """A table that was played."""

    record: Record
    desk: Desk
    session: Session
    mouth: FakeMouth

    @property
    def scores(self) -> Mapping[str, int]:
        return self.desk.summary.scores


def play(
    text: str,
    *,
    players: tuple[str, ...] = ("Ana", "Bruno", "Chloé"),
    journal: Keeper | None = None,
    begun: Course | None = None,
    clock: GameClock | None = None,
    strict: bool = False,
    game: Any = None,
    record: Record | None = None,
    watch: Callable[[Course], None] = lambda live: None,
    learner: Learner | None = None,
) -> Top:
    """Play `text` to its end; `watch` gets the live course after each record of the journal."""
    first, _ = course.begin(game or SmallGame(), Table(players))
    record, mouth = record or Record(), FakeMouth()
    phrases = catalogue()
    keeper = None if journal is None else Watched(journal, lambda: watch(desk.course))
    desk = Desk(begun or first, Teller("cul-de-chouette", Phrases(), (record,)), keeper, clock or GameClock())
    aids = Aids(
        catalogue=phrases,
        mouth=mouth,
        explain=lambda rule: (),
        goal=343,
        video=Video(),
        learner=learner or Learner(),
    )
    session = Session(desk, Orders(desk, aids), phrases, players, strict=strict, video=aids.video)
    listen(session, Ear(script.parse(text, "table", players), float, float), phrases)
    session.close()
    return Top(record, desk, session, mouth)
