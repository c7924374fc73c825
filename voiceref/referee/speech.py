"""The referee's voice at the table: sentences and cues to the announcer, and the orders that change its manner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from voiceref.audio.player import Player, WavePlayer
from voiceref.audio.source import AudioError, Samples
from voiceref.ear.own_voice import OwnVoice
from voiceref.games.engine import Event, Refusal, Summary
from voiceref.referee.comfort import Comfort, keep_style, kept_style
from voiceref.referee.outlets import SPEAKERS
from voiceref.voice.announcer import Announcer, DirectAnnouncer, LiveAnnouncer, VoiceBox
from voiceref.voice.earcons import Cue
from voiceref.voice.style import Style, Talk, Weight
from voiceref.voice.synthesis import Sound
from voiceref.voice.voices import open_voice

_LAST_WORDS_S = 20.0
_MANNERS: Mapping[str, Callable[[Style], Style]] = {
    "louder": Style.louder,
    "softer": Style.softer,
    "slower": Style.slower,
    "faster": Style.faster,
    "higher": Style.higher,
    "lower": Style.lower,
    "quiet": lambda style: replace(style, talk=Talk.ON_REQUEST),
    "on_request": lambda style: replace(style, talk=Talk.ON_REQUEST),
    "short": lambda style: replace(style, talk=Talk.SHORT),
    "talk": lambda style: replace(style, talk=Talk.ALL),
}
_CUES: Mapping[str, Cue] = {
    "annule": Cue.UNDO,
    "annule_secret": Cue.UNDO,
    "sablier_premier": Cue.HOURGLASS_START,
    "sablier_second": Cue.HOURGLASS_START,
    "silence": Cue.HOURGLASS_START,
    "sablier_termine_premier": Cue.HOURGLASS_END,
    "sablier_termine_defi": Cue.HOURGLASS_END,
    "sablier_termine_second": Cue.HOURGLASS_END,
    "manche_nulle_silence": Cue.HOURGLASS_END,
}
"""Events that sound before they are said."""


class Speech:
    """An outlet that is heard, and the mouth that orders adjust."""

    def __init__(self, announcer: Announcer, keep: Callable[[Style], None] = lambda style: None) -> None:
        """`keep`: told of every manner that is asked for, so that it holds next time too."""
        self._announcer = announcer
        self._keep = keep

    def say(self, t: float, text: str, weight: Weight) -> None:
        self._announcer.say(t, text, weight)

    def event(self, t: float, event: Event) -> None:
        if event.name in _CUES:
            self._announcer.cue(t, _CUES[event.name])

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        pass

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        if aloud:
            self._announcer.cue(t, Cue.REFUSED)

    def table(self, summary: Summary) -> None:
        pass

    def close(self, game: str, summary: Summary) -> None:
        pass

    def adjust(self, order: str) -> bool:
        """One of `orders.MANNERS`, from the next sentence on; False where that changes nothing."""
        before = self._announcer.style
        self._announcer.style = _MANNERS[order](before)
        self._keep(self._announcer.style)
        return self._announcer.style != before

    def interrupt(self, now: float) -> None:
        """Stop what is being said at capture second `now`."""
        self._announcer.interrupt(now)

    def play(self, at: float, samples: Samples, rate: int) -> None:
        """Let a sound be heard, e.g. that of a race, in its turn after what is being said."""
        self._announcer.play(at, Sound(samples, rate))

    def hush(self) -> None:
        """Let the voice go at once: the game is being broken off."""
        self._announcer.close()


@dataclass(frozen=True)
class Room:
    """What a voice needs of the room: the capture clock, stream time on it, and whom to tell when it sounds.

    `own`: the ear's part that is told what the loudspeakers play.
    """

    now: Callable[[], float]
    from_stream_time: Callable[[float], float]
    sounding: Callable[[float, float], None]
    own: OwnVoice | None = None


@dataclass(frozen=True)
class Way:
    """How to speak: into `output`, with the `voice` of this name, with this `comfort`."""

    output: str
    voice: str | None
    comfort: Comfort = field(default_factory=Comfort)


def open_speech(way: Way, room: Room, trouble: Callable[[str], None], stack: ExitStack) -> Speech:
    """The voice for `--output speakers` or a wave file; it is closed with `stack`. Without loudspeakers it is silent.

    At the loudspeakers the manner is that of last time, and kept for next time.

    Raises AudioError when the wave file cannot be written.
    """
    opened = open_voice(way.voice)
    if opened.warning is not None:
        trouble(opened.warning)
    box = VoiceBox(opened.voice, trouble, region=way.comfort.region)
    if way.output != SPEAKERS:
        direct = DirectAnnouncer(box, WavePlayer(Path(way.output)), room.sounding, way.comfort.style(Style()))
        stack.callback(direct.close)
        return Speech(direct)
    style = way.comfort.style(kept_style())
    live = LiveAnnouncer(box, _speakers(room, trouble), room.sounding, room.now, style)
    stack.callback(live.close)
    stack.callback(live.drain, _LAST_WORDS_S)
    return Speech(live, keep_style)


def _speakers(room: Room, trouble: Callable[[str], None]) -> Player:
    from voiceref.audio.player import QuietPlayer
    from voiceref.audio.speakers import SpeakerPlayer

    try:
        speakers = SpeakerPlayer(room.from_stream_time)
    except AudioError as error:
        trouble(f"{error} La partie continue à l'écran.")
        return QuietPlayer()
    return speakers if room.own is None else room.own.through(speakers)
