"""Aquitaine: sips, stakes and Excalibur (CDC-290…297)."""

from __future__ import annotations

import pytest

from voiceref.games.cul_de_chouette.aquitaine import Verdict, excalibur, sips, stake


@pytest.mark.parametrize(
    ("points", "expected"), [(4, 1), (10, 1), (25, 3), (100, 10), (0, 0), (-4, -1), (-10, -1), (-16, -2)]
)
def test_points_to_sips(points: int, expected: int) -> None:
    assert sips(points) == expected


def test_stake_is_what_one_holds_up_to_six() -> None:
    assert [stake(n) for n in (1, 3, 6, 7)] == [1, 3, 6, 6]


def test_excalibur() -> None:
    seated = ("A", "B", "C", "D")
    assert excalibur((), seated).verdict is Verdict.NOTHING
    assert excalibur(("A",), seated).verdict is Verdict.BEVUE
    pair = excalibur(("A", "C"), seated)
    assert (pair.verdict, pair.sips) == (Verdict.KING, 2)
    everyone = excalibur(("D", "A", "C", "B"), seated)
    assert (everyone.verdict, everyone.sips) == (Verdict.WAR, 4)
