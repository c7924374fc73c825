"""Make everything: `python -m models.recipe [step ...]`. Each step resumes where it stopped; see README.md."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable

os.environ.setdefault("OMP_NUM_THREADS", "2")

FIRST_JUDGE, JUDGE, HARDENED, DEEPENED = "judge.first.pt", "judge.pt", "judge.hardened.pt", "judge.deepened.pt"
STUDENT = "student.pt"
HARDENING = 0.75  # passes
DEEPENING = 2400  # steps
REPEATS = {"june": 3, "armelle": 3}
STUDENT_MINUTES = 25.0
ACOUSTIC_SCALE, PRIOR_SHARE = 0.35, 0.6


def sources() -> None:
    from . import sources as step

    step.run()


def lexicon() -> None:
    from . import lexicon as step

    step.run()


def synth() -> None:
    from . import synth as step

    step.run()


def first_judge() -> None:
    from . import judge, paths

    judge.states(2, "kokoro*")
    judge.states(1, "espeak*")
    judge.train(paths.CHECKPOINTS / FIRST_JUDGE, 3)


def pico() -> None:
    from . import paths
    from . import pico as step

    step.run(paths.CHECKPOINTS / FIRST_JUDGE)


def judge() -> None:
    from . import judge as step
    from . import paths

    for synthesizer in ("kokoro", "espeak", "pico"):
        step.states(2, f"{synthesizer}*")
    step.train(paths.CHECKPOINTS / JUDGE, 1.6)


def prompts() -> None:
    from . import paths
    from . import prompts as step

    step.run(paths.CHECKPOINTS / JUDGE)


def harden() -> None:
    from . import harden as step
    from . import paths

    first = paths.CHECKPOINTS / JUDGE
    step.train(first, first, paths.CHECKPOINTS / HARDENED, HARDENING, repeats=REPEATS)


def deepen() -> None:
    from . import deepen as step
    from . import paths

    step.train(paths.CHECKPOINTS / HARDENED, paths.CHECKPOINTS / DEEPENED, DEEPENING, REPEATS, seed=5)


def student() -> None:
    from . import judge, paths, teach

    teach.targets(judge.load(paths.CHECKPOINTS / HARDENED), 1)
    teach.train(paths.CHECKPOINTS / STUDENT, STUDENT_MINUTES)


def export() -> None:
    from . import judge_export, paths, teach

    model = paths.OUT / "judge/judge.onnx"
    judge_export.export(paths.CHECKPOINTS / DEEPENED, model)
    judge_export.write_check(model, paths.OUT / "mel_check.npz")
    teach.export(paths.CHECKPOINTS / STUDENT, paths.OUT / "fr", ACOUSTIC_SCALE, PRIOR_SHARE)


def measure() -> None:
    from . import measure as step
    from . import paths

    step.report(paths.OUT / "fr", paths.OUT / "judge/judge.onnx")


def install() -> None:
    """Copy what was made into the repository."""
    from . import paths

    for name in ("fr", "judge"):
        shutil.copytree(paths.OUT / name, paths.MODELS / name, dirs_exist_ok=True)
    shutil.copy(paths.OUT / "mel_check.npz", paths.HERE)


STEPS: dict[str, Callable[[], None]] = {
    step.__name__.replace("_", "-"): step
    for step in (
        sources,
        lexicon,
        synth,
        first_judge,
        pico,
        judge,
        prompts,
        harden,
        deepen,
        student,
        export,
        measure,
        install,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.recipe", description=__doc__)
    parser.add_argument("steps", nargs="*", metavar="step", help=f"one of {', '.join(STEPS)}; all but install if none")
    chosen = parser.parse_args().steps or [name for name in STEPS if name != "install"]
    if unknown := set(chosen) - set(STEPS):
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    from . import paths

    paths.WORK.mkdir(parents=True, exist_ok=True)
    (paths.WORK / ".gitignore").write_text("*\n")
    for name in chosen:
        print(f"== {name}", file=sys.stderr, flush=True)
        began = time.monotonic()
        STEPS[name]()
        print(f"== {name}: {(time.monotonic() - began) / 60:.1f} minutes", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
