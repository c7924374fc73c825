"""What the two networks look at: Whisper's log-mel for the judge, Kaldi's MFCC for the streaming network."""

from __future__ import annotations

import functools

import kaldi_native_fbank as knf
import numpy as np

RATE = 16_000
MEL_HOP, MEL_WINDOW, MELS = 160, 400, 80
JUDGE_PEAK = 0.5  # a cut is scaled to this peak before the log-mel
JUDGE_MARGIN = 0.2  # seconds of zeros before and after the cut


def _hertz_to_mel(hertz: np.ndarray) -> np.ndarray:
    """Slaney's scale: linear below 1 kHz, logarithmic above."""
    return np.where(hertz < 1000, hertz * 3 / 200, 15 + np.log(np.maximum(hertz, 1e-9) / 1000) / (np.log(6.4) / 27))


def _mel_to_hertz(mel: np.ndarray) -> np.ndarray:
    return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((mel - 15) * np.log(6.4) / 27))


@functools.cache
def mel_filters() -> np.ndarray:
    """(80, 201) triangles between 0 and 8 kHz, each of area 1 (Slaney normalisation)."""
    edges = _mel_to_hertz(np.linspace(0, _hertz_to_mel(np.array(RATE / 2.0)), MELS + 2))
    distance = edges[:, None] - np.linspace(0, RATE / 2, MEL_WINDOW // 2 + 1)[None]
    width = np.diff(edges)
    triangles = np.minimum(-distance[:-2] / width[:-1, None], distance[2:] / width[1:, None])
    return (np.maximum(0, triangles) * (2 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


def log_mel(samples: np.ndarray) -> np.ndarray:
    """Samples in [-1, 1] -> (80, T) with T = len // 160, even: 200 samples of reflection at both ends, periodic Hann.

    Frame t is centred on sample 160 t. log10 of the mel power, floored 8 below the loudest value, then (x + 4) / 4.
    """
    count = len(samples) // (2 * MEL_HOP) * 2
    padded = np.pad(samples.astype(np.float32), MEL_WINDOW // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, MEL_WINDOW)[::MEL_HOP][:count]
    hann = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(MEL_WINDOW) / MEL_WINDOW)).astype(np.float32)
    power = np.abs(np.fft.rfft(frames * hann, axis=1)).astype(np.float32) ** 2
    logs = np.log10(np.maximum(mel_filters() @ power.T, 1e-10))
    return ((np.maximum(logs, logs.max() - 8) + 4) / 4).astype(np.float32)


def judge_input(cut: np.ndarray) -> np.ndarray:
    """A cut phrase, any scale -> (80, T): peak 0.5, 0.2 s of zeros at both ends, zeros up to an even frame count."""
    scaled = cut.astype(np.float32) * (JUDGE_PEAK / (float(np.abs(cut).max(initial=0)) + 1e-6))
    margin = int(JUDGE_MARGIN * RATE)
    fill = -(len(scaled) + 2 * margin) % (2 * MEL_HOP)
    return log_mel(np.pad(scaled, (margin, margin + fill)))


@functools.cache
def _mfcc_options() -> knf.MfccOptions:
    options = knf.MfccOptions()
    options.frame_opts.dither = 0
    options.frame_opts.samp_freq = RATE
    options.frame_opts.snip_edges = True
    options.mel_opts.num_bins = options.num_ceps = 40
    options.mel_opts.low_freq, options.mel_opts.high_freq = 20, 7600
    options.use_energy = False
    return options


def mfcc(samples: np.ndarray) -> np.ndarray:
    """int16-scaled samples -> (T, 40) float32, 100 frames a second, as Vosk computes them without dither."""
    front = knf.OnlineMfcc(_mfcc_options())
    front.accept_waveform(RATE, samples.astype(np.float32).tolist())
    front.input_finished()
    frames = [front.get_frame(i) for i in range(front.num_frames_ready)]
    return np.stack(frames) if frames else np.zeros((0, 40), np.float32)
