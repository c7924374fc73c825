"""A long evening at the table, faster than real time: `python benchmarks/evening.py --hours 8` prints its figures.

A made-up kitchen goes through the whole loop (device of 48 kHz whose crystal is a little fast, watchdog, resampling,
ear, session, rules, journal, voice): people talk about other things, the room hums, nobody says anything, and now and
then a player shouts what the game allows. The referee's own sentences come back into the microphone. All follows from
`--seed`.

Printed: memory after warm-up, processor time, drift of the hourglass, false actions and misses, also as stricter
sensitivities than the one that listens would have had them from the same scores. The shouts are of the
voice that ships, the talk is of people (`--speech`, `--readers`; kept outside this repository).
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from evening_sounds import SCENES, Kitchen, Material, Samples
from evening_table import GAME, PLAYERS, Driver, Tally, new_session

from voiceref import resources
from voiceref.audio.fake_device import FakeClock, FakeMic
from voiceref.audio.microphone import MicrophoneSource
from voiceref.audio.source import EAR_RATE, Trouble
from voiceref.ear.decision import THRESHOLDS, Sensitivity
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.opening import EarModels, open_ear
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.normalise import normalise
from voiceref.phrases.slots import Context
from voiceref.referee.hearings import Ear, listen
from voiceref.referee.interrupting import interruptions
from voiceref.referee.speech import Speech
from voiceref.voice.announcer import DirectAnnouncer, VoiceBox
from voiceref.voice.voices import open_voice

DEVICE_RATE = 48_000
BLOCK_S = 0.02
WARM_UP = 0.3
"""Share of the evening before memory counts."""
STEP_MS, DRIFT_MS = 20.0, 50.0
"""The clock is read in blocks of the device, so that a drift an hour as large as the wish cannot be told in less time
than the quotient of both."""


class Evening:
    """The loop on made-up sound, and its witness between ear and session."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        rng = Random(options.seed)
        self._folder = folder
        self._length = options.hours * 3600.0
        self._catalogue = catalogues.load(GAME)
        voice = open_voice("pico").voice
        self.tally = Tally()
        self._driver = Driver(voice, rng, self.tally, self._catalogue)
        material = Material.load(talk(options, self._catalogue), options.clips, rng)
        self.kitchen = Kitchen(material, rng, options.snr, self._driver.next_shout, options.weights, options.ppm)
        self._driver.kitchen = self.kitchen
        self._clock = FakeClock()
        mic = FakeMic(self._clock, DEVICE_RATE, block_seconds=BLOCK_S, ppm=options.ppm)
        mic.sound = self._sound
        self._source = MicrophoneSource(mic, self._clock)
        models = EarModels(resources.models())
        self.sensitivity = Sensitivity(options.sensitivity)
        self._hearing: AudioHearing = open_ear(self._source, models, EarSettings(self.sensitivity))
        box = VoiceBox(voice, lambda text: None)
        self._hearing.interruptible(interruptions())
        player = self._hearing.own.through(self.kitchen)
        self._speech = Speech(DirectAnnouncer(box, player, lambda start, end: None))
        self._last = np.float32(0.0)
        self.made = 0.0
        self.troubles: list[tuple[float, str]] = []
        self.games = 0
        self.lags: list[tuple[float, float]] = []
        self.memory: list[tuple[float, float]] = []
        self._minute = 0.0
        self._least = float("inf")
        self._events = self._witnessed()
        self._cpu, self._wall = time.process_time(), time.monotonic()

    def run(self) -> None:
        """Play one game after the other until the evening is over."""
        while self._clock.monotonic() < self._length:
            self.games += 1
            journal = self._folder / f"{self.games}.jsonl"
            t = self._clock.monotonic()
            session = new_session(self._driver, self.tally, self._speech, self._catalogue, journal, t)
            ear = Ear(self, self._source.now, self._source.from_stream_time, by_sound=True, live=True)
            listen(session, ear, self._catalogue, lambda: 0.0)

    # --- the hearing, as the session's loop sees it ---

    def expect(self, graph, legal=None, meaning=None) -> None:  # type: ignore[no-untyped-def]
        self._hearing.expect(graph, legal, meaning)

    def mute(self, start: float, end: float) -> None:
        self._hearing.mute(start, end)

    def events(self) -> Iterator[Hypothesis | Clock | Trouble]:
        yield from iter(lambda: next(self._events, None), None)

    def _witnessed(self) -> Iterator[Hypothesis | Clock | Trouble]:
        for event in self._hearing.events():
            if isinstance(event, Hypothesis) and event.accepted:
                self.tally.accepted(event, self._driver.same(event))
            elif isinstance(event, Hypothesis):
                self.tally.refused_by_ear(event)
            elif isinstance(event, Trouble):
                self.troubles.append((event.time, event.code))
            elif isinstance(event, Clock):
                self._note(event.t)
            yield event
            if self._clock.monotonic() > self._length:
                self._hearing.close()

    def _note(self, t: float) -> None:
        now = self._clock.monotonic()
        self._least = min(self._least, now - t)
        if now >= self._minute:
            self.memory.append((now / 3600, resident_mb()))
            self.lags.append((now / 3600, 1000 * self._least))
            self._minute, self._least = now + 60.0, float("inf")
            if len(self.memory) % 5 == 0:
                cpu, wall = time.process_time() - self._cpu, time.monotonic() - self._wall
                print("\n".join(report(self, cpu, wall)), file=sys.stderr, flush=True)

    def _sound(self, start: int, count: int) -> Samples:
        """The kitchen at the device's rate, one channel."""
        began = time.process_time()
        piece = self.kitchen.sound(round(count * EAR_RATE / DEVICE_RATE))
        known = np.concatenate([[self._last], piece])
        self._last = piece[-1]
        fine = np.interp(np.arange(1, count + 1) * (len(piece) / count), np.arange(len(known)), known)
        self.made += time.process_time() - began
        return fine.astype(np.float32)[:, None]


