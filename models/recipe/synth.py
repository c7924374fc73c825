"""Step `synth`: Kokoro and espeak-ng speak random texts into shards seeded by their numbers: it can stop and resume."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from . import espeak, kokoro, paths, texts

UTTERANCES = 100  # a shard, some three minutes of sound
Utterance = tuple[str, np.ndarray, np.ndarray, np.ndarray]  # text, int16 samples, event starts in s, event phones


def save(path: Path, utterances: list[Utterance]) -> None:
    """Write a shard whole or not at all."""
    names, sounds, starts, phones = zip(*utterances, strict=True)
    partial = path.with_name(path.name + ".partial.npz")
    np.savez(
        partial,
        texts=np.array(names),
        samples=np.concatenate(sounds),
        sample_counts=np.array([len(sound) for sound in sounds]),
        starts=np.concatenate(starts).astype(np.float32),
        phones=np.concatenate(phones).astype(np.uint8),
        event_counts=np.array([len(start) for start in starts]),
    )
    partial.replace(path)


def load(paths_: list[Path]) -> list[Utterance]:
    utterances: list[Utterance] = []
    for path in paths_:
        with np.load(path) as shard:
            sounds = np.split(shard["samples"], np.cumsum(shard["sample_counts"])[:-1])
            cuts = np.cumsum(shard["event_counts"])[:-1]
            starts, phones = np.split(shard["starts"], cuts), np.split(shard["phones"], cuts)
            utterances += zip(shard["texts"].tolist(), sounds, starts, phones, strict=True)
    return utterances


def kokoro_shard(index: int) -> list[Utterance]:
    rng = random.Random(1000 + index)

    def say() -> tuple[str, kokoro.Speech]:
        text = texts.random_text(rng)
        return text, kokoro.say(text, kokoro.random_style(rng), rng.uniform(0.8, 1.3))

    return _shard(say)


def espeak_shard(index: int) -> list[Utterance]:
    rng = random.Random(5000 + index)

    def say() -> tuple[str, kokoro.Speech]:
        text = texts.random_text(rng)
        return text, espeak.say(text, rng)

    return _shard(say)


def _shard(say: Callable[[], tuple[str, kokoro.Speech]]) -> list[Utterance]:
    utterances: list[Utterance] = []
    while len(utterances) < UTTERANCES:
        text, (sound, events) = say()
        if len(events) > 3:
            starts, phones = zip(*events, strict=True)
            utterances.append((text, sound, np.array(starts), np.array(phones)))
    return utterances


def _write(job: tuple[str, int]) -> str:
    name, index = job
    path = paths.SPEECH / f"{name}_{index:04d}.npz"
    if not path.exists():
        save(path, {"kokoro": kokoro_shard, "espeak": espeak_shard}[name](index))
    return path.name


def run(kokoro_shards: int = 16, espeak_shards: int = 3, workers: int = 2) -> None:
    paths.SPEECH.mkdir(parents=True, exist_ok=True)
    jobs = [("espeak", i) for i in range(espeak_shards)] + [("kokoro", i) for i in range(kokoro_shards)]
    with Pool(workers) as pool:
        for i, name in enumerate(pool.imap(_write, jobs)):
            print(f"synth: {name}, {i + 1} of {len(jobs)}", file=sys.stderr, flush=True)
