"""The session: heard words -> phrase -> whose they are -> the rules or an order.

It takes what the ear delivers in any order, gives it to the rules in the order of onset, and lets hourglasses run
out in between. It holds no thread and reads no clock: time arrives with the words and with the watermark of the ear.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.script import Typed
from voiceref.games.engine import Said, Secret
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.matcher import Match, Rejection, match
from voiceref.phrases.phrase_file import RACES
from voiceref.phrases.slots import Context
from voiceref.race.verdict import TOGETHER, Claim
from voiceref.referee import dialogue
from voiceref.referee.attribution import attribute, for_speaker
from voiceref.referee.desk import Desk
from voiceref.referee.doubts import REPEATED_S, Doubt, worth_asking, worth_confirming, worth_repeating
from voiceref.referee.orders import QUESTION_S, Orders
from voiceref.referee.telling import Line
from voiceref.referee.understanding import FOR_RULES, in_turn, sentences
from voiceref.referee.video import Video
from voiceref.table import find
from voiceref.voice.style import Weight

TOO_LATE = "trop_tard"
"""Why words are refused that come after the game went on without them; the ear gives the same reason."""

_RECENT = 32
_MEANWHILE = frozenset({"repeat", "stop", *dialogue.ANSWERS})
"""Orders that are carried out at once although a question is open."""


@dataclass(frozen=True)
class Question:
    """A claim held until its player is named. Times in capture seconds."""

    asked: float
    onset: float
    claim: Match


@dataclass(order=True, frozen=True)
class _Arrived:
    onset: float
    order: int
    item: Hypothesis | Typed = field(compare=False)


class Session:
    """A game being refereed. Feed it with `hear`, `secret` and `clock`; end with `close`."""

    def __init__(
        self,
        desk: Desk,
        orders: Orders,
        catalogue: Catalogue,
        seated: Iterable[str],
        *,
        strict: bool,
        names: tuple[str, ...] = (),
        video: Video | None = None,
        named: Callable[[str, float], None] = lambda player, onset: None,
    ) -> None:
        """`seated`: the players; `strict`: whether words out of place cost points, so that their speaker matters.

        `names`: those that the ear expects of a newcomer who is asked for his name. `video` is shown every cry of a
        race; `named` is told whose the cry at a capture second was when players say so.
        """
        self._video = video or Video()
        self._tell_named = named
        self._desk = desk
        self._orders = orders
        self._catalogue = catalogue
        self._strict = strict
        self._names = names
        self._seated = tuple(seated)
        self._players = list(self._seated)
        self._context = self._ear_context = Context(self._seated)
        self._arrived: list[_Arrived] = []
        self._waiting: deque[Hypothesis | Typed] = deque()
        self._recent: deque[tuple[float, str | None, str]] = deque(maxlen=_RECENT)
        self._count = 0
        self._watermark = float("-inf")
        self._question: Question | None = None
        self._answered = float("-inf")
        self._doubt: Doubt | None = None
        self._repeated = float("-inf")

    @property
    def ended(self) -> bool:
        """Whether the players ended the game."""
        return self._orders.ended

    @property
    def again(self) -> bool:
        """Whether they want another game."""
        return self._orders.again

    @property
    def watermark(self) -> float:
        """Second of the capture clock up to which everything was heard."""
        return self._watermark

    @property
    def context(self) -> Context:
        """What this table adds to the grammar: its players, newcomers included."""
        return self._context

    @property
    def ear_context(self) -> Context:
        """The context with the free words that the ear must be ready for; the same object while it says the same."""
        known = self._ear_context
        players, sought = self._context.players, self._desk.sought_words
        words = {**self._newcomers(), **self._desk.open_words}
        if (players, words, sought) != (known.players, known.words, known.sought):
            self._ear_context = replace(self._context, words=words, sought=sought)
        return self._ear_context

    def _newcomers(self) -> Mapping[str, tuple[str, ...]]:
        """The names that a newcomer may have, while he is asked for his."""
        phrases = self._catalogue.phrases
        asked = any(name in phrases and phrases[name].command == "new_player" for name in self.legal())
        return {"nom": self._names} if asked and self._names else {}

    def legal(self) -> tuple[str, ...]:
        """Ids of the game's phrases that may be said now."""
        return tuple(dict.fromkeys(opening.phrase for opening in self._desk.openings))

    def expected(self) -> frozenset[str]:
        """Ids of everything that makes sense now, orders included, for the ear."""
        return frozenset((*self.legal(), *self._catalogue.commands()))

    def hear(self, heard: Hypothesis) -> None:
        """Words from the ear; their turn comes when the watermark has passed their onset. Twins count once (B15).

        With one microphone a player, the channel tells who spoke.
        """
        if heard.speaker is None and heard.channel is not None and heard.channel < len(self._seated):
            heard = replace(heard, speaker=self._seated[heard.channel])
        key = (heard.onset, heard.speaker, heard.text)
        if key in self._recent:
            return
        self._recent.append(key)
        if heard.onset < self._watermark:
            self._desk.refuse(heard.utterance.end, heard.text, TOO_LATE, heard.speaker)
        else:
            self._arrive(heard.onset, heard)

    def secret(self, typed: Typed) -> None:
        """A word typed in secret."""
        self._arrive(typed.t, typed)

    def clock(self, watermark: float) -> None:
        """Nothing said before `watermark` (s, capture clock) is still to come."""
        self._watermark = self._desk.now = max(self._watermark, watermark)
        while self._arrived and self._arrived[0].onset < self._watermark:
            self._take(heapq.heappop(self._arrived))
        self._let_go(self._watermark)
        self._video.clock(self._watermark)
        if self._question is None:
            self._desk.run_out(self._watermark, through=True)

    def trouble(self, t: float, message: str) -> None:
        """Something about the room, e.g. a microphone that went away: one French sentence."""
        self._desk.teller.read(t, (message,))

    def slept(self, t: float) -> None:
        """The machine was suspended: hourglasses stop until somebody resumes (B64)."""
        self._orders.stop_clock(t)
        self._desk.teller.say(t, (Line("veille"),), Weight.QUESTION)

    def close(self) -> None:
        """Take what still waits, let the last hourglasses run out, and tell the last state."""
        while self._arrived:
            self._take(heapq.heappop(self._arrived))
        self._let_go(float("inf"))
        self._video.close()
        self._desk.run_out(self._watermark, through=True)
        self._desk.teller.close(self._desk.summary)

    # --- in the order of onset ---------------------------------------------------------------------------------------

    def _arrive(self, onset: float, item: Hypothesis | Typed) -> None:
        heapq.heappush(self._arrived, _Arrived(onset, self._count, item))
        self._count += 1

    def _take(self, arrived: _Arrived) -> None:
        """The next item: what it asks for, or the answer to the open question, or one more that waits behind it."""
        self._let_go(arrived.onset)
        if self._question is None:
            self._deliver(arrived.item)
        elif not self._meanwhile(self._question, arrived.item):
            self._waiting.append(arrived.item)

    def _deliver(self, item: Hypothesis | Typed) -> None:
        if isinstance(item, Typed):
            self._desk.run_out(item.t)
            self._desk.rule(Secret(self._desk.clock.game_time(item.t), item.text, item.synonyms), item.t)
            return
        self._desk.run_out(item.onset)
        parts = sentences(item.text, self._catalogue, self.ear_context, self.legal()) if item.accepted else (item.text,)
        for part in in_turn(item, parts)[1:]:
            self._arrive(part.onset, part)
        self._obey(replace(item, text=parts[0]))

    def _obey(self, item: Hypothesis) -> None:
        """One phrase, to whom it is for."""
        found = self._understood(item)
        if found is None:
            self._read_back(item)
            return
        doubt, self._doubt = self._doubt, None
        answer = doubt.answer(found, item.utterance.end) if doubt else None
        if doubt is not None and answer is not None:
            self._resolve(doubt, item, answer=answer)
            return
        order = found.command
        if worth_confirming(item, order):
            self._put_back(item)
            return
        if order is not None and order not in FOR_RULES:
            self._orders.carry_out(order, item.utterance.end, found, find(self._players, item.speaker or ""))
        elif self._orders.asleep or not self._desk.clock.running:
            self._desk.refuse(item.utterance.end, found.text, "en_pause", item.speaker, aloud=not self._orders.asleep)
        else:
            self._attribute(item, found)

    def _understood(self, heard: Hypothesis) -> Match | None:
        """The phrase that was said; None after telling why it is none."""
        if not heard.accepted:
            late = heard.reason == TOO_LATE
            self._desk.refuse(heard.utterance.end, heard.text, heard.reason, heard.speaker, aloud=late)
            return None
        found = match(heard.text, self._catalogue, self.ear_context, self.legal())
        if isinstance(found, Rejection):
            unknown_name = found.reason == "name"
            self._desk.refuse(heard.utterance.end, found.text, found.reason, heard.speaker, aloud=unknown_name)
            return None
        if not self._orders.asleep:
            self._desk.teller.heard(heard.utterance.end, heard.speaker, found.text)
        return for_speaker(found, heard.speaker, self._desk.openings)

    # --- what was heard badly ---------------------------------------------------------------------------------------

    def _read_back(self, heard: Hypothesis) -> None:
        """Ask whether a report was understood rightly; what was asked before is forgotten."""
        paused = self._orders.asleep or not self._desk.clock.running
        at = heard.utterance.end
        if paused or not worth_asking(heard, self._catalogue, self.legal()):
            if not paused and at > self._repeated + REPEATED_S:
                self._ask_for_dice(heard, at)
            return
        self._put_back(heard)

    def _put_back(self, heard: Hypothesis) -> None:
        """« J'ai compris … Oui ou non ? »"""
        self._doubt = Doubt(heard.utterance.end, heard)
        self._desk.teller.say(heard.utterance.end, (Line("relecture", {"texte": heard.text}),), Weight.QUESTION)

    def _ask_for_dice(self, heard: Hypothesis, at: float) -> None:
        """Ask for dice again that were hardly understood; nothing is guessed."""
        if worth_repeating(heard, self._catalogue, self.legal()):
            self._repeated = at
            self._desk.teller.say(at, (Line("des_incompris"),), Weight.QUESTION)

    def _resolve(self, doubt: Doubt, heard: Hypothesis, *, answer: bool) -> None:
        if answer:
            self._obey(doubt.confirmed(heard))
        else:
            self._desk.teller.say(heard.utterance.end, (Line("relecture_non"),), Weight.QUESTION)

    # --- whose words -------------------------------------------------------------------------------------------------

    def _attribute(self, heard: Hypothesis, found: Match) -> None:
        speaker = None if heard.speaker is None else find(self._players, heard.speaker)
        if heard.speaker is not None and speaker is None:
            self._desk.refuse(heard.utterance.end, found.text, "joueur_inconnu", heard.speaker)
            return
        kind = self._catalogue.phrases[found.phrase_id].kind
        who = attribute(speaker, found.phrase_id, kind, self._desk.openings, strict=self._strict)
        if kind in RACES:
            width = heard.uncertainty or 0.0
            claim = Claim(who.name, heard.onset, width, channel=heard.channel, phrase=found.phrase_id)
            (self._video.cry if found.legal else self._video.late)(claim)
        if who.ask:
            asked = max(heard.utterance.end, self._answered)
            self._question = Question(asked, heard.onset, found)
            self._desk.teller.say(asked, (Line(_question(heard, kind), {"texte": found.text}),), Weight.QUESTION)
        else:
            self._claim(heard.onset, heard.utterance.end, who.name, found)

    def _claim(self, onset: float, at: float, speaker: str | None, found: Match) -> None:
        t = self._desk.clock.game_time(onset)
        changed = self._desk.rule(Said(t, speaker, found.phrase_id, found.slots, found.text), at)
        name = found.slots.get("joueur")
        if changed and isinstance(name, str) and find(self._players, name) is None:
            self._players.append(name)
            self._context = replace(self._context, players=tuple(self._players))

    # --- « Qui ? » ---------------------------------------------------------------------------------------------------

    def _meanwhile(self, question: Question, item: Hypothesis | Typed) -> bool:
        """Whether `item` was dealt with although a question is open: it names the player, or only asks something."""
        if isinstance(item, Typed):
            return False
        found = self._understood(item)
        if found is None:
            return True
        names = _named(found, item.speaker)
        if names:
            seated = tuple(name for given in names if (name := find(self._players, given)) is not None)
            self._settle(question, seated, item.utterance.end)
        elif found.command in ("no", "nobody"):
            self._settle(question, (), item.utterance.end)
        elif found.command in _MEANWHILE:
            self._orders.carry_out(str(found.command), item.utterance.end, found)
        else:
            return False
        return True

    def _settle(self, question: Question, names: tuple[str, ...], at: float) -> None:
        """Close the question; the claim goes to the rules with its own onset, then whatever waited behind it.

        Several who cried at once claim with one onset, so that the rules call it a tie.
        """
        self._question = None
        self._answered = at
        if not names:
            self._desk.refuse(at, question.claim.text, "qui_inconnu")
        self._video.named(question.onset, *names)
        if len(names) == 1:
            self._tell_named(names[0], question.onset)
        for name in names:
            self._claim(question.onset, at, name, question.claim)
        while self._waiting and self._question is None:
            self._deliver(self._waiting.popleft())

    def _let_go(self, now: float) -> None:
        """Give up questions that nobody answered in time."""
        while self._question is not None and now > self._question.asked + QUESTION_S:
            self._settle(self._question, (), self._question.asked + QUESTION_S)


def _question(heard: Hypothesis, kind: str) -> str:
    """What is asked for the name of who cried or told something, or for both where two voices sound at once."""
    if kind == "report":
        return "qui_dit"
    return "qui_ensemble" if heard.together >= TOGETHER else "qui"


def _named(found: Match, speaker: str | None) -> tuple[str, ...]:
    """The players whom « Bruno », « Ana et Bruno », « c'est Bruno qui a crié » or « c'est moi » stands for."""
    answer = next((reading for reading in (found, *found.alternatives) if reading.command == "name"), None)
    if answer is None:
        return ()
    if answer.slots.get("moi"):
        return () if speaker is None else (speaker,)
    several = answer.slots.get("joueurs")
    return tuple(dict.fromkeys(map(str, several))) if isinstance(several, tuple) else (str(answer.slots["joueur"]),)
