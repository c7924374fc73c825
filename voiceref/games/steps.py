"""Joining the steps of a reducer: what one input did, then what followed from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from voiceref.games.engine import Refusal, Said, Step

S = TypeVar("S")


def then(step: Step[S], action: Callable[[S], Step[S]]) -> Step[S]:
    """`step` followed by `action` on its state; events and refusals in order, a checkpoint if either is one."""
    after = action(step.state)
    return Step(
        after.state,
        step.events + after.events,
        step.refusals + after.refusals,
        step.checkpoint or after.checkpoint,
    )


def checkpoint(step: Step[S]) -> Step[S]:
    """`step`, as the beginning of what « annule » takes back."""
    return replace(step, checkpoint=True)


def refused(state: S, said: Said, reason: str, rule: str | None = None, **data: object) -> Step[S]:
    """Nothing changes: `said` is refused for `reason`."""
    return Step(state, (), (Refusal(said.t, said.text, reason, rule, said.speaker, data),))
