"""Write the Student as Kaldi's final.mdl: a one-state topology for position-dependent phones and an nnet3 network."""

from __future__ import annotations

import math
import struct
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import numpy as np
from torch import Tensor

from .phones import PHONES
from .tdnnf import CONTEXT, FEATURES, SKIP, Scale, Splice, Student

SELF_LOOP = 0.6  # chance to stay one more 30 ms frame in a phone
POSITIONS = "BEIS"  # begin, end, inside, single
MFCC_CONF = """--use-energy=false
--num-mel-bins=40
--num-ceps=40
--low-freq=20
--high-freq=7600
--dither=0
--allow-upsample=true
--allow-downsample=true
"""
MODEL_CONF = """--min-active=200
--max-active=5000
--beam=13.0
--lattice-beam=4.0
--acoustic-scale={scale}
--frame-subsampling-factor=3
--endpoint.silence-phones=1
--endpoint.rule2.min-trailing-silence=0.5
--endpoint.rule3.min-trailing-silence=1.0
--endpoint.rule4.min-trailing-silence=2.0
"""


def phone_names() -> list[str]:
    """Kaldi phone id -> name."""
    return ["<eps>", "sil", *(f"{phone}_{place}" for phone in PHONES[1:] for place in POSITIONS)]


def _token(out: BinaryIO, text: str) -> None:
    out.write(text.encode() + b" ")


def _integers(out: BinaryIO, *values: int) -> None:
    for value in values:
        out.write(b"\x04" + struct.pack("<i", value))


def _float(out: BinaryIO, value: float) -> None:
    out.write(b"\x04" + struct.pack("<f", value))


def _list(out: BinaryIO, values: list[int]) -> None:
    out.write(b"\x04" + struct.pack("<i", len(values)) + np.array(values, "<i4").tobytes())


def _vector(out: BinaryIO, values: np.ndarray) -> None:
    out.write(b"FV \x04" + struct.pack("<i", len(values)) + np.asarray(values, "<f4").tobytes())


def _matrix(out: BinaryIO, values: np.ndarray) -> None:
    rows, columns = values.shape
    out.write(b"FM \x04" + struct.pack("<i", rows) + b"\x04" + struct.pack("<i", columns))
    out.write(np.ascontiguousarray(values, "<f4").tobytes())


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().numpy()


class Network:
    """Components in the order in which data flow; each method adds one and returns its name."""

    def __init__(self) -> None:
        self._lines = [f"input-node name=input dim={FEATURES}"]
        self._bodies = BytesIO()
        self._count = 0

    def _add(self, name: str, kind: str, source: str, body: bytes) -> str:
        self._lines.append(f"component-node name={name} component={name} input={source}")
        for text in ("<ComponentName>", name, f"<{kind}>"):
            _token(self._bodies, text)
        self._bodies.write(body)
        _token(self._bodies, f"</{kind}>")
        self._count += 1
        return name

    def affine(self, name: str, source: str, weight: np.ndarray, bias: np.ndarray | None, offsets: list[int]) -> str:
        """weight (outputs, inputs, offsets)"""
        outputs = weight.shape[0]
        frames = [source if offset == 0 else f"Offset({source}, {offset})" for offset in offsets]
        body = BytesIO()
        _token(body, "<LinearParams>")
        _matrix(body, weight.transpose(0, 2, 1).reshape(outputs, -1))
        _token(body, "<BiasParams>")
        _vector(body, np.zeros(outputs) if bias is None else bias)
        descriptor = frames[0] if len(frames) == 1 else f"Append({', '.join(frames)})"
        return self._add(name, "FixedAffineComponent", descriptor, body.getvalue())

    def splice(self, name: str, source: str, layer: Splice) -> str:
        bias = None if layer.bias is None else _numpy(layer.bias)
        return self.affine(name, source, _numpy(layer.weight), bias, layer.offsets)

    def nonlinear(self, name: str, kind: str, source: str, width: int) -> str:
        body = BytesIO()
        _token(body, "<Dim>")
        _integers(body, width)
        for statistics in ("<ValueAvg>", "<DerivAvg>"):
            _token(body, statistics)
            _vector(body, np.zeros(0))
        _token(body, "<Count>")
        body.write(b"\x08" + struct.pack("<d", 0))
        _token(body, "<OderivRms>")
        _vector(body, np.zeros(0))
        _token(body, "<OderivCount>")
        body.write(b"\x08" + struct.pack("<d", 0))
        return self._add(name, kind, source, body.getvalue())

    def scale(self, name: str, source: str, scale: np.ndarray, offset: np.ndarray) -> str:
        for suffix, kind, token, values in (
            ("scale", "FixedScaleComponent", "<Scales>", scale),
            ("offset", "FixedBiasComponent", "<Bias>", offset),
        ):
            body = BytesIO()
            _token(body, token)
            _vector(body, values)
            source = self._add(f"{name}.{suffix}", kind, source, body.getvalue())
        return source

    def total(self, name: str, descriptor: str, width: int) -> str:
        body = BytesIO()
        _token(body, "<Dim>")
        _integers(body, width)
        _token(body, "<BackpropScale>")
        _float(body, 1.0)
        return self._add(name, "NoOpComponent", descriptor, body.getvalue())

    def write(self, out: BinaryIO, last: str) -> None:
        _token(out, "<Nnet3>")
        out.write(b"\n")
        for line in (*self._lines, f"output-node name=output input={last} objective=linear", ""):
            out.write(line.encode() + b"\n")
        _token(out, "<NumComponents>")
        _integers(out, self._count)
        out.write(self._bodies.getvalue())
        _token(out, "</Nnet3>")


