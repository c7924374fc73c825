"""Recordings of people for measuring the ear: clips with transcripts, their two halves, and what rooms do to them."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
from evening_sounds import background

from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, Block, Trouble
from voiceref.phrases.normalise import normalise

Samples = npt.NDArray[np.float32]
CONDITIONS = ("clean", "babble", "room")
"""Rooms in which phrases are shouted."""
BACKGROUNDS = ("noise", "music", "laughter")
"""What may be heard behind talk at 10 dB."""
RAISED = 1.25
"""Stand-in for children, of whom there are no recordings: the same clips played faster by so much, pitch and all."""
LONGEST = 6.0
"""Seconds; longer clips are sentences, not phrases."""


@dataclass(frozen=True)
class Clip:
    """A recording and its words as the phrase room writes them."""

    path: Path
    folder: str
    text: str
    seconds: float

    @property
    def tuning(self) -> bool:
        """Half the words tune, the other half test; the transcript alone decides."""
        return int(hashlib.sha1(self.text.encode()).hexdigest(), 16) % 2 == 0

    def samples(self) -> Samples:
        return read(self.path)

    def raised(self) -> Samples:
        """Played faster: pitch, timbre and tempo go up together."""
        return resample(self.samples(), round(EAR_RATE * RAISED), EAR_RATE)


def read(path: Path) -> Samples:
    """A 16 kHz mono file."""
    samples, rate = soundfile.read(path, dtype="float32")
    if rate != EAR_RATE or samples.ndim != 1:
        raise SystemExit(f"{path}: expected 16 kHz mono")
    return np.asarray(samples, np.float32)


@dataclass(frozen=True)
class Talk:
    """Somebody's recording in which no phrase of the game is meant; `text` where it is known."""

    path: Path
    people: str
    text: str
    seconds: float


def talk(speech: Path, others_of: list[Path]) -> list[Talk]:
    """All the talk there is: the test half of the French clips, then every reader of the other folders."""
    found = [Talk(clip.path, "French", clip.text, clip.seconds) for clip in clips(speech) if not clip.tuning]
    for folder in others_of:
        for path in sorted(folder.glob("*.flac")):
            found.append(Talk(path, folder.name, "", soundfile.info(path).duration))
    return found


def clips(folder: Path) -> list[Clip]:
    """The clips of `manifest.tsv` whose transcript has words and no digits, up to LONGEST."""
    found = []
    for line in (folder / "manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        path, transcript, _, seconds = line.split("\t")
        text = normalise(transcript)
        if text and not re.search(r"\d", text) and float(seconds) <= LONGEST:
            found.append(Clip(folder / path, path.split("/")[0], text, float(seconds)))
    return found


def others(clip_text: str, texts: list[str], count: int) -> list[str]:
    """`count` other texts, always the same ones for a clip."""
    rest = [text for text in texts if text != clip_text]
    return random.Random(clip_text).sample(rest, min(count, len(rest)))


class Rooms:
    """Changes clips as rooms do: babble of readers or a background at 10 dB; 0.45 s of reverberation from 2 m away."""

    def __init__(self, readers: Path) -> None:
        self._readers = [read(path) for path in sorted(readers.glob("*.flac"))[:60]]
        numbers = np.random.default_rng(5)
        self._behind = {kind: background(kind, numbers) for kind in BACKGROUNDS}

    def apply(self, condition: str, sound: Samples, seed: int) -> Samples:
        rng = np.random.default_rng(seed)
        loud = _speech_level(sound)
        if condition == "babble":
            return sound + self._babble(len(sound), rng) * np.float32(loud * 10 ** (-10 / 20))
        if condition == "room":
            return _far(sound, loud, rng)
        if condition in self._behind:
            behind = np.resize(np.roll(self._behind[condition], rng.integers(len(self._behind[condition]))), len(sound))
            return sound + behind * np.float32(loud * 10 ** (-10 / 20))
        return sound + rng.normal(0, 10 ** (-70 / 20), len(sound)).astype(np.float32)

    def _babble(self, count: int, rng: np.random.Generator) -> Samples:
        mixed = np.zeros(count, np.float32)
        for _ in range(6):
            reader = self._readers[rng.integers(len(self._readers))]
            reader = np.resize(np.roll(reader, rng.integers(len(reader))), count)
            mixed += reader / (reader.std() + 1e-6)
        return mixed / mixed.std()


def _speech_level(sound: Samples) -> float:
    """Root mean square of the frames within 20 dB of the loudest."""
    frames = (sound[: len(sound) // 320 * 320] ** 2).reshape(-1, 320).mean(axis=1)
    return float(np.sqrt(frames[frames > frames.max() * 0.01].mean()))


def _far(sound: Samples, loud: float, rng: np.random.Generator) -> Samples:
    """Direct sound and as much energy again of exponentially falling reverberation, over faint noise."""
    length = round(0.45 * EAR_RATE)
    response = rng.normal(0, 1, length) * 10 ** (-3 * np.arange(length) / length)
    response[:80] = 0
    response /= np.sqrt((response**2).sum())
    response[0] = 1
    size = 1 << (len(sound) + length).bit_length()
    far = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[: len(sound)]
    far *= loud / (_speech_level(far.astype(np.float32)) + 1e-9)
    return (far + rng.normal(0, 10 ** (-65 / 20), len(sound))).astype(np.float32)


def speech_end(sound: Samples) -> float:
    """Second at which the last frame of 20 ms within 35 dB of the loudest ends."""
    frames = (sound[: len(sound) // 320 * 320] ** 2).reshape(-1, 320).mean(axis=1)
    return float(np.flatnonzero(frames > frames.max() * 10**-3.5)[-1] + 1) * 0.02


class Stream:
    """A source that plays sounds one after the other, 20 ms at a time; `playing` is the index of the running one."""

    def __init__(self, sounds: Iterator[Samples]) -> None:
        self.rate, self.channels = EAR_RATE, 1
        self.playing, self.began, self._place = -1, 0.0, 0
        self._sounds = sounds

    def blocks(self) -> Iterator[Block | Trouble]:
        for sound in self._sounds:
            self.playing += 1
            self.began = self._place / EAR_RATE
            for i in range(0, len(sound), 320):
                block = Block(self._place, sound[i : i + 320, None], EAR_RATE)
                self._place = block.end
                yield block

    def now(self) -> float:
        return self._place / EAR_RATE

    def close(self) -> None:
        self._sounds = iter(())
