"""Step `export-judge`: the judge as int8 ONNX, log-mel (1, 80, T) in, log posteriors (1, T / 2, 36) out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from . import judge, paths
from .features import judge_input
from .phones import PHONES

Hear = Callable[[np.ndarray], np.ndarray]  # (80, T) log-mel -> (T / 2, 36) log posteriors


def export(checkpoint: Path, target: Path) -> None:
    """Write target (int8) and, in the work folder, the float32 model that it came from."""
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = paths.CHECKPOINTS / "judge.float32.onnx"
    trained = judge.load(checkpoint)
    judge.level(trained)
    torch.onnx.export(
        trained,
        (torch.zeros(1, 80, 200),),
        str(whole),
        input_names=["mel"],
        output_names=["logp"],
        dynamic_axes={"mel": {2: "frames"}, "logp": {1: "steps"}},
        opset_version=17,
        dynamo=False,
    )
    prepared = whole.with_suffix(".prepared.onnx")
    quant_pre_process(str(whole), str(prepared), skip_symbolic_shape=True)
    quantize_dynamic(
        str(prepared),
        str(target),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul", "Gemm"],
    )
    (target.parent / "phones.txt").write_text("\n".join(PHONES) + "\n", encoding="utf-8")
    np.save(target.parent / "priors.npy", judge.priors())


def hear(model: Path, threads: int = 1) -> Hear:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    return lambda mel: session.run(None, {"mel": mel[None]})[0][0]


def write_check(model: Path, target: Path) -> None:
    """A second of sound, its log-mel, and what the judge makes of it: for testing the run-time code."""
    time = np.arange(16_000) / 16_000
    samples = (9000 * np.sin(2 * np.pi * (200 + 900 * time) * time) * np.hanning(16_000)).astype(np.int16)
    mel = judge_input(samples)
    np.savez_compressed(target, samples=samples, mel=mel, logp=hear(model)(mel))
