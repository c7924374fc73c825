"""Fit the weights of `voiceref.ear.decision` on the tuning half: prints them, and what each threshold would do.

Recordings of people go through the whole ear. Clips are among 1 to 3 phrases, among 15, and among 15 or 40 and those
of a usual phase or of the whole game; other clips and readers are heard while only phrases of the game are legal.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
from ear import FOLDERS, PLAYERS, USUAL, phrase_list, progress
from ear_material import CONDITIONS, Clip, Rooms, Samples, Stream, clips, others, read

from voiceref import resources
from voiceref.audio.source import EAR_RATE
from voiceref.ear.decision import Sensitivity, Weights, decide, features
from voiceref.ear.endpoint import Cut
from voiceref.ear.features import FRAME
from voiceref.ear.finding import Expected, Finder, Finding
from voiceref.ear.hearing import AudioHearing
from voiceref.ear.judge import Evidence, Heard, Judge
from voiceref.ear.network import Network
from voiceref.ear.opening import EarModels, decoys, second_opinion
from voiceref.ear.posteriors import OnnxPhones
from voiceref.ear.word_graph import PhraseList, WordGraph
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context

Floats = npt.NDArray[np.float64]
ASKED = 0.03
"""Score, with the second opinion for it, below which Vosk need not be asked: the answer is known."""
FEW = (("CDC-P001", "TABLE-001"), ("CDC-P006",), ("CDC-P012", "TABLE-002"), ("CDC-P002", "CDC-P015", "CDC-Q010"))


@dataclass(frozen=True)
class Row:
    """A stretch of sound that was judged: in which set and clip, whether the reading is what was said."""

    kind: str
    clip: int
    right: bool
    evidence: Evidence
    agrees: bool


@dataclass(frozen=True)
class Played:
    """A clip and what may be said while it sounds; `text` is what it says, empty where that does not matter."""

    text: str
    sound: Samples
    legal: WordGraph


class Watched(Finder):
    """Finds, with a note of every stretch that it judges and of what Vosk thinks of it."""

    def watch(self, note: Callable[[str, Evidence, bool], None]) -> Self:
        self._note = note
        return self

    def stretch(self, cut: Cut, expected: Expected, heard: Heard, start: int) -> Finding:
        finding = super().stretch(cut, expected, heard, start)
        judgement = finding.judgement
        if judgement is not None:
            worth_asking = decide(judgement.evidence, True).score > ASKED
            first = round((start - cut.starts[0]) / EAR_RATE / FRAME)
            agrees = worth_asking and self.agrees(cut, expected, judgement, first)
            self._note(" ".join(judgement.reading.words).replace("' ", "'"), judgement.evidence, agrees)
        return finding


class Ear(AudioHearing):
    """The ear, which finds as it is told."""

    def using(self, finder: Finder) -> Self:
        self._finder = finder
        return self


@dataclass
class Lab:
    """The models, the rooms, the phrases of the game, and what was judged so far."""

    models: EarModels
    speech: Path
    readers: Path
    limit: int
    minutes: float
    rows: list[Row] = field(default_factory=list)
    hours: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rooms = Rooms(self.readers)
        self.lexicon = self.models.lexicon()
        self.judge = Judge(self.lexicon, Network.compile(decoys(), self.lexicon))
        folder = resources.grammars()
        self.catalogue = catalogues.load([folder / "cul_de_chouette.toml", folder / "table.toml"])
        self.tuning = [c for c in clips(self.speech) if c.tuning and not c.text.startswith("la lettre")]
        self.texts = {name: sorted({c.text for c in self.tuning if c.folder == name}) for name in FOLDERS}

    def phrases(self, names: Sequence[str]) -> WordGraph:
        return word_graph(self.catalogue, Context(PLAYERS), [name for name in names if name in self.catalogue.phrases])

    def of(self, folder: str) -> list[Clip]:
        own = [clip for clip in self.tuning if clip.folder == folder]
        random.Random(2).shuffle(own)
        return own[: self.limit]

    def hear(self, kind: str, heard: Iterator[Played], first: int = 0) -> None:
        """Everything of one set, one after the other, through one ear."""
        said: list[str] = []

        def sounds() -> Iterator[Samples]:
            for part in heard:
                ear.expect(part.legal)
                said.append(part.text)
                progress(kind, len(said), 0)
                yield part.sound

        def note(text: str, evidence: Evidence, agrees: bool) -> None:
            at = stream.playing
            if first == 0 and any(_same(text, spoken) for spoken in said[max(0, at - 1) : at + 1]):
                return  # in talk the phrase was really said
            self.rows.append(Row(kind, first + at, first > 0 and text == said[at], evidence, agrees))

        stream = Stream(sounds())
        phones, second = OnnxPhones(self.models.judge), second_opinion(self.models, self.lexicon)
        finder = Watched(self.judge, phones, second, Sensitivity.EAGER, Weights()).watch(note)
        ear = Ear(stream, self.judge, phones, second).using(finder)
        for _ in ear.events():
            pass
        self.hours[kind] += stream.now() / 3600  # type: ignore[assignment]  # hours are no whole numbers

    def clip(self, clip: Clip, condition: str, seed: int, legal: WordGraph) -> Played:
        padded = np.concatenate([np.zeros(12_800, np.float32), clip.samples(), np.zeros(16_000, np.float32)])
        return Played(clip.text, self.rooms.apply(condition, padded, seed), legal)

    def talk(self, paths: list[tuple[str, Path]], legal: Callable[[int], WordGraph]) -> Iterator[Played]:
        """Recordings with 0.6 s between them, until the minutes are over."""
        seconds = 0.0
        for i, (text, path) in enumerate(paths):
            sound = np.concatenate([read(path), np.zeros(9_600, np.float32)])
            yield Played(text, self.rooms.apply("room" if i % 2 else "clean", sound, i), legal(i))
            if (seconds := seconds + len(sound) / 16_000) > self.minutes * 60:
                return


def _same(text: str, spoken: str) -> bool:
    """Whether that is what was said, an article apart."""
    articles = ("un", "une", "le", "la", "les", "des")
    return [w for w in text.split() if w not in articles] == [w for w in spoken.split() if w not in articles]


def joined(game: WordGraph, texts: Sequence[str]) -> PhraseList:
    """The phrases of the game and some more."""
    more = phrase_list(sorted(set(texts)))
    free = max(max(source, target) for source, target, _ in game.arcs) + 1
    moved = {state: game.start if state == more.start else free + state for state in range(len(more.arcs) + 1)}
    arcs = (*game.arcs, *((moved[source], moved[target], word) for source, target, word in more.arcs))
    finals = {**game.finals, **{moved[state]: name for state, name in more.finals.items()}}
    return PhraseList(tuple(arcs), finals, game.start, game.says)


def collect(lab: Lab) -> None:
    games = {"all": lab.phrases(tuple(lab.catalogue.phrases)), "usual": lab.phrases(USUAL)}
    first = 1
    for folder in FOLDERS[:2]:
        own, texts = lab.of(folder), lab.texts[folder]
        sets: dict[str, Callable[[int, Clip], WordGraph]] = {
            "few": lambda i, c, texts=texts: phrase_list([c.text, *others(c.text, texts, i % 3)]),  # type: ignore[misc]
            "fifteen": lambda _, c, texts=texts: phrase_list([c.text, *others(c.text, texts, 14)]),  # type: ignore[misc]
        }
        for name, size in (("all", 40), ("usual", 15)):
            graphs = [joined(games[name], [c.text for c in own[i : i + size]]) for i in range(0, len(own), size)]
            sets[name] = lambda i, _, graphs=graphs, size=size: graphs[i // size]  # type: ignore[misc]
        for condition in CONDITIONS:
            for name, legal in sets.items():
                parts = (lab.clip(c, condition, i, legal(i, c)) for i, c in enumerate(own))
                lab.hear(f"{name} {condition}", parts, first)
            for name, count in (("other one to three", 0), ("other fifteen", 15)):
                wrong = (phrase_list(others(c.text, texts, count or 1 + i % 3)) for i, c in enumerate(own))
                parts = (lab.clip(c, condition, i, legal) for (i, c), legal in zip(enumerate(own), wrong, strict=True))
                lab.hear(f"{name} {condition}", (replace(part, text="") for part in parts), first)
        first += len(own)
    few = [lab.phrases(names) for names in FEW]
    french = [(clip.text, clip.path) for clip in lab.tuning]
    english = [("", path) for path in sorted(lab.readers.glob("*.flac"))[60:]]
    for people, paths in (("French", french), ("readers", english)):
        random.Random(4).shuffle(paths)
        for name, game in games.items():
            lab.hear(f"talk {name} {people}", lab.talk(paths, lambda _, game=game: game))  # type: ignore[misc]
        lab.hear(f"talk few {people}", lab.talk(paths, lambda i: few[i // 4 % len(few)]))


def fit(x: Floats, y: Floats, penalty: float = 0.1) -> Floats:
    """Logistic regression by Newton's method; the penalty keeps weights of like features from running apart."""
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30.0, 30.0)))
        slope = x.T @ (p - y) + penalty * weights
        curve = (x * (p * (1.0 - p))[:, None]).T @ x + penalty * np.eye(x.shape[1])
        weights -= np.linalg.solve(curve, slope)
    return weights


