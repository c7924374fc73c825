"""How well a phrase fits: the best monotonic path silence - phones - silence through the log posteriors of a cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .phones import INDEX, SIL


def best_paths(logp: np.ndarray, phrases: Sequence[Sequence[str]]) -> np.ndarray:
    """(T, 36) log posteriors, phone lists -> the score of each phrase; silences at the ends are optional."""
    longest = max(len(phrase) for phrase in phrases) + 2
    states = np.full((len(phrases), longest), SIL)
    last = np.array([len(phrase) + 1 for phrase in phrases])
    for row, phrase in zip(states, phrases, strict=True):
        row[1 : len(phrase) + 1] = [INDEX[phone] for phone in phrase]
    emissions = logp[:, states]  # (T, phrases, states)
    scores = np.full(states.shape, -1e9, np.float32)
    scores[:, :2] = emissions[0][:, :2]
    for emission in emissions[1:]:
        scores[:, 1:] = np.maximum(scores[:, 1:], scores[:, :-1])
        scores += emission
    rows = np.arange(len(phrases))
    return np.maximum(scores[rows, last], scores[rows, last - 1])


def align(logp: np.ndarray, phones: Sequence[str]) -> tuple[float, list[int]]:
    """Score of the phrase, and the frame at which each of its phones starts, then the final silence."""
    states = [SIL, *(INDEX[phone] for phone in phones), SIL]
    emissions = logp[:, states]
    scores = np.full(len(states), -1e9, np.float32)
    scores[:2] = emissions[0][:2]
    came = np.zeros(emissions.shape, bool)
    for t in range(1, len(emissions)):
        shifted = np.concatenate([[-1e9], scores[:-1]])
        came[t] = shifted > scores
        scores = np.maximum(scores, shifted) + emissions[t]
    state = len(states) - 1 if scores[-1] >= scores[-2] else len(states) - 2
    score, starts = float(scores[state]), [len(emissions)] * (len(states) - 1)
    for t in range(len(emissions) - 1, 0, -1):
        if came[t, state]:
            starts[state - 1] = t
            state -= 1
    if state == 1:
        starts[0] = 0
    return score, starts
