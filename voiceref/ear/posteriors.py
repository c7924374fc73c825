"""From a cut of sound to phone posteriors: the judge's network through onnxruntime, and a fake that reads a script."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Protocol

import numpy as np

from voiceref.audio.source import Samples
from voiceref.ear.features import Floats, judge_input
from voiceref.ear.phones import PHONES


class ModelError(Exception):
    """A model that is missing or broken; the text is one French sentence with the remedy."""


class PhoneModel(Protocol):
    """Hears phones. Frame t of the result is centred on second t * FRAME - MARGIN of the cut."""

    def posteriors(self, cut: Samples) -> Floats:
        """A cut (n,) at 16 kHz -> log posteriors (T, 36)."""


class OnnxPhones:
    """The judge's network on one core; the session is made at the first cut and used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Raises ModelError when the file cannot be loaded."""
        if not path.is_file():
            raise ModelError(f"Le modèle d'écoute {path} manque : réinstallez VoiceRef ou lancez « models/recipe ».")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises types of its own that share no public base
            raise ModelError(f"Le modèle d'écoute {path} est abîmé : réinstallez VoiceRef.") from error
        self._lock = threading.Lock()

    def posteriors(self, cut: Samples) -> Floats:
        with self._lock:
            (logp,) = self._session.run(["logp"], {"mel": judge_input(cut)[None]})
        return np.asarray(logp[0], np.float32)


class ScriptedPhones:
    """The fake network: posteriors from a function of the cut."""

    def __init__(self, heard: dict[int, Floats]) -> None:
        """`heard`: number of the call, from 0 -> (T, 36); other calls hear silence."""
        self._heard = heard
        self.calls = 0

    def posteriors(self, cut: Samples) -> Floats:
        silence = np.full((max(len(cut) // 320, 1) + 20, len(PHONES)), -8.0, np.float32)
        silence[:, 0] = 0.0
        logp = self._heard.get(self.calls, silence)
        self.calls += 1
        return logp
