"""The tables of the book: points, stakes, prices, and how long each window stays open."""

from __future__ import annotations

from fractions import Fraction

from voiceref.games.cul_de_chouette.dice import Combination

GOAL = 343
"""C = 3, D = 4, C = 3 (CDC-001)."""
OUT_AT = -343
"""Who falls so low is out until the next game (CDC-009)."""
FLOOR = 30
"""Points asked of a challenger when scores may not be negative (CDC-011), and the price of an Achat (CDC-175)."""

SUITE = 10
"""What the last one loses (CDC-036), and one more ten each time the dice tie (CDC-039)."""
ARTICHETTE = 16
SOUFFLETTE = {1: 50, 2: 40, 3: 30}
"""Points moved by a Soufflette made at throw 1, 2, 3 (CDC-055)."""
SOUFFLETTE_LOST = 30
RELANCE_RIGHT = 36
RELANCE_VALUES = range(3, 19)
PELICAN = 28
BIRD_STAKE, BIRD_GAIN = 5, 25
"""A bet on a Sirop (CDC-110) or a Verdier (CDC-186)."""
POULETTE = 10
ACHAT = 30
CIVET_STAKES = range(1, 103)
"""A Civet bets 1 to 102 points (CDC-132), a Civet-Filoché 102 in all (CDC-150)."""
PASSE_GRELOT_MIN = 3
"""Points the new target needs (CDC-097); 30 when scores may not be negative."""
VERDIER_PAIRS = ((4, 6), (2, 6), (2, 4))
"""Chouettes on which a Velute 6-4-2 may be bet (CDC-186)."""
VERDIER_DICE = (2, 4, 6)

GRELOTTINE_RATES = {
    Combination.CHOUETTE: Fraction(1, 3),
    Combination.VELUTE: Fraction(25, 100),
    Combination.CUL_DE_CHOUETTE: Fraction(12, 100),
    Combination.CHOUETTE_VELUTE: Fraction(6, 100),
    Combination.SIROP_GRELOT: Fraction(3, 100),
}
"""Greatest stake as a share of the lower score (CDC-086, D-02)."""

OPTION_S = 10.0
"""How long a player may still use what his throw offers (Sirop, Soufflette, Flan…) when nobody throws on."""
BIDDING_S = 2.0
"""How long a « Civet-Filoché de … sur … » takes to say: the thrower must wait for its end (CDC-149)."""
GRAB_S = 10.0
"""How long the referee waits to be told who holds a die or a chouette (D-79, CDC-043)."""
ANSWER_S = 10.0
"""How long a question to one player stays open: target, doubling."""


def cul(value: int) -> int:
    """40 + 10v (CDC-035)."""
    return 40 + 10 * value


def contre_sirop(value: int) -> int:
    """A fifth of the Cul de Chouette that was tried (CDC-122)."""
    return cul(value) // 5
