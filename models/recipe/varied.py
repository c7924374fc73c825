"""Varied versions of labelled utterances: other timing, other speed, then spoilt; the labels follow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import augment
from .features import JUDGE_MARGIN, RATE
from .phones import INDEX, SIL, VOWELS
from .synth import Utterance

_VOWELS = sorted(INDEX[vowel] for vowel in VOWELS)


def timed(
    rng: np.random.Generator, samples: np.ndarray, starts: np.ndarray, phones: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Another pace and speed, some silence around -> float32 samples, event starts in s, event phones."""
    sound = samples.astype(np.float32)
    starts = starts.astype(np.float64)
    if rng.random() < 0.35:
        edges, moved = augment.shout_timing(rng, starts, phones, _VOWELS, len(sound) / RATE)
        sound, starts = augment.stretch(sound, edges, moved), moved[:-1]
    percent = int(rng.choice(augment.SPEEDS))
    sound, starts = augment.speed(sound, percent), starts * 100 / percent
    lead = int(rng.uniform(0, 0.15) * RATE)
    sound = np.pad(sound, (lead, int(rng.uniform(0, 0.15) * RATE)))
    return sound, np.concatenate([[0.0], starts + lead / RATE]), np.concatenate([[SIL], phones])


def vary(
    rng: np.random.Generator, utterance: Utterance, others: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`timed`, then spoilt."""
    _, samples, starts, phones = utterance
    sound, starts, phones = timed(rng, samples, starts, phones)
    return augment.spoil(rng, sound, others), starts, phones


def frame_labels(frames: int, starts: np.ndarray, phones: np.ndarray) -> np.ndarray:
    """The phone at each 20 ms frame of the judge, whose input has its margin of zeros in front."""
    times = np.arange(frames) / 50 - JUDGE_MARGIN
    return phones[np.maximum(np.searchsorted(starts, times, side="right") - 1, 0)].astype(np.int64)
