"""The 56 triples at every level, against the dice table of the rules written out here by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, permutations, product

import pytest

from voiceref.games.cul_de_chouette.dice import Combination, Triple, after_sirop, classify, in_play, satisfies

C = Combination

# Level four stars: class, triples, value of each, nominal points of each.
TABLE = [
    (C.CUL_DE_CHOUETTE, "111 222 333 444 555 666", [1, 2, 3, 4, 5, 6], [50, 60, 70, 80, 90, 100]),
    (C.CHOUETTE_VELUTE, "112 224 336", [2, 4, 6], [8, 32, 72]),
    (C.SUITE_VELUTEE, "123", [3], [-10]),
    (C.SUITE, "234 345 456", [0, 0, 0], [-10, -10, -10]),
    (C.VELUTE, "134 145 235 156 246", [4, 5, 5, 6, 6], [32, 50, 50, 72, 72]),
    (C.ARTICHETTE, "344", [4], [16]),
    (C.BLEU_ROUGE, "334", [3], [9]),
    (C.SOUFFLETTE, "124", [0], [0]),
    (C.FLAN, "256", [0], [0]),
    (C.NEANT_SOUFFLE, "146", [0], [0]),
    (C.CHOUETTE, "113 114 115 116", [1] * 4, [1] * 4),
    (C.CHOUETTE, "122 223 225 226", [2] * 4, [4] * 4),
    (C.CHOUETTE, "133 233 335", [3] * 3, [9] * 3),
    (C.CHOUETTE, "144 244 445 446", [4] * 4, [16] * 4),
    (C.CHOUETTE, "155 255 355 455 556", [5] * 5, [25] * 5),
    (C.CHOUETTE, "166 266 366 466 566", [6] * 5, [36] * 5),
    (C.NEANT, "125 126 135 136 236 245 346 356", [0] * 8, [0] * 8),
]
EXPECTED = {
    tuple(map(int, triple)): (combination, value, points)
    for combination, triples, values, amounts in TABLE
    for triple, value, points in zip(triples.split(), values, amounts, strict=True)
}
TRIPLES = list(combinations_with_replacement(range(1, 7), 3))

# What a triple is below the level of its rule (D-66), and the level of that rule.
FALLBACK = {
    (1, 2, 3): (2, C.SUITE, 3, -10),
    (3, 4, 4): (2, C.CHOUETTE, 4, 16),
    (1, 2, 4): (2, C.NEANT, 0, 0),
    (3, 3, 4): (3, C.CHOUETTE, 3, 9),
    (1, 4, 6): (3, C.NEANT, 0, 0),
    (2, 5, 6): (4, C.NEANT, 0, 0),
}


def test_table_is_complete() -> None:
    assert sorted(EXPECTED) == TRIPLES


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("dice", TRIPLES)
def test_every_triple_at_every_level_in_any_order(dice: tuple[int, int, int], level: int) -> None:
    expected = EXPECTED[dice]
    if dice in FALLBACK and level < FALLBACK[dice][0]:
        expected = FALLBACK[dice][1:]
    for order in permutations(dice):
        throw = classify(order, in_play(level))
        assert (throw.combination, throw.value, throw.points) == expected
        assert throw.dice == dice


def test_counts_of_56_triples_and_216_outcomes() -> None:
    rules = in_play(4)
    triples = Counter(classify(dice, rules).combination for dice in TRIPLES)
    outcomes = Counter(classify(dice, rules).combination for dice in product(range(1, 7), repeat=3))
    counts = {
        C.CUL_DE_CHOUETTE: (6, 6),
        C.CHOUETTE_VELUTE: (3, 9),
        C.SUITE_VELUTEE: (1, 6),
        C.SUITE: (3, 18),
        C.VELUTE: (5, 30),
        C.ARTICHETTE: (1, 3),
        C.BLEU_ROUGE: (1, 3),
        C.SOUFFLETTE: (1, 6),
        C.FLAN: (1, 6),
        C.NEANT_SOUFFLE: (1, 6),
        C.CHOUETTE: (25, 75),
        C.NEANT: (8, 48),
    }
    assert triples == {c: n for c, (n, _) in counts.items()}
    assert outcomes == {c: n for c, (_, n) in counts.items()}
    assert sum(outcomes.values()) == 216


def test_excalibur_only_at_aquitaine() -> None:
    assert classify((5, 1, 3), in_play(4)).combination is C.NEANT
    assert classify((5, 1, 3), in_play(4) | {C.EXCALIBUR}).combination is C.EXCALIBUR


def test_a_rule_switched_off_falls_back_too() -> None:
    assert classify((4, 3, 3), in_play(4, without=[C.BLEU_ROUGE])).combination is C.CHOUETTE


def test_artichette_after_a_sirop() -> None:
    assert [after_sirop((4, 4, 3), in_play(level)).combination for level in (1, 2, 3, 4)] == [
        C.CHOUETTE,
        C.ARTICHETTE,
        C.ARTICHETTE,
        C.TICHETTE,
    ]


def test_bets_match_by_exact_name_but_for_one_two_three() -> None:
    rules = in_play(4)
    assert [c for c in C if satisfies(classify((1, 2, 3), rules), c)] == [C.VELUTE, C.SUITE, C.SUITE_VELUTEE]
    assert [c for c in C if satisfies(classify((1, 2, 3), in_play(1)), c)] == [C.VELUTE, C.SUITE, C.SUITE_VELUTEE]
    for dice in TRIPLES:
        throw = classify(dice, rules)
        if dice != (1, 2, 3):
            assert [c for c in C if satisfies(throw, c)] == [throw.combination]


def test_parts_of_a_triple() -> None:
    assert (Triple.of((5, 2, 5)).pair, Triple.of((5, 2, 5)).odd, Triple.of((5, 2, 5)).total) == (5, 2, 12)
    assert (Triple.of((5, 5, 5)).pair, Triple.of((5, 5, 5)).odd) == (5, None)
    assert (Triple.of((1, 3, 6)).pair, Triple.of((1, 3, 6)).odd, Triple.of((2, 4, 6)).velute) == (None, None, 6)


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7)])
def test_impossible_dice_are_refused_in_french(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="trois dés"):
        Triple.of(dice)
