"""Orders to the referee: undo, pause, sleep, repeat, the voice's manner, the end. One small function each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from voiceref.audio.source import Samples
from voiceref.games.engine import Said
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.matcher import Match
from voiceref.referee import dialogue
from voiceref.referee.desk import Desk
from voiceref.referee.learning import Learner
from voiceref.referee.overruling import overruled
from voiceref.referee.telling import Line
from voiceref.referee.video import RATE, Video
from voiceref.referee.video import order as order_of
from voiceref.voice.style import Weight

QUESTION_S = 12.0
"""How long the referee waits for an answer (s) before it goes on without."""


MANNERS: Mapping[str, str] = {
    "louder": "louder",
    "softer": "softer",
    "slower": "slower",
    "faster": "faster",
    "higher": "higher",
    "lower": "lower",
    "short": "parle_court",
    "on_request": "parle_sur_demande",
    "quiet": "se_tait",
    "talk": "parle",
}
"""Orders about the voice, with what is said to them."""
_DEGREES = frozenset({"louder", "softer", "slower", "faster", "higher", "lower"})
"""Those that have a last degree."""


_REPLIES = frozenset({"yes", "no", "name", "nobody"})
"""Answers to the referee; without a question they are table talk."""


class Mouth(Protocol):
    """What orders may do to the referee's voice."""

    def adjust(self, order: str) -> bool:
        """One of `MANNERS`; False where the voice was as far as it goes."""

    def interrupt(self, now: float) -> None:
        """Stop what is being said at capture second `now`."""

    def play(self, at: float, samples: Samples, rate: int) -> None:
        """Let a sound (n,) be heard after what is being said."""


class NoMouth:
    """A referee that only writes."""

    def adjust(self, order: str) -> bool:
        """Nothing to adjust."""
        return True

    def interrupt(self, now: float) -> None:
        """Nothing to stop."""

    def play(self, at: float, samples: Samples, rate: int) -> None:
        """Nothing to play with."""


@dataclass(frozen=True)
class Aids:
    """What orders draw on besides the desk. `explain` gives the sentences of a rule, none when it is unknown.

    `phase` says in a few words what a phase waits for, by its code. `video` holds the last races, `learner` learns from
    cries that were named, `tie_s` is the tie window of races.
    """

    catalogue: Catalogue
    mouth: Mouth
    explain: Callable[[str], tuple[str, ...]]
    goal: int | None = None
    phase: Callable[[str], str] = lambda code: code.replace("_", " ")
    video: Video = field(default_factory=Video)
    learner: Learner = field(default_factory=Learner)
    tie_s: float = 0.15


@dataclass(frozen=True)
class _Pending:
    """A question that « oui » and « non » answer, since `asked` capture seconds."""

    asked: float
    yes: Callable[[float], None]


