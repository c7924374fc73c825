"""The recordings of people for measuring: which clips count, their tuning and test halves, the 50-way choice."""

from __future__ import annotations

import csv
import hashlib
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from .phones import pronounce

SPEECH = Path(os.environ.get("VOICEREF_SPEECH", "/work/shared/speech_fr"))
CHOICES = 50


@dataclass(frozen=True)
class Clip:
    path: Path
    text: str

    def samples(self) -> np.ndarray:
        """int16 at 16 kHz."""
        return soundfile.read(self.path, dtype="int16")[0]


def _normal(text: str) -> str:
    return re.sub(r"[^\w' ]+", " ", text.lower()).strip()


def half(text: str) -> str:
    """`test` or `tuning`, by the words said."""
    return "test" if hashlib.sha256(text.encode()).digest()[0] & 1 else "tuning"


def clips(folder: str, which: str, most: int = 250) -> list[Clip]:
    """At most `most` clips of a folder of `speech_fr` in one half: no digits, 1 to 9 words, 2 phones or more, < 5 s."""
    with (SPEECH / "manifest.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    found = []
    for row in rows:
        text = _normal(row["transcript"])
        usual = float(row["seconds"]) < 5 and 1 <= len(text.split()) <= 9 and not re.search(r"\d", row["transcript"])
        if row["path"].startswith(folder + "/") and usual and half(text) == which and len(pronounce(text)) >= 2:
            found.append(Clip(SPEECH / row["path"], text))
    random.Random(3).shuffle(found)
    return found[:most]


def choices(group: list[Clip]) -> Iterator[tuple[Clip, list[str]]]:
    """Each clip with its own text first and 49 texts of the group that sound different from it."""
    rng = random.Random(5)
    texts = sorted({clip.text for clip in group})
    for clip in group:
        others = [text for text in texts if pronounce(text) != pronounce(clip.text)]
        yield clip, [clip.text, *rng.sample(others, min(CHOICES - 1, len(others)))]
