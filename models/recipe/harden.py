"""Step `harden`: the judge's last layers and its head learn to hear through other voices, rooms and noise.

Each cut is heard spoilt. Labelled speech has its phones as targets; people without transcripts have what the first
judge makes of the same cut unspoilt, so real voices and microphones teach without labels. Each batch lies somewhere
else in Whisper's table of positions: a head that only ever saw the first two seconds of it hears nothing later.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from . import augment, judge, paths, synth, teach, varied
from .features import JUDGE_MARGIN, RATE, judge_input
from .phones import PHONES, SIL

LONGEST = teach.CUT  # seconds of one cut
PIECE, EDGE = 1.5, 0.2  # seconds that the first judge hears at once, and what it hears more at both sides
FARTHEST = 450  # frames by which a batch may lie later in the table of positions
BATCH = 8
SMOOTHING = 0.05
LAYERS = 2  # encoder layers that learn
BODY_RATE, HEAD_RATE = 2e-4, 1e-3


@dataclass(frozen=True)
class Item:
    """int16 samples, and when each phone starts; None where only the first judge knows."""

    samples: np.ndarray
    starts: np.ndarray | None
    phones: np.ndarray | None


def items(repeats: dict[str, int]) -> list[Item]:
    """Everything to learn from; shards whose names start with a key of `repeats` come that many times."""
    found = [Item(cut, None, None) for cut in teach.readers()]
    for shard in sorted(paths.SPEECH.glob("*.npz")):
        times = repeats.get(shard.stem.split("_")[0], 1)
        for _, samples, starts, phones in synth.load([shard]):
            found += [Item(samples, starts, phones)] * times
    return found


def ready(rng: np.random.Generator, item: Item, others: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray, Item]:
    """An item at another pace -> clean cut, spoilt cut, and the item's events in the time of the cut."""
    if item.starts is None or item.phones is None:
        clean = augment.speed(item.samples.astype(np.float32), int(rng.choice(augment.SPEEDS)))
        starts, phones = None, None
    else:
        clean, starts, phones = varied.timed(rng, item.samples, item.starts, item.phones)
    size = int(LONGEST * RATE)
    begin = int(rng.integers(0, max(len(clean) - size, 0) + 1))
    clean = clean[begin : begin + size]
    moved = None if starts is None else starts - begin / RATE
    return clean, augment.crowd(rng, clean, others), Item(clean, moved, phones)


def log_mels(sounds: Sequence[np.ndarray]) -> Tensor:
    """(B, 80, T): cuts at the judge's level, zeros behind the shorter ones."""
    longest = max(len(sound) for sound in sounds)
    levelled = [sound / (np.abs(sound).max() + 1e-6) for sound in sounds]
    return torch.tensor(np.stack([judge_input(np.pad(s, (0, longest - len(s)))) for s in levelled]))


