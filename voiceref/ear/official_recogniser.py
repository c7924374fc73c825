"""An official Vosk model as the second opinion: words that it lacks are listened for under a near-sounding one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.posteriors import ModelError
from voiceref.ear.recogniser import Opinion, OwnedVosk, quiet_vosk
from voiceref.ear.vosk_graph import UNKNOWN
from voiceref.ear.word_graph import WordGraph, words_of


@dataclass(frozen=True)
class Standins:
    """Word of ours -> the word of the model that is listened for in its place; the same word where the model has it."""

    by_word: Mapping[str, str]

    @property
    def missing(self) -> Mapping[str, str]:
        """The words that the model lacks, with their stand-ins."""
        return {word: other for word, other in self.by_word.items() if word != other}

    def back(self, heard: Iterable[str]) -> str:
        """Words of the model as words of ours; where two of ours share a stand-in, the first."""
        ours: dict[str, str] = {}
        for word, other in self.by_word.items():
            ours.setdefault(other, word)
        return " ".join(ours.get(word, word) for word in heard)


def standins(words: Iterable[str], has: Callable[[str], bool], lexicon: Lexicon) -> Standins:
    """The nearest words by their phones among those of our lexicon that the model has."""
    wanted = sorted(set(words))
    lacking = [word for word in wanted if not has(word)]
    if not lacking:
        return Standins({word: word for word in wanted})
    known = [word for word in lexicon.listed() if has(word)]
    sounds = [lexicon.pronunciations(word)[0] for word in known]
    found = {word: word for word in wanted if word not in lacking}
    for word in lacking:
        forms = lexicon.pronunciations(word)
        best = process.extractOne(forms[0], sounds, scorer=Levenshtein.distance) if forms else None
        if best is not None:
            found[word] = known[best[2]]
    return Standins(found)


class OfficialModel:
    """A Vosk model of its publisher, loaded once; it makes one recogniser for each set of phrases."""

    def __init__(self, folder: Path) -> None:
        """Raises ModelError when it does not load."""
        try:
            self._model = quiet_vosk().Model(str(folder))
        except Exception as error:  # vosk raises bare Exception
            raise ModelError(f"Le modèle {folder} ne se charge pas : vérifiez le dossier.") from error

    def has(self, word: str) -> bool:
        return bool(self._model.vosk_model_find_word(word) >= 0)

    def recogniser(self, graph: WordGraph, lexicon: Lexicon) -> OfficialRecogniser:
        chosen = standins(words_of(graph), self.has, lexicon)
        grammar = json.dumps([*sorted(set(chosen.by_word.values())), UNKNOWN], ensure_ascii=False)
        return OfficialRecogniser(OwnedVosk(quiet_vosk().KaldiRecognizer(self._model, EAR_RATE, grammar)), chosen)


class OfficialRecogniser:
    """Hears one whole utterance at a time, in our words."""

    def __init__(self, vosk: OwnedVosk, chosen: Standins) -> None:
        self._vosk = vosk
        self.standins = chosen

    def hear(self, samples: Samples) -> Opinion:
        words, confidence = self._vosk.hear(samples)
        return Opinion(self.standins.back(words), confidence)

    def close(self) -> None:
        self._vosk.check()
