"""The session: heard words -> meaning -> whose they are -> the rules -> the journal -> what is said and shown.

It takes what the ear delivers in any order, gives it to the rules in the order of onset, and lets hourglasses run out in
between. It holds no thread and reads no clock: time arrives with the words and with the watermark of the ear.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from voiceref.games.engine import Event, Input, Refusal, Said, Secret, Step, Summary, Tick
from voiceref.referee import course as courses
from voiceref.referee import dialogue, replay
from voiceref.referee.attribution import attribute
from voiceref.referee.clock import GameClock
from voiceref.referee.course import Course
from voiceref.referee.dialogue import Line
from voiceref.referee.outlets import Outlet
from voiceref.referee.understanding import Meaning, Noise, Understanding
from voiceref.table import find

QUESTION_S = 12.0
"""How long the referee waits for a name or a yes before it goes on without."""

_RECENT = 32


class Heard(Protocol):
    """What the session needs of a hypothesis; times in seconds of the capture clock."""

    @property
    def onset(self) -> float: ...

    @property
    def text(self) -> str: ...

    @property
    def speaker(self) -> str | None: ...


class Keeper(Protocol):
    """What the session needs of a journal."""

    def append(self, kind: str, content: Mapping[str, Any]) -> bool: ...


class Voicing(Protocol):
    """Sentences from event names and data (`voice.wording.Wording`)."""

    def sentences(self, game: str, name: str, data: Mapping[str, object]) -> tuple[str, ...]: ...


class Controls(Protocol):
    """What voice commands may turn on the announcer."""

    def adjust(self, command: str) -> None:
        """`louder`, `softer`, `slower` or `faster`."""

    def hush(self) -> None:
        """Cut short what is being said."""


@dataclass(frozen=True)
class Question:
    """A claim held until its player is named: capture time of the question, and the words claimed."""

    asked: float
    onset: float
    meaning: Meaning


@dataclass(frozen=True)
class Confirmation:
    """Something that cannot be undone, held until « oui »."""

    asked: float
    command: str


@dataclass(frozen=True)
class Place:
    """What a session is joined from, besides the game itself."""

    understanding: Understanding
    wording: Voicing
    outlets: Sequence[Outlet]
    journal: Keeper | None = None
    controls: Controls | None = None
    strict: bool = False
    goal: int | None = None
    explain: Callable[[str], tuple[str, ...]] | None = None


@dataclass(order=True)
class _Arrived:
    onset: float
    order: int
    item: Any = field(compare=False)


class Session:
    """A game being refereed. Feed it with `hear`, `secret` and `clock`; end with `close`."""

    def __init__(self, course: Course, place: Place, clock: GameClock | None = None) -> None:
        self._course = course
        self._place = place
        self._clock = clock or GameClock()
        self._arrived: list[_Arrived] = []
        self._waiting: deque[_Arrived] = deque()
        self._recent: deque[tuple[float, str | None, str]] = deque(maxlen=_RECENT)
        self._orders = 0
        self._watermark = float("-inf")
        self._question: Question | None = None
        self._confirmation: Confirmation | None = None
        self._asleep = False
        self._quiet = False
        self._journal_told = False
        self._last_said: tuple[str, ...] = ()
        self._newcomers: list[str] = []
        self.ended = False

    # --- what others may know ----------------------------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """The game as it stands."""
        return self._course

    @property
    def summary(self) -> Summary:
        """What the score table shows."""
        return self._course.game.summary(self._course.state)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who has a score, and newcomers who told their names."""
        return tuple(dict.fromkeys((*self._seated, *self._newcomers)))

    def legal(self) -> tuple[str, ...]:
        """Ids of the game's phrases that may be said now, for the ear."""
        return tuple(dict.fromkeys(opening.phrase for opening in self._openings()))

    # --- what happens to it ------------------------------------------------------------------------------------------

    def open(self, seated: Iterable[str], step: Step[Any] | None) -> None:
        """Begin: `seated` are the players; `step` opened the game (None when a game is resumed)."""
        self._seated = tuple(seated)
        if step is not None:
            self._tell(step, 0.0)
        self._show()

    def hear(self, heard: Heard) -> None:
        """Words from the ear; their turn comes when the watermark has passed their onset."""
        key = (heard.onset, heard.speaker, heard.text)
        if key in self._recent:
            return
        self._recent.append(key)
        if heard.onset < self._watermark:
            self._refuse(heard.onset, heard.text, "trop_tard", speaker=heard.speaker)
            return
        self._arrive(heard.onset, heard)

    def secret(self, t: float, text: str, synonyms: tuple[str, ...] = ()) -> None:
        """A word typed in secret at capture time `t`."""
        self._arrive(t, Secret(t, text, synonyms))

    def clock(self, watermark: float) -> None:
        """Nothing said before `watermark` (s, capture clock) is still to come."""
        self._watermark = max(self._watermark, watermark)
        while self._arrived and self._arrived[0].onset < self._watermark:
            self._take(heapq.heappop(self._arrived))
        self._give_up_waiting(self._watermark)
        if self._question is None:
            self._run_out(self._clock.game_time(self._watermark), through=True)

    def close(self) -> None:
        """Take what is still waiting, then say the end to every outlet."""
        while self._arrived:
            self._take(heapq.heappop(self._arrived))
        self._give_up_waiting(float("inf"))
        if self._watermark > float("-inf"):
            self._run_out(self._clock.game_time(self._watermark), through=True)
        for outlet in self._place.outlets:
            outlet.close(self._course.game.name, self.summary)

    def warn(self, t: float, name: str, data: Mapping[str, object] | None = None) -> None:
        """Say something about the table itself, e.g. a microphone that went away."""
        self._say(t, (Line(name, data or {}),))

    # --- order -------------------------------------------------------------------------------------------------------

    def _arrive(self, onset: float, item: object) -> None:
        heapq.heappush(self._arrived, _Arrived(onset, self._orders, item))
        self._orders += 1

    def _take(self, arrived: _Arrived) -> None:
        """The next item in order of onset: an answer to the open question, or one more that waits behind it."""
        if self._question is not None:
            self._give_up_waiting(arrived.onset)
        if self._question is None:
            self._deliver(arrived)
        elif not self._meanwhile(self._question, arrived):
            self._waiting.append(arrived)

    def _deliver(self, arrived: _Arrived) -> None:
        if isinstance(arrived.item, Secret):
            t = self._clock.game_time(arrived.onset)
            self._run_out(t)
            self._rule(Secret(t, arrived.item.text, arrived.item.synonyms), arrived.onset)
            return
        heard: Heard = arrived.item
        self._run_out(self._clock.game_time(heard.onset))
        meaning = self._meaning(heard)
        if isinstance(meaning, Noise):
            self._refuse(heard.onset, meaning.text, meaning.reason, speaker=heard.speaker, aloud=False)
        elif meaning.command is not None:
            self._command(heard, meaning, meaning.command)
        elif self._asleep or not self._clock.running:
            self._refuse(heard.onset, meaning.text, "en_pause", speaker=heard.speaker, aloud=not self._asleep)
        else:
            self._phrase(heard, meaning)

    def _meaning(self, heard: Heard) -> Meaning | Noise:
        return self._place.understanding.meaning(heard.text, self.players, self.legal())

    # --- phrases of the game -----------------------------------------------------------------------------------------

    def _phrase(self, heard: Heard, meaning: Meaning) -> None:
        speaker = heard.speaker
        if speaker is not None:
            speaker = find(self.players, speaker)
            if speaker is None:
                self._refuse(heard.onset, meaning.text, "joueur_inconnu", speaker=heard.speaker)
                return
        who = attribute(speaker, meaning.phrase, meaning.kind, self._openings(), strict=self._place.strict)
        if who.ask:
            self._question = Question(heard.onset, heard.onset, meaning)
            self._say(heard.onset, (Line("qui", {"texte": meaning.text}),))
            return
        self._claim(heard.onset, who.name, meaning)

    def _claim(self, onset: float, speaker: str | None, meaning: Meaning) -> None:
        t = self._clock.game_time(onset)
        if self._rule(Said(t, speaker, meaning.phrase, meaning.slots, meaning.text), onset):
            self._welcome(meaning.slots)

    def _welcome(self, slots: Mapping[str, object]) -> None:
        """Remember a name that the rules accepted although nobody of that name sits here yet."""
        name = slots.get("joueur")
        if isinstance(name, str) and find(self.players, name) is None:
            self._newcomers.append(name)

    # --- « Qui ? » ---------------------------------------------------------------------------------------------------

    def _meanwhile(self, question: Question, arrived: _Arrived) -> bool:
        """Whether `arrived` was dealt with although a question is open: it names the player, or only asks something."""
        if isinstance(arrived.item, Secret):
            return False
        heard: Heard = arrived.item
        meaning = self._meaning(heard)
        if isinstance(meaning, Noise):
            self._refuse(heard.onset, meaning.text, meaning.reason, speaker=heard.speaker, aloud=False)
            return True
        if meaning.command in dialogue.ANSWERS or meaning.command in ("repeat", "stop"):
            self._command(heard, meaning, meaning.command or "")
            return True
        if meaning.command == "no":
            self._settle(question, None)
            return True
        name = self._named(heard, meaning)
        if name is None:
            return False
        self._settle(question, name)
        return True

    def _named(self, heard: Heard, meaning: Meaning) -> str | None:
        """The player a lone name stands for, or the speaker of « c'est moi »."""
        if meaning.command == "me":
            return find(self.players, heard.speaker) if heard.speaker else None
        name = meaning.slots.get("joueur")
        return name if meaning.kind == "name" and isinstance(name, str) else None

    def _settle(self, question: Question, name: str | None) -> None:
        """Close the question; the claim goes to the rules with its own onset, then whatever waited behind it."""
        self._question = None
        if name is None:
            self._refuse(question.onset, question.meaning.text, "qui_inconnu")
        else:
            self._claim(question.onset, name, question.meaning)
        while self._waiting and self._question is None:
            self._deliver(self._waiting.popleft())

    def _give_up_waiting(self, now: float) -> None:
        while self._question is not None and now > self._question.asked + QUESTION_S:
            self._settle(self._question, None)
        if self._confirmation is not None and now > self._confirmation.asked + QUESTION_S:
            self._confirmation = None

    # --- rules and hourglasses ---------------------------------------------------------------------------------------

    def _run_out(self, t: float, *, through: bool = False) -> None:
        """Every hourglass that runs out before `t` (s, game clock), in order; with `through`, at `t` itself too."""
        if not self._clock.running:
            return
        done = float("-inf")
        while (due := self._course.game.deadline(self._course.state)) is not None and (
            due < t or (through and due == t)
        ):
            moment = due if due > done else t
            self._rule(Tick(moment), self._clock.capture_time(moment))
            done = moment
            if moment >= t:
                return

    def _rule(self, given: Input, at: float) -> bool:
        """Give one input to the rules, keep it, then tell what it did. Whether it changed the game."""
        course, step = courses.advance(self._course, given)
        changed = course is not self._course
        self._course = course
        if changed:
            self._keep(*replay.recorded_input(given), at)
        self._tell(step, at)
        if changed:
            self._show()
        return changed

    def _tell(self, step: Step[Any], at: float) -> None:
        for event in step.events:
            for outlet in self._place.outlets:
                outlet.event(self._clock.capture_time(event.t), event)
        for refusal in step.refusals:
            self._refused(refusal, at)
        self._say(at, [Line(event.name, event.data) for event in step.events])

    def _keep(self, kind: str, content: Mapping[str, Any], at: float) -> None:
        if self._place.journal is None or self._place.journal.append(kind, content) or self._journal_told:
            return
        self._journal_told = True
        self.warn(at, "journal_perdu")

    # --- saying and showing ------------------------------------------------------------------------------------------

    def _say(self, t: float, lines: Iterable[Line], *, asked: bool = False) -> None:
        """Say `lines`; when the referee was told to be quiet, only what was `asked` for."""
        game = self._course.game.name
        sentences = tuple(text for line in lines for text in self._place.wording.sentences(game, line.name, line.data))
        if not sentences:
            return
        self._last_said = sentences
        if self._quiet and not asked:
            return
        self._speak(t, sentences)

    def _speak(self, t: float, sentences: Iterable[str]) -> None:
        for text in sentences:
            for outlet in self._place.outlets:
                outlet.say(t, text)

    def _refuse(self, t: float, text: str, reason: str, *, speaker: str | None = None, aloud: bool = True) -> None:
        """A refusal of the session's own, at capture time `t`."""
        refusal = Refusal(t, text, reason, speaker=speaker, data={"texte": text, "joueur": speaker})
        for outlet in self._place.outlets:
            outlet.refused(t, refusal)
        if aloud:
            self._say(t, (Line(reason, refusal.data),))

    def _refused(self, refusal: Refusal, at: float) -> None:
        for outlet in self._place.outlets:
            outlet.refused(at, refusal)
        data = {"joueur": refusal.speaker, "texte": refusal.text, **refusal.data}
        self._say(at, (Line(refusal.reason, data),))

    def _show(self) -> None:
        for outlet in self._place.outlets:
            outlet.table(self.summary)

    def _openings(self) -> tuple[Any, ...]:
        return self._course.game.openings(self._course.state)

    # --- commands ----------------------------------------------------------------------------------------------------

    def _command(self, heard: Heard, meaning: Meaning, command: str) -> None:
        t = heard.onset
        if self._asleep and command != "wake":
            return
        if command in dialogue.ANSWERS:
            view = dialogue.View(self.summary, self._openings(), self._place.understanding.printed, self._place.goal)
            self._say(t, dialogue.ANSWERS[command](view), asked=True)
        elif command in ("louder", "softer", "slower", "faster"):
            if self._place.controls is not None:
                self._place.controls.adjust(command)
            self._say(t, (Line(command),), asked=True)
        elif (act := self._acts().get(command)) is not None:
            act(t, meaning)

    def _acts(self) -> Mapping[str, Callable[[float, Meaning], None]]:
        return {
            "undo": self._undo,
            "repeat": lambda t, meaning: self._speak(t, self._last_said),
            "pause": self._pause,
            "resume": self._resume,
            "sleep": self._sleep,
            "wake": self._wake,
            "quiet": self._hush_for_good,
            "talk": self._talk,
            "stop": self._stop,
            "end": self._ask_end,
            "yes": self._yes,
            "no": self._no,
            "explain": self._explain,
        }

    def _undo(self, t: float, meaning: Meaning) -> None:
        undone = courses.undo(self._course)
        if undone is None:
            self._refuse(t, meaning.text, "rien_a_annuler")
            return
        self._course, what = undone
        game_time = self._clock.game_time(t)
        self._keep("undo", {"t": game_time}, t)
        event = Event(game_time, meaning.rule, "annule", {"texte": what.text}, what.deltas)
        self._tell(Step(self._course.state, (event,)), t)
        self._say(t, dialogue.restored(what, self.summary))
        self._show()

    def _pause(self, t: float, meaning: Meaning) -> None:
        if not self._clock.running:
            self._refuse(t, meaning.text, "deja_en_pause")
            return
        self._clock = self._clock.paused(t)
        self._keep("pause", {"t": self._clock.game_time(t)}, t)
        self._say(t, (Line("pause"),), asked=True)

    def _resume(self, t: float, meaning: Meaning) -> None:
        if self._clock.running:
            self._refuse(t, meaning.text, "pas_en_pause")
            return
        self._clock = self._clock.resumed(t)
        self._say(t, (Line("reprise"),), asked=True)

    def _sleep(self, t: float, meaning: Meaning) -> None:
        self._clock = self._clock.paused(t)
        self._say(t, (Line("dort"),), asked=True)
        self._asleep = True

    def _wake(self, t: float, meaning: Meaning) -> None:
        self._asleep = False
        self._clock = self._clock.resumed(t)
        self._say(t, (Line("reveille"),), asked=True)

    def _hush_for_good(self, t: float, meaning: Meaning) -> None:
        self._say(t, (Line("se_tait"),), asked=True)
        self._quiet = True

    def _talk(self, t: float, meaning: Meaning) -> None:
        self._quiet = False
        self._say(t, (Line("parle"),), asked=True)

    def _stop(self, t: float, meaning: Meaning) -> None:
        if self._place.controls is not None:
            self._place.controls.hush()

    def _ask_end(self, t: float, meaning: Meaning) -> None:
        if self.summary.over:
            self._end(t)
            return
        self._confirmation = Confirmation(t, "end")
        self._say(t, (Line("confirme_fin"),), asked=True)

    def _yes(self, t: float, meaning: Meaning) -> None:
        if self._confirmation is None:
            self._refuse(t, meaning.text, "rien_demande", aloud=False)
            return
        self._confirmation = None
        self._end(t)

    def _no(self, t: float, meaning: Meaning) -> None:
        if self._confirmation is None:
            self._refuse(t, meaning.text, "rien_demande", aloud=False)
            return
        self._confirmation = None
        self._say(t, (Line("on_continue"),), asked=True)

    def _end(self, t: float) -> None:
        self._keep("end", {"t": self._clock.game_time(t)}, t)
        self._say(t, (Line("fin_de_partie"), *dialogue.scores(self._view())), asked=True)
        self.ended = True

    def _explain(self, t: float, meaning: Meaning) -> None:
        rule = meaning.slots.get("regle")
        text = self._place.explain(rule) if self._place.explain and isinstance(rule, str) else ()
        if text:
            self._last_said = text
            self._speak(t, text)
        else:
            self._refuse(t, meaning.text, "regle_inconnue")
