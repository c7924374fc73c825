"""From the decision to the first sample of its sentence: `python benchmarks/first_sound.py`.

Every sentence of the wording is given to the announcer as in play, with the voice that ships, each when the one before
is over; the player notes when it is given samples. The loudspeaker's own buffer comes on top: its latency is what the
sound system tells (`--buffer`).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from voiceref.audio.player import Playback, Window
from voiceref.audio.source import Samples
from voiceref.phrases.catalogue import GAMES
from voiceref.voice.announcer import LiveAnnouncer, VoiceBox
from voiceref.voice.voices import open_voice

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "referee"))
from own_sentences import sentences  # noqa: E402

WISH = 150
"""Milliseconds within which a sentence is to be heard."""


class Stopwatch:
    """A player that only notes when it is given something."""

    def __init__(self) -> None:
        self.given: list[float] = []

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        self.given.append(time.perf_counter())
        return Window(at, at)

    def close(self) -> None:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--limit", type=int, default=0, help="sentences of each game at most (0: all)")
    parser.add_argument("--buffer", type=float, default=20.0, help="latency of the loudspeaker in ms, added")
    options = parser.parse_args()
    player = Stopwatch()
    box = VoiceBox(open_voice("pico").voice, print)
    announcer = LiveAnnouncer(box, player, lambda start, end: None, time.monotonic)
    waits, work = [], []
    for game in options.games:
        for _, sentence in list(sentences(game))[: options.limit or None]:
            began, used, count = time.perf_counter(), time.process_time(), len(player.given)
            announcer.say(0.0, sentence)
            announcer.drain(10.0)
            if len(player.given) > count:
                waits.append(1000 * (player.given[-1] - began) + options.buffer)
                work.append(1000 * (time.process_time() - used) + options.buffer)
    announcer.close()
    tell("by the clock", waits)
    tell("with a core of its own (processor time)", work)


def tell(kind: str, times: list[float]) -> None:
    """One line of figures."""
    p50, p95, most = np.percentile(times, (50, 95, 100))
    late = sum(one > WISH for one in times)
    print(f"| {kind} | {p50:.0f}, {p95:.0f} and {most:.0f} ms; later than {WISH} ms: {late} of {len(times)} |")


if __name__ == "__main__":
    main()
