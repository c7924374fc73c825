"""The referee's desk: the game, its clock and its journal.

Every change of the game passes here, and is kept before it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from voiceref.games.engine import Event, Input, Opening, OpenWords, Refusal, Said, Secret, Step, Summary, Tick
from voiceref.referee import course as courses
from voiceref.referee import replay
from voiceref.referee.clock import GameClock
from voiceref.referee.course import Course, Undone
from voiceref.referee.overruling import Overruled
from voiceref.referee.telling import Line, Teller

HELD_S = 15.0
"""A refusal that waited longer (s) for the end of a race is not said any more."""


class Keeper(Protocol):
    """What the desk needs of a journal."""

    def append(self, kind: str, content: Mapping[str, Any]) -> bool:
        """Keep one record; False when it could not be kept."""


class Desk:
    """A game under way. Times named `at` are capture seconds; inside inputs and events they are game seconds."""

    def __init__(
        self,
        course: Course,
        teller: Teller,
        journal: Keeper | None,
        clock: GameClock,
        crying: Callable[[Sequence[Opening]], float] = lambda openings: 0.0,
    ) -> None:
        """`crying`: how long (s) refusals wait while players race to cry: saying them would close the ear."""
        self._course = course
        self._crying = crying
        self._held: tuple[float, Refusal] | None = None
        self._journal = journal
        self._loss_told = False
        self.teller = teller
        self.clock = clock
        self.now = 0.0
        """Capture second up to which everything was heard."""

    @property
    def course(self) -> Course:
        """The game as it stands."""
        return self._course

    @property
    def summary(self) -> Summary:
        """What the score table shows."""
        return self._course.game.summary(self._course.state)

    @property
    def open_words(self) -> Mapping[str, tuple[str, ...]]:
        """Free words that may be said now, by slot type; none in a game without."""
        game = self._course.game
        return game.words(self._course.state) if isinstance(game, OpenWords) else {}

    @property
    def sought_words(self) -> Mapping[str, tuple[str, ...]]:
        """Those of `open_words` that answer, in running talk too."""
        game = self._course.game
        return game.sought(self._course.state) if isinstance(game, OpenWords) else {}

    @property
    def openings(self) -> tuple[Opening, ...]:
        """Everything that may be said now."""
        return self._course.game.openings(self._course.state)

    def opened(self, step: Step[Any], at: float) -> None:
        """Tell how the game began, at capture second `at`."""
        self._tell(step, at)
        self.teller.show(self.summary)

    def rule(self, given: Input, at: float) -> bool:
        """Give one input to the rules, keep it, then tell what it did. Whether it changed the game."""
        try:
            course, step = courses.advance(self._course, given)
        except Exception as error:  # a fault in a rule must not end an evening: the input changes nothing
            self.refuse(at, getattr(given, "text", ""), "erreur_interne", detail=repr(error))
            return False
        changed = course is not self._course
        self._course = course
        if changed:
            self.keep(*replay.recorded_input(given), at)
        self._tell(step, at)
        if changed:
            self.teller.show(self.summary)
        self._release(at)
        return changed

    def undo(self, at: float, rule: str) -> Undone | None:
        """Take back the last group, keep and tell that; None when there is nothing to take back."""
        found = courses.undo(self._course)
        if found is None:
            return None
        seated = self.summary.scores
        self._course, undone = found
        t = self.clock.game_time(at)
        self.keep("undo", {"t": t}, at)
        data = {"texte": undone.text, "joueur": undone.speaker}
        name = "annule_secret" if isinstance(undone.begun_by, Secret) else "annule"
        scores = self.summary.scores
        gone = [Line("joueur_retire", {"joueur": name}) for name in seated if name not in scores]
        back = [
            Line("retour_score", {"joueur": name, "points": scores[name]}) for name in undone.deltas if name in scores
        ]
        event = Event(t, rule, name, data, undone.deltas)
        self.teller.events(at, (event,), self.clock.capture_time(0.0), [*gone, *back])
        self.teller.show(self.summary)
        return undone

    def overrule(self, change: Overruled, by: Said, at: float, rule: str) -> None:
        """Let the last race end as the players say (`by`, at capture second `at`); keep and tell that."""
        before = self._course
        first = before.past[-change.back].before
        self._course = change.course
        self.keep(*replay.recorded_overruling(change, by), at)
        back = Event(by.t, rule, "cri_corrige", {"joueur": by.speaker}, courses.deltas(before, first))
        then = [event for step in change.steps for event in step.events]
        was, now = before.game.summary(before.state).scores, self.summary.scores
        scores = [
            Line("nouveau_score", {"joueur": name, "points": now[name]}) for name in now if now[name] != was.get(name)
        ]
        self.teller.events(at, (back, *then), self.clock.capture_time(0.0), scores)
        self.teller.show(self.summary)

    def run_out(self, capture: float, *, through: bool = False) -> None:
        """Let every hourglass run out that ends before `capture`, in order; with `through`, at `capture` itself too."""
        t = self.clock.game_time(capture)
        done = float("-inf")
        while self.clock.running and (due := self._course.game.deadline(self._course.state)) is not None:
            if due > t or (due == t and not through) or done >= t:
                break
            done = due if due > done else t
            self._release(self.clock.capture_time(done), waited=True)
            self.rule(Tick(done), self.clock.capture_time(done))
        self._release(capture, waited=True)

    def refuse(
        self, at: float, text: str, reason: str, speaker: str | None = None, *, aloud: bool = True, detail: str = ""
    ) -> None:
        """A refusal that is not the rules': table talk, too late, nobody known by that name."""
        data = {"detail": detail} if detail else {}
        refusal = Refusal(self.clock.game_time(at), text, reason, speaker=speaker, data=data)
        self._refused(at, refusal, aloud=aloud)

    def keep(self, kind: str, content: Mapping[str, Any], at: float) -> None:
        """Append to the journal; the first loss is told, then the game goes on without."""
        if self._journal is None or self._journal.append(kind, content) or self._loss_told:
            return
        self._loss_told = True
        self.teller.say(at, (Line("journal_perdu"),))

    def _tell(self, step: Step[Any], at: float) -> None:
        self.teller.events(at, step.events, self.clock.capture_time(0.0))
        for refusal in step.refusals:
            self._refused(at, refusal)

    def _refused(self, at: float, refusal: Refusal, *, aloud: bool = True) -> None:
        """Print a refusal at once; in an open race it is said a little later or when it is over, the last one only."""
        waits = aloud and self._crying(self.openings) > 0.0
        if waits:
            self._held = (at, refusal)
        self.teller.refuse(at, refusal, aloud=aloud and not waits)

    def _release(self, at: float, *, waited: bool = False) -> None:
        """Say the refusal that was held back, if the race is over or, with `waited`, the wait was long enough."""
        if self._held is None:
            return
        since, refusal = self._held
        wait = self._crying(self.openings)
        if waited and at >= since + wait > since:
            at = since + wait
        elif waited or wait > 0.0:
            return
        self._held = None
        if at <= since + HELD_S:
            self.teller.explain(at, refusal)
