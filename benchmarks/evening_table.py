"""Who plays on the made-up evening: what is shouted next, and what became of every shout."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from evening_sounds import SHOUT_LEVEL, Kitchen, Samples, at_level

from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE
from voiceref.ear.hypothesis import Hypothesis
from voiceref.games.engine import Event, Refusal, Summary, Table
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.normalise import normalise
from voiceref.referee import course as courses
from voiceref.referee import journal as journals
from voiceref.referee import replay, roster
from voiceref.referee.clock import GameClock
from voiceref.referee.desk import Desk
from voiceref.referee.orders import Aids, Orders
from voiceref.referee.session import Session
from voiceref.referee.speech import Speech
from voiceref.referee.telling import Teller
from voiceref.voice.number_words import cardinal
from voiceref.voice.style import Weight
from voiceref.voice.synthesis import Manner, Synthesiser
from voiceref.voice.wording import Wording

GAME = "cul-de-chouette"
PLAYERS = ("Ana", "Bruno", "Chloé")
_KEPT_SHOUTS = 64
"""How many synthesised shouts stay ready: few, or the memory of the evening would be that of its shouts."""
_READ_BACK = "J'ai compris"
"""How a sentence begins that reads back what was badly heard; other questions say nothing of the last shout."""
_PATIENCE = 2.0
"""Seconds that players leave the referee to answer."""


@dataclass
class Shout:
    """Something shouted, from `start` to `end` seconds; `expected`: whether the rules or orders allowed it then."""

    start: float
    end: float
    text: str
    scene: str
    heard: bool = False
    score: float = 0.0
    """How surely, when heard."""
    fate: str = "not cut out"
    """Why the ear did not take it: the reason of its last refusal."""


@dataclass
class Tally:
    """An outlet that compares what the referee did with what was shouted."""

    shouts: list[Shout] = field(default_factory=list)
    wrong: list[tuple[float, str, float]] = field(default_factory=list)
    """Onset, text and score of what was believed and never shouted."""
    false_scores: list[tuple[float, str, float]] = field(default_factory=list)
    """Time, event and score of those by which points changed."""
    events: int = 0
    question: str = ""
    over: bool = False

    def _shout_at(self, onset: float) -> Shout | None:
        return next((s for s in reversed(self.shouts[-4:]) if s.start - 0.4 < onset < s.end + 0.3), None)

    def refused_by_ear(self, heard: Hypothesis) -> None:
        """The ear cut `heard` and did not believe it."""
        shout = self._shout_at(heard.onset)
        if shout is not None:
            shout.fate = heard.reason

    def accepted(self, heard: Hypothesis, same: bool) -> None:
        """The ear believed `heard`; `same`: it is what the last shout meant."""
        shout = self._shout_at(heard.onset)
        if shout is not None and not same:
            shout.fate = "taken for another"
        if shout is None or not same:
            self.wrong.append((heard.onset, heard.text, heard.score))
        else:
            shout.heard, shout.score = True, heard.score

    def read_back(self, right: bool) -> None:
        """The referee asked whether the last shout was understood rightly: heard, if it was."""
        self.shouts[-1].heard, self.shouts[-1].score = right, 1.0

    def say(self, t: float, text: str, weight: Weight) -> None:
        if weight is Weight.QUESTION:
            self.question = text

    def event(self, t: float, event: Event) -> None:
        self.events += 1
        changed = any(event.deltas.values())
        found = [score for onset, _, score in self.wrong[-8:] if abs(onset - t) < 0.02]
        if changed and found:
            self.false_scores.append((t, event.name, found[-1]))

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        pass

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        pass

    def table(self, summary: Summary) -> None:
        self.over = summary.over

    def close(self, game: str, summary: Summary) -> None:
        pass


class Driver:
    """Decides what is shouted next, from what the session allows; speaks it with the voice that ships."""

    def __init__(self, voice: Synthesiser, rng: Random, tally: Tally, catalogue: Catalogue) -> None:
        self._voice = voice
        self._rng = rng
        self._tally = tally
        self._catalogue = catalogue
        self._kept: OrderedDict[tuple[str, int], Samples] = OrderedDict()
        self._after = 5.0
        self.session: Session | None = None
        self.desk: Desk | None = None
        self.orders: Orders | None = None
        self.kitchen: Kitchen | None = None

    def next_shout(self, t: float) -> Samples | None:
        """The sound of a shout that begins at second `t`, or None."""
        assert self.kitchen is not None
        if t < max(self._after, self.kitchen.busy_until + 0.5):
            return None
        text = self._words()
        sound = self._spoken(text)
        self._tally.shouts.append(Shout(t, t + len(sound) / EAR_RATE, text, self.kitchen.scene))
        self._after = t + len(sound) / EAR_RATE + _PATIENCE + self._rng.expovariate(0.25)
        return sound

    def same(self, heard: Hypothesis) -> bool:
        """Whether `heard` means what the last shout meant."""
        assert self.session is not None
        legal, context = self.session.legal(), self.session.context
        said = match(self._tally.shouts[-1].text, self._catalogue, context, legal) if self._tally.shouts else None
        found = match(heard.text, self._catalogue, context, legal)
        return (
            isinstance(said, Match)
            and isinstance(found, Match)
            and (said.phrase_id, said.slots) == (found.phrase_id, found.slots)
        )

    def _words(self) -> str:
        assert self.session is not None
        assert self.desk is not None
        assert self.orders is not None
        rng, legal = self._rng, set(self.session.legal())
        if self.orders.asleep:
            return "réveille-toi"
        if not self.desk.clock.running:
            return "on reprend"
        if self._tally.over:
            return "oui" if self._last() == "fin de partie" else "fin de partie"
        asked, self._tally.question = self._tally.question, ""
        if asked.startswith("Qui "):
            return rng.choice(PLAYERS)
        if asked and self._last() not in ("oui", "non"):
            right = self._last() in normalise(asked)
            if asked.startswith(_READ_BACK):
                self._tally.read_back(right)
            return "oui" if right else "non"
        if rng.random() < 0.1:
            return rng.choice(("quel est le score", "à qui le tour", "répète"))
        if self.desk.course.game.deadline(self.desk.course.state) is not None and rng.random() < 0.8:
            cries = [
                self._catalogue.phrases[name].text.rstrip(" !")
                for name in sorted(legal)
                if name.startswith("CDC-P") and not self._catalogue.phrases[name].has_slots
            ]
            if cries:
                return rng.choice(cries)
        return self._report(legal)

    def _report(self, legal: set[str]) -> str:
        """Dice, in words that are expected now; else a question that always is."""
        a, b, c = (cardinal(self._rng.randint(1, 6)) for _ in range(3))
        reports = {
            "CDC-Q002": f"cul {a}",
            "CDC-Q004": f"le sirop fait {a}",
            "CDC-Q001": f"chouettes {a} et {b}",
            "CDC-Q009": f"les dés {a} {b} et {c}",
        }
        return next((words for phrase, words in reports.items() if phrase in legal), "quel est le score")

    def _last(self) -> str:
        return self._tally.shouts[-1].text if self._tally.shouts else ""

    def _spoken(self, text: str) -> Samples:
        seat = self._rng.randrange(4)
        if (text, seat) not in self._kept:
            manner = Manner((0.9, 1.0, 0.85, 0.95)[seat], (1.0, 0.85, 1.25, 1.1)[seat])
            made = self._voice.speak(text, manner)
            self._kept[text, seat] = at_level(resample(made.samples, made.rate_hz, EAR_RATE), SHOUT_LEVEL)
            if len(self._kept) > _KEPT_SHOUTS:
                self._kept.popitem(last=False)
        louder = 10 ** (self._rng.uniform(-2, 2) / 20)
        return (self._kept[text, seat] * np.float32(louder)).astype(np.float32)


def new_session(driver: Driver, tally: Tally, speech: Speech, catalogue: Catalogue, journal: Path, t: float) -> Session:
    """A fresh game of level 2 with its journal, joined to the same voice and tally."""
    entry = roster.GAMES[GAME]
    table = Table(PLAYERS, level=2, turn=PLAYERS[0])
    course, opened = courses.begin(entry.load(), table)
    keeper = journals.create(journal, replay.header(GAME, table, "0", "2026-01-01T20:00:00+00:00"))
    desk = Desk(course, Teller(GAME, Wording.load(), (tally, speech)), keeper, GameClock())
    aids: Any = Aids(catalogue=catalogue, mouth=speech, explain=lambda rule: (), goal=entry.goal)
    orders = Orders(desk, aids)
    session = Session(desk, orders, catalogue, PLAYERS, strict=False)
    desk.opened(opened, t)
    driver.session, driver.desk, driver.orders = session, desk, orders
    tally.over, tally.question = False, ""
    return session
