"""Step `pico`: SVOX Pico speaks random texts; the judge says where each phone lies (forced alignment)."""

from __future__ import annotations

import functools
import random
import sys
from pathlib import Path

import numpy as np
import torch

from . import judge, paths, synth, texts
from .features import JUDGE_MARGIN, judge_input
from .phones import INDEX, SIL, pronounce
from .scoring import align

WORST = -1.5  # mean log posterior of a frame below which an alignment is not trusted


@functools.cache
def _speaker():  # type: ignore[no-untyped-def]
    from py_nanotts import NanoTTS

    return NanoTTS()


def shard(index: int, aligner: judge.Judge) -> list[synth.Utterance]:
    rng = random.Random(9000 + index)
    utterances: list[synth.Utterance] = []
    while len(utterances) < synth.UTTERANCES:
        text = texts.random_text(rng)
        phones = pronounce(text)
        pitch, speed = rng.uniform(0.6, 1.5), rng.uniform(0.75, 1.4)
        sound = np.frombuffer(_speaker().speak(text, voice="fr-FR", pitch=pitch, speed=speed), "<i2")
        if not phones or len(sound) < 4800:
            continue
        with torch.no_grad():
            logp = aligner(torch.tensor(judge_input(sound))[None])[0].numpy()
        score, starts = align(logp, phones)
        if score / len(logp) > WORST:
            times = np.array([0.0, *(max(start / 50 - JUDGE_MARGIN, 0.0) for start in starts)])
            utterances.append((text, sound, times, np.array([SIL, *(INDEX[phone] for phone in phones), SIL])))
    return utterances


def run(checkpoint: Path, shards: int = 12) -> None:
    aligner = judge.load(checkpoint)
    for index in range(shards):
        path = paths.SPEECH / f"pico_{index:04d}.npz"
        if not path.exists():
            synth.save(path, shard(index, aligner))
        print(f"pico: shard {index + 1} of {shards}", file=sys.stderr, flush=True)
