"""A whole acoustic model with random weights, in Kaldi's binary format: Vosk loads it, what it hears is noise."""

from __future__ import annotations

import io
import math
import struct
from pathlib import Path

import numpy as np

from voiceref.ear.phones import PHONES

SELF_LOOP = 0.6
_MFCC = "--use-energy=false\n--num-mel-bins=40\n--num-ceps=40\n--low-freq=20\n--high-freq=7600\n--dither=0\n"
_DECODER = "--min-active=200\n--max-active=5000\n--beam=13.0\n--lattice-beam=4.0\n--acoustic-scale=0.3\n"
_DECODER += "--frame-subsampling-factor=3\n--endpoint.silence-phones=1\n"


class _Kaldi(io.BytesIO):
    """Kaldi's binary primitives."""

    def token(self, text: str) -> None:
        self.write(text.encode() + b" ")

    def integer(self, value: int) -> None:
        self.write(b"\x04" + struct.pack("<i", value))

    def real(self, value: float) -> None:
        self.write(b"\x04" + struct.pack("<f", value))

    def integers(self, values: list[int]) -> None:
        self.write(b"\x04" + struct.pack("<i", len(values)) + np.array(values, "<i4").tobytes())

    def vector(self, values: np.ndarray) -> None:
        self.write(b"FV \x04" + struct.pack("<i", len(values)) + np.asarray(values, "<f4").tobytes())

    def matrix(self, values: np.ndarray) -> None:
        self.write(b"FM " + b"".join(b"\x04" + struct.pack("<i", n) for n in values.shape))
        self.write(np.ascontiguousarray(values, "<f4").tobytes())


def write_toy_model(folder: Path, seed: int = 0) -> Path:
    """`am/`, `conf/` and `hmm.toml` of a model for the 36 phones; returns the folder."""
    for part in ("am", "conf"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "am" / "final.mdl").write_bytes(_acoustic_model(seed))
    (folder / "conf" / "mfcc.conf").write_text(_MFCC)
    (folder / "conf" / "model.conf").write_text(_DECODER)
    (folder / "hmm.toml").write_text(f"self_loop = {SELF_LOOP}\n")
    return folder


def _acoustic_model(seed: int) -> bytes:
    out = _Kaldi()
    out.write(b"\0B")
    count = 1 + 4 * (len(PHONES) - 1)
    out.token("<TransitionModel>")
    out.token("<Topology>")
    out.integers(list(range(1, count + 1)))
    out.integers([-1] + [0] * count)
    for value in (1, 2, 0, 2, 0):
        out.integer(value)
    out.real(SELF_LOOP)
    out.integer(1)
    out.real(1 - SELF_LOOP)
    out.integer(-1)
    out.integer(0)
    out.token("</Topology>")
    out.token("<Triples>")
    out.integer(count)
    for phone in range(1, count + 1):
        for value in (phone, 0, 0 if phone == 1 else 1 + (phone - 2) // 4):
            out.integer(value)
    out.token("</Triples>")
    out.token("<LogProbs>")
    out.vector(np.array([0.0] + [math.log(SELF_LOOP), math.log(1 - SELF_LOOP)] * count))
    out.token("</LogProbs>")
    out.token("</TransitionModel>")
    rng = np.random.default_rng(seed)
    out.token("<Nnet3>")
    out.write(b"\ninput-node name=input dim=40\ncomponent-node name=out component=out input=input\n")
    out.write(b"component-node name=logp component=logp input=out\n")
    out.write(b"output-node name=output input=logp objective=linear\n\n")
    out.token("<NumComponents>")
    out.integer(2)
    out.token("<ComponentName>")
    out.token("out")
    out.token("<FixedAffineComponent>")
    out.token("<LinearParams>")
    out.matrix(rng.normal(0, 0.05, (len(PHONES), 40)))
    out.token("<BiasParams>")
    out.vector(np.zeros(len(PHONES)))
    out.token("</FixedAffineComponent>")
    out.token("<ComponentName>")
    out.token("logp")
    out.token("<LogSoftmaxComponent>")
    out.token("<Dim>")
    out.integer(len(PHONES))
    out.token("<ValueAvg>")
    out.vector(np.zeros(0))
    out.token("<DerivAvg>")
    out.vector(np.zeros(0))
    for name in ("<Count>", "<OderivRms>", "<OderivCount>"):
        out.token(name)
        if name == "<OderivRms>":
            out.vector(np.zeros(0))
        else:
            out.write(b"\x08" + struct.pack("<d", 0.0))
    out.token("</LogSoftmaxComponent>")
    out.token("</Nnet3>")
    for name in ("<LeftContext>", "<RightContext>"):
        out.token(name)
        out.integer(0)
    out.token("<Priors>")
    out.vector(np.zeros(0))
    return out.getvalue()
