"""Voices of the operating system through pyttsx3, kept in a process of their own that is watched and started anew.

pyttsx3 hangs, speaks English when its voice is unknown, or reports success with no sound (field reports B53 to B61).
So: one process owns it, each request has a deadline, the voice is chosen from its own list and read back, and the file
that it saves is read and measured before anything is called spoken.
"""

from __future__ import annotations

import json
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from voiceref.audio.source import AudioError
from voiceref.audio.wave_file import read_wave
from voiceref.voice.synthesis import NORMAL, Manner, Sound, VoiceError, trimmed

WORKER = (sys.executable, "-m", "voiceref.voice.system_worker")
_START_S = 15.0
_SPEAK_S = 4.0
_SHORTEST_S = 0.02
_REMEDY = "installez espeak-ng (sous Linux) ou une voix française du système"


@dataclass(frozen=True)
class SystemVoiceInfo:
    """A voice as the system lists it; `languages` are tags such as fr-FR."""

    id: str
    name: str
    languages: tuple[str, ...]

    @property
    def french(self) -> bool:
        tags = [*self.languages, self.id.rpartition("/")[2]]
        return any(tag.casefold().replace("_", "-").split("-")[0] == "fr" for tag in tags) or (
            any(word in self.name.casefold() for word in ("french", "français"))
        )


class SystemVoice:
    """One pyttsx3 voice. `wanted`: its id or (part of) its name, or None for the first French one."""

    def __init__(self, wanted: str | None = None, worker: Sequence[str] = WORKER, speak_s: float = _SPEAK_S) -> None:
        """Starts the process. Raises VoiceError for a voice that is not there, or when there is no French voice."""
        self._command = tuple(worker)
        self._speak_s = speak_s
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="voiceref-")
        try:
            self._voice = choose(self.voices(), wanted)
        except VoiceError:
            self.close()
            raise

    @property
    def name(self) -> str:
        return f"{self._voice.name} ({self._voice.id})"

    def voices(self) -> tuple[SystemVoiceInfo, ...]:
        """Every voice of the system. Raises VoiceError."""
        listed = self._ask({"do": "voices"}, _START_S)["voices"]
        return tuple(SystemVoiceInfo(item["id"], item["name"], tuple(item["languages"])) for item in listed)

    def speak(self, text: str, manner: Manner = NORMAL) -> Sound:
        with self._lock:
            sound = self._saved(text, manner)
        if text and sound.seconds < _SHORTEST_S:
            raise VoiceError(f"La voix {self._voice.id} n'a rien produit : {_REMEDY}.")
        return trimmed(sound)

    def close(self) -> None:
        self._end_process()
        self._folder.cleanup()

    def _saved(self, text: str, manner: Manner) -> Sound:
        path = Path(self._folder.name) / "sentence.wav"
        path.unlink(missing_ok=True)
        request = {"do": "save", "text": text, "voice": self._voice.id, "rate": manner.rate, "pitch": manner.pitch}
        deadline = self._speak_s if self._process else _START_S
        answer = self._ask({**request, "path": str(path)}, deadline)
        if answer["voice"].casefold() != self._voice.id.casefold():
            raise VoiceError(
                f"La voix {self._voice.id} a été remplacée par {answer['voice']} : choisissez-en une autre."
            )
        return read_saved(path)

    def _ask(self, request: Mapping[str, object], deadline_s: float) -> dict[str, Any]:
        """One request and its answer. A process that is late or gone is ended, so that the next request starts anew."""
        process = self._process or self._start_process()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = self._answers.get(timeout=deadline_s)
        except (OSError, queue.Empty) as error:
            self._end_process()
            raise VoiceError("La voix du système ne répond pas : le texte reste à l'écran.") from error
        if not line:
            self._end_process()
            raise VoiceError("La voix du système s'est arrêtée : le texte reste à l'écran.")
        answer: dict[str, Any] = json.loads(line)
        if not answer["ok"]:
            raise VoiceError(f"La voix du système ne marche pas ({answer['error']}) : {_REMEDY}.")
        return answer

    def _start_process(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
        self._answers = queue.Queue()
        threading.Thread(target=_forward, args=(process, self._answers), daemon=True, name="system-voice").start()
        self._process = process
        return process

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


def choose(voices: Sequence[SystemVoiceInfo], wanted: str | None) -> SystemVoiceInfo:
    """The voice called `wanted` (id, name or part of the name), or the best French one. Raises VoiceError."""
    french = [voice for voice in voices if voice.french]
    if wanted is None:
        if not french:
            raise VoiceError(f"Aucune voix française sur ce système : {_REMEDY}.")
        plain = [voice for voice in french if voice.id.casefold().endswith(("fr", "fr-fr"))]
        return (plain or french)[0]
    asked = _folded(wanted)
    exact = [voice for voice in voices if asked in (_folded(voice.id), _folded(voice.name))]
    partial = [voice for voice in voices if asked in _folded(voice.name)]
    if exact or partial:
        return (exact or partial)[0]
    there = ", ".join(voice.name for voice in french) or "aucune voix française"
    raise VoiceError(f"La voix « {wanted} » n'existe pas ici ; il y a : {there}.")


def read_saved(path: Path) -> Sound:
    """The sound that a driver saved: WAV, or AIFF whatever the file is called (macOS). Raises VoiceError."""
    try:
        head = path.read_bytes()
        if head[:4] == b"FORM":
            return _read_aiff(head)
        samples, rate = read_wave(path)
    except (OSError, AudioError, struct.error, KeyError, ValueError) as error:
        raise VoiceError(f"La voix du système n'a rien produit : {_REMEDY}.") from error
    return Sound(np.ascontiguousarray(samples[:, 0]), rate)


def _read_aiff(data: bytes) -> Sound:
    """First channel of an AIFF or AIFF-C file of 16-bit integers or 32-bit floats (Apple, "AIFF" version 1.3)."""
    chunks: dict[bytes, bytes] = {}
    place = 12
    while place + 8 <= len(data):
        (size,) = struct.unpack(">I", data[place + 4 : place + 8])
        chunks[data[place : place + 4]] = data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2
    common, body = chunks[b"COMM"], chunks[b"SSND"][8:]
    channels, _, _, exponent, mantissa = struct.unpack(">hIhHQ", common[:18])
    rate = round(mantissa * 2.0 ** ((exponent & 0x7FFF) - 16383 - 63))
    kind = common[18:22] if data[8:12] == b"AIFC" else b"NONE"
    formats = {b"NONE": ">i2", b"twos": ">i2", b"sowt": "<i2", b"fl32": ">f4", b"FL32": ">f4"}
    samples = np.frombuffer(body[: len(body) // 4 * 4], formats[kind])[::channels].astype(np.float32)
    return Sound(samples if formats[kind].endswith("f4") else samples / np.float32(32768.0), rate)


def _forward(process: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
    """Pass the lines of the process on; an empty one says that it is over."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            answers.put(line)
    answers.put("")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip()
