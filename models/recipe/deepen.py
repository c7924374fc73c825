"""Step `deepen`: every encoder layer of the hardened judge goes on learning, mostly among other voices.

As in `harden`, each cut is heard spoilt and lies anywhere in the table of positions. New are the lower layers, the
hardened judge as teacher of the readers, the noise that is heard alone before and after the speech, and bands of the
log-mel that are now and then left out. Batches are made in a process of their own.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from . import harden, judge, varied
from .features import JUDGE_MARGIN, RATE, judge_input
from .phones import PHONES, SIL

BATCH = 8
SMOOTHING = 0.05
BODY_RATE, HEAD_RATE = 1.5e-4, 5e-4
ALONE = 0.7  # seconds of the room that may be heard before and after the speech
AVERAGED = 0.998  # how much of the mean of the weights a step leaves as it was
BAND = 12  # mels that may be left out at once
SHARE = 0.35  # of what was learnt here in the weights that are kept; the rest is the judge that it began from


def _waiting(rng: np.random.Generator, item: harden.Item) -> harden.Item:
    """Half of the labelled items with silence around, in which the room will be heard; readers are full as they are."""
    if item.starts is None or item.phones is None or rng.random() < 0.5:
        return item
    before, after = (int(rng.uniform(0, ALONE) * RATE) for _ in range(2))
    starts = np.concatenate([[0.0], item.starts + before / RATE])
    return harden.Item(np.pad(item.samples, (before, after)), starts, np.concatenate([[SIL], item.phones]))


def _thought(teacher: judge.Judge, clean: np.ndarray) -> Tensor:
    with torch.no_grad():
        return teacher(torch.tensor(judge_input(clean))[None])[0].exp()


def _targets(item: harden.Item, clean: np.ndarray, frames: int, teacher: judge.Judge) -> Tensor:
    """(frames, 36) shares; rows behind the cut stay empty."""
    wanted = torch.zeros(frames, len(PHONES))
    count = min(frames, int((len(clean) / RATE + 2 * JUDGE_MARGIN) * 50))
    if item.starts is None or item.phones is None:
        thought = _thought(teacher, clean)[:count]
        wanted[: len(thought)] = thought
        return wanted
    labels = torch.tensor(varied.frame_labels(frames, item.starts, item.phones))
    labels[int((len(clean) / RATE + JUDGE_MARGIN) * 50) :] = SIL
    exact = nn.functional.one_hot(labels, len(PHONES)) * (1 - SMOOTHING) + SMOOTHING / len(PHONES)
    wanted[:count] = exact[:count]
    return wanted


@dataclass(frozen=True)
class Lessons(IterableDataset[tuple[Tensor, Tensor, int]]):
    """Without end: spoilt mels (B, 80, T), wanted shares (B, T / 2, 36), frames by which the batch lies later."""

    data: Sequence[harden.Item]
    teacher: judge.Judge
    seed: int

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, int]]:
        torch.set_num_threads(1)
        rng, shuffle = np.random.default_rng(self.seed), random.Random(self.seed)
        others = [item.samples for item in self.data if len(item.samples) > RATE]
        size = [min(len(item.samples), int(harden.LONGEST * RATE)) for item in self.data]
        while True:
            order = sorted(range(len(self.data)), key=lambda i: size[i] * shuffle.uniform(0.9, 1.1))
            parts = [order[k : k + BATCH] for k in range(0, len(order) - BATCH + 1, BATCH)]
            shuffle.shuffle(parts)
            for part in parts:
                yield self._batch(rng, [self.data[i] for i in part], others)

    def _batch(
        self, rng: np.random.Generator, group: Sequence[harden.Item], others: Sequence[np.ndarray]
    ) -> tuple[Tensor, Tensor, int]:
        made = [harden.ready(rng, _waiting(rng, item), others) for item in group]
        mels = harden.log_mels([spoilt for _, spoilt, _ in made])
        frames = mels.shape[2] // 2
        wanted = torch.stack([_targets(item, clean, frames, self.teacher) for clean, _, item in made])
        for mel in mels:
            if rng.random() < 0.3:
                first = rng.integers(0, 80 - BAND)
                mel[first : first + rng.integers(2, BAND)] = mel.mean()
        return mels, wanted, int(rng.integers(0, harden.FARTHEST)) if rng.random() < 0.7 else 0


def train(start: Path, out: Path, steps: int, repeats: dict[str, int], seed: int = 0) -> None:
    """From the checkpoint of `harden`, which is also the teacher.

    By itself the mean of the weights along the way knows the few voices of the lessons too well; between it and the
    beginning lies a better judge than both (Wortsman et al. 2022, « Robust fine-tuning of zero-shot models »).
    """
    torch.manual_seed(seed)
    teacher, model = judge.load(start), judge.load(start)
    model.train()
    model.head.norm.eval()
    body = list(model.encoder.layers.parameters())
    head = list(model.head.parameters())
    for parameter in (*model.encoder.conv1.parameters(), *model.encoder.conv2.parameters()):
        parameter.requires_grad = False
    optimizer = torch.optim.AdamW([{"params": body}, {"params": head}], weight_decay=1e-2)
    mean = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGED))
    lessons = DataLoader(
        Lessons(harden.items(repeats), teacher, seed), batch_size=None, num_workers=1, prefetch_factor=4
    )
    losses = []
    for step, (mels, wanted, later) in enumerate(lessons):
        if step == steps:
            break
        pace = min(1.0, (step + 1) / 100) * max(0.02, 1 - step / steps)
        for group, rate in zip(optimizer.param_groups, (BODY_RATE, HEAD_RATE), strict=True):
            group["lr"] = rate * pace
        logp = harden.heard(model, mels, later)
        loss = -(wanted * logp).sum() / wanted.sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*body, *head], 2.0)
        optimizer.step()
        mean.update_parameters(model)
        losses.append(loss.item())
        if (step + 1) % 50 == 0:
            print(f"deepen: step {step + 1} of {steps}, loss {np.mean(losses[-50:]):.3f}", file=sys.stderr, flush=True)
    torch.save(between(teacher.state_dict(), mean.module.state_dict(), SHARE), out)


def between(first: dict[str, Tensor], second: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """(1 - share) of the first weights and `share` of the second; whole numbers as in the first."""
    return {
        name: torch.lerp(value, second[name], share) if value.is_floating_point() else value
        for name, value in first.items()
    }
