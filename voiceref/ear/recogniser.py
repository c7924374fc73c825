"""Vosk as the second opinion: one model a game, one owner thread, whole utterances cut by our own endpointer.

Traps kept shut (field reports B03, B11, B17): the grammar is a graph in UTF-8 and NFC instead of JSON, so nothing is
dropped or recombined; it is never changed while sound is in the recogniser; it is never empty; no dither.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.posteriors import ModelError
from voiceref.ear.vosk_graph import UNKNOWN, GraphCosts, Pronouncer, self_loop, write_graph
from voiceref.ear.word_graph import WordGraph

_NEEDED = ("am/final.mdl", "conf/mfcc.conf", "conf/model.conf", "hmm.toml")
_TAIL = np.zeros(EAR_RATE // 4, np.float32)


@dataclass(frozen=True)
class Opinion:
    """What Vosk made of an utterance: words ("" when unknown talk), and their least posterior."""

    text: str
    confidence: float


class Recogniser(Protocol):
    """Hears one utterance at a time."""

    def hear(self, samples: Samples) -> Opinion:
        """The opinion on one whole utterance (n,) at 16 kHz."""

    def close(self) -> None: ...


class ScriptedRecogniser:
    """The fake recogniser: opinions from a list, and an error when two threads or a closed one use it."""

    def __init__(self, opinions: list[Opinion]) -> None:
        self._opinions = list(opinions)
        self._owner = threading.get_ident()
        self._closed = False
        self.seconds = 0.0

    def hear(self, samples: Samples) -> Opinion:
        self._check()
        self.seconds += len(samples) / EAR_RATE
        return self._opinions.pop(0) if self._opinions else Opinion("", 0.0)

    def close(self) -> None:
        self._check()
        self._closed = True

    def _check(self) -> None:
        if threading.get_ident() != self._owner or self._closed:
            raise RuntimeError("a recogniser belongs to one thread and is not used after its end")


class VoskRecogniser:
    """Our Vosk model with the graph of one game. Only the thread that made it may use it."""

    def __init__(self, model: Path, words: WordGraph, lexicon: Pronouncer, costs: GraphCosts | None = None) -> None:
        """`model`: the folder `models/fr`. Raises ModelError when it is missing or broken, or nothing is to be said."""
        missing = [name for name in _NEEDED if not (model / name).is_file() or not (model / name).stat().st_size]
        if missing:
            raise ModelError(f"Le modèle {model} est incomplet ({', '.join(missing)}) : réinstallez VoiceRef.")
        if not words.finals:
            raise ModelError("Aucune phrase à écouter : le fichier de phrases est vide.")
        vosk = quiet_vosk()
        folder = Path(tempfile.mkdtemp(prefix="voiceref-"))
        try:
            _borrow(model / "am", folder / "am")
            _write_settings(model / "conf", folder / "conf")
            write_graph(folder, words, lexicon, self_loop(model), costs)
            self._vosk = OwnedVosk(vosk.KaldiRecognizer(vosk.Model(str(folder)), EAR_RATE))
        except Exception as error:  # vosk raises bare Exception
            raise ModelError(f"Le modèle {model} ne se charge pas : réinstallez VoiceRef.") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def hear(self, samples: Samples) -> Opinion:
        words, confidence = self._vosk.hear(samples)
        return Opinion(" ".join(words), confidence)

    def close(self) -> None:
        self._vosk.check()


class OwnedVosk:
    """A `vosk.KaldiRecognizer` that only the thread which made it may use, one whole utterance at a time."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._handle.SetWords(True)
        self._owner = threading.get_ident()

    def hear(self, samples: Samples) -> tuple[tuple[str, ...], float]:
        """The words of an utterance (n,) at 16 kHz and their least posterior; none when some of it is unknown talk."""
        self.check()
        sound = np.concatenate([samples, _TAIL])
        self._handle.AcceptWaveform((np.clip(sound, -1.0, 1.0) * 32767.0).astype("<i2").tobytes())
        heard = json.loads(self._handle.FinalResult()).get("result", ())
        self._handle.Reset()
        words = tuple(word["word"] for word in heard)
        if not words or UNKNOWN in words:
            return (), 0.0
        return words, min(float(word["conf"]) for word in heard)

    def check(self) -> None:
        """Raises RuntimeError in any other thread than its own."""
        if threading.get_ident() != self._owner:
            raise RuntimeError("a Vosk recogniser belongs to the thread that made it")


def quiet_vosk() -> ModuleType:
    """The vosk module, imported without a socket: it brings a downloader that tries IPv6 out as it is imported."""
    known, socket.has_ipv6 = socket.has_ipv6, False
    try:
        import vosk
    finally:
        socket.has_ipv6 = known
    vosk.SetLogLevel(-1)
    module: ModuleType = vosk
    return module


def _borrow(source: Path, target: Path) -> None:
    """Link a folder, or copy it where links are not allowed (Windows without rights)."""
    try:
        target.symlink_to(source.resolve(), target_is_directory=True)
    except OSError:
        shutil.copytree(source, target)


def _write_settings(source: Path, target: Path) -> None:
    """Copy `conf/`, with a narrow lattice: only its best path is used, and a wide one takes seconds in babble."""
    shutil.copytree(source, target)
    text = (source / "model.conf").read_text(encoding="utf-8")
    narrow = re.sub(r"(?m)^--lattice-beam=.*$", "--lattice-beam=1.0", text)
    (target / "model.conf").write_text(narrow, encoding="utf-8")
