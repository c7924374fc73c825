"""Ears that share what they found out about a sound: what costs time is done once for three sensitivities.

Each ear runs as the product's does, over the whole stream, with its own decisions; only the network's posteriors, the
judge's search and Vosk's opinion of a sound that another ear has asked about already are not worked out again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ear_material import Samples

from voiceref.audio.source import AudioSource
from voiceref.ear.decision import Sensitivity
from voiceref.ear.features import Floats
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.judge import Heard, Judge, Judgement, Meaning
from voiceref.ear.network import Network
from voiceref.ear.opening import EarModels, judge_with, second_opinion
from voiceref.ear.posteriors import OnnxPhones
from voiceref.ear.recogniser import Opinion, Recogniser
from voiceref.ear.search import Posteriors
from voiceref.ear.word_graph import WordGraph

Known = dict[tuple[Any, ...], Any]


def _mark(sound: Any) -> bytes:
    return hashlib.blake2b(sound.tobytes(), digest_size=16).digest()


@dataclass
class _Phones:
    model: OnnxPhones
    known: Known

    def posteriors(self, cut: Samples) -> Floats:
        key = ("phones", _mark(cut))
        if key not in self.known:
            self.known[key] = self.model.posteriors(cut)
        found: Floats = self.known[key]
        return found


@dataclass
class _Judge:
    judge_of_sound: Judge
    known: Known
    networks: dict[int, tuple[Network, int]] = field(default_factory=dict)

    @property
    def lexicon(self) -> Any:
        return self.judge_of_sound.lexicon

    @property
    def decoys(self) -> Network:
        return self.judge_of_sound.decoys

    def hear(self, posteriors: Posteriors, network: Network, costs: Mapping[str, float]) -> Heard:
        if id(network) not in self.networks:
            self.networks[id(network)] = (network, hash((network.words, network.rows)))
        sound = (_mark(posteriors.logp), _mark(posteriors.quiet))
        key = ("heard", *sound, self.networks[id(network)][1], tuple(sorted(costs.items())))
        if key not in self.known:
            self.known[key] = self.judge_of_sound.hear(posteriors, network, costs)
        found: Heard = self.known[key]
        return found

    def judge(self, heard: Heard, first: int, meaning: Meaning) -> Judgement | None:
        key = ("judge", id(heard), first)
        if key not in self.known:
            self.known[key] = self.judge_of_sound.judge(heard, first, meaning)
        found: Judgement | None = self.known[key]
        return found


@dataclass
class _Second:
    graph: WordGraph
    make: Callable[[WordGraph], Recogniser]
    known: Known
    made: Recogniser | None = None

    def hear(self, samples: Samples) -> Opinion:
        key = ("second", hash(tuple(self.graph.arcs)), _mark(samples))
        if key not in self.known:
            self.made = self.made or self.make(self.graph)
            self.known[key] = self.made.hear(samples)
        found: Opinion = self.known[key]
        return found

    def close(self) -> None:
        if self.made is not None:
            self.made.close()


class Ears:
    """Makes ears on streams of the same sound; `forget` before other sound comes."""

    def __init__(self, models: EarModels) -> None:
        lexicon = models.lexicon()
        self._known: Known = {}
        self._phones = _Phones(OnnxPhones(models.judge), self._known)
        self._judge: Any = _Judge(judge_with(lexicon), self._known)
        self._second = second_opinion(models, lexicon)

    def open(self, source: AudioSource, sensitivity: Sensitivity) -> AudioHearing:
        settings = EarSettings(sensitivity=sensitivity)
        return AudioHearing(source, self._judge, self._phones, self._opinion, settings)

    def forget(self) -> None:
        self._known.clear()
        self._judge.networks.clear()

    def _opinion(self, graph: WordGraph) -> _Second:
        return _Second(graph, self._second, self._known)
