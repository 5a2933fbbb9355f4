"""Weighted phone edit distance, from one heard pronunciation to one meant or to all of a large lexicon at once.

The lexicon is a trie, kept level by level in arrays: all words that share a beginning share its alignment, numpy aligns a
whole level at a time, and branches that are already dearer than the bound are left out. This takes a few milliseconds for
forty thousand pronunciations, where one by one it would take a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from voice_host.matching.phones import PhoneCosts, Pronunciation

Indexes = NDArray[np.int32]
Distances = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """The nodes of the trie at one depth."""

    parent: Indexes
    """[node]: index of its parent in the level above."""
    phone: Indexes
    """[node]"""
    ending: Indexes
    """[entry]: nodes at which a pronunciation ends, one for each entry of `entries`."""
    entries: Indexes
    """[entry]: which pronunciation that is."""
    below: Indexes
    """[node]: how many more phones the longest pronunciation through it has."""


@dataclass(frozen=True, slots=True, eq=False)
class Trie:
    """Many pronunciations, ready to be measured together."""

    levels: tuple[_Level, ...]
    size: int
    """Number of pronunciations."""


def build_trie(pronunciations: Sequence[Pronunciation]) -> Trie:
    """Build the trie of non-empty pronunciations; an entry is known by its position."""
    lengths = np.array([len(one) for one in pronunciations], dtype=np.int32)
    depth = int(lengths.max(initial=0))
    table = np.full((len(pronunciations), depth), -1, dtype=np.int64)
    flat = np.fromiter((phone for one in pronunciations for phone in one), dtype=np.int64, count=int(lengths.sum()))
    table[np.arange(depth) < lengths[:, None]] = flat
    levels = []
    node = np.zeros(len(pronunciations), dtype=np.int64)
    alive = np.arange(len(pronunciations))
    for column in range(depth):
        alive = alive[lengths[alive] > column]
        keys, node_of = np.unique(node[alive] * 64 + table[alive, column], return_inverse=True)
        node = np.zeros(len(pronunciations), dtype=np.int64)
        node[alive] = node_of
        ends = lengths[alive] == column + 1
        levels.append(
            _Level(
                parent=(keys // 64).astype(np.int32),
                phone=(keys % 64).astype(np.int32),
                ending=node_of[ends].astype(np.int32),
                entries=alive[ends].astype(np.int32),
                below=_longest(node_of, lengths[alive] - column - 1, keys.size),
            )
        )
    return Trie(levels=tuple(levels), size=len(pronunciations))


def _longest(node_of: NDArray[np.int64], remaining: Indexes, nodes: int) -> Indexes:
    longest = np.zeros(nodes, dtype=np.int32)
    np.maximum.at(longest, node_of, remaining)
    return longest


def distances(heard: Pronunciation, trie: Trie, costs: PhoneCosts, bound: float) -> Distances:
    """Return the cost from heard to each pronunciation of the trie; infinite where it is above the bound (in phones)."""
    result = np.full(trie.size, np.inf, dtype=np.float32)
    inserted = np.concatenate(([0.0], np.cumsum(costs.insert[list(heard)]))).astype(np.float32)[:, None]
    if not heard:
        return result
    substitute = costs.substitute[list(heard)]
    to_come = np.arange(len(heard), -1, -1, dtype=np.float32)[:, None]
    least_insertion = costs.insert.min()
    rows = inserted  # [heard position, node], of the level above
    kept = np.zeros(1, dtype=np.int64)  # node of the level above -> column in rows, -1 when pruned
    for level in trie.levels:
        column = kept[level.parent]
        chosen = np.flatnonzero(column >= 0)
        if not chosen.size:
            break
        above = rows[:, column[chosen]]
        phone = level.phone[chosen]
        rows = above + costs.drop[phone]
        np.minimum(rows[1:], above[:-1] + substitute[:, phone], out=rows[1:])
        # An insertion may follow at any place: a running minimum once the insertions so far are taken off.
        rows = np.minimum.accumulate(rows - inserted, axis=0) + inserted
        position = np.full(level.phone.size, -1, dtype=np.int64)
        position[chosen] = np.arange(chosen.size)
        if level.ending.size:
            here = position[level.ending]
            there = here >= 0
            ends = here[there]
            last = np.minimum(rows[-1, ends], above[-1, ends] + costs.drop_last[phone[ends]])
            result[level.entries[there]] = last
        # What remains of a long heard phrase must be inserted where no pronunciation is left to take it.
        too_long = np.maximum(to_come - level.below[chosen], 0)
        alive = (rows + least_insertion * too_long).min(axis=0) <= bound
        rows = rows[:, alive]
        kept = np.full(level.phone.size, -1, dtype=np.int64)
        kept[chosen[alive]] = np.arange(int(alive.sum()))
    result[result > bound] = np.inf
    return result


def distance(heard: Pronunciation, meant: Pronunciation, costs: PhoneCosts) -> float:
    """Return the cost from heard to meant; 0 for the same phones, about 1 a phone that is quite another."""
    if not meant:
        return float(costs.insert[list(heard)].sum()) if heard else 0.0
    if not heard:
        return float(costs.drop[list(meant)].sum())
    return float(distances(heard, build_trie([meant]), costs, float("inf"))[0])


def nearest_of(
    heard: Iterable[tuple[Pronunciation, float]], meant: Sequence[Pronunciation], costs: PhoneCosts
) -> tuple[float, int]:
    """Return the least cost from the heard pronunciations (each with what is paid for it) to the meant ones.

    Also returns the number of phones of the nearest one; infinite and 0 when nothing is meant.
    """
    return nearest_of_each(heard, [meant], costs)[0]


def nearest_of_each(
    heard: Iterable[tuple[Pronunciation, float]], meant: Sequence[Sequence[Pronunciation]], costs: PhoneCosts
) -> list[tuple[float, int]]:
    """Return what `nearest_of` does for each of many words, measured together."""
    entries = [pronunciation for word in meant for pronunciation in word]
    nearest = np.full(len(entries), np.inf, dtype=np.float32)
    if entries:
        trie = build_trie(entries)
        for pronunciation, paid in heard:
            np.minimum(nearest, distances(pronunciation, trie, costs, np.inf) + paid, out=nearest)
    found: list[tuple[float, int]] = []
    start = 0
    for word in meant:
        own = nearest[start : start + len(word)]
        start += len(word)
        best = int(own.argmin()) if len(word) else 0
        found.append((float(own[best]), len(word[best])) if len(word) else (math.inf, 0))
    return found
