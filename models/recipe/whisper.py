"""The encoder of Whisper base in PyTorch, its weights read from CTranslate2, and the French phone head on it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from .phones import PHONES

WIDTH, HEADS = 512, 8
_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


def read_ctranslate2(path: Path) -> dict[str, np.ndarray]:
    """Variables of a CTranslate2 model: name, rank, shape, type, size in bytes, data, one after the other."""
    data, place = path.read_bytes(), 0

    def number(form: str) -> int:
        nonlocal place
        value = struct.unpack_from(form, data, place)[0]
        place += struct.calcsize(form)
        return value

    def string() -> str:
        nonlocal place
        size = number("<H")
        text = data[place : place + size].rstrip(b"\0").decode()
        place += size
        return text

    number("<I")  # version of the format
    string()  # name of the architecture
    number("<I")  # its revision
    variables = {}
    for _ in range(number("<I")):
        name = string()
        shape = [number("<I") for _ in range(number("<B"))]
        kind, size = number("<B"), number("<I")
        if kind in _TYPES:
            variables[name] = np.frombuffer(data[place : place + size], _TYPES[kind]).reshape(shape)
        place += size
    return variables


class Layer(nn.Module):
    """One pre-norm transformer layer."""

    def __init__(self) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(WIDTH)
        self.query_key_value = nn.Linear(WIDTH, 3 * WIDTH)
        self.attention_out = nn.Linear(WIDTH, WIDTH)
        self.feed_norm = nn.LayerNorm(WIDTH)
        self.feed_in = nn.Linear(WIDTH, 4 * WIDTH)
        self.feed_out = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, 512) -> (B, T, 512)"""
        batch, frames, _ = x.shape
        heads = self.query_key_value(self.attention_norm(x)).view(batch, frames, 3, HEADS, WIDTH // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(query @ key.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5, dim=-1)
        x = x + self.attention_out((weights @ value).transpose(1, 2).reshape(batch, frames, WIDTH))
        return x + self.feed_out(functional.gelu(self.feed_in(self.feed_norm(x))))


class Encoder(nn.Module):
    """The first layers of Whisper's encoder for windows of any length: the position table is cut to the window."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv1d(80, WIDTH, 3, padding=1)
        self.conv2 = nn.Conv1d(WIDTH, WIDTH, 3, stride=2, padding=1)
        self.register_buffer("positions", torch.zeros(1500, WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(depth))

    def load(self, path: Path) -> Encoder:
        """Take the weights of a CTranslate2 Whisper model."""
        stored = read_ctranslate2(path)
        names = {"positions": "position_encodings/encodings"}
        parts = {
            "attention_norm": "self_attention/layer_norm",
            "query_key_value": "self_attention/linear_0",
            "attention_out": "self_attention/linear_1",
            "feed_norm": "ffn/layer_norm",
            "feed_in": "ffn/linear_0",
            "feed_out": "ffn/linear_1",
        }
        state = {}
        for key in self.state_dict():
            owner, _, leaf = key.rpartition(".")
            if owner.startswith("layers."):
                _, layer, part = owner.split(".")
                owner = f"layer_{layer}/{parts[part]}"
            owner = names.get(owner or leaf, owner)
            norm_leaf = {"weight": "gamma", "bias": "beta"}[leaf] if owner.endswith("layer_norm") else leaf
            stored_name = f"encoder/{owner}" if leaf == "positions" else f"encoder/{owner}/{norm_leaf}"
            state[key] = torch.tensor(stored[stored_name].astype(np.float32))
        self.load_state_dict(state)
        return self

    def forward(self, mel: Tensor) -> Tensor:
        """(B, 80, T) log-mel -> (B, T / 2, 512) states after the last layer kept"""
        x = functional.gelu(self.conv2(functional.gelu(self.conv1(mel)))).transpose(1, 2)
        x = x + self.positions[: x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return x


class Head(nn.Module):
    """Encoder states -> phones."""

    def __init__(self, inputs: int = WIDTH, hidden: int = 256) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(inputs)
        self.hidden = nn.Conv1d(inputs, hidden, 3, padding=1)
        self.dropout = nn.Dropout(0.35)
        self.out = nn.Conv1d(hidden, len(PHONES), 1)

    def forward(self, states: Tensor) -> Tensor:
        """(B, T, inputs) -> (B, T, 36) logits"""
        x = functional.relu(self.hidden(self.norm(states.transpose(1, 2))))
        return self.out(self.dropout(x)).transpose(1, 2)
