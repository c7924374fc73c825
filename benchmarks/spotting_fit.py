"""Weights of spotting, from people: `python benchmarks/spotting_fit.py` fits on the tuning half, then counts on both.

Phones are heard once for each recording, alone and between two others of the same speaker; then it is searched for
what was said, for words that sound almost like it, and for other words, without a game around it. Each count is of
searches whose score reaches the threshold. Needs the extra `benchmarks` and the recordings (`--speech`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from ear_material import Clip
from open_ear import NEAR, OTHER, SAME, Game, Samples, _trimmed, _word, material
from scipy.optimize import minimize

from voiceref import resources
from voiceref.ear.decision import Sensitivity
from voiceref.ear.opening import EarModels
from voiceref.ear.posteriors import OnnxPhones
from voiceref.ear.search import Posteriors
from voiceref.ear.spotting import SPOTTING_THRESHOLDS, Fitness, Spotter, SpottingWeights, Talk, features, score
from voiceref.games import words
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context

GAMES = ("cachamot", "casque-cheque-chat")
PHRASES = ("CACH-Q006", "CCC-P001")
_SILENCE = np.zeros(4_800, np.float32)
_LEAST_ODDS = 0.5
"""Strength of the pull of all weights to nothing."""


@dataclass(frozen=True)
class Search:
    """One search of one recording: the game, `alone` or `inside`, what was sought, and the evidence if any."""

    game: str
    mode: str
    kind: str
    fitness: Fitness | None


class Bench:
    """Hears recordings and searches them for words."""

    def __init__(self) -> None:
        models = EarModels(resources.models())
        self._lexicon = models.lexicon()
        self._phones = OnnxPhones(models.judge)
        self._spotter = Spotter(self._lexicon)
        self.games = {name: Game(name) for name in GAMES}

    def searches(self, speech: Path, tuning: bool, count: int, each: int) -> Iterator[Search]:
        """`count` recordings of each game, each searched for what was said, three near words and `each` others."""
        for name, game in self.games.items():
            chosen = material(speech, game, tuning)
            rng = random.Random(f"{name} {tuning}")
            for clip in rng.sample(chosen, min(count, len(chosen))):
                yield from self._of(game, clip, chosen, each, rng)

    def _of(self, game: Game, clip: Clip, chosen: list[Clip], each: int, rng: random.Random) -> Iterator[Search]:
        said = _word(clip)
        others = [c for c in chosen if c.folder == clip.folder and not game.same(_word(c), said)]
        around = rng.sample(others, 2)
        apart = [_word(c) for c in others if not any(game.same(_word(one), _word(c)) for one in (*around, clip))]
        near = game.near(said) if game.name == "cachamot" else []
        sought = [(said, SAME), *((word, NEAR) for word in rng.sample(near, min(3, len(near))))]
        sought += [(word, OTHER) for word in rng.sample(apart, min(each, len(apart)))]
        middle = _trimmed(clip.samples())
        before, after = (_trimmed(other.samples()) for other in around)
        for mode, parts in (("alone", [middle]), ("inside", [before, middle, after])):
            posteriors = self._heard(parts)
            for word, kind in sought:
                spotted = self._spotter.spot(posteriors, self._talk(game, word))
                yield Search(game.name, mode, kind, spotted.fitness if spotted else None)

    def _heard(self, parts: list[Samples]) -> Posteriors:
        return Posteriors(self._phones.posteriors(np.concatenate([_SILENCE, *parts, _SILENCE])))

    def _talk(self, game: Game, word: str) -> Talk:
        goal = words.spelled(word)
        parts = [goal] if game.name == "cachamot" else [part for part in goal.split() if len(part) > 2]
        rivals = tuple(dict.fromkeys(other for part in parts for other in game.near(part)))
        context = Context(
            words=dict.fromkeys(("mot", "libre"), (goal, *rivals)), sought=dict.fromkeys(("mot", "libre"), (goal,))
        )
        phrases = [name for name in PHRASES if name in game.catalogue.phrases]
        inside = word_graph(game.catalogue, context, phrases).inside
        assert inside is not None
        return Talk.of(inside.sought, inside.rivals, self._lexicon)


def fitted(searches: list[Search]) -> SpottingWeights:
    """The most probable weights, each pulled a little to nothing."""
    known = [(features(one.fitness), one.kind == SAME) for one in searches if one.fitness is not None]
    names = [field.name for field in fields(SpottingWeights)][1:]
    evidence = np.array([[1.0, *(values[name] for name in names)] for values, _ in known])
    sign = np.where([said for _, said in known], -1.0, 1.0)

    def loss(weights: np.ndarray) -> float:
        return float(np.logaddexp(0, sign * (evidence @ weights)).sum() + _LEAST_ODDS * (weights[1:] ** 2).sum())

    best = minimize(loss, np.zeros(len(names) + 1)).x
    return SpottingWeights(*(round(float(weight), 2) for weight in best))


def tell(title: str, searches: list[Search], weights: SpottingWeights) -> None:
    """How many of each kind reach the threshold of each sensitivity."""
    print(f"{title}:")
    for game in GAMES:
        for mode in ("alone", "inside"):
            for sensitivity in Sensitivity:
                counts = []
                for kind in (SAME, NEAR, OTHER):
                    scores = [
                        score(one.fitness, weights) if one.fitness else 0.0
                        for one in searches
                        if (one.game, one.mode, one.kind) == (game, mode, kind)
                    ]
                    taken = sum(value >= SPOTTING_THRESHOLDS[sensitivity] for value in scores)
                    counts.append(f"{kind} {taken} of {len(scores)}")
                print(f"  {game} {mode} {sensitivity}: taken {', '.join(counts)}", flush=True)


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--clips", type=int, default=170, help="recordings of each game and half")
    parser.add_argument("--others", type=int, default=8, help="other words that each is searched for")
    parser.add_argument(
        "--half", choices=("tuning", "test"), action="append", help="count on this half only, no fitting"
    )
    options = parser.parse_args()
    if not (options.speech / "manifest.tsv").is_file():
        raise SystemExit(f"no recordings in {options.speech}: give their folder with --speech")
    bench = Bench()
    weights = SpottingWeights()
    for half in options.half or ("tuning", "test"):
        found = list(bench.searches(options.speech, half == "tuning", options.clips, options.others))
        if not options.half and half == "tuning":
            weights = fitted(found)
            print(weights)
            tell("tuning half, weights as shipped", found, SpottingWeights())
        tell(f"{half} half, {'weights as shipped' if options.half else 'weights fitted now'}", found, weights)


if __name__ == "__main__":
    main()
