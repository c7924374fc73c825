"""The TDNN-F of vosk-model-small-ko (Apache-2.0) in PyTorch, i-vector input dropped, a head for French phones."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from .phones import PHONES

FEATURES, WIDTH, LAYERS, SKIP = 40, 768, 15, 0.66
CONTEXT = 34  # frames of 10 ms on each side
LOWER = 4  # layers below the change of rate
STRIDE = 3  # frames between the outputs, and between the inputs of the upper layers


class Components:
    """The named components of a Kaldi nnet3 file."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        data = data[data.find(b"<NumComponents>") :]
        heads = list(re.finditer(rb"<ComponentName> (\S+) <\w+>", data))
        ends = [head.start() for head in heads[1:]] + [len(data)]
        self._body = {head[1].decode(): data[head.end() : end] for head, end in zip(heads, ends, strict=True)}

    def _after(self, name: str, token: str) -> tuple[bytes, int]:
        body = self._body[name]
        return body, body.index(f"<{token}> ".encode()) + len(token) + 3

    def array(self, name: str, token: str) -> np.ndarray:
        """A matrix or vector."""
        body, place = self._after(name, token)
        rank = 2 if body[place : place + 3] == b"FM " else 1
        shape = [struct.unpack_from("<i", body, place + 4 + 5 * axis)[0] for axis in range(rank)]
        start = place + 3 + 5 * rank
        return np.frombuffer(body, "<f4", int(np.prod(shape)), start).reshape(shape).copy()

    def integers(self, name: str, token: str) -> list[int]:
        body, place = self._after(name, token)
        (count,) = struct.unpack_from("<i", body, place + 1)
        return list(struct.unpack_from(f"<{count}i", body, place + 5))

    def number(self, name: str, token: str) -> float:
        body, place = self._after(name, token)
        return float(struct.unpack_from("<f", body, place + 1)[0])


class Splice(nn.Module):
    """An affine map of a few frames at fixed offsets (Kaldi's TdnnComponent)."""

    def __init__(self, weight: np.ndarray, bias: np.ndarray | None, offsets: list[int]) -> None:
        super().__init__()
        outputs = weight.shape[0]
        stacked = weight.reshape(outputs, len(offsets), -1).transpose(0, 2, 1).copy()
        self.offsets = offsets
        self.weight = nn.Parameter(torch.tensor(stacked))  # (outputs, inputs, offsets)
        self.bias = nn.Parameter(torch.tensor(bias)) if bias is not None and bias.size else None

    def forward(self, x: Tensor, every: int = 1) -> Tensor:
        """x holds every `every`-th frame."""
        step = self.offsets[1] - self.offsets[0] if len(self.offsets) > 1 else every
        return functional.conv1d(x, self.weight, self.bias, dilation=step // every)


class Scale(nn.Module):
    """A batch norm folded to a scale and an offset for each channel, both trainable."""

    def __init__(self, components: Components, name: str) -> None:
        super().__init__()
        mean, variance = components.array(name, "StatsMean"), components.array(name, "StatsVar")
        scale = components.number(name, "TargetRms") * (variance + components.number(name, "Epsilon")) ** -0.5
        self.scale = nn.Parameter(torch.tensor(scale.astype(np.float32)))
        self.offset = nn.Parameter(torch.tensor((-mean * scale).astype(np.float32)))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale[:, None] + self.offset[:, None]


class Factored(nn.Module):
    """One TDNN-F layer: bottleneck, affine, ReLU, norm, and a skip connection."""

    def __init__(self, components: Components, layer: int) -> None:
        super().__init__()
        name = f"tdnnf{layer}"
        parts = []
        for part in ("linear", "affine"):
            weight = components.array(f"{name}.{part}", "LinearParams")
            bias = components.array(f"{name}.{part}", "BiasParams")
            parts.append(Splice(weight, bias, components.integers(f"{name}.{part}", "TimeOffsets")))
        self.linear, self.affine = parts
        self.scale = Scale(components, f"{name}.batchnorm")
        self.left, self.right = -min(0, *self.linear.offsets), max(0, *self.affine.offsets, 0)

    def forward(self, x: Tensor, every: int) -> Tensor:
        y = self.scale(functional.relu(self.affine(self.linear(x, every), every)))
        return SKIP * x[:, :, self.left // every : x.shape[2] - self.right // every] + y


class Student(nn.Module):
    """MFCC (B, 40, T + 2 CONTEXT) -> logits (B, 36, T / 3) of every third frame, the only ones that Vosk asks for."""

    def __init__(self, korean: Path, hidden: int = 256) -> None:
        super().__init__()
        components = Components(korean)
        spliced = components.array("lda", "LinearParams")[:, : 3 * FEATURES]  # the rest weighs the i-vector
        self.lda = Splice(spliced, components.array("lda", "BiasParams"), [-1, 0, 1]).requires_grad_(False)
        first = [components.array("tdnn1.affine", token) for token in ("LinearParams", "BiasParams")]
        self.first = Splice(first[0], first[1], [0])
        self.first_scale = Scale(components, "tdnn1.batchnorm")
        self.layers = nn.ModuleList(Factored(components, layer) for layer in range(2, LAYERS + 1))
        self.hidden = nn.Conv1d(WIDTH, hidden, 1)
        self.norm = nn.BatchNorm1d(hidden)
        self.out = nn.Conv1d(hidden, len(PHONES), 1)

    def lower(self, x: Tensor) -> Tensor:
        """The layers that look at neighbouring frames, then every third frame: (B, 768, (T + 60) / 3)."""
        x = self.first_scale(functional.relu(self.first(self.lda(x))))
        for layer in self.layers[:LOWER]:
            x = layer(x, 1)
        return x[:, :, ::STRIDE]

    def upper(self, x: Tensor) -> Tensor:
        """The other layers, which look three frames of 10 ms to each side: (B, 768, T / 3)."""
        for layer in self.layers[LOWER:]:
            x = layer(x, STRIDE)
        return x

    def top(self, x: Tensor) -> Tensor:
        """The head: (B, 768, T) -> (B, 36, T)."""
        return self.out(self.norm(functional.relu(self.hidden(x))))

    def forward(self, x: Tensor) -> Tensor:
        return self.top(self.upper(self.lower(x)))
