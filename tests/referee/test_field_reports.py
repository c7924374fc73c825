"""Faults that real users met, end to end: told by voice and screen within three seconds, and the game goes on.

Rows by id (B04 …); the map of all rows is `tests/FIELD_REPORTS.md`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.referee.small_game import SmallGame, catalogue
from tests.referee.table_top import FakeMouth, Phrases, Record
from voiceref.audio.fake_device import FakeClock, FakeMic
from voiceref.audio.microphone import MicrophoneSource
from voiceref.audio.resampling import Resampled
from voiceref.audio.source import EAR_RATE, Samples, Trouble
from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance
from voiceref.games.engine import Table
from voiceref.phrases.graph import WordGraph
from voiceref.referee import course
from voiceref.referee.clock import GameClock
from voiceref.referee.desk import Desk
from voiceref.referee.hearings import Ear, listen
from voiceref.referee.orders import Aids, Orders
from voiceref.referee.session import Session
from voiceref.referee.telling import Teller
from voiceref.resources import models

PLAYERS = ("Ana", "Bruno", "Chloé")


@dataclass
class MicEar:
    """The way of sound from a device to the session; words come from a list of (second, words)."""

    source: MicrophoneSource
    clock: FakeClock
    until: float
    words: list[tuple[float, str]] = field(default_factory=list)

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        pass

    def mute(self, start: float, end: float) -> None:
        pass

    def events(self) -> Iterator[Hypothesis | Clock | Trouble]:
        for item in Resampled(self.source).blocks():
            if isinstance(item, Trouble):
                yield item
                continue
            t = item.end / EAR_RATE
            while self.words and self.words[0][0] < t:
                at, text = self.words.pop(0)
                yield Hypothesis(Utterance(at, at + 0.1, -20.0), at, text, 1.0, True, "entendu", speaker="Ana")
            yield Clock(t)
            if self.clock.monotonic() > self.until:
                self.source.close()


@dataclass
class Told:
    """An outlet that notes when, by the true clock, each sentence was handed to voice and screen."""

    clock: FakeClock
    sentences: list[tuple[float, str]] = field(default_factory=list)

    def when(self, words: str) -> list[float]:
        return [t for t, text in self.sentences if words in text]


class TellingRecord(Record):
    """A record with the true time of each sentence."""

    def __init__(self, told: Told) -> None:
        super().__init__()
        self._told = told

    def say(self, t: float, text: str, weight: object) -> None:
        self._told.sentences.append((self._told.clock.monotonic(), text))
        super().say(t, text, weight)  # type: ignore[arg-type]


def evening(
    prepare: Callable[[FakeMic, FakeClock], None],
    *,
    until: float = 12.0,
    words: tuple[tuple[float, str], ...] = ((0.5, "cul six"), (11.0, "ajoute dix points à Bruno")),
    rate: int = 48_000,
) -> tuple[Told, Desk]:
    """A short evening at a fake device to which `prepare` did something."""
    clock = FakeClock()
    mic = FakeMic(clock, rate)
    prepare(mic, clock)
    source = MicrophoneSource(mic, clock)
    told = Told(clock)
    begun, _ = course.begin(SmallGame(), Table(PLAYERS))
    desk = Desk(begun, Teller("cul-de-chouette", Phrases(), (TellingRecord(told),)), None, GameClock())
    orders = Orders(desk, Aids(catalogue=catalogue(), mouth=FakeMouth(), explain=lambda rule: ()))
    session = Session(desk, orders, catalogue(), PLAYERS, strict=False)
    ear = Ear(MicEar(source, clock, until, list(words)), source.now, source.from_stream_time, live=True)
    listen(session, ear, catalogue(), lambda: 0.0)
    session.close()
    return told, desk


def at(clock: FakeClock, second: float, act: Callable[[], None]) -> None:
    """Do something once when the fake clock has reached `second`."""
    done: list[bool] = []

    def look(now: float) -> None:
        if now >= second and not done:
            done.append(True)
            act()

    clock.listeners.insert(0, look)


def level(value: float) -> Callable[[int, int], Samples]:
    return lambda start, count: np.full((count, 1), value, np.float32)


def unplug(mic: FakeMic, clock: FakeClock) -> None:
    at(clock, 2.0, lambda: (setattr(mic, "alive", False), setattr(mic, "opens", False)))  # type: ignore[arg-type,func-returns-value]
    at(clock, 7.0, lambda: (setattr(mic, "alive", True), setattr(mic, "opens", True)))  # type: ignore[arg-type,func-returns-value]


def zeros(mic: FakeMic, clock: FakeClock) -> None:
    loud = mic.sound
    at(clock, 2.0, lambda: setattr(mic, "sound", level(0.0)))
    at(clock, 8.0, lambda: setattr(mic, "sound", loud))


def faint(mic: FakeMic, clock: FakeClock) -> None:
    loud = mic.sound
    at(clock, 2.0, lambda: setattr(mic, "sound", level(1.0 / 32768)))
    at(clock, 8.0, lambda: setattr(mic, "sound", loud))


def clipped(mic: FakeMic, clock: FakeClock) -> None:
    at(clock, 2.0, lambda: setattr(mic, "sound", level(1.0)))


def overrun(mic: FakeMic, clock: FakeClock) -> None:
    at(clock, 2.0, lambda: setattr(mic, "lost", 0.8))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (unplug, "Le micro ne répond plus"),
        (zeros, "vérifiez l'autorisation du micro"),
        (faint, "presque rien"),
        (clipped, "Le son sature"),
        (overrun, "j'ai perdu du son"),
    ],
)
def test_b40_b41_b48_a_fault_of_the_device_is_told_within_three_seconds_and_the_game_goes_on(
    fault: Callable[[FakeMic, FakeClock], None], words: str
) -> None:
    told, desk = evening(fault)
    assert len(told.when(words)) == 1
    assert 2.0 <= told.when(words)[0] < 5.0
    assert desk.summary.scores["Bruno"] == 10


def test_b40_timers_keep_true_time_while_the_microphone_is_away() -> None:
    """The hourglass of eight seconds that began before runs out on time."""
    told, _ = evening(unplug, until=14.0, words=((0.5, "cul six"),))
    assert told.when("marque Ana -1")[0] == pytest.approx(8.5, abs=0.2)


def test_b41_permission_refused_from_the_start() -> None:
    told, _ = evening(lambda mic, clock: setattr(mic, "sound", level(0.0)), words=())
    assert told.when("vérifiez l'autorisation")[0] < 3.0


def test_b49_a_bluetooth_microphone_may_wake_slowly() -> None:
    """Two and a half seconds without a frame: told, waited for, opened once."""
    opened: list[FakeMic] = []

    def slow(mic: FakeMic, clock: FakeClock) -> None:
        mic.alive = False
        opened.append(mic)
        at(clock, 2.6, lambda: setattr(mic, "alive", True))

    told, desk = evening(slow, words=((11.0, "ajoute dix points à Bruno"),))
    assert opened[0].opened == 1
    assert told.when("je vous écoute")[0] < 3.0
    assert desk.summary.scores["Bruno"] == 10


def test_b42_a_device_that_opens_but_stays_silent_is_told_once_not_every_two_seconds() -> None:
    def dead(mic: FakeMic, clock: FakeClock) -> None:
        at(clock, 2.0, lambda: setattr(mic, "alive", False))

    told, _ = evening(dead, until=40.0)
    assert len(told.when("ne répond plus")) == 1
    assert not told.when("je vous écoute")


def test_a_microphone_shut_by_the_system_between_sentences_does_not_nag() -> None:
    """Noise gates give exact zeros whenever nobody speaks."""

    def gated(mic: FakeMic, clock: FakeClock) -> None:
        mic.sound = lambda start, count: np.full((count, 1), 0.1 if start // 48_000 % 5 == 0 else 0.0, np.float32)

    told, _ = evening(gated, until=120.0, words=())
    assert len(told.when("vérifiez")) <= 2


@pytest.mark.parametrize("ppm", [-100.0, 100.0])
def test_a_crystal_that_is_off_does_not_move_the_clock(ppm: float) -> None:
    """100 millionths are 360 ms an hour; less than 50 may remain."""
    clock = FakeClock()
    mic = FakeMic(clock, 8_000, block_seconds=0.1, ppm=ppm)
    source = MicrophoneSource(mic, clock)
    apart = []
    for item in source.blocks():
        if not isinstance(item, Trouble) and len(item.samples):
            apart.append(clock.monotonic() - item.end / item.rate)
        if clock.monotonic() > 3600.0:
            source.close()
    assert abs(np.median(apart[-300:]) - np.median(apart[:300])) < 0.02


def test_b04_b06_b36_words_of_the_game_out_of_place_change_no_score() -> None:
    """Fifty finals of certainty 1.0, alone or out of their time."""
    chance = Random(4)
    texts = ("cul", "six", "caillou", "pas mou", "dix points", "points à Bruno", "ajoute", "oui", "un", "plus un")
    words = tuple((1.0 + n / 8, chance.choice(texts)) for n in range(50))
    _, desk = evening(lambda mic, clock: None, words=words)
    assert set(desk.summary.scores.values()) == {0}


def test_b15_the_same_final_twice_counts_once_and_a_real_repeat_again() -> None:
    final = "ajoute dix points à Bruno"
    _, desk = evening(lambda mic, clock: None, words=((1.0, final), (1.0, final), (2.5, final)))
    assert desk.summary.scores["Bruno"] == 20


@pytest.mark.skipif(not (models() / "judge" / "judge.onnx").exists(), reason="the ear's models are not here")
def test_b10_models_in_a_folder_with_accents_and_spaces(tmp_path: Path) -> None:
    from voiceref.ear.opening import EarModels, open_ear, second_opinion
    from voiceref.ear.word_graph import PhraseList

    folder = tmp_path / "jeux été" / "modèle fr"
    shutil.copytree(models(), folder, ignore=shutil.ignore_patterns("recipe", "voice_print", "overlap", "rescorer"))
    kept = EarModels(folder)
    clock = FakeClock()
    open_ear(MicrophoneSource(FakeMic(clock), clock), kept).close()
    second = second_opinion(kept, kept.lexicon())(PhraseList.of([("essai", "oui")]))
    second.hear(np.zeros(EAR_RATE, np.float32))
    second.close()


def test_b64_a_clock_set_forward_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wall time jumps an hour at each look; hourglasses and sleep go by other clocks."""
    import time

    from voiceref.referee import clock as clocks

    ahead = count(0, 3600)
    monkeypatch.setattr(time, "time", lambda: float(next(ahead)))
    before = clocks.suspended()
    assert abs(clocks.suspended() - before) < 1.0
