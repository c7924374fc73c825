"""The referee's mouth: sentences and cues in order to a player, and when exactly each of them sounds.

`DirectAnnouncer` speaks at once on the caller's thread, for files and tests, where time is the file's.
`LiveAnnouncer` has one thread that owns the voice, for a real table: `say` never waits, and a voice that hangs or fails
costs sound only, never the game. Both take a `Player` (`voiceref.audio.player`) and close the ear by `mute(start, end)`
for each sound: once when it is planned, with the end foreseen, and once more with the same start and the true end when
it is over or was cut short.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from voiceref.audio.player import Playback, Player
from voiceref.audio.source import AudioError
from voiceref.voice.earcons import Cue, tone
from voiceref.voice.number_words import Region
from voiceref.voice.spoken import spoken
from voiceref.voice.style import Style, Weight
from voiceref.voice.synthesis import Sound, Synthesiser, VoiceError

Mute = Callable[[float, float], None]
Trouble = Callable[[str], None]

_FAILURES_BEFORE_REST = 3
_REST_SENTENCES = 20
_HANG_S = 8.0
_OVERRUN_S = 1.5
_WAITING_DETAILS = 2
_LOOK_S = 0.02
_CLOSE_S = 0.5


class Announcer(Protocol):
    """What the session speaks through."""

    style: Style
    """Talk level, rate, pitch and volume from the next sentence on."""

    def say(self, at: float, sentence: str, weight: Weight = Weight.RESULT) -> None:
        """Speak `sentence`, not before capture second `at`, after what is already waiting; may be left out by style."""

    def cue(self, at: float, cue: Cue) -> None:
        """Sound a cue in its turn, whatever the talk level."""

    def play(self, at: float, sound: Sound) -> None:
        """Let a ready sound be heard in its turn, whatever the talk level."""

    def interrupt(self, now: float) -> None:
        """Stop what is being said at capture second `now` and forget what was waiting."""

    def close(self) -> None:
        """Let the voice and the player go, at once."""


@dataclass
class VoiceBox:
    """A voice with the spoken forms of names. After several failures the voice rests for a while."""

    voice: Synthesiser
    trouble: Trouble
    names: Mapping[str, str] = field(default_factory=dict)
    region: Region = "fr"
    _failures: int = 0
    _resting: int = 0
    _told: set[str] = field(default_factory=set)

    def sound(self, sentence: str, style: Style) -> Sound | None:
        """The sound of `sentence` at the style's rate, pitch and volume; None when there is nothing to hear."""
        if self._resting:
            self._resting -= 1
            return None
        try:
            made = self.voice.speak(spoken(sentence, self.names, self.region), style.manner)
        except VoiceError as error:
            self._failed(str(error))
            return None
        self._failures = 0
        return louder(made, style.volume) if len(made.samples) else None

    def _failed(self, reason: str) -> None:
        self._failures += 1
        if self._failures >= _FAILURES_BEFORE_REST:
            self._failures, self._resting = 0, _REST_SENTENCES
        self.tell(reason)

    def tell(self, reason: str) -> None:
        """Tell people of a trouble, each one once."""
        if reason not in self._told:
            self._told.add(reason)
            self.trouble(reason)


def louder(sound: Sound, volume: float) -> Sound:
    """`sound` times `volume`."""
    return Sound((sound.samples * volume).astype(sound.samples.dtype), sound.rate_hz)


class DirectAnnouncer:
    """Speaks on the caller's thread into a player with a timeline. For wave files, text tables and tests."""

    def __init__(self, box: VoiceBox, player: Player, mute: Mute, style: Style | None = None) -> None:
        self.style = style or Style()
        self._box = box
        self._player = player
        self._mute = mute
        self._played: list[tuple[float, Playback]] = []

    def say(self, at: float, sentence: str, weight: Weight = Weight.RESULT) -> None:
        sound = self._box.sound(sentence, self.style) if self.style.speaks(weight) else None
        if sound is not None:
            self._play(at, sound)

    def cue(self, at: float, cue: Cue) -> None:
        self._play(at, louder(tone(cue), self.style.volume))

    def play(self, at: float, sound: Sound) -> None:
        self._play(at, louder(sound, self.style.volume))

    def interrupt(self, now: float) -> None:
        for start, playback in self._played:
            if not playback.finished(now):
                playback.stop(now)
                self._mute(start, playback.end)
        self._played.clear()

    def close(self) -> None:
        self._box.voice.close()
        self._player.close()

    def _play(self, at: float, sound: Sound) -> None:
        self._played = [(start, playback) for start, playback in self._played if not playback.finished(at)]
        playback = self._player.play(sound.samples, sound.rate_hz, at)
        self._played.append((playback.start, playback))
        self._mute(playback.start, playback.end)


