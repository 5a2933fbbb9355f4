"""The search for the judge's limits on the tuning half, and the DET curve of Mandarin and Korean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from sound_clips import Bench, Clip
from sound_trials import Pool, words

from voice_host.matching.judging import Limits, SoundJudge
from voice_host.matching.nearest import nearest_of_each

RANDOM_LIMIT = 0.003
NEAREST_LIMIT = 0.02
"""The shares of false accepts that the search for limits allows."""
CURVE_SCALE = 0.25
"""The costs that make a step on the scale of the curve's thresholds; it changes where the curve ends, not its shape."""


@dataclass(frozen=True, slots=True)
class _Trials:
    """The measures of many judgements, from which verdicts are computed again and again; all arrays are [trial]."""

    kind: NDArray[np.int32]
    """0 the right word, 1 a random one, 2 a near one."""
    cost: NDArray[np.float64]
    margin: NDArray[np.float64]
    length: NDArray[np.float64]
    another: NDArray[np.bool_]
    """Whether the first reading is exactly another thing."""
    first_share: NDArray[np.float64]
    """Share of the first reading in the probability of all."""

    def excess(self, limits: Limits) -> NDArray[np.float64]:
        """Return by how much all limits must be loosened for the verdict to be right; the same rule as the judge's at 0."""
        ways = (
            (limits.same_cost, -limits.same_cost),
            (limits.near_cost, limits.near_margin),
            (limits.far_cost_per_phone * self.length, limits.far_margin),
        )
        excess = np.min([np.maximum(self.cost - cost, margin - self.margin) for cost, margin in ways], axis=0)
        another = self.another & (self.first_share >= limits.sure_confidence) & (self.cost > limits.same_cost)
        return np.where(another, np.inf, excess)

    def rates(self, limits: Limits) -> tuple[float, ...]:
        """Return the shares of right verdicts of each kind."""
        right = self.excess(limits) <= 0.0
        return tuple(float(right[self.kind == kind].mean()) for kind in range(3))


def _trials(judge: SoundJudge, clips: Sequence[Clip], pool: Pool) -> _Trials:
    certain = replace(judge, limits=replace(judge.limits, sure_confidence=0.0))
    rows = []
    for clip in clips:
        seen = clip.first
        heard = certain.heard(seen.texts, seen.confidences)
        first = max(seen.confidences, default=1.0) / (sum(seen.confidences) or 1.0)
        for kind, hidden in enumerate(pool.of(clip)):
            meant = [judge.speech.sounds(word) for word in words(hidden)]
            judged = certain.judge_many(seen.texts, words(hidden), seen.confidences)
            near = nearest_of_each(heard.sounds, [sounds.pronunciations for sounds in meant], judge.costs)
            for one, sounds, (_, length) in zip(judged, meant, near, strict=True):
                another = bool(heard.sounds) and certain.is_another_thing(heard, sounds)
                rows.append((kind, one.cost, one.margin, length if heard.sounds else 1, another, first))
    kinds, cost, margin, lengths, others, firsts = (np.array(column) for column in zip(*rows, strict=True))
    return _Trials(kinds, cost, margin, lengths, others, firsts)


def curve(bench: Bench, clips: Sequence[Clip], pool: Pool) -> dict[str, list[float]]:
    """Return kind of trial -> between 0 and 1 how surely right; the judge's own limits are at a half."""
    trials = _trials(bench.judge, [clip for clip in clips if clip.said], pool)
    sure = 1 / (1 + np.exp(np.minimum(trials.excess(bench.judge.limits), 100.0) / CURVE_SCALE))
    return {name: sure[trials.kind == kind].tolist() for name, kind in (("right", 0), ("nearest", 2))}


def search(bench: Bench, clips: Sequence[Clip], pool: Pool) -> None:
    """Print the limits that miss least on the tuning half within the allowed false accepts."""
    tuning = [clip for clip in clips if clip.said and clip.tuning]
    found = []
    for nats in (6.0, 10.0, 16.0, 24.0):
        base = replace(bench.judge.limits, nats_a_cost=nats)
        trials = _trials(replace(bench.judge, limits=base), tuning, pool)
        for near_cost, near_margin, far, far_margin, sure in product(
            (0.15, 0.25, 0.35, 0.45),
            (-0.3, -0.2, -0.15, -0.1, -0.05, 0.0),
            (0.08, 0.12, 0.16, 0.2, 0.25),
            (-0.1, 0.0, 0.1, 0.2, 0.3),
            (0.5, 0.75, 2.0),
        ):
            limits = replace(
                base,
                near_cost=near_cost,
                near_margin=near_margin,
                far_cost_per_phone=far,
                far_margin=far_margin,
                sure_confidence=sure,
            )
            right, drawn, nearest = trials.rates(limits)
            if drawn <= RANDOM_LIMIT and nearest <= NEAREST_LIMIT:
                found.append((right, -nearest, -drawn, limits))
    found.sort(key=lambda one: one[:3], reverse=True)
    for right, nearest, drawn, limits in found[:12]:
        print(f"miss {1 - right:.3f} nearest {-nearest:.4f} random {-drawn:.4f} {limits}")
