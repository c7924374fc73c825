"""Kokoro-82M speaks French phonemes in any voice pack or cross of packs, and says how long each phoneme lasted."""

from __future__ import annotations

import functools
import json
import random
import re
import unicodedata

import numpy as np
import onnxruntime
from scipy.signal import resample_poly

from . import paths
from .phones import INDEX, SIL, ipa, split_ipa

HOP = 600 / 24000  # seconds a duration unit
# 16 kHz int16 samples; (start in s, phone index), the last one silence
Speech = tuple[np.ndarray, list[tuple[float, int]]]


@functools.cache
def _session() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(paths.KOKORO / "durations.onnx"), options)


@functools.cache
def _vocabulary() -> dict[str, int]:
    return json.loads((paths.KOKORO / "vocab.json").read_text())["vocab"]


@functools.cache
def _pack(name: str) -> np.ndarray:
    return np.fromfile(paths.KOKORO / "voices" / f"{name}.bin", "<f4").reshape(-1, 256)


@functools.cache
def voices() -> list[str]:
    return sorted(path.stem for path in (paths.KOKORO / "voices").glob("*.bin"))


def random_style(rng: random.Random) -> np.ndarray:
    """(510, 256) style table: the French voice, blends of it, or another timbre with French prosody."""
    french, other, third = _pack("ff_siwis"), _pack(rng.choice(voices())), _pack(rng.choice(voices()))
    kind = rng.random()
    if kind < 0.15:
        return french
    if kind < 0.40:
        share = rng.uniform(0.25, 0.8)
        return share * french + (1 - share) * other
    timbre = other
    if kind < 0.90:
        share = rng.uniform(0.0, 0.5)
        timbre = (1 - share) * other + share * third
    share = rng.uniform(0.5, 1.0) if kind < 0.9 else 0.0
    prosody = share * french + (1 - share) * other
    return np.concatenate([timbre[:, :128], prosody[:, 128:]], axis=1)  # halves: decoder | duration and pitch


def _symbols(text: str) -> str:
    """IPA of the text in NFD, with the punctuation that Kokoro knows left between the clauses."""
    pieces = re.findall(r"[^!?.,;:…]+|[!?.,;:…]+", text)
    spoken = [piece[0] + " " if piece[0] in "!?.,;:…" else ipa(piece.strip()) for piece in pieces if piece.strip()]
    return unicodedata.normalize("NFD", re.sub(r" ([!?.,;:…])", r"\1", "".join(spoken)).replace("-", "")).strip()


def say(text: str, style: np.ndarray, speed: float = 1.0) -> Speech:
    known = _vocabulary()
    symbols = "".join(symbol for symbol in _symbols(text) if symbol in known)
    tokens = np.array([[0, *(known[symbol] for symbol in symbols), 0]], np.int64)
    reference = style[min(len(symbols), len(style)) - 1].reshape(1, 256).astype(np.float32)
    feed = {"tokens": tokens, "style": reference, "speed": np.array([speed], np.float32)}
    sound, durations = (np.asarray(out).ravel() for out in _session().run(None, feed))
    starts = np.concatenate([[0.0], np.cumsum(durations) * HOP])[1:]  # of each symbol, then of the end
    owner = {i: INDEX[phone] for phone, places in split_ipa(symbols) for i in places}
    events = [(0.0, SIL)]
    for i, symbol in enumerate(symbols):
        if i in owner and symbol != "\u0303":
            events.append((float(starts[i]), owner[i]))
        elif symbol in "!?.,;:…":
            events.append((float(starts[i]), SIL))
    events.append((float(starts[len(symbols)]), SIL))
    samples = resample_poly(sound.astype(np.float32), 2, 3)
    return (np.clip(samples, -1, 1) * 32767).astype(np.int16), events