def talk(options: argparse.Namespace, catalogue: catalogues.Catalogue) -> list[Path]:
    """Recordings of people; those that happen to say a phrase of the game are left out."""
    manifest = options.speech / "manifest.tsv"
    if not manifest.is_file():
        raise SystemExit(f"no recordings in {options.speech}: give their folder with --speech")
    found = sorted(options.readers.glob("*.flac"))
    context = Context(PLAYERS)
    for line in manifest.read_text(encoding="utf-8").splitlines()[1:]:
        name, transcript, *_ = line.split("\t")
        if not isinstance(match(normalise(transcript), catalogue, context, tuple(catalogue.phrases)), Match):
            found.append(options.speech / name)
    return found


def resident_mb() -> float:
    """Memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def slope(points: list[tuple[float, float]]) -> float:
    """Units an hour, by the median of the slopes of all pairs (Theil and Sen)."""
    t, v = np.array(points).T
    rise, run = v[None, :] - v[:, None], t[None, :] - t[:, None]
    return float(np.median(rise[run > 0] / run[run > 0]))


def report(evening: Evening, cpu: float, wall: float) -> Iterator[str]:
    """The lines of the report."""
    tally, hours = evening.tally, evening.kitchen.now / 3600
    yield f"| sound | {hours:.2f} h, {evening.games} games, {len(tally.shouts)} shouts, {tally.events} events |"
    scenes = ", ".join(f"{name} {evening.kitchen.seconds[name] / 3600:.2f} h" for name in SCENES)
    yield f"| scenes | {scenes} |"
    yield f"| real time | {wall / 60:.1f} min, {3600 * hours / wall:.1f} times faster |"
    yield f"| processor time while listening | {100 * (cpu - evening.made) / (3600 * hours):.1f} % of one core |"
    late = [point for point in evening.memory if point[0] > WARM_UP * hours] or evening.memory
    yield f"| memory | {late[0][1]:.0f} MB after warm-up, {late[-1][1]:.0f} MB at the end |"
    if len(late) > 5:
        yield f"| memory slope after {WARM_UP * hours:.2f} h | {slope(late):.2f} MB an hour |"
    if hours > STEP_MS / DRIFT_MS:
        yield f"| drift of the hourglass | {slope(evening.lags):.1f} ms an hour |"
    least, most = min(lag for _, lag in evening.lags), max(lag for _, lag in evening.lags)
    yield f"| the ear's clock behind the machine's | between {least:.1f} and {most:.1f} ms in every minute |"
    for level, least in THRESHOLDS.items():
        if least >= THRESHOLDS[evening.sensitivity]:
            yield from believed(tally, hours, level, least)
    for scene in ("calm", "noise"):
        fates = Counter(shout.fate for shout in tally.shouts[:-1] if shout.scene == scene and not shout.heard)
        yield f"| why missed in {scene} | {', '.join(f'{why} {count}' for why, count in fates.most_common())} |"
    yield f"| troubles told | {evening.troubles} |"


def believed(tally: Tally, hours: float, level: Sensitivity, least: float) -> Iterator[str]:
    """What a stricter ear, which believes scores from `least` on, would have done with the same sounds."""
    false = sum(score >= least for _, _, score in tally.false_scores)
    others = sum(score >= least for _, _, score in tally.wrong) - false
    missed = []
    for scene in ("calm", "noise"):
        shouts = [shout for shout in tally.shouts[:-1] if shout.scene == scene]
        lost = sum(not shout.heard or shout.score < least for shout in shouts)
        missed.append(f"{lost} of {len(shouts)} = {100 * lost / max(1, len(shouts)):.0f} %")
    rate = f"{false} = {false / hours:.2f} an hour, other phrases believed {others}"
    yield f"| {level.value}: false score changes | {rate}; missed in calm {missed[0]}, in noise {missed[1]} |"


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sensitivity", choices=[level.value for level in Sensitivity], default="normale")
    parser.add_argument("--snr", type=float, default=10.0, help="dB from shouts to noise in the noisy scenes")
    parser.add_argument("--ppm", type=float, default=80.0, help="how much too fast the device's crystal is")
    parser.add_argument("--clips", type=int, default=600, help="recordings of people at most")
    parser.add_argument(
        "--weights",
        type=lambda text: tuple(int(part) for part in text.split(",")),
        default=(3, 4, 3, 1),
        help=f"how often each scene comes: {', '.join(SCENES)}",
    )
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--readers", type=Path, default=root / "../shared/speech_unlabelled")
    parser.add_argument("--verbose", action="store_true", help="also what was believed and never shouted, and misses")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(options, Path(folder))
        cpu, wall = time.process_time(), time.monotonic()
        evening.run()
        cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    conditions = f"{options.sensitivity}, {options.snr:.0f} dB, seed {options.seed}"
    print(f"{platform.machine()}, {os.cpu_count()} cores, {conditions}")
    for line in report(evening, cpu, wall):
        print(line)
    if options.verbose:
        for onset, text, score in evening.tally.wrong:
            print(f"believed {onset:.2f} « {text} » {score:.2f}")
        for shout in evening.tally.shouts:
            if not shout.heard:
                print(f"missed {shout.start:.2f} « {shout.text} » ({shout.scene})")


if __name__ == "__main__":
    main()
