"""RIFF/WAVE files in and out: PCM of 8 to 32 bits and floats, any rate, any number of channels."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from voiceref.audio.source import AudioError, Block, Samples, Trouble

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE


def read_wave(path: Path) -> tuple[Samples, int]:
    """Samples of shape (n, channels), full scale ±1, and their rate.

    Raises AudioError for a file that is missing, empty, cut short before its samples, or no sound of a known kind.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise AudioError(f"Le fichier {path} ne peut pas être lu : vérifiez son nom et vos droits.") from error
    if data[:4] not in (b"RIFF", b"RF64") or data[8:12] != b"WAVE":
        raise AudioError(f"Le fichier {path} n'est pas un son WAV : convertissez-le en WAV.")
    chunks = dict(_chunks(data))
    if b"fmt " not in chunks or b"data" not in chunks or len(chunks[b"fmt "]) < 16:
        raise AudioError(f"Le fichier {path} est incomplet : enregistrez-le de nouveau en WAV.")
    kind, channels, rate, _, _, bits = struct.unpack("<HHIIHH", chunks[b"fmt "][:16])
    if kind == _EXTENSIBLE and len(chunks[b"fmt "]) >= 26:
        kind = struct.unpack("<H", chunks[b"fmt "][24:26])[0]
    if channels < 1 or not 4_000 <= rate <= 384_000:
        raise AudioError(f"Le fichier {path} annonce un format impossible : enregistrez-le de nouveau en WAV.")
    width = channels * bits // 8
    body = chunks[b"data"]
    if width == 0 or len(body) < width:
        raise AudioError(f"Le fichier {path} ne contient aucun son : enregistrez-le de nouveau.")
    samples = _decode(body[: len(body) // width * width], kind, bits)
    if samples is None:
        raise AudioError(f"Le fichier {path} est codé d'une façon inconnue : convertissez-le en WAV PCM 16 bits.")
    return samples.reshape(-1, channels), rate


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(name, content) of each chunk; a last chunk that claims too much is cut at the end of the file."""
    place = 12
    while place + 8 <= len(data):
        name, size = data[place : place + 4], struct.unpack("<I", data[place + 4 : place + 8])[0]
        yield name, data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


def _decode(body: bytes, kind: int, bits: int) -> Samples | None:
    """Raw samples as floats, or None for a coding that is not known."""
    if kind == _FLOAT and bits in (32, 64):
        sound = np.frombuffer(body, f"<f{bits // 8}").astype(np.float32)
        return np.nan_to_num(sound, nan=0.0, posinf=1.0, neginf=-1.0)
    if kind != _PCM:
        return None
    if bits == 8:
        return ((np.frombuffer(body, np.uint8).astype(np.float32)) - 128.0) / np.float32(128.0)
    if bits == 24:
        bytes_ = np.frombuffer(body, np.uint8).reshape(-1, 3).astype(np.int32)
        whole = (bytes_[:, 0] << 8 | bytes_[:, 1] << 16 | bytes_[:, 2] << 24) >> 8
        return (whole / 2**23).astype(np.float32)
    if bits in (16, 32):
        return (np.frombuffer(body, f"<i{bits // 8}") / 2.0 ** (bits - 1)).astype(np.float32)
    return None


def write_wave(path: Path, samples: Samples, rate: int) -> None:
    """Write samples (n,) or (n, channels) as 16-bit PCM; louder than full scale is clipped. Raises AudioError."""
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    body = (np.clip(samples, -1.0, 1.0) * 32767.0).round().astype("<i2").tobytes()
    form = struct.pack("<HHIIHH", _PCM, channels, rate, rate * channels * 2, channels * 2, 16)
    head = b"RIFF" + struct.pack("<I", 36 + len(body)) + b"WAVEfmt " + struct.pack("<I", 16) + form
    try:
        path.write_bytes(head + b"data" + struct.pack("<I", len(body)) + body)
    except OSError as error:
        raise AudioError(f"Le fichier {path} ne peut pas être écrit : vérifiez le dossier et vos droits.") from error


class WaveSource:
    """A wave file as a source, at its own rate, as fast as the listener takes it."""

    def __init__(self, path: Path, block_seconds: float = 0.02) -> None:
        """Raises AudioError when the file cannot be used."""
        self._samples, self.rate = read_wave(path)
        self.channels = self._samples.shape[1]
        self._size = max(1, round(block_seconds * self.rate))
        self._given = 0
        self._closed = False

    @property
    def seconds(self) -> float:
        """Length of the file."""
        return len(self._samples) / self.rate

    def blocks(self) -> Iterator[Block | Trouble]:
        for start in range(0, len(self._samples), self._size):
            if self._closed:
                return
            block = Block(start, self._samples[start : start + self._size], self.rate)
            self._given = block.end
            yield block

    def now(self) -> float:
        return self._given / self.rate

    def close(self) -> None:
        self._closed = True
