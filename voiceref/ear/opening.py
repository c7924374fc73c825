"""Put the ear together from the models on disk. Heavy libraries are imported here, when an ear is really wanted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from voiceref.audio.source import AudioSource
from voiceref.ear.crosstalk import Naming, Ownership, by_level
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.judge import Judge
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.network import Network
from voiceref.ear.posteriors import OnnxPhones
from voiceref.ear.recogniser import Recogniser, VoskRecogniser
from voiceref.ear.word_graph import PhraseList, WordGraph

_DECOYS = Path(__file__).with_name("decoys.txt")


@dataclass(frozen=True)
class EarModels:
    """The shipped models in one folder: `fr/` for the second opinion and the lexicon, `judge/` for the judge.

    `second`: the folder of an official Vosk model that is asked for the second opinion instead of ours.
    """

    folder: Path
    second: Path | None = None

    @property
    def french(self) -> Path:
        return self.folder / "fr"

    @property
    def judge(self) -> Path:
        return self.folder / "judge" / "judge.onnx"

    def lexicon(self) -> Lexicon:
        """Raises LexiconError when it is missing or broken."""
        return Lexicon.load(self.french / "lexicon.tsv")


def decoys() -> PhraseList:
    """Everyday utterances that are none of a game's phrases."""
    lines = _DECOYS.read_text(encoding="utf-8").split("\n")
    return PhraseList.of((line, re.sub(r"[-–]", " ", line)) for line in lines if line)


def open_ear(
    source: AudioSource,
    models: EarModels,
    settings: EarSettings | None = None,
    ownership: Ownership = by_level,
    voices: Naming | None = None,
) -> AudioHearing:
    """The ear on `source`; `ownership` and `voices` as `AudioHearing` takes them.

    Raises LexiconError or ModelError with one French sentence.
    """
    lexicon = models.lexicon()
    judge, second = judge_with(lexicon), second_opinion(models, lexicon)
    return AudioHearing(source, judge, OnnxPhones(models.judge), second, settings, ownership, voices)


def judge_with(lexicon: Lexicon) -> Judge:
    """The judge as `open_ear` uses it."""
    return Judge(lexicon, Network.compile(decoys(), lexicon))


def second_opinion(models: EarModels, lexicon: Lexicon) -> Callable[[WordGraph], Recogniser]:
    """Makes the Vosk recogniser of a graph at the first doubt, in the thread that asks."""
    if models.second is not None:
        from voiceref.ear.official_recogniser import OfficialModel

        official = OfficialModel(models.second)
        return lambda graph: official.recogniser(graph, lexicon)
    return lambda graph: VoskRecogniser(models.french, graph, lexicon)


def listen(hearing: AudioHearing, graph: WordGraph) -> Iterator[Hypothesis]:
    """Everything heard of `graph`, refused or not, in seconds of the source: what `voiceref listen` prints."""
    hearing.expect(graph)
    for event in hearing.events():
        if isinstance(event, Hypothesis):
            yield event