def report(rows: list[Row], hours: Counter[str]) -> None:
    """Weights on what passes the fixed bounds of `decide`; counts of clips by five folds over clips."""
    rows = [row for row in rows if decide(row.evidence, row.agrees).reason not in ("durée_absurde", "ambigu")]
    values = [features(row.evidence, row.agrees) for row in rows]
    x = np.array([[1.0, *value.values()] for value in values])
    y = np.array([float(row.right) for row in rows])
    for name, weight in zip(["constant", *values[0]], fit(x, y), strict=True):
        print(f"    {name}: float = {weight:.2f}")
    scores, fold = np.zeros(len(rows)), np.array([row.clip % 5 for row in rows])
    for part in range(5):
        scores[fold == part] = x[fold == part] @ fit(x[fold != part], y[fold != part])
    scores = 1.0 / (1.0 + np.exp(-scores))
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95):
        print(f"threshold {threshold}: clips heard right, then taken wrongly")
        for kind in sorted({row.kind for row in rows}):
            taken = {
                (r.clip, r.right)
                for r, score in zip(rows, scores, strict=True)
                if r.kind == kind and score >= threshold
            }
            right = {clip for clip, whether in taken if whether}
            wrong = {clip for clip, whether in taken if not whether} - right
            print(f"  {kind} ({hours[kind]:.2f} h): {len(right)}, {len(wrong)}")
    for low, high in ((0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        inside = (scores >= low) & (scores < high)
        print(f"stated {low} to {high}: {int(y[inside].sum())} right of {int(inside.sum())}")


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--readers", type=Path, default=root / "../shared/speech_unlabelled")
    parser.add_argument("--models", type=Path, default=resources.models())
    parser.add_argument("--limit", type=int, default=60, help="clips a folder")
    parser.add_argument("--minutes", type=float, default=8.0, help="of each kind of talk")
    parser.add_argument("--keep", type=Path, help="file that keeps what was judged; read instead when it exists")
    options = parser.parse_args()
    if options.keep and options.keep.exists():
        rows, hours = pickle.loads(options.keep.read_bytes())
    else:
        lab = Lab(EarModels(options.models), options.speech, options.readers, options.limit, options.minutes)
        collect(lab)
        rows, hours = lab.rows, lab.hours
        if options.keep:
            options.keep.write_bytes(pickle.dumps((rows, hours)))
    report(rows, hours)


if __name__ == "__main__":
    main()
