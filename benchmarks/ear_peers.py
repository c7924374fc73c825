"""Peers on the same clips in the same run: Vosk with its own confidence as the only gate, and Whisper's own decoder.

Each clip is heard twice among 15 phrases: with its own phrase among them (missed, or taken for another), and without it
(taken all the same). The peers get the clip cut out by hand; ours gets a stream and cuts for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from ear_material import Clip, Samples, Stream, others
from ear_table import Result
from rapidfuzz.distance import Levenshtein

from voiceref.ear.hearing import AudioHearing
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.recogniser import VoskRecogniser
from voiceref.ear.word_graph import PhraseList
from voiceref.phrases.normalise import normalise

Hears = Callable[[Samples, list[str]], str]
"""A clip and the legal phrases -> the one that was taken, "" for none."""
CONFIDENCES = (0.5, 0.9, 0.99)


def compare(clips: list[Clip], texts: list[str], hears: Hears, tell: Callable[[int], None]) -> Result:
    """One peer: clips, missed, wrong (another phrase while its own was legal), and taken (its own was not legal)."""
    count = {"clips": len(clips), "missed": 0, "wrong": 0, "taken": 0}
    for done, clip in enumerate(clips, 1):
        sound = np.concatenate([np.zeros(3_200, np.float32), clip.samples(), np.zeros(3_200, np.float32)])
        found = hears(sound, [clip.text, *others(clip.text, texts, 14)])
        count["missed"] += found != clip.text
        count["wrong"] += found not in ("", clip.text)
        count["taken"] += bool(hears(sound, others(clip.text + " ", [t for t in texts if t != clip.text], 15)))
        tell(done)
    return count


def ours(open_ear: Callable[[Stream], AudioHearing]) -> Hears:
    """The whole ear of the product on a stream of one clip."""

    def hears(sound: Samples, legal: list[str]) -> str:
        quiet = np.zeros(16_000, np.float32)
        stream = Stream(iter([np.concatenate([quiet, sound, quiet])]))
        ear = open_ear(stream)
        ear.expect(PhraseList.of((text, text) for text in legal))
        taken = [event.text for event in ear.events() if isinstance(event, Hypothesis) and event.accepted]
        return taken[0] if taken else ""

    return hears


def vosk(model: Path, lexicon: Lexicon, confidence: float) -> Hears:
    """Vosk's grammar of the legal phrases and everything else, its `conf` the only gate."""

    def hears(sound: Samples, legal: list[str]) -> str:
        recogniser = VoskRecogniser(model, PhraseList.of((text, text) for text in legal), lexicon)
        heard = recogniser.hear(sound)
        recogniser.close()
        return heard.text if heard.text in legal and heard.confidence >= confidence else ""

    return hears


def whisper(folder: Path, lexicon: Lexicon, furthest: float) -> Hears:
    """Free decoding by faster-whisper, then the phrase nearest by phones if at most so large a share differs."""
    from faster_whisper import WhisperModel  # type: ignore[import-not-found]

    model: Any = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)
    known: dict[bytes, str] = {}

    def phones(text: str) -> tuple[int, ...]:
        forms = [lexicon.pronunciations(word) for word in text.replace("'", "' ").split()]
        return tuple(phone for form in forms if form for phone in form[0])

    def hears(sound: Samples, legal: list[str]) -> str:
        key = sound.tobytes()
        if key not in known:
            known.clear()
            pieces, _ = model.transcribe(sound, language="fr", beam_size=5, without_timestamps=True)
            known[key] = normalise(" ".join(piece.text for piece in pieces))
        said = phones(known[key])
        best = min(legal, key=lambda text: Levenshtein.normalized_distance(said, phones(text)))
        return best if Levenshtein.normalized_distance(said, phones(best)) <= furthest else ""

    return hears


def lines(results: dict[str, Result]) -> Iterator[str]:
    """The peers' table; a peer that could not be had is named with the reason."""
    yield "| among 15 phrases, clips cut out | missed | taken for another | taken though not legal |"
    yield "|---|---|---|---|"
    for name, result in results.items():
        if "reason" in result:
            yield f"| {name} | {result['reason']} | | |"
        else:
            cells = (f"{result[what]}/{result['clips']}" for what in ("missed", "wrong", "taken"))
            yield f"| {name} | {' | '.join(cells)} |"
