"""Fit the weights of `voiceref.ear.decision` on the tuning half: prints them, and what each threshold would do.

Clips are judged among 15 phrases of their own folder, among 15 that do not hold them, and among phrases of the game.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from ear import FOLDERS, PLAYERS, phrase_list, progress
from ear_material import CONDITIONS, Clip, Rooms, clips

from voiceref import resources
from voiceref.ear.decision import features
from voiceref.ear.judge import Judge
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.network import Network
from voiceref.ear.opening import EarModels, decoys
from voiceref.ear.posteriors import OnnxPhones
from voiceref.ear.recogniser import VoskRecogniser
from voiceref.ear.search import Posteriors
from voiceref.ear.word_graph import WordGraph
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context

Floats = npt.NDArray[np.float64]
GROUP = 15
PHASES = 8


@dataclass
class Set:
    """Phrases that are legal together, ready for both stages."""

    graph: WordGraph
    network: Network
    quick: VoskRecogniser

    @classmethod
    def of(cls, graph: WordGraph, models: EarModels, lexicon: Lexicon) -> Set:
        return cls(graph, Network.compile(graph, lexicon), VoskRecogniser(models.french, graph, lexicon))


def phases(models: EarModels, lexicon: Lexicon) -> list[Set]:
    """Random phases of the game: cries, reports and table commands."""
    catalogue = catalogues.load([resources.grammars() / "cul_de_chouette.toml", resources.grammars() / "table.toml"])
    cries = [name for name, phrase in catalogue.phrases.items() if name.startswith("CDC-P") and not phrase.has_slots]
    rest = [name for name in catalogue.phrases if name.startswith(("CDC-Q00", "TABLE-00"))]
    rng = random.Random(1)
    chosen = [rng.sample(cries, 10) + rng.sample(rest, 5) for _ in range(PHASES)]
    return [Set.of(word_graph(catalogue, Context(PLAYERS), names), models, lexicon) for names in chosen]


def samples(models: EarModels, speech: Path, readers: Path, limit: int) -> Iterator[tuple[str, bool, dict[str, float]]]:
    """(kind, whether the best reading is what was said, features) of every judged clip."""
    lexicon, rooms, phones = models.lexicon(), Rooms(readers), OnnxPhones(models.judge)
    judge = Judge(lexicon, Network.compile(decoys(), lexicon))
    game = phases(models, lexicon)
    for folder in FOLDERS[:2]:
        own = [clip for clip in clips(speech) if clip.tuning and clip.folder == folder and _fair(clip)]
        random.Random(2).shuffle(own)
        own = own[:limit]
        texts = sorted({clip.text for clip in own})
        random.Random(3).shuffle(texts)
        groups = [texts[i : i + GROUP] for i in range(0, len(texts), GROUP)]
        ready = [Set.of(phrase_list(group), models, lexicon) for group in groups]
        place = {text: i for i, group in enumerate(groups) for text in group}
        for done, clip in enumerate(own, 1):
            padded = np.concatenate([np.zeros(3_200, np.float32), clip.samples(), np.zeros(1_600, np.float32)])
            sound = rooms.apply(CONDITIONS[done % len(CONDITIONS)], padded, done)
            posteriors = Posteriors(phones.posteriors(sound))
            right = place[clip.text]
            choices = (("own", ready[right]), ("other", ready[(right + 1) % len(ready)]), ("game", game[done % PHASES]))
            for kind, phrases in choices:
                judged = judge.judge(posteriors, phrases.network, {})
                if judged is not None:
                    agrees = phrases.quick.hear(sound).text == judged.reading.text
                    yield kind, judged.reading.text == clip.text, features(judged.evidence, agrees)
            progress(f"fit {folder}", done, len(own))


def _fair(clip: Clip) -> bool:
    """Not the clips whose transcript is known to say more than the recording."""
    return not clip.text.startswith("la lettre")


def fit(x: Floats, y: Floats, penalty: float = 0.1) -> Floats:
    """Logistic regression by Newton's method; the penalty keeps weights of like features from running apart."""
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30.0, 30.0)))
        slope = x.T @ (p - y) + penalty * weights
        curve = (x * (p * (1.0 - p))[:, None]).T @ x + penalty * np.eye(x.shape[1])
        weights -= np.linalg.solve(curve, slope)
    return weights


def report(rows: list[tuple[str, bool, dict[str, float]]]) -> None:
    names = list(rows[0][2])
    x = np.array([[1.0, *(values[name] for name in names)] for _, _, values in rows])
    y = np.array([float(right) for _, right, _ in rows])
    kinds = np.array([kind if kind != "own" or right else "misread" for kind, right, _ in rows])
    for name, weight in zip(["constant", *names], fit(x, y), strict=True):
        print(f"    {name}: float = {weight:.2f}")
    scores = np.zeros(len(rows))
    fold = np.random.default_rng(0).integers(0, 5, len(rows))
    for part in range(5):
        scores[fold == part] = x[fold == part] @ fit(x[fold != part], y[fold != part])
    scores = 1.0 / (1.0 + np.exp(-scores))
    for threshold in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98):
        taken = ", ".join(
            f"{k} {(scores[kinds == k] >= threshold).sum()}/{(kinds == k).sum()}" for k in sorted(set(kinds))
        )
        print(f"threshold {threshold}: taken {taken}")
    for low, high in ((0.0, 0.1), (0.1, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        inside = (scores >= low) & (scores < high)
        print(f"stated {low} to {high}: {int(y[inside].sum())} right of {int(inside.sum())}")


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--readers", type=Path, default=root / "../shared/speech_unlabelled")
    parser.add_argument("--models", type=Path, default=resources.models())
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--keep", type=Path, help="file that keeps the judged clips; read instead when it exists")
    options = parser.parse_args()
    if options.keep and options.keep.exists():
        rows = [(kind, right, values) for kind, right, values in json.loads(options.keep.read_text())]
    else:
        rows = list(samples(EarModels(options.models), options.speech, options.readers, options.limit))
        if options.keep:
            options.keep.write_text(json.dumps(rows))
    report(rows)


if __name__ == "__main__":
    main()
