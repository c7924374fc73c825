"""Wave files: every coding, every fault of a file as one French sentence."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from voiceref.audio.resampling import Resampled, resample
from voiceref.audio.source import AudioError, Block, ListSource
from voiceref.audio.wave_file import WaveSource, read_wave, write_wave


def _tone(seconds: float, rate: int, hertz: float = 440.0) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def _riff(kind: int, channels: int, rate: int, bits: int, body: bytes, extra: bytes = b"") -> bytes:
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits) + extra
    head = b"fmt " + struct.pack("<I", len(form)) + form + b"LIST" + struct.pack("<I", 3) + b"abc\0"
    head += b"data" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(head) + 4) + b"WAVE" + head


@pytest.mark.parametrize(
    ("kind", "bits", "encode"),
    [
        (1, 8, lambda x: np.round(x * 127 + 128).astype(np.uint8).tobytes()),
        (1, 16, lambda x: np.round(x * 32767).astype("<i2").tobytes()),
        (1, 24, lambda x: b"".join(int(v).to_bytes(3, "little", signed=True) for v in np.round(x * (2**23 - 1)))),
        (1, 32, lambda x: np.round(x.astype(float) * (2**31 - 1)).astype("<i4").tobytes()),
        (3, 32, lambda x: x.astype("<f4").tobytes()),
        (3, 64, lambda x: x.astype("<f8").tobytes()),
    ],
)
def test_every_coding_is_read(tmp_path: Path, kind: int, bits: int, encode) -> None:
    sound = _tone(0.05, 44_100)
    stereo = np.repeat(sound, 2)
    path = tmp_path / "jeux été.wav"
    path.write_bytes(_riff(kind, 2, 44_100, bits, encode(stereo)))
    samples, rate = read_wave(path)
    assert rate == 44_100
    assert samples.shape == (len(sound), 2)
    assert np.abs(samples[:, 0] - sound).max() < (0.01 if bits == 8 else 1e-4)


def test_extensible_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    extra = struct.pack("<HHI", 22, 16, 3) + struct.pack("<H", 1) + bytes(14)
    path.write_bytes(_riff(0xFFFE, 1, 48_000, 16, b"\1\0\2\0", extra))
    assert read_wave(path)[0].shape == (2, 1)


def test_a_cut_file_gives_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    write_wave(path, _tone(1.0, 16_000), 16_000)
    path.write_bytes(path.read_bytes()[:1045])
    assert len(read_wave(path)[0]) == 500


@pytest.mark.parametrize(
    "content",
    [None, b"", b"RIFF", b"OggS" + bytes(100), _riff(1, 1, 16_000, 16, b""), _riff(85, 1, 16_000, 16, b"abcd")],
)
def test_a_bad_file_is_one_french_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(AudioError, match=r"^Le fichier .*x\.wav .* : .*\.$"):
        read_wave(path)
    with pytest.raises(AudioError):
        read_wave(tmp_path)


def test_written_sound_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    write_wave(path, np.array([0.0, 0.5, -0.5, 2.0], np.float32), 8_000)
    samples, rate = read_wave(path)
    assert rate == 8_000
    assert samples[:, 0] == pytest.approx([0.0, 0.5, -0.5, 1.0], abs=1e-4)
    with pytest.raises(AudioError, match="écrit"):
        write_wave(tmp_path / "nulle part" / "x.wav", samples, rate)


def test_source_stamps_blocks(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    write_wave(path, np.zeros((1000, 2), np.float32), 8_000)
    source = WaveSource(path, block_seconds=0.05)
    blocks = list(source.blocks())
    assert [block.start for block in blocks] == [0, 400, 800]
    assert blocks[-1].end == 1000
    assert source.now() == pytest.approx(0.125)
    assert source.seconds == pytest.approx(0.125)


def test_44100_stereo_keeps_its_times_at_16000(tmp_path: Path) -> None:
    sound = np.zeros(44_100 * 2, np.float32)
    sound[44_100 : 44_100 + 4410] = _tone(0.1, 44_100)
    path = tmp_path / "x.wav"
    write_wave(path, np.stack([sound, sound], 1), 44_100)
    source = Resampled(WaveSource(path))
    blocks = list(source.blocks())
    assert all(a.end == b.start for a, b in zip(blocks, blocks[1:], strict=False))
    whole = np.concatenate([block.samples for block in blocks])
    assert len(whole) == pytest.approx(32_000, abs=2)
    loud = np.flatnonzero(np.abs(whole[:, 0]) > 0.1)
    assert loud[0] / 16_000 == pytest.approx(1.0, abs=0.002)
    assert loud[-1] / 16_000 == pytest.approx(1.1, abs=0.002)
    assert np.abs(whole[:, 0] - resample(sound, 44_100, 16_000)[: len(whole)]).max() < 0.01


def test_a_gap_stays_a_gap_after_resampling() -> None:
    sound = np.full((4_800, 1), 0.3, np.float32)
    source = ListSource([Block(0, sound, 48_000), Block(48_000, sound, 48_000)])
    blocks = list(Resampled(source).blocks())
    starts = [block.start for block in blocks if abs(block.start - 16_000) < 2]
    assert starts == [16_000]
    assert sum(len(block.samples) for block in blocks) == pytest.approx(3_200, abs=4)
