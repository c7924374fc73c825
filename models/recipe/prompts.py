"""Step `prompts`: two women recorded for telephone exchanges, from Debian packages, aligned with the first judge.

`texts/prompts.tsv` says who says what in which file: package voice, file without its ending, words.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np

from . import harden, judge, paths, synth
from .features import JUDGE_MARGIN, RATE
from .phones import INDEX, SIL, pronounce
from .scoring import align
from .sources import sha256

WORST = -2.2  # mean log posterior of a frame below which the words are not believed
SHARE = 100  # utterances of one shard


@dataclass(frozen=True)
class Voice:
    """A Debian package of prompts: its version, hash of the .deb, folder of the sounds and their ending."""

    package: str
    version: str
    sha256: str
    folder: str
    ending: str


VOICES = {
    "june": Voice(
        "asterisk-core-sounds-fr-g722",
        "1.6.1-1",
        "7add61d5e42279ecff1bbdf842a5a946ac3644fac9a0fe44384731aa7270c8e0",
        "usr/share/asterisk/sounds/fr_CA_f_June",
        "g722",
    ),
    "armelle": Voice(
        "asterisk-prompt-fr-armelle",
        "20070613-2.2",
        "162570b1a9b3512a98f06b89f60c7c17cf1b9b52297315adca9a4e5be728bea3",
        "usr/share/asterisk/sounds/fr",
        "gsm",
    ),
}


def fetch(voice: Voice) -> Path:
    """Folder of the sounds of a package, downloaded by apt and checked."""
    target = paths.SOURCES / voice.package
    target.mkdir(parents=True, exist_ok=True)
    if not list(target.glob("*.deb")):
        subprocess.run(["apt-get", "download", f"{voice.package}={voice.version}"], cwd=target, check=True)
    package = next(target.glob("*.deb"))
    if sha256(package) != voice.sha256:
        sys.exit(f"{package}: sha256 {sha256(package)}, expected {voice.sha256}")
    subprocess.run(["dpkg-deb", "-x", package, target], check=True)
    return target / voice.folder


def read(path: Path) -> np.ndarray:
    """int16 at 16 kHz; what is silent at the ends is left on."""
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(str(path)) as sound:
        frames = [part for frame in sound.decode(audio=0) for part in resampler.resample(frame)]
    return np.concatenate([frame.to_ndarray()[0] for frame in frames])


def said() -> list[tuple[str, str, str]]:
    """(voice, file, words)"""
    lines = (paths.HERE / "texts" / "prompts.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [(voice, name, words) for voice, name, words in rows]


def aligned(first: judge.Judge, sound: np.ndarray, words: str) -> synth.Utterance | None:
    """The utterance with its phone times, None if the words do not fit."""
    phones = pronounce(words)
    logp = np.log(harden.think(first, sound.astype(np.float32)).numpy() + 1e-5)
    if len(logp) < len(phones) + 4:
        return None
    score, starts = align(logp, phones)
    if score / len(logp) < WORST:
        return None
    times = np.array([0.0, *(max(start / 50 - JUDGE_MARGIN, 0.0) for start in starts)])
    return words, sound, times, np.array([SIL, *(INDEX[phone] for phone in phones), SIL])


def run(checkpoint: Path) -> None:
    first = judge.load(checkpoint)
    paths.SPEECH.mkdir(parents=True, exist_ok=True)
    for key, voice in VOICES.items():
        if list(paths.SPEECH.glob(f"{key}_*.npz")):
            continue
        folder = fetch(voice)
        rows = [(name, words) for owner, name, words in said() if owner == key]
        found = [aligned(first, read(folder / f"{name}.{voice.ending}"), words) for name, words in rows]
        kept = [utterance for utterance in found if utterance is not None]
        for i in range(0, len(kept), SHARE):
            synth.save(paths.SPEECH / f"{key}_{i // SHARE:04d}.npz", kept[i : i + SHARE])
        print(f"prompts: {key}, {len(kept)} of {len(rows)} fit", file=sys.stderr, flush=True)
