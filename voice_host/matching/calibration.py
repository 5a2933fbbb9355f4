"""How sure it is that a word was said, from two evidences: how likely a recogniser finds its text, and how near it sounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from voice_host.matching.words import Verdict

FARTHEST: Final = 12.0
"""Natural log: further behind than this is not heard at all."""
_DEAREST: Final = 3.0
_WIDEST: Final = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a word."""

    behind: float
    """How much less likely its likeliest text is than the best one (natural log, 0 to `FARTHEST`)."""
    ahead: float
    """How much likelier it is than the likeliest text that is another word; negative when that one is likelier."""
    cost: float
    """Distance by sound."""
    margin: float
    """How much nearer it is by sound than the nearest other word."""

    def features(self) -> tuple[float, float, float, float]:
        """Return what a calibration weighs, within the bounds in which it was fitted."""
        return (
            min(self.behind, FARTHEST),
            max(-FARTHEST, min(self.ahead, FARTHEST)),
            min(self.cost, _DEAREST),
            max(-_WIDEST, min(self.margin, _WIDEST)),
        )


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic model of one engine and language, with the probabilities from which a guess is right and unsure."""

    intercept: float
    weights: tuple[float, float, float, float]
    """One for each feature of `Evidence`."""
    right: float
    """From this probability on a guess is right."""
    right_in_doubt: float
    """The same where even the best text is less likely than `doubt`, as in noise: there neighbours are near each other."""
    doubt: float
    unsure: float

    def probability(self, evidence: Evidence) -> float:
        """Return the probability (0 to 1) that the word was said, if it was as often said as one of its neighbours."""
        logit = self.intercept + sum(
            weight * feature for weight, feature in zip(self.weights, evidence.features(), strict=True)
        )
        return 1.0 / (1.0 + math.exp(-logit))

    def verdict(self, evidence: Evidence, best: float) -> Verdict:
        """Return the verdict on a word, given the probability (0 to 1) of the best text."""
        probability = self.probability(evidence)
        if probability >= (self.right if best >= self.doubt else self.right_in_doubt):
            return Verdict.RIGHT
        return Verdict.UNSURE if probability >= self.unsure else Verdict.WRONG


MOONSHINE_ENGLISH: Final = Calibration(
    intercept=0.121,
    weights=(0.496, 0.729, -4.205, 3.725),
    right=0.26,
    right_in_doubt=0.45,
    doubt=0.135,
    unsure=0.06,
)
"""Weights by benchmarks/fit_english.py on the tuning half of its recordings, clean: 307 spoken words of about 40 speakers, each
against itself, 20 random and 10 near words. `right` and `right_in_doubt` are the least that keep the near words
that are accepted to about 2 %, clean and in a café at 10 dB."""
