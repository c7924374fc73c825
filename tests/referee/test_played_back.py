"""B62 by sound: the referee's sentences come back into its own ear, late as from a radio loudspeaker, and change
nothing; « stop » said through them is heard. A sample; all of them: `benchmarks/own_voice.py`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.referee.own_sentences import sentences
from voiceref import resources
from voiceref.audio.player import Playback, Window
from voiceref.audio.source import EAR_RATE, Block, Samples, Trouble
from voiceref.ear.hearing import AudioHearing
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.opening import EarModels, open_ear
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.slots import Context
from voiceref.referee.hearings import Expectations
from voiceref.referee.interrupting import interruptions
from voiceref.voice.synthesis import Manner, PicoVoice, VoiceError

BETWEEN = 2.6


class Room:
    """A microphone that hears what a loudspeaker plays, with a tail of 0.3 s, `late` seconds after it was told to."""

    rate, channels = EAR_RATE, 1

    def __init__(self, late: float, seconds: float) -> None:
        rng = np.random.default_rng(2)
        self.sound = rng.normal(0.0, 1e-3, round(seconds * EAR_RATE)).astype(np.float32)
        fall = 10.0 ** (-3.0 * np.arange(4800) / 4800)
        self._tail = (rng.normal(0.0, 0.03, 4800) * fall).astype(np.float32)
        self._tail[40] += 0.5
        self._late = late
        self._place = 0

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        assert rate == EAR_RATE
        self.mix(at + self._late, np.convolve(samples, self._tail).astype(np.float32))
        return Window(at, at + len(samples) / rate)

    def mix(self, at: float, sound: Samples) -> None:
        first = round(at * EAR_RATE)
        self.sound[first : first + len(sound)] += sound[: max(0, len(self.sound) - first)]

    def blocks(self) -> Iterator[Block | Trouble]:
        for start in range(0, len(self.sound), 320):
            self._place = start + 320
            yield Block(start, self.sound[start : start + 320, None], EAR_RATE)

    def now(self) -> float:
        return self._place / EAR_RATE

    def close(self) -> None:
        return None


@pytest.fixture(scope="module")
def voice() -> PicoVoice:
    try:
        return PicoVoice()
    except VoiceError as error:
        pytest.skip(str(error))


def ear(room: Room) -> AudioHearing:
    """An ear in `room` that takes every phrase of the game."""
    hearing = open_ear(room, EarModels(resources.models()))
    game = catalogues.load("cul-de-chouette")
    Expectations(hearing, game).tell(Context(("Ana", "Bruno", "Chloé")), tuple(game.phrases))
    hearing.interruptible(interruptions())
    return hearing


def sample(count: int) -> list[str]:
    """Sentences of some length from all over the wording."""
    found = [sentence for _, sentence in sentences("cul-de-chouette") if len(sentence) > 25]
    return found[:: len(found) // count][:count]


def believed(hearing: AudioHearing) -> list[Hypothesis]:
    return [event for event in hearing.events() if isinstance(event, Hypothesis) and event.accepted]


@pytest.mark.parametrize("late", [0.0, 0.3])
def test_what_the_referee_says_is_not_taken_for_a_player(voice: PicoVoice, late: float) -> None:
    said = [voice.speak(sentence).samples for sentence in sample(4)]
    room = Room(late, 2.0 + sum(len(sound) / EAR_RATE + BETWEEN for sound in said))
    hearing, at = ear(room), 1.5
    for sound in said:
        hearing.own.through(room).play(sound, EAR_RATE, at)
        at += len(sound) / EAR_RATE + BETWEEN
    assert believed(hearing) == []
    assert hearing.own.measured
    assert hearing.own.delay == pytest.approx(late + 0.05, abs=0.03)


def test_without_being_told_the_ear_would_have_heard_it(voice: PicoVoice) -> None:
    """The room and the ear of the test above are no deaf ones."""
    room = Room(0.0, 5.0)
    room.play(voice.speak("Pas mou le caillou !").samples, EAR_RATE, 2.0)
    assert believed(ear(room))


def test_a_player_stops_the_referee(voice: PicoVoice) -> None:
    said = [voice.speak(sentence).samples for sentence in sample(3)]
    long = voice.speak("Voici les scores : Ana, seize points ; Bruno, un point ; Chloé, vingt points.").samples
    room = Room(0.0, 4.0 + sum(len(sound) / EAR_RATE + 1.0 for sound in (*said, long)))
    hearing, at = ear(room), 1.5
    for sound in said:
        hearing.own.through(room).play(sound, EAR_RATE, at)
        at += len(sound) / EAR_RATE + 1.0
    hearing.own.through(room).play(long, EAR_RATE, at)
    stop = voice.speak("ça suffit", Manner(0.9, 1.3)).samples
    room.mix(at + 1.5, stop * np.float32(2.0))
    heard = believed(hearing)[0]
    assert heard.text == "ça suffit"
    assert at + 1.5 < heard.onset < at + 1.5 + len(stop) / EAR_RATE + 0.5
