"""The Aquitaine option: points become sips, Grelottines add up, Excalibur makes a king (CDC-290…301)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

MAX_GRELOTTINES = 6
"""Grelottines add up to this number (CDC-293)."""

EXCALIBUR_PLAYERS = 3
"""Excalibur is in play from this number of players on (CDC-294)."""

UNAFFECTED = ("artichette_gagnee", "chouette_velute", "suite_perdue")
"""Events whose points a Bévue does not take away (CDC-298)."""


class Verdict(Enum):
    """What the cries of « Excalibur » come to."""

    NOTHING = "rien"
    BEVUE = "bevue"
    KING = "roi"
    WAR = "guerre_civile"


@dataclass(frozen=True)
class Excalibur:
    """The verdict, who cried together, and how many sips each drinker takes."""

    verdict: Verdict
    criers: tuple[str, ...] = ()
    sips: int = 0


def sips(points: int) -> int:
    """Points to sips: tens rounded away from zero; positive ones are given, negative ones drunk (CDC-290, CDC-291)."""
    tens = (abs(points) + 9) // 10
    return tens if points >= 0 else -tens


def stake(grelottines: int) -> int:
    """The sips at stake in a Grelottine challenge: as many as the challenger holds, at most 6 (CDC-297, D-80)."""
    return min(grelottines, MAX_GRELOTTINES)


def excalibur(criers: Sequence[str], seated: Collection[str]) -> Excalibur:
    """Who cried together: alone a Bévue, all a civil war, else they name a king who drinks (CDC-294, CDC-296, D-65)."""
    count = len(criers)
    if count == 0:
        return Excalibur(Verdict.NOTHING)
    if count == 1:
        return Excalibur(Verdict.BEVUE, tuple(criers))
    verdict = Verdict.WAR if set(criers) >= set(seated) else Verdict.KING
    return Excalibur(verdict, tuple(criers), count)
