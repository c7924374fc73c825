"""Decisions: monotonic in the evidence, every refusal with its reason, three sensitivities."""

from __future__ import annotations

from dataclasses import replace

import pytest

from voiceref.ear.decision import HEARD, REASONS, THRESHOLDS, Sensitivity, Weights, decide, features
from voiceref.ear.judge import Evidence

CLEAR = Evidence(
    fit=-0.1, worst=-0.2, gap=-0.1, margin=40.0, decoy=30.0, phones=12, pace=4.0, outside=0.0
)  # fmt: skip


def test_clear_speech_is_heard() -> None:
    decision = decide(CLEAR, agrees=False)
    assert (decision.accepted, decision.reason) == (True, HEARD)
    assert decision.score > 0.95


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({"fit": -4.0, "worst": -6.0, "gap": -1.5}, {"autre_parole"}),
        ({"margin": 0.2}, {"ambigu"}),
        ({"margin": 2.0, "rival_value": True}, {"ambigu"}),
        ({"decoy": -15.0}, {"autre_parole"}),
        ({"pace": 1.2}, {"durée_absurde"}),
        ({"pace": 40.0}, {"durée_absurde"}),
        ({"outside": 0.95, "fit": -0.8, "gap": -0.6, "margin": 5.0}, {"moitié", "autre_parole"}),
    ],
)
def test_refusals_have_their_reasons(change: dict[str, float], reasons: set[str]) -> None:
    decision = decide(replace(CLEAR, **change), agrees=False)
    assert not decision.accepted
    assert decision.reason in reasons <= set(REASONS)


@pytest.mark.parametrize("field", ["fit", "worst", "gap", "margin"])
def test_better_evidence_never_lowers_the_score(field: str) -> None:
    worse = replace(CLEAR, fit=-1.0, worst=-1.5, gap=-0.6, margin=6.0)
    better = replace(worse, **{field: getattr(CLEAR, field)})
    assert decide(better, agrees=False).score >= decide(worse, agrees=False).score


def test_agreement_of_both_stages_helps() -> None:
    doubtful = replace(CLEAR, fit=-1.2, gap=-0.8, margin=4.0)
    assert decide(doubtful, agrees=True).score > decide(doubtful, agrees=False).score


def test_sensitivities_are_ordered() -> None:
    assert THRESHOLDS[Sensitivity.PRUDENT] > THRESHOLDS[Sensitivity.NORMAL] > THRESHOLDS[Sensitivity.EAGER]
    evidence = replace(CLEAR, fit=-1.0, worst=-1.5, gap=-0.7, margin=6.0)
    accepted = [
        decide(evidence, False, level).accepted
        for level in (Sensitivity.PRUDENT, Sensitivity.NORMAL, Sensitivity.EAGER)
    ]
    assert accepted == sorted(accepted)


def test_every_weight_has_its_feature() -> None:
    assert set(features(CLEAR, True)) | {"constant"} == set(vars(Weights()))
