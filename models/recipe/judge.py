"""Steps `states` and `judge`: the first layers of Whisper's encoder stay as they are, a head on them learns phones.

Only the first four of six layers are used: their states tell phones apart better than the last ones, and cost less.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from . import paths, synth, varied
from .features import RATE, judge_input
from .phones import PHONES
from .whisper import Encoder, Head

DEPTH = 4  # encoder layers used
PRIOR_SHARE, PRIOR_FLOOR = 0.5, 0.01  # of the log phone priors taken off; least prior
LONGEST = 9.0  # seconds of one training cut
BATCH = 8


class Judge(nn.Module):
    """Log-mel (B, 80, T) -> log posteriors (B, T / 2, 36)."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder(DEPTH)
        self.head = Head()

    def forward(self, mel: Tensor) -> Tensor:
        return torch.log_softmax(self.head(self.encoder(mel)), dim=-1)


def fresh() -> Judge:
    torch.manual_seed(0)
    judge = Judge()
    judge.encoder.load(paths.WHISPER)
    return judge


def load(path: Path) -> Judge:
    judge = Judge()
    judge.load_state_dict(torch.load(path, weights_only=True))
    return judge.eval()


def cache_states(shard: Path, version: int) -> None:
    """Vary each utterance of a shard and keep the encoder's states: fp16, beside the labels."""
    target = paths.STATES / f"{shard.stem}.{version}.npz"
    if target.exists():
        return
    judge = fresh().eval()
    utterances = synth.load([shard])
    others = [utterance[1] for utterance in utterances]
    rng = np.random.default_rng([version, *shard.stem.encode()])
    states, labels = [], []
    for utterance in utterances:
        sound, starts, phones = varied.vary(rng, utterance, others)
        with torch.no_grad():
            state = judge.encoder(torch.tensor(judge_input(sound[: int(LONGEST * RATE)]))[None])[0]
        states.append(state.half().numpy())
        labels.append(varied.frame_labels(len(state), starts, phones).astype(np.uint8))
    partial = target.with_name(target.name + ".partial.npz")
    counts = np.array([len(state) for state in states])
    np.savez(partial, states=np.concatenate(states), labels=np.concatenate(labels), counts=counts)
    partial.replace(target)


def states(versions: int, pattern: str = "*") -> None:
    paths.STATES.mkdir(parents=True, exist_ok=True)
    shards = sorted(paths.SPEECH.glob(f"{pattern}.npz"))
    for version in range(versions):
        for i, shard in enumerate(shards):
            cache_states(shard, version)
            print(f"states: version {version}, shard {i + 1} of {len(shards)}", file=sys.stderr, flush=True)


Example = tuple[np.ndarray, np.ndarray]  # states (T, 512) fp16, labels (T,)


def examples() -> list[Example]:
    found: list[Example] = []
    for path in sorted(paths.STATES.glob("*.npz")):
        with np.load(path) as stored:
            cuts = np.cumsum(stored["counts"])[:-1]
            found += zip(np.split(stored["states"], cuts), np.split(stored["labels"], cuts), strict=True)
    return found


def batches(rng: random.Random, data: list[Example], size: int = BATCH) -> list[list[Example]]:
    """Utterances of like length together, the groups in random order."""
    order = sorted(range(len(data)), key=lambda i: len(data[i][0]) * rng.uniform(0.95, 1.05))
    groups = [[data[i] for i in order[k : k + size]] for k in range(0, len(order), size)]
    rng.shuffle(groups)
    return groups


def collate(rng: random.Random, group: list[Example]) -> tuple[Tensor, Tensor]:
    """Cut all to the shortest, so that no padding is needed: (B, T, 512) states, (B, T) labels."""
    frames = min(len(labels) for _, labels in group)
    begins = [rng.randint(0, len(labels) - frames) for _, labels in group]
    inputs = np.stack([states[b : b + frames] for b, (states, _) in zip(begins, group, strict=True)])
    targets = np.stack([labels[b : b + frames] for b, (_, labels) in zip(begins, group, strict=True)])
    return torch.tensor(inputs.astype(np.float32)), torch.tensor(targets.astype(np.int64))


def train(out: Path, passes: float) -> None:
    """The head on the cached states; frame cross-entropy."""
    rng = random.Random(0)
    data = examples()
    judge = fresh().train()
    head = judge.head
    optimizer = torch.optim.AdamW(head.parameters(), weight_decay=1e-2)
    total, step, losses = int(passes * len(data) / BATCH), 0, [0.0]
    minutes = sum(len(labels) for _, labels in data) / 3000
    print(f"judge: {len(data)} cuts, {minutes:.0f} minutes, {total} steps", file=sys.stderr, flush=True)
    while step < total:
        for group in batches(rng, data)[: total - step]:
            optimizer.param_groups[0]["lr"] = 1.5e-3 * min(1.0, (step + 1) / 50) * max(0.02, 1 - step / total)
            inputs, targets = collate(rng, group)
            loss = functional.cross_entropy(head(inputs).transpose(1, 2), targets, label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(head.parameters(), 2.0)
            optimizer.step()
            losses.append(loss.item())
            step += 1
            if step % 100 == 0:
                recent = np.mean(losses[-100:])
                print(f"judge: step {step} of {total}, loss {recent:.3f}", file=sys.stderr, flush=True)
    paths.CHECKPOINTS.mkdir(parents=True, exist_ok=True)
    torch.save(judge.state_dict(), out)


def priors() -> np.ndarray:
    """(36,) share of each phone among the training labels; rare phones count as if less rare."""
    counts = np.bincount(np.concatenate([labels for _, labels in examples()]), minlength=len(PHONES))
    return np.maximum(counts / counts.sum(), PRIOR_FLOOR).astype(np.float32)


def level(judge: Judge) -> None:
    """Take a share of the log priors off the posteriors for good, by the bias of the last layer."""
    with torch.no_grad():
        judge.head.out.bias -= PRIOR_SHARE * torch.tensor(priors()).log()
