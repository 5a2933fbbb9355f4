"""The trie measures exactly what a plain edit distance over the same costs does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from voice_host.matching.nearest import build_trie, distance, distances
from voice_host.matching.phones import PHONES, Pronunciation, class_costs

COSTS = class_costs()
pronunciations = st.lists(st.integers(0, len(PHONES) - 1), min_size=1, max_size=7).map(tuple)


def plain_distance(heard: Pronunciation, meant: Pronunciation) -> float:
    """Return the cost by the textbook recursion, cell by cell."""
    rows = [[0.0] * (len(meant) + 1) for _ in range(len(heard) + 1)]
    for i in range(len(heard) + 1):
        for j in range(len(meant) + 1):
            ways = [0.0] if i == j == 0 else []
            if i and j:
                ways.append(rows[i - 1][j - 1] + float(COSTS.substitute[heard[i - 1], meant[j - 1]]))
            if j:
                last = j == len(meant) and i == len(heard)
                drop = COSTS.drop_last if last else COSTS.drop
                ways.append(rows[i][j - 1] + float(drop[meant[j - 1]]))
            if i:
                ways.append(rows[i - 1][j] + float(COSTS.insert[heard[i - 1]]))
            rows[i][j] = min(ways)
    return rows[-1][-1]


@given(pronunciations, st.lists(pronunciations, min_size=1, max_size=12))
def test_all_words_at_once_cost_the_same_as_one_by_one(heard: Pronunciation, meant: Sequence[Pronunciation]) -> None:
    found = distances(heard, build_trie(meant), COSTS, np.inf)
    assert np.allclose(found, [plain_distance(heard, one) for one in meant], atol=1e-4)


@given(pronunciations, st.lists(pronunciations, min_size=1, max_size=12), st.floats(0.1, 4.0))
def test_a_bound_leaves_out_only_what_is_above_it(
    heard: Pronunciation, meant: Sequence[Pronunciation], bound: float
) -> None:
    whole = distances(heard, build_trie(meant), COSTS, np.inf)
    bounded = distances(heard, build_trie(meant), COSTS, bound)
    sure = np.abs(whole - bound) > 1e-3
    assert np.allclose(bounded[sure], np.where(whole <= bound, whole, np.inf)[sure], atol=1e-4)


@given(pronunciations)
def test_what_is_meant_is_heard_at_no_cost(meant: Pronunciation) -> None:
    assert distance(meant, meant, COSTS) == 0


@given(pronunciations, pronunciations)
def test_different_phones_never_cost_nothing(heard: Pronunciation, meant: Pronunciation) -> None:
    assert (distance(heard, meant, COSTS) == 0) == (heard == meant)


def test_a_trie_of_nothing_measures_nothing() -> None:
    assert distances((1, 2), build_trie([]), COSTS, 2.0).size == 0