class Orders:
    """Carries out orders at a desk; remembers whether the referee sleeps and what it waits a « oui » for.

    `ended`: the players ended this game; `again`: they want another one.
    """

    def __init__(self, desk: Desk, aids: Aids) -> None:
        self._desk = desk
        self._aids = aids
        self._pending: _Pending | None = None
        self.asleep = False
        self.ended = False
        self.again = False
        self._acts: Mapping[str, Callable[[float, Match], None]] = {
            "undo": self._undo,
            "repeat": lambda at, match: desk.teller.repeat(at),
            "pause": self._pause,
            "resume": self._resume,
            "sleep": self._sleep,
            "wake": self._wake,
            "stop": lambda at, match: aids.mouth.interrupt(at),
            "end": self._ask_end,
            "again": self._ask_again,
            "explain": self._explain,
            "check": lambda at, match: self._say(at, Line("present")),
            "time": self._time,
            "video": self._video,
        }

    def carry_out(self, order: str, at: float, match: Match, speaker: str | None = None) -> None:
        """Do what `speaker`, where he is known, ordered at capture second `at`. A sleeping referee only wakes."""
        if self.asleep and order != "wake":
            return
        if order in ("yes", "no") and self._pending is not None and at <= self._pending.asked + QUESTION_S:
            self._answered(self._pending, order, at)
        elif order in dialogue.ANSWERS:
            self._say(at, *dialogue.ANSWERS[order](self._view()))
        elif order in MANNERS:
            self._adjust(order, at)
        elif order == "correct":
            self._correct(at, match, speaker)
        elif order == "overrule":
            self._overrule(at, match, speaker)
        elif order in self._acts:
            self._acts[order](at, match)
        else:
            talk = order in _REPLIES
            self._desk.refuse(at, match.text, "rien_demande" if talk else "pas_maintenant", speaker, aloud=not talk)

    def _adjust(self, order: str, at: float) -> None:
        """Change the voice, then say so in its new manner; being told to keep quiet is answered before."""
        if order == "quiet":
            self._say(at, Line(MANNERS[order]))
            self._aids.mouth.adjust(order)
        else:
            changed = self._aids.mouth.adjust(order)
            self._say(at, Line(MANNERS[order] if changed or order not in _DEGREES else "pas_plus_loin"))

    def _view(self) -> dialogue.View:
        known = self._aids.catalogue.phrases
        phrases = [known[opening.phrase].text for opening in self._desk.openings if opening.phrase in known]
        summary = self._desk.summary
        return dialogue.View(summary, phrases, self._aids.goal, self._aids.phase(summary.phase))

    def _say(self, at: float, *lines: Line) -> None:
        self._desk.teller.say(at, lines, Weight.ANSWER)

    def _undo(self, at: float, match: Match) -> None:
        if self._desk.undo(at, self._aids.catalogue.phrases[match.phrase_id].rule) is None:
            self._desk.refuse(at, match.text, "rien_a_annuler")

    def _pause(self, at: float, match: Match) -> None:
        if not self._desk.clock.running:
            self._desk.refuse(at, match.text, "deja_en_pause")
            return
        self.stop_clock(at)
        self._say(at, Line("pause"))

    def _resume(self, at: float, match: Match) -> None:
        if self._desk.clock.running:
            self._desk.refuse(at, match.text, "pas_en_pause")
            return
        self._desk.clock = self._desk.clock.resumed(at)
        self._say(at, Line("reprise"))

    def _sleep(self, at: float, match: Match) -> None:
        self.stop_clock(at)
        self._say(at, Line("dort"))
        self.asleep = True

    def _wake(self, at: float, match: Match) -> None:
        self.asleep = False
        self._desk.clock = self._desk.clock.resumed(at)
        self._say(at, Line("reveille"))

    def stop_clock(self, at: float) -> None:
        """Let hourglasses stand; the moment is kept, so that a resumed game goes on from it."""
        self._desk.clock = self._desk.clock.paused(at)
        self._desk.keep("pause", {"t": self._desk.clock.game_time(at)}, at)

    def _ask_end(self, at: float, match: Match) -> None:
        self._ask(at, "confirme_fin", self._end)

    def _ask_again(self, at: float, match: Match) -> None:
        self._ask(at, "confirme_encore", self._end_for_another)

    def _ask(self, at: float, question: str, end: Callable[[float], None]) -> None:
        """End a game that is over at once, any other one after « oui »."""
        if self._desk.summary.over:
            end(at)
            return
        self._pending = _Pending(at, end)
        self._desk.teller.say(at, (Line(question),), Weight.QUESTION)

    def _answered(self, pending: _Pending, order: str, at: float) -> None:
        self._pending = None
        if order == "yes":
            pending.yes(at)
        else:
            self._say(at, Line("on_continue"))

    def _end(self, at: float) -> None:
        self._desk.keep("end", {"t": self._desk.clock.game_time(at)}, at)
        self._say(at, Line("fin_de_partie"), *dialogue.last_scores(self._view()))
        self.ended = True

    def _end_for_another(self, at: float) -> None:
        self._desk.keep("end", {"t": self._desk.clock.game_time(at)}, at)
        told = () if self._desk.summary.over else dialogue.last_scores(self._view())
        self._say(at, *told, Line("encore_une_partie"))
        self.ended = self.again = True

    def _time(self, at: float, match: Match) -> None:
        until = self._desk.course.game.deadline(self._desk.course.state)
        if until is None:
            self._say(at, Line("pas_de_sablier"))
        else:
            self._say(at, Line("reste", {"n": max(math.ceil(until - self._desk.clock.game_time(at)), 1)}))

    def _correct(self, at: float, match: Match, speaker: str | None) -> None:
        """« Bob a seize points, pas dix »: the difference is added or taken, if the old score is the one kept."""
        name, wanted = str(match.slots["joueur"]), _number(match.slots["points"])
        if match.slots.get("signe") == "negatif":
            wanted = -wanted
        held = self._desk.summary.scores.get(name)
        phrases = self._aids.catalogue.phrases.values()
        by = next((phrase.id for phrase in phrases if phrase.command == "add_points"), None)
        if held is None or by is None or _number(match.slots.get("ancien", held)) != held or held == wanted:
            self._desk.refuse(at, match.text, "correction_impossible", speaker)
            return
        slots = {"signe": "ajoute" if wanted > held else "enleve", "points": abs(wanted - held), "joueur": name}
        self._desk.rule(Said(self._desk.clock.game_time(at), speaker, by, slots, match.text), at)

    def _video(self, at: float, match: Match) -> None:
        """The last race again: its sound, and in words who cried when."""
        clip = self._aids.video.last()
        if clip is None:
            self._desk.refuse(at, match.text, "aucune_course")
            return
        sound = clip.heard
        if len(sound):
            self._say(at, Line("video"))
            self._aids.mouth.play(at, sound, RATE)
        first, *later = order_of(clip.claims)
        self._say(
            at,
            Line("video_premier", {"joueur": first[0]}) if first[0] else Line("video_inconnu"),
            *(Line("video_suivant", {"joueur": name, "n": after}) for name, after in later if name),
        )

    def _overrule(self, at: float, match: Match, speaker: str | None) -> None:
        """« C'était Bob »: the race is told otherwise, and his voice learnt better if the players want that."""
        name = speaker if match.slots.get("moi") else str(match.slots["joueur"])
        if name is None:
            self._desk.refuse(at, match.text, "rien_demande", aloud=False)
            return
        phrases = self._aids.catalogue.phrases
        said = Said(self._desk.clock.game_time(at), name, match.phrase_id, match.slots, match.text)
        change = overruled(self._desk.course, said, name, lambda phrase: phrases[phrase].kind, self._aids.tie_s)
        if isinstance(change, str):
            self._desk.refuse(at, match.text, change, name)
            return
        self._desk.overrule(change, said, at, phrases[match.phrase_id].rule)
        onset = None if change.cry is None else self._aids.video.corrected(name, change.cry.phrase)
        if onset is not None:
            self._learn(at, name, onset)

    def _learn(self, at: float, name: str, onset: float) -> None:
        learner = self._aids.learner
        learner.confirmed(name, onset)
        if learner.asks:
            self._pending = _Pending(at, lambda t: self._say(t, learner.learn(name, onset)))
            self._desk.teller.say(at, (Line("apprendre_voix", {"joueur": name}),), Weight.QUESTION)

    def _explain(self, at: float, match: Match) -> None:
        sentences = self._aids.explain(str(match.slots.get("regle", "")))
        if sentences:
            self._desk.teller.read(at, sentences)
        else:
            self._desk.refuse(at, match.text, "regle_inconnue")


def _number(value: object) -> int:
    """A slot value that the grammar says is a number."""
    return value if isinstance(value, int) else 0
