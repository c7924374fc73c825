"""The trees of phones that the search goes through: frame after frame they score as each pronunciation alone does."""

from __future__ import annotations

import numpy as np
import pytest

from voiceref.ear.network import Chain, Row, Tree

NODES = 6


def _rows(rng: np.random.Generator) -> list[Row]:
    """Pronunciations between nodes, with beginnings in common; most of them lead to the last node."""
    rows = []
    for arc in range(150):
        source = int(rng.integers(0, 3))
        target = 5 if arc > 30 else int(rng.integers(3, NODES))
        form = tuple(int(phone) for phone in rng.integers(1, 4, rng.integers(1, 6)))
        rows.append((source, target, arc, form))
    return rows


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_scores_as_its_pronunciations_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = _rows(rng)
    tree = Tree.of(rows)
    assert tree is not None
    assert max(ways for ways, _ in tree.sizes) > 64
    assert len(tree.phones) < sum(len(form) for form in {(source, form) for source, _, _, form in rows})
    low = np.float32(-1e9)
    alone = {(source, target, form): np.full(len(form), low, np.float32) for source, target, _, form in rows}
    assert tree.count == len(alone)
    inside = np.full(len(tree.phones), low, np.float32)
    moved = np.empty_like(inside)
    for _ in range(12):
        entering = rng.normal(0, 3, NODES).astype(np.float32)
        logp = rng.normal(-3, 2, 36).astype(np.float32)
        tree.step(inside, moved, entering[tree.sources], logp)
        inside, moved = moved, inside
        best = np.full(NODES, -np.inf, np.float32)
        for (source, target, form), states in alone.items():
            before = np.concatenate([[entering[source]], states[:-1]])
            states[:] = np.maximum(states, before) + logp[list(form)]
            best[target] = max(best[target], states[-1])
        assert set(tree.targets) == {target for _, target, _ in alone}
        assert np.array_equal(tree.best(inside), best[tree.targets])


def test_words_that_sound_alike_between_two_nodes_are_one() -> None:
    rows = [(0, 1, 0, (4, 5)), (0, 1, 1, (4, 5)), (0, 2, 2, (4, 5))]
    tree, chain = Tree.of(rows), Chain.of(rows)
    assert tree is not None
    assert chain is not None
    assert (len(tree.phones), tree.count) == (2, 2)
    assert len(chain.firsts) == 2
    assert Tree.of([]) is None
    assert Chain.of([]) is None