def _network(student: Student) -> tuple[Network, str]:
    def folded(name: str, source: str, layer: Scale) -> str:
        return network.scale(name, source, _numpy(layer.scale), _numpy(layer.offset))

    network = Network()
    width = student.first.weight.shape[0]
    x = network.splice("first", network.splice("lda", "input", student.lda), student.first)
    x = folded("first.norm", network.nonlinear("first.relu", "RectifiedLinearComponent", x, width), student.first_scale)
    for i, layer in enumerate(student.layers, 2):
        y = network.splice(f"l{i}.affine", network.splice(f"l{i}.linear", x, layer.linear), layer.affine)
        y = network.nonlinear(f"l{i}.relu", "RectifiedLinearComponent", y, width)
        y = folded(f"l{i}.norm", y, layer.scale)
        x = network.total(f"l{i}.sum", f"Sum(Scale({SKIP}, {x}), {y})", width)
    x = network.affine("hidden", x, _numpy(student.hidden.weight), _numpy(student.hidden.bias), [0])
    x = network.nonlinear("hidden.relu", "RectifiedLinearComponent", x, student.hidden.out_channels)
    norm = student.norm
    scale = _numpy(norm.weight / (norm.running_var + norm.eps) ** 0.5)
    x = network.scale("hidden.norm", x, scale, _numpy(norm.bias) - _numpy(norm.running_mean) * scale)
    x = network.affine("out", x, _numpy(student.out.weight), _numpy(student.out.bias), [0])
    return network, network.nonlinear("logp", "LogSoftmaxComponent", x, len(PHONES))


def _transitions(out: BinaryIO) -> None:
    names = phone_names()
    phones = list(range(1, len(names)))
    _token(out, "<TransitionModel>")
    _token(out, "<Topology>")
    _list(out, phones)
    _list(out, [-1] + [0] * len(phones))
    _integers(out, 1, 2)  # one entry for all phones, of two states: the emitting one ...
    _integers(out, 0, 2, 0)  # ... with pdf class 0 and two transitions, to itself
    _float(out, SELF_LOOP)
    _integers(out, 1)  # and to the final state
    _float(out, 1 - SELF_LOOP)
    _integers(out, -1, 0)
    _token(out, "</Topology>")
    _token(out, "<Triples>")
    _integers(out, len(phones))
    for phone in phones:
        _integers(out, phone, 0, PHONES.index(names[phone].split("_")[0]))
    _token(out, "</Triples>")
    _token(out, "<LogProbs>")
    _vector(out, np.array([0.0] + [math.log(SELF_LOOP), math.log(1 - SELF_LOOP)] * len(phones)))
    _token(out, "</LogProbs>")
    _token(out, "</TransitionModel>")


def write_model(student: Student, folder: Path, acoustic_scale: float, priors: np.ndarray | None = None) -> None:
    """folder/am/final.mdl and folder/conf; Vosk takes log `priors` (36,) off the network's output."""
    for part in ("am", "conf"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    student.eval()
    network, last = _network(student)
    with (folder / "am/final.mdl").open("wb") as out:
        out.write(b"\0B")
        _transitions(out)
        network.write(out, last)
        for side in ("<LeftContext>", "<RightContext>"):
            _token(out, side)
            _integers(out, CONTEXT)
        _token(out, "<Priors>")
        _vector(out, np.zeros(0) if priors is None else priors)
    (folder / "conf/mfcc.conf").write_text(MFCC_CONF)
    (folder / "conf/model.conf").write_text(MODEL_CONF.format(scale=acoustic_scale))
