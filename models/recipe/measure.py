"""Step `measure`: the right phrase among 50 on recordings of people, for the judge and for Vosk alone."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from . import judge_export, people
from .features import judge_input
from .graph import write_graph
from .phones import pronounce
from .scoring import best_paths

FOLDERS = ("gcompris_voices", "tuxpaint_stamps")
SILENCE_COST, WORD_COST = 0.7, 0.5


def judge(hear: judge_export.Hear, half: str = "tuning", most: int = 250) -> dict[str, tuple[int, int]]:
    """Folder -> (right, clips): the phrase of the best forced alignment over the whole cut."""
    results = {}
    for folder in FOLDERS:
        group = people.clips(folder, half, most)
        right = 0
        for clip, texts in people.choices(group):
            scores = best_paths(hear(judge_input(clip.samples())), [pronounce(text) for text in texts])
            right += int(scores.argmax() == 0)
        results[folder] = right, len(group)
    return results


def vosk(model: Path, half: str = "tuning", most: int = 250, loop_cost: float = 2.0) -> dict[str, tuple[int, int, int]]:
    """Folder -> (right, nothing heard, clips): Vosk itself, one token a phrase, grammar of 50 phrases and `[unk]`."""
    from vosk import KaldiRecognizer, Model, SetLogLevel

    SetLogLevel(-1)
    results = {}
    for folder in FOLDERS:
        group = people.clips(folder, half, most)
        tokens = {text: f"p{i}" for i, text in enumerate(sorted({clip.text for clip in group}))}
        with tempfile.TemporaryDirectory() as work:
            for part in ("am", "conf"):
                shutil.copytree(model / part, Path(work) / part)
            lexicon = {token: [pronounce(text)] for text, token in tokens.items()}
            write_graph(Path(work), lexicon, SILENCE_COST, WORD_COST, loop_cost)
            loaded = Model(work)
            right = silent = 0
            for clip, texts in people.choices(group):
                grammar = sorted(tokens[text] for text in texts)
                recognizer = KaldiRecognizer(loaded, 16_000, json.dumps([*grammar, "[unk]"]))
                recognizer.AcceptWaveform(clip.samples().tobytes() + bytes(16_000))
                heard = [word for word in json.loads(recognizer.FinalResult())["text"].split() if word != "[unk]"]
                right += heard == [tokens[clip.text]]
                silent += not heard
        results[folder] = (right, silent, len(group))
    return results


def report(streaming: Path, judging: Path) -> None:
    """Both stages on the test halves."""
    for folder, (right, count) in judge(judge_export.hear(judging), "test").items():
        print(f"judge, {folder}: {right} of {count} = {right / count:.1%}", flush=True)
    for folder, (right, silent, count) in vosk(streaming, "test").items():
        print(f"Vosk alone, {folder}: {right} of {count} = {right / count:.1%}, nothing heard {silent}", flush=True)