def think(first: judge.Judge, sound: np.ndarray) -> Tensor:
    """(T, 36) posteriors of a cut with its margins, T = seconds x 50, from pieces short enough for the first judge."""
    piece, edge, margin = int(PIECE * RATE), int(EDGE * RATE), int(JUDGE_MARGIN * RATE)
    count = -(-len(sound) // piece)
    padded = np.pad(sound, (edge, edge + count * piece - len(sound)))
    parts = [padded[i * piece : (i + 1) * piece + 2 * edge] for i in range(count)]
    loud = np.abs(sound).max() + 1e-6
    parts = [part * (np.abs(part).max() > loud / 30) for part in parts]  # a pause is no speech to be raised
    mels = torch.tensor(np.stack([judge_input(part) for part in parts]))
    with torch.no_grad():
        posteriors = first(mels).exp()
    begin = (margin + edge) * 50 // RATE
    inner = posteriors[:, begin : begin + piece * 50 // RATE].flatten(0, 1)[: len(sound) * 50 // RATE]
    silence = torch.zeros(margin * 50 // RATE, len(PHONES))
    silence[:, SIL] = 1
    return torch.cat([silence, inner, silence])


def heard(model: judge.Judge, mels: Tensor, offset: int) -> Tensor:
    """Log posteriors of mels that lie `offset` frames later in the table of positions."""
    encoder = model.encoder
    x = nn.functional.gelu(encoder.conv2(nn.functional.gelu(encoder.conv1(mels)))).transpose(1, 2)
    x = x + encoder.positions[offset : offset + x.shape[1]]
    for layer in encoder.layers:
        x = layer(x)
    return torch.log_softmax(model.head(x), dim=-1)


def batch(
    rng: np.random.Generator, group: Sequence[Item], others: Sequence[np.ndarray], first: judge.Judge
) -> tuple[Tensor, Tensor, Tensor]:
    """-> spoilt mels, target shares (B, T, 36), which frames count (B, T)."""
    made = [ready(rng, item, others) for item in group]
    mels = log_mels([spoilt for _, spoilt, _ in made])
    frames = mels.shape[2] // 2
    targets = torch.zeros(len(group), frames, len(PHONES))
    counts = torch.zeros(len(group), frames)
    for i, (clean, _, item) in enumerate(made):
        counts[i, : int((len(clean) / RATE + 2 * JUDGE_MARGIN) * 50)] = 1
        if item.starts is not None and item.phones is not None:
            labels = torch.tensor(varied.frame_labels(frames, item.starts, item.phones))
            labels[int((len(clean) / RATE + JUDGE_MARGIN) * 50) :] = SIL
            targets[i] = nn.functional.one_hot(labels, len(PHONES)) * (1 - SMOOTHING) + SMOOTHING / len(PHONES)
        else:
            thought = think(first, clean)[:frames]
            targets[i, : len(thought)] = thought
    counts *= targets.sum(-1) > 0
    return mels, targets, counts


def train(
    teacher: Path, start: Path, out: Path, passes: float, repeats: dict[str, int] | None = None, seed: int = 0
) -> None:
    """Go on from a checkpoint; the lower encoder layers stay as they came."""
    rng, order_rng = np.random.default_rng(seed), random.Random(seed)
    torch.manual_seed(seed)
    first, model = judge.load(teacher), judge.load(start)
    model.train()
    model.head.norm.eval()
    data = items(repeats or {})
    others = [item.samples for item in data if len(item.samples) > RATE]
    for parameter in model.encoder.parameters():
        parameter.requires_grad = False
    body = [p for layer in model.encoder.layers[-LAYERS:] for p in layer.parameters()]
    for parameter in body:
        parameter.requires_grad = True
    groups = [{"params": body, "lr": BODY_RATE}, {"params": list(model.head.parameters()), "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=1e-2)
    total, step, losses = int(passes * len(data) / BATCH), 0, []
    print(f"harden: {len(data)} cuts, {total} steps", file=sys.stderr, flush=True)
    while step < total:
        order = sorted(range(len(data)), key=lambda i: min(len(data[i].samples), 64000) * order_rng.uniform(0.9, 1.1))
        parts = [order[k : k + BATCH] for k in range(0, len(order), BATCH)]
        order_rng.shuffle(parts)
        for part in parts[: total - step]:
            pace = min(1.0, (step + 1) / 30) * max(0.02, 1 - step / total)
            for group, rate in zip(optimizer.param_groups, (BODY_RATE, HEAD_RATE), strict=True):
                group["lr"] = rate * pace
            mels, targets, counts = batch(rng, [data[i] for i in part], others, first)
            offset = int(rng.integers(0, FARTHEST)) if rng.random() < 0.7 else 0
            logp = heard(model, mels, offset)
            loss = -((targets * logp).sum(-1) * counts).sum() / counts.sum()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], 2.0)
            optimizer.step()
            losses.append(loss.item())
            step += 1
            if step % 20 == 0:
                torch.save(model.state_dict(), out.with_suffix(".part.pt"))
                print(f"harden: step {step} of {total}, loss {np.mean(losses[-20:]):.3f}", file=sys.stderr, flush=True)
    torch.save(model.eval().state_dict(), out)
