"""Every sentence of the referee, said in a room and played back into its own ear: `python benchmarks/own_voice.py`.

The default voice speaks each sentence of the wording once; a loudspeaker that may be late (`--late`, as by Bluetooth)
and a room's tail bring it to the microphone, while every phrase of the game may be said. Counted is what the ear
believes to hear: nothing should be. With `--stop`, somebody says « stop » in the middle of each sentence; counted is
how many sentences were cut short, and how many were by mistake.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np
import soundfile
from evening_sounds import at_level

from voiceref import resources
from voiceref.audio.player import Playback, Window
from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, Block, Samples, Trouble
from voiceref.ear.decision import Sensitivity
from voiceref.ear.hearing import EarSettings
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.opening import EarModels, open_ear
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.slots import Context
from voiceref.referee.hearings import Expectations
from voiceref.referee.interrupting import interruptions
from voiceref.voice.announcer import DirectAnnouncer, VoiceBox
from voiceref.voice.synthesis import Manner, Synthesiser
from voiceref.voice.voices import open_voice

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "referee"))
from own_sentences import sentences  # noqa: E402

PLAYERS = ("Ana", "Bruno", "Chloé")
LEVEL = 0.1
"""Root mean square of the referee at the microphone."""
_BLOCK = 320
_PAUSE = 1.5
_AT_ONCE = 1.0
"""Seconds after the end of « stop » within which the referee must be silent."""
_HISS = 0.001
STOP = ("TABLE-020",)
STOPS = ("stop", "arrête", "ça suffit")
VOICES = (Manner(1.0, 0.75), Manner(0.9, 1.3))


@dataclass
class Wall:
    """A room: what is played comes back with a tail, `late` seconds after it was told to sound; people may speak."""

    late: float
    rng: np.random.Generator
    length: float = 0.4
    place: int = 0
    ahead: Samples = field(default_factory=lambda: np.zeros(0, np.float32))
    free: float = 0.0
    closed: bool = False
    rate: int = EAR_RATE
    channels: int = 1
    playing: Window = field(default_factory=lambda: Window(0.0, 0.0))

    def __post_init__(self) -> None:
        count = round(self.length * EAR_RATE)
        fall = 10.0 ** (-3.0 * np.arange(count) / count)
        tail = self.rng.normal(0.0, 0.03, count) * fall
        tail[40] += 0.5
        self.tail = tail.astype(np.float32)

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        start = max(at, self.now() + 0.05, self.free)
        sound = at_level(np.convolve(resample(samples, rate, EAR_RATE), self.tail).astype(np.float32), LEVEL)
        self.mix(start + self.late, sound)
        self.free = start + len(samples) / rate
        self.playing = Window(start, self.free)
        return self.playing

    def mix(self, at: float, sound: Samples) -> None:
        """`sound` is heard from second `at` on."""
        first = round(at * EAR_RATE) - self.place
        longer = first + len(sound) - len(self.ahead)
        if longer > 0:
            self.ahead = np.concatenate([self.ahead, np.zeros(longer, np.float32)])
        self.ahead[first : first + len(sound)] += sound

    def silence(self, at: float) -> None:
        """What was played and is still to come is not heard; only for a referee that was stopped."""
        first = max(0, round((at + self.late) * EAR_RATE) - self.place)
        self.ahead[first:] = 0.0

    def blocks(self) -> Iterator[Block | Trouble]:
        while not self.closed:
            piece = self.rng.normal(0.0, _HISS, (_BLOCK, 1)).astype(np.float32)
            ready = self.ahead[:_BLOCK]
            piece[: len(ready), 0] += ready
            self.ahead = self.ahead[_BLOCK:]
            start, self.place = self.place, self.place + _BLOCK
            yield Block(start, piece, EAR_RATE)

    def now(self) -> float:
        return self.place / EAR_RATE

    def close(self) -> None:
        self.closed = True


@dataclass
class Result:
    """What became of the sentences of one game."""

    said: int = 0
    seconds: float = 0.0
    believed: list[tuple[str, str]] = field(default_factory=list)
    stopped: int = 0
    stops: int = 0
    waits: list[float] = field(default_factory=list)


def shouts(voice: Synthesiser, speech: Path) -> list[Samples]:
    """People and voices that say « stop » in one way or another."""
    found = [resample(voice.speak(text, manner).samples, 16_000, EAR_RATE) for text in STOPS for manner in VOICES]
    person = speech / "gcompris_voices" / "words_stop.flac"
    if person.is_file():
        sound, rate = soundfile.read(person, dtype="float32")
        found.append(resample(sound, rate, EAR_RATE))
    return found


def run(game: str, voice: Synthesiser, options: argparse.Namespace) -> Result:
    """Say every sentence of `game`."""
    rng = Random(options.seed)
    wall = Wall(options.late, np.random.default_rng(options.seed))
    hearing = open_ear(wall, EarModels(resources.models()), EarSettings(Sensitivity(options.sensitivity)))
    catalogue, context = catalogues.load(game), Context(PLAYERS)
    Expectations(hearing, catalogue).tell(context, tuple(catalogue.phrases))
    hearing.interruptible(interruptions())
    box = VoiceBox(voice, lambda text: None)
    player = wall if options.deaf == "never" else hearing.own.through(wall)
    announcer = DirectAnnouncer(box, player, lambda start, end: None)
    lines = [line for line in sentences(game) if line[1] not in options.said]
    options.said.update(sentence for _, sentence in lines)
    rng.shuffle(lines)
    lines = lines[: options.limit] if options.limit else lines
    result, people = Result(), shouts(voice, options.speech)
    current, stop_ends = "", 0.0
    for event in hearing.events():
        if isinstance(event, Hypothesis) and event.accepted:
            if event.phrase in STOP and stop_ends and wall.playing.end > wall.now() - options.late:
                result.stopped += 1
                result.waits.append(wall.now() - stop_ends)
                stop_ends = 0.0
                announcer.interrupt(wall.now())
                wall.silence(wall.now())
                wall.free = wall.now()
            else:
                result.believed.append((current, event.text))
        if wall.now() > wall.free + options.late + _PAUSE + 2.0:
            if not lines:
                hearing.close()
                continue
            current = lines.pop()[1]
            announcer.say(wall.now(), current)
            length = wall.playing.end - wall.playing.start
            result.said, result.seconds, stop_ends = result.said + 1, result.seconds + length, 0.0
            if options.stop and length > 1.5:
                sound = at_level(rng.choice(people), LEVEL * 10 ** (options.above / 20))
                begin = wall.playing.start + options.late + rng.uniform(0.2, 0.5) * length
                wall.mix(begin, sound)
                stop_ends = begin + len(sound) / EAR_RATE
                result.stops += 1
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(catalogues.GAMES), help="sentences of all count once")
    parser.add_argument("--late", type=float, default=0.0, help="seconds that the loudspeaker is later than told")
    parser.add_argument("--deaf", choices=("while-speaking", "never"), default="while-speaking")
    parser.add_argument("--stop", action="store_true", help="somebody says « stop » in each sentence")
    parser.add_argument("--above", type=float, default=0.0, help="dB of « stop » above the referee, at the microphone")
    parser.add_argument("--sensitivity", choices=[level.value for level in Sensitivity], default="normale")
    parser.add_argument("--limit", type=int, default=0, help="sentences of each game at most (0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speech", type=Path, default=ROOT / "../shared/speech_fr")
    parser.add_argument("--verbose", action="store_true", help="also what was believed")
    options = parser.parse_args()
    options.said = set()
    voice = open_voice("pico").voice
    for game in options.games:
        result = run(game, voice, options)
        print(f"{game}: {result.said} sentences ({result.seconds / 60:.1f} min), {len(result.believed)} believed")
        if options.stop:
            soon = sum(wait < _AT_ONCE for wait in result.waits)
            middle = f", median {np.median(result.waits):.2f} s after the word" if result.waits else ""
            print(f"  stopped {result.stopped} of {result.stops}, {soon} within {_AT_ONCE:.0f} s{middle}")
        if options.verbose:
            for sentence, text in result.believed:
                print(f"  « {sentence} » → « {text} »")


if __name__ == "__main__":
    main()
