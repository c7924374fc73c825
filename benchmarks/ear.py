"""How well the ear hears people: `python benchmarks/ear.py` prints the table that the README quotes.

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
from pathlib import Path
from typing import Any

import numpy as np
from ear_material import CONDITIONS, Clip, Rooms, Stream, clips, others, read, speech_end

from voiceref import resources
from voiceref.ear.decision import Sensitivity
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.network import Network
from voiceref.ear.opening import EarModels, open_ear
from voiceref.ear.posteriors import OnnxPhones
from voiceref.ear.recogniser import VoskRecogniser
from voiceref.ear.search import Posteriors, readings
from voiceref.ear.vosk_graph import GraphCosts
from voiceref.ear.word_graph import PhraseList, WordGraph
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases import numbers
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context

FOLDERS = ("gcompris_voices", "tuxpaint_stamps", "ktuberling")
PLAYERS = ("Ana", "Bruno", "Chloé", "David")
USUAL = tuple(f"CDC-P{n:03d}" for n in (1, 2, 6, 12, 15, 16, 19)) + ("CDC-Q001", "CDC-Q002", "CDC-Q010", "TABLE-001")
Result = dict[str, Any]


@dataclass
class Bench:
    """The material and the models of one run."""

    speech: Path
    readers: Path
    models: EarModels
    limit: int
    sensitivity: Sensitivity
    lexicon: Lexicon = field(init=False)
    rooms: Rooms = field(init=False)
    test: list[Clip] = field(init=False)
    texts: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.lexicon = self.models.lexicon()
        self.rooms = Rooms(self.readers)
        every = clips(self.speech)
        self.test = [clip for clip in every if not clip.tuning]
        self.texts = {folder: sorted({clip.text for clip in every if clip.folder == folder}) for folder in FOLDERS}

    def of(self, folder: str) -> list[Clip]:
        """Test clips of a folder, spread evenly down to the limit."""
        own = [clip for clip in self.test if clip.folder == folder]
        return own[:: max(1, len(own) // self.limit)][: self.limit]

    def ear(self, source: Stream) -> AudioHearing:
        return open_ear(source, self.models, EarSettings(sensitivity=self.sensitivity))


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
    """Clips in a stream, 15 phrases legal: heard, missed, taken for another; and how long the decision took."""
    chosen = bench.of(folder)
    ends: dict[int, float] = {}
    ear: AudioHearing | None = None

    def sounds() -> Iterator[np.ndarray]:
        for i, clip in enumerate(chosen):
            assert ear is not None
            ear.expect(phrase_list([clip.text, *others(clip.text, bench.texts[folder], 14)]))
            sound = clip.samples()
            ends[i] = 0.8 + speech_end(sound)
            padded = np.concatenate([np.zeros(12_800, np.float32), sound, np.zeros(16_000, np.float32)])
            progress(f"misses {folder} {condition}", i + 1, len(chosen))
            yield bench.rooms.apply(condition, padded, i)

    stream = Stream(sounds())
    ear = bench.ear(stream)
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
    hits = sum(chosen[i].text in texts for i, texts in heard.items())
    wrong = sum(chosen[i].text not in texts for i, texts in heard.items())
    sure = [right for score, right in scores if score >= 0.95]
    return {
        "clips": len(chosen),
        "missed": len(chosen) - hits,
        "wrong": wrong,
        "delays": [round(delay, 3) for delay in delays],
        "cpu": time.process_time() - started,
        "seconds": stream.now(),
        "sure": len(sure),
        "sure_right": sum(sure),
    }


def false_accepts(bench: Bench, phrases: str, material: str) -> Result:
    """Other speech in a stream while the phrases of the game are legal: everything that is taken for a phrase."""
    catalogue = catalogues.load([resources.grammars() / "cul_de_chouette.toml", resources.grammars() / "table.toml"])
    context = Context(PLAYERS)
    wanted = (
        tuple(catalogue.phrases) if phrases == "all" else tuple(name for name in USUAL if name in catalogue.phrases)
    )
    graph: WordGraph = word_graph(catalogue, context, wanted)
    if material == "readers":
        texts = ["" for _ in sorted(bench.readers.glob("*.flac"))]
        paths = sorted(bench.readers.glob("*.flac"))[: bench.limit]
    else:
        chosen = [clip for folder in FOLDERS for clip in bench.of(folder)]
        texts, paths = [clip.text for clip in chosen], [clip.path for clip in chosen]

    def sounds() -> Iterator[np.ndarray]:
        for i, path in enumerate(paths):
            progress(f"false accepts {phrases} {material}", i + 1, len(paths))
            yield bench.rooms.apply("clean", np.concatenate([read(path), np.zeros(8_000, np.float32)]), i)

    stream = Stream(sounds())
    ear = bench.ear(stream)
    ear.expect(graph)
    started = time.process_time()
    taken = []
    for event in ear.events():
        if isinstance(event, Hypothesis) and event.accepted and not _said(event.text, texts[stream.playing]):
            taken.append((texts[stream.playing], event.text, round(event.score, 2)))
    hours = stream.now() / 3600
    return {"hours": hours, "taken": taken, "cpu": time.process_time() - started, "seconds": stream.now()}


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
    ear = bench.ear(stream)
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


def steps(bench: Bench) -> Iterator[tuple[str, Callable[[], Result]]]:
    for folder in FOLDERS:
        yield f"forced {folder}", lambda folder=folder: forced(bench, folder)
    for condition in CONDITIONS:
        for folder in FOLDERS[:2]:
            yield (
                f"misses {folder} {condition}",
                lambda folder=folder, condition=condition: misses(bench, folder, condition),
            )
    for phrases in ("all", "usual"):
        for material in ("french", "readers"):
            yield (
                f"false {phrases} {material}",
                lambda phrases=phrases, material=material: false_accepts(bench, phrases, material),
            )
    yield "numbers", lambda: number_words(bench)
    yield "speed", lambda: speed(bench)


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / max(whole, 1):.1f} %"


def table(results: dict[str, Result]) -> Iterator[str]:
    """The lines of the report."""
    yield "| measure | result |"
    yield "|---|---|"
    delays: list[float] = []
    for name, result in results.items():
        kind = name.split()[0]
        if kind == "forced":
            for stage in ("judge", "vosk", "both"):
                yield f"| {name}, right of 50, {stage} | {share(result[stage], result['clips'])} |"
        elif kind == "misses":
            delays += result["delays"]
            yield f"| {name}, 15 phrases legal: missed | {share(result['missed'], result['clips'])} |"
            yield f"| {name}: taken for another | {share(result['wrong'], result['clips'])} |"
        elif kind == "false":
            count = len(result["taken"])
            rate = count / result["hours"]
            yield f"| {name}: false accepts | {count} in {result['hours']:.2f} h = {rate:.1f} an hour |"
        elif kind == "numbers":
            yield f"| numbers 0 to 100: exact | {share(result['exact'], result['clips'])} |"
            yield f"| numbers: wrong and taken | {share(len(result['wrong']), result['clips'])} |"
        elif kind == "speed":
            yield f"| cold start | {result['cold_start']:.2f} s |"
            yield f"| memory | {result['memory_mb']:.0f} MB |"
    sure = [(r["sure"], r["sure_right"]) for r in results.values() if "sure" in r]
    if delays:
        p50, p95 = (1000 * float(np.quantile(delays, q)) for q in (0.5, 0.95))
        yield f"| end of phrase to decision | p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(delays)} |"
        right = share(sum(right for _, right in sure), sum(count for count, _ in sure))
        yield f"| of decisions stated at 95 % or more, right | {right} |"
    timed = [result for result in results.values() if "cpu" in result]
    if timed:
        factor = sum(result["cpu"] for result in timed) / sum(result["seconds"] for result in timed)
        yield f"| processor time a second of sound | {factor:.3f} s |"


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--readers", type=Path, default=root / "../shared/speech_unlabelled")
    parser.add_argument("--models", type=Path, default=resources.models())
    parser.add_argument("--work", type=Path, default=root / "build/ear-benchmark")
    parser.add_argument("--limit", type=int, default=10_000, help="clips a folder at most")
    parser.add_argument("--sensitivity", type=Sensitivity, default=Sensitivity.NORMAL)
    parser.add_argument("--only", default="", help="steps whose name begins so")
    options = parser.parse_args()
    if not (options.speech / "manifest.tsv").is_file():
        raise SystemExit(f"no recordings in {options.speech}: give their folder with --speech")
    models = EarModels(options.models)
    bench = Bench(options.speech, options.readers, models, options.limit, options.sensitivity)
    parts = [models.judge, models.french / "am" / "final.mdl", models.french / "lexicon.tsv"]
    parts += sorted((root / "voiceref" / "ear").glob("*.py"))
    digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts if part.is_file()))
    digest.update(f"{options.limit} {options.sensitivity}".encode())
    kept = options.work / f"{digest.hexdigest()[:12]}.json"
    options.work.mkdir(parents=True, exist_ok=True)
    results: dict[str, Result] = json.loads(kept.read_text()) if kept.exists() else {}
    for name, run in steps(bench):
        if name.startswith(options.only) and name not in results:
            results[name] = run()
            kept.write_text(json.dumps(results, ensure_ascii=False, indent=1))
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {options.sensitivity}")
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main()
