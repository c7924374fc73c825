"""Steps `targets` and `student`: the streaming network imitates the judge on varied speech, real and synthetic.

The teacher hears each cut clean, at some speed and timing; the student hears the same cut spoilt. Only real voices
without transcripts (`speech_unlabelled`) and synthetic ones are used.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
import torch
from torch import Tensor, nn

from . import augment, judge, kaldi, paths, synth
from .features import JUDGE_MARGIN, RATE, judge_input, mfcc
from .phones import PHONES
from .tdnnf import CONTEXT, LOWER, STRIDE, Student

UNLABELLED = Path(os.environ.get("VOICEREF_UNLABELLED", "/work/shared/speech_unlabelled"))
BENCHMARK_READERS = 60  # the first ones are the babble of benchmarks/ear.py: nothing learns from them
CUT = 4.0  # seconds, the longest piece
BATCH = 8
VERSIONS = 2  # spoilt differently each time


def readers() -> list[np.ndarray]:
    """int16 pieces of four seconds of the people without transcripts."""
    cuts = []
    for path in sorted(UNLABELLED.glob("*.flac"))[BENCHMARK_READERS:]:
        sound = soundfile.read(path, dtype="int16")[0]
        cuts += [sound[i : i + int(CUT * RATE)] for i in range(0, len(sound) - RATE, int(CUT * RATE))]
    return cuts


def _pieces() -> Iterator[tuple[str, list[np.ndarray]]]:
    """(name, int16 cuts): synthetic shards, then the readers."""
    for shard in sorted(paths.SPEECH.glob("*.npz")):
        yield shard.stem, [utterance[1] for utterance in synth.load([shard])]
    cuts = readers()
    for i in range(0, len(cuts), 100):
        yield f"readers_{i // 100:04d}", cuts[i : i + 100]


def _timed(rng: np.random.Generator, cut: np.ndarray) -> np.ndarray:
    """At another speed, and for some at another pace with the pitch kept."""
    sound = cut[: int(CUT * RATE)].astype(np.float32)
    if rng.random() < 0.3:
        seconds = len(sound) / RATE
        inner = np.sort(rng.uniform(0, seconds, 2))
        knots = np.array([0.0, *inner, seconds])
        paces = np.concatenate([[0.0], np.cumsum(np.diff(knots) * rng.uniform(0.8, 1.8, 3))])
        sound = augment.stretch(sound, knots, paces)[: int(CUT * RATE)]
    return augment.speed(sound, int(rng.choice(augment.SPEEDS)))


def targets(teacher: judge.Judge, versions: int) -> None:
    """Write each cut as the teacher heard it (int16) and what it thought (posteriors at 50 frames a second, fp16)."""
    paths.TARGETS.mkdir(parents=True, exist_ok=True)
    for name, cuts in _pieces():
        for version in range(versions):
            target = paths.TARGETS / f"{name}.{version}.npz"
            if target.exists():
                continue
            rng = np.random.default_rng([version, *name.encode()])
            sounds, thoughts = [], []
            for cut in cuts:
                sound = _timed(rng, cut)
                with torch.no_grad():
                    logp = teacher(torch.tensor(judge_input(sound))[None])[0]
                margin = int(JUDGE_MARGIN * 50)
                thoughts.append(logp[margin : margin + len(sound) * 50 // RATE].exp().half().numpy())
                sounds.append(np.clip(sound, -32768, 32767).astype(np.int16))
            partial = target.with_name(target.name + ".partial.npz")
            np.savez(
                partial,
                samples=np.concatenate(sounds),
                sample_counts=np.array([len(sound) for sound in sounds]),
                thoughts=np.concatenate(thoughts),
                thought_counts=np.array([len(thought) for thought in thoughts]),
            )
            partial.replace(target)
        print(f"targets: {name}", file=sys.stderr, flush=True)


Lesson = tuple[np.ndarray, np.ndarray]  # int16 samples, posteriors (T, 36)


def lessons() -> list[Lesson]:
    found: list[Lesson] = []
    for path in sorted(paths.TARGETS.glob("*.npz")):
        with np.load(path) as stored:
            sounds = np.split(stored["samples"], np.cumsum(stored["sample_counts"])[:-1])
            found += zip(sounds, np.split(stored["thoughts"], np.cumsum(stored["thought_counts"])[:-1]), strict=True)
    return [(sound, thought) for sound, thought in found if len(sound) > RATE // 3]


def _example(rng: np.random.Generator, lesson: Lesson, others: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """MFCC (3 T + 2 CONTEXT, 40) of the spoilt cut, targets (T, 36) at the centre of every third MFCC frame."""
    samples, thought = lesson
    skipped = int(rng.integers(STRIDE * 160))  # the grids of student and teacher meet anywhere
    features = mfcc(augment.spoil(rng, samples, others, share=0.6)[skipped:] * 32_000)
    places = (skipped / RATE + 0.0125 + 0.03 * np.arange(len(features) // STRIDE)) * 50  # in frames of the teacher
    places = places[places < len(thought) - 1]
    before, share = places.astype(int), (places % 1)[:, None].astype(np.float32)
    wanted = thought[before] * (1 - share) + thought[before + 1] * share
    features = np.pad(features[: STRIDE * len(places)], ((CONTEXT, CONTEXT), (0, 0)), mode="edge")
    return features, wanted.astype(np.float32)


Heard = tuple[Tensor, Tensor]  # fp16: states after the lower layers (T + 20, 768), posteriors (T, 36)


def hear(versions: int) -> list[Heard]:
    """Spoil every lesson and keep what the untouched lower layers make of it."""
    rng, data = np.random.default_rng(1), lessons()
    student = Student(paths.KOREAN).eval()
    others = [samples for samples, _ in random.Random(1).sample(data, min(200, len(data)))]
    heard = []
    for version in range(versions):
        for i, lesson in enumerate(data):
            inputs, outputs = _example(rng, lesson, others)
            with torch.no_grad():
                heard.append((student.lower(torch.tensor(inputs.T[None]))[0].T.half(), torch.tensor(outputs).half()))
            if i % 200 == 0:
                print(f"student: version {version}, heard {i} of {len(data)}", file=sys.stderr, flush=True)
    return heard


def _batch(shuffle: random.Random, data: list[Heard]) -> Heard:
    """Some of like length, cut to the shortest: (B, 768, T + 20), (B, T, 36) float32; `data` sorted by length."""
    first = shuffle.randrange(len(data) - 4 * BATCH)
    chosen = shuffle.sample(data[first : first + 4 * BATCH], BATCH)
    count = min(len(outputs) for _, outputs in chosen)
    begins = [shuffle.randint(0, len(outputs) - count) for _, outputs in chosen]
    extra = 2 * (CONTEXT // STRIDE - 1)
    inputs = [x[b : b + count + extra].T for b, (x, _) in zip(begins, chosen, strict=True)]
    outputs = [y[b : b + count] for b, (_, y) in zip(begins, chosen, strict=True)]
    return torch.stack(inputs).float(), torch.stack(outputs).float()


def _loss(logits: Tensor, wanted: Tensor) -> Tensor:
    """Cross-entropy against posteriors: (B, 36, T) logits, (B, T, 36) wanted."""
    return -(wanted.transpose(1, 2) * torch.log_softmax(logits, dim=1)).sum(1).mean()


def train(out: Path, minutes: float, head_share: float = 0.15) -> None:
    """The head alone for `head_share` of the time, then the upper layers too; the rate falls to nothing.

    The lower layers stay as they came. The first of them weighs raw cepstra of very unequal sizes: trained at the
    same rate it spoils everything behind it.
    """
    torch.manual_seed(0)
    shuffle = random.Random(0)
    data = sorted(hear(VERSIONS), key=lambda heard: len(heard[1]))
    student = Student(paths.KOREAN).train()
    head = [p for part in (student.hidden, student.norm, student.out) for p in part.parameters()]
    body = [p for layer in student.layers[LOWER:] for p in layer.parameters()]
    optimizer = torch.optim.AdamW([{"params": head}, {"params": body}], weight_decay=1e-3)
    began, step, losses = time.monotonic(), 0, [0.0]
    while (done := (time.monotonic() - began) / (60 * minutes)) < 1:
        whole = done >= head_share
        slope = min(1.0, (step + 1) / 50) * max(0.02, 1 - done)
        optimizer.param_groups[0]["lr"] = (5e-4 if whole else 1.5e-3) * slope
        optimizer.param_groups[1]["lr"] = 3e-4 * slope
        inputs, outputs = _batch(shuffle, data)
        with torch.set_grad_enabled(whole):
            states = student.upper(inputs)
        loss = _loss(student.top(states), outputs)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*head, *body], 2.0)
        optimizer.step()
        losses.append(loss.item())
        step += 1
        if step % 100 == 0:
            print(f"student: step {step}, {done:.0%}, loss {np.mean(losses[-100:]):.3f}", file=sys.stderr, flush=True)
            torch.save(student.state_dict(), out)
    torch.save(student.state_dict(), out)


def export(checkpoint: Path, folder: Path, acoustic_scale: float, prior_share: float) -> None:
    """The Vosk model without graph; the network gives posteriors over priors ** prior_share."""
    student = Student(paths.KOREAN)
    student.load_state_dict(torch.load(checkpoint, weights_only=True))
    priors = judge.priors() ** prior_share if prior_share else None
    kaldi.write_model(student, folder, acoustic_scale, priors)
    (folder / "phones.txt").write_text("\n".join(PHONES) + "\n", encoding="utf-8")
