"""The small networks of this room through onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def session(model: Path) -> Any:
    """An `onnxruntime.InferenceSession` on one thread. Raises FileNotFoundError when the file is not there."""
    import onnxruntime

    if not model.is_file():
        raise FileNotFoundError(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