@dataclass(frozen=True)
class _Item:
    """One thing in the queue; `what` is a sentence, a cue or a ready sound."""

    at: float
    what: str | Cue | Sound
    style: Style


class LiveAnnouncer:
    """Speaks on one thread of its own, which owns the voice. `now` gives the second of the capture clock."""

    def __init__(
        self,
        box: VoiceBox,
        player: Player,
        mute: Mute,
        now: Callable[[], float],
        style: Style | None = None,
        hang_s: float = _HANG_S,
    ) -> None:
        self.style = style or Style()
        self._box = box
        self._player = player
        self._mute = mute
        self._now = now
        self._hang_s = hang_s
        self._changed = threading.Condition()
        self._waiting: deque[_Item] = deque()
        self._current: Playback | None = None
        self._round = 0
        self._working_since: float | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)
        self._thread.start()

    def say(self, at: float, sentence: str, weight: Weight = Weight.RESULT) -> None:
        if self.style.speaks(weight):
            self._put(_Item(at, sentence, self.style), passable=weight is Weight.DETAIL)
        self._watch()

    def cue(self, at: float, cue: Cue) -> None:
        self._put(_Item(at, cue, self.style), passable=False)

    def play(self, at: float, sound: Sound) -> None:
        self._put(_Item(at, sound, self.style), passable=False)

    def interrupt(self, now: float) -> None:
        with self._changed:
            self._round += 1
            self._waiting.clear()
            if self._current is not None:
                self._current.stop(now)
            self._changed.notify_all()

    def drain(self, timeout_s: float) -> bool:
        """Wait until everything was said; False when that takes longer than `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(self._idle, timeout_s)

    def close(self) -> None:
        with self._changed:
            if self._closed:
                return
            self._closed = True
        self.interrupt(self._now())
        self._thread.join(timeout=_CLOSE_S)
        self._box.voice.close()
        self._player.close()

    def _idle(self) -> bool:
        return self._closed or not self._waiting and self._current is None and self._working_since is None

    def _put(self, item: _Item, *, passable: bool) -> None:
        with self._changed:
            if self._closed or (passable and len(self._waiting) >= _WAITING_DETAILS):
                return
            self._waiting.append(item)
            self._changed.notify_all()

    def _watch(self) -> None:
        """Tell once when the voice has been at one sentence for too long; sentences stay on the screen."""
        since = self._working_since
        if since is not None and time.monotonic() - since > self._hang_s:
            self._box.tell("La voix ne répond plus : l'arbitre écrit ses phrases à l'écran.")

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                item, round_ = self._waiting.popleft(), self._round
                self._working_since = time.monotonic()
            sound = self._made(item)
            with self._changed:
                cut = round_ != self._round
                if sound is not None and not cut:
                    self._current = self._started(sound, item.at)
                self._working_since = None
            if self._current is not None:
                start = self._current.start
                self._mute(start, self._current.end)
                self._wait_for_end(self._current)
                self._mute(start, self._current.end)
            with self._changed:
                self._current = None
                self._changed.notify_all()

    def _made(self, item: _Item) -> Sound | None:
        if isinstance(item.what, Cue):
            return louder(tone(item.what), item.style.volume)
        if isinstance(item.what, Sound):
            return louder(item.what, item.style.volume)
        return self._box.sound(item.what, item.style)

    def _started(self, sound: Sound, at: float) -> Playback | None:
        try:
            return self._player.play(sound.samples, sound.rate_hz, max(at, self._now()))
        except AudioError as error:
            self._box.tell(str(error))
            return None

    def _wait_for_end(self, playback: Playback) -> None:
        """Until the sound is over; one that is not when it should be is stopped, so that the ear opens again (B62)."""
        latest = time.monotonic() + max(0.0, playback.end - self._now()) + _OVERRUN_S
        with self._changed:
            while not playback.finished(self._now()):
                if self._closed or time.monotonic() > latest:
                    playback.stop(self._now())
                    return
                self._changed.wait(_LOOK_S)
