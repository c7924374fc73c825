"""Voice prints: a 192-number embedding of who speaks, from the CAM++ encoder in `models/voice_print`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from voiceref.race.fbank import FRAME, RATE_HZ, fbank
from voiceref.race.network import session

Embedding = NDArray[np.float32]
"""(192,), unit length."""

SHORTEST_S = 0.2
"""Below this the encoder says nothing useful (who_was_first, section 2: 0.5 s is already weak)."""


class Encoder(Protocol):
    """Samples of one voice in, embedding out."""

    def embed(self, samples: NDArray[np.float32]) -> Embedding:
        """The embedding of mono samples at 16 kHz. Raises ValueError under 0.2 s."""
        ...


class OnnxEncoder:
    """CAM++ through onnxruntime. One thread; about 25 ms a second of sound on one core."""

    def __init__(self, model: Path) -> None:
        """Load `encoder.onnx`. Raises FileNotFoundError when it is not there."""
        self._session = session(model)

    def embed(self, samples: NDArray[np.float32]) -> Embedding:
        if len(samples) < max(FRAME, int(SHORTEST_S * RATE_HZ)):
            raise ValueError("a voice print needs at least 0.2 s of speech")
        features = fbank(samples)
        features = features - features.mean(axis=0, keepdims=True)
        (result,) = self._session.run(None, {"fbank": features[None]})
        return unit(np.asarray(result[0], np.float32))


class FakeEncoder:
    """For tests: the embedding is the unit spectrum in 192 bands, so that pure tones are persons."""

    def embed(self, samples: NDArray[np.float32]) -> Embedding:
        if len(samples) < int(SHORTEST_S * RATE_HZ):
            raise ValueError("a voice print needs at least 0.2 s of speech")
        spectrum = np.abs(np.fft.rfft(samples))
        bands = np.array_split(spectrum, 192)
        return unit(np.array([band.mean() for band in bands], np.float32))


def unit(vector: NDArray[np.float32]) -> Embedding:
    """The vector at length one (a zero vector stays zero)."""
    length = float(np.linalg.norm(vector))
    return vector if length == 0.0 else (vector / length).astype(np.float32)


def similarities(sample: Embedding, voices: Mapping[str, Embedding]) -> dict[str, float]:
    """Cosine of `sample` to each player's voice, the table's mean taken out first (who_was_first, section 2).

    With one voice there is no table mean to take out, and the plain cosine is given.
    """
    if len(voices) < 2:
        return {name: float(unit(sample) @ unit(voice)) for name, voice in voices.items()}
    centre = np.mean(list(voices.values()), axis=0)
    seen = unit(sample - centre)
    return {name: float(seen @ unit(voice - centre)) for name, voice in voices.items()}
