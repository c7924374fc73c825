"""Posteriors and lexicon for tests: words spelled by a table, speech as near-certain phone frames."""

from __future__ import annotations

import numpy as np

from voiceref.ear.espeak import FixedSpeller
from voiceref.ear.features import MARGIN
from voiceref.ear.lexicon import Lexicon
from voiceref.ear.phones import PHONES, from_ipa

WORDS = {
    "pas": "p a",
    "mou": "m u",
    "le": "l ə",
    "caillou": "k a j u",
    "grelotte": "ɡ ʁ ə l ɔ t",
    "ça": "s a",
    "picote": "p i k ɔ t",
    "chouette": "ʃ w ɛ t",
    "velute": "v ə l y t",
    "velutée": "v ə l y t e",
    "quatre": "k a t ʁ",
    "cinq": "s ɛ̃ k",
    "six": "s i s",
    "oui": "w i",
    "bonjour": "b ɔ̃ ʒ u ʁ",
}


def lexicon() -> Lexicon:
    listed = {word: (from_ipa(phones),) for word, phones in WORDS.items()}
    return Lexicon(listed, FixedSpeller({"zorg": "z ɔ ʁ ɡ"}))


def heard(
    text: str, frames: int = 4, lead: int = 20, trail: int = 20, sharp: float = 6.0, noise: float = 0.5, seed: int = 0
) -> np.ndarray:
    """Log posteriors (T, 36) of `text` (words of WORDS, « _ » is a short pause), `frames` a phone."""
    silence = round(MARGIN / 0.02)
    path = [0] * (silence + lead)
    for word in text.split():
        for phone in [0] if word == "_" else from_ipa(WORDS[word]):
            path += [phone] * frames
    path += [0] * (silence + trail)
    logits = np.random.default_rng(seed).normal(0, noise, (len(path), len(PHONES))).astype(np.float32)
    logits[np.arange(len(path)), path] += np.float32(sharp)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
