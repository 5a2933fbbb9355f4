"""Where right ends and unsure ends, when a guess is judged by what it costs to hear it as the hidden word."""

from __future__ import annotations

from dataclasses import dataclass

from voice_host.matching.words import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The bounds of one language; a benchmark chooses them on its tuning half."""

    same_cost: float = 0.02
    """Nearer than this is the same sound."""
    near_cost: float
    near_margin: float
    """So near, it is right unless another word that is often guessed is nearer by this much."""
    far_cost_per_phone: float
    far_margin: float
    """Further off, above all in long words, it is right when it is clearly the nearest."""
    unsure_cost_per_phone: float
    unsure_margin: float

    def verdict(self, cost: float, margin: float, length: int) -> Verdict:
        """Return the verdict on a cost, a margin and a word's number of phones."""
        if (
            (cost <= self.same_cost and margin >= -self.same_cost)
            or (cost <= self.near_cost and margin >= self.near_margin)
            or (cost <= self.far_cost_per_phone * length and margin >= self.far_margin)
        ):
            return Verdict.RIGHT
        if cost <= self.unsure_cost_per_phone * length and margin >= self.unsure_margin:
            return Verdict.UNSURE
        return Verdict.WRONG
