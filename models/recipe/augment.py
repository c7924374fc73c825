"""Make clean speech sound like a kitchen: speed, effort, rooms and distance, noise and babble, clipping, level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.signal import fftconvolve, lfilter, resample_poly

from .features import RATE

SPEEDS = (80, 85, 90, 95, 100, 100, 105, 110, 115, 120, 130, 140)  # percent; pitch and formants move along


def speed(samples: np.ndarray, percent: int) -> np.ndarray:
    """float32 samples, `percent` / 100 times as fast."""
    return samples if percent == 100 else resample_poly(samples, 100, percent).astype(np.float32)


def room(rng: np.random.Generator, samples: np.ndarray) -> np.ndarray:
    """Through a random room: direct sound, a few early reflections, a decaying tail, darker with distance."""
    length = int(rng.uniform(0.05, 0.6) * RATE)  # time to -60 dB
    tail = rng.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    tail[: int(rng.uniform(0.001, 0.01) * RATE)] = 0
    tail = lfilter([1 - (pole := rng.uniform(0.0, 0.7))], [1, -pole], tail)
    response = tail * rng.uniform(0.15, 1.6) / np.sqrt((tail**2).sum() + 1e-9)  # reverberant over direct amplitude
    response[0] = 1.0
    for _ in range(rng.integers(0, 5)):
        response[min(int(rng.uniform(0.001, 0.03) * RATE), length - 1)] += rng.uniform(-0.6, 0.6)
    return fftconvolve(samples, response)[: len(samples)].astype(np.float32)


def babble(rng: np.random.Generator, count: int, others: Sequence[np.ndarray]) -> np.ndarray:
    """`count` samples of 1 to 6 other voices, half of the time in a room."""
    sound = np.zeros(count, np.float32)
    for _ in range(rng.integers(1, 7)):
        voice = others[rng.integers(len(others))].astype(np.float32)
        turned = np.roll(np.resize(voice, max(count, len(voice))), rng.integers(count))[:count]
        sound += turned * rng.uniform(0.3, 1.0) / (turned.std() + 1e-3)
    return room(rng, sound) if rng.random() < 0.5 else sound


def noise(rng: np.random.Generator, count: int, others: Sequence[np.ndarray]) -> np.ndarray:
    """`count` samples of white, pinkish or rumbling noise, or of 1 to 6 other voices; variance 1."""
    kind = rng.random()
    if kind < 0.35 and others:
        sound = babble(rng, count, others)
    else:
        pole = 0.0 if kind < 0.6 else rng.uniform(0.7, 0.995)
        sound = lfilter([1.0], [1.0, -pole], rng.standard_normal(count))
    return (sound / (sound.std() + 1e-9)).astype(np.float32)


def spoil(
    rng: np.random.Generator, samples: np.ndarray, others: Sequence[np.ndarray], share: float = 0.8
) -> np.ndarray:
    """Clean speech, any scale -> float32 in [-1, 1], a `share` of it spoilt, the rest at another level only."""
    sound = samples.astype(np.float32)
    if rng.random() < share:
        slope = rng.uniform(-0.6, 0.6)  # dull speech to the bright one of high effort
        sound = lfilter([1.0, -slope], [1.0], sound).astype(np.float32)
        if rng.random() < 0.5:
            sound = room(rng, sound)
        if rng.random() < 0.7:
            level = np.abs(sound).max() / 4 + 1e-6
            sound = sound + noise(rng, len(sound), others) * level * 10 ** (-rng.uniform(0, 30) / 20)
    sound = sound / (np.abs(sound).max() + 1e-6)
    if rng.random() < 0.15:
        sound = np.clip(sound * rng.uniform(1.5, 6), -1, 1)
    return (sound * 10 ** (rng.uniform(-30, 0) / 20)).astype(np.float32)


def crowd(rng: np.random.Generator, samples: np.ndarray, others: Sequence[np.ndarray]) -> np.ndarray:
    """Half of the time `spoil`, else among voices 3 to 20 dB below the speech, at any distance."""
    if rng.random() < 0.5:
        return spoil(rng, samples, others)
    sound = samples.astype(np.float32)
    if rng.random() < 0.4:
        sound = room(rng, sound)
    frames = (sound[: len(sound) // 320 * 320] ** 2).reshape(-1, 320).mean(axis=1)
    loud = np.sqrt(frames[frames >= frames.max() * 0.01].mean())
    voices = babble(rng, len(sound), others)
    return sound + voices * np.float32(loud / (voices.std() + 1e-9) * 10 ** (-rng.uniform(3, 20) / 20))


def stretch(samples: np.ndarray, knots_in: np.ndarray, knots_out: np.ndarray) -> np.ndarray:
    """Change timing without pitch (WSOLA): sound at `knots_in` seconds moves to `knots_out`, straight between."""
    hop, window, search = RATE // 100, RATE // 50, RATE // 200
    frames = int(knots_out[-1] * RATE) // hop
    wanted = np.interp(np.arange(frames) * hop / RATE, knots_out, knots_in) * RATE
    source = np.pad(samples.astype(np.float32), (search, window + 2 * search + hop))
    out = np.zeros(frames * hop + window, np.float32)
    fade = np.hanning(window + 1)[:window].astype(np.float32)
    place = 0
    for i, target in enumerate(wanted):
        region = source[int(target) : int(target) + window + 2 * search]
        natural = source[place + hop : place + hop + window]  # what would follow by itself
        if i == 0 or len(natural) < window or len(region) < window + 2 * search:
            place = min(int(target) + search, len(source) - window)
        else:
            place = int(target) + int(np.correlate(region, natural).argmax())
        out[i * hop : i * hop + window] += source[place : place + window] * fade
    return out[: frames * hop]


def shout_timing(
    rng: np.random.Generator, starts: np.ndarray, phones: np.ndarray, vowels: Sequence[int], end: float
) -> tuple[np.ndarray, np.ndarray]:
    """Knots for `stretch` that lengthen some vowels up to threefold and everything by a common factor."""
    edges = np.append(starts, max(end, starts[-1] + 0.01))
    factors = np.full(len(phones), rng.uniform(0.75, 1.3))
    lengthened = np.isin(phones, vowels) & (rng.random(len(phones)) < 0.4)
    factors[lengthened] *= rng.uniform(1.2, 3.0)
    return edges, np.concatenate([[0.0], np.cumsum(np.diff(edges) * factors)]) + edges[0]
