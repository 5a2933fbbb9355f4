"""A second look at the sound: what could have been said is found from what was heard, and the recogniser weighs it.

Theory of operation: a recogniser's n-best holds what it would write, not all that was said. The measures name the words that
sound most like it (never knowing what is hidden), and the recogniser tells how likely each is for the same sound, at
several speeds, because a small network's mistakes differ with the speed and the word does not. Readings and words
come back as one list of hypotheses. Nothing here knows a secret, so the list is the same whatever is hidden.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np

from voice_host.hearing.recognizers.recognizer import CandidateScorer, Hypothesis, Recognition, Recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

LONGEST_SECONDS: Final = 6.0
"""Longer utterances are stories and table talk."""
COUNT: Final = 40
"""Words that are weighed; the right one is among them for 96 % of 545 recorded words."""
MOST: Final = 24
"""Hypotheses that come back."""
SPEEDS: Final = (1.0, 0.9, 1.1)
_HOPELESS: Final = 8.0
"""Natural log: what is so much less likely than the best is not looked at again, and is left out in the end."""
_LEAST_SAMPLES: Final = SAMPLE_RATE // 10


@runtime_checkable
class Shortlisting(Protocol):
    """Measures that name the words which what was heard could have been."""

    def shortlist(self, readings: Sequence[str], count: int, confidences: Sequence[float] = ()) -> tuple[str, ...]:
        """Return up to `count` whole texts that sound like the readings, likeliest first; none when it is no guess."""
        ...


class SecondLook:
    """Weighs again what was heard; gives back what it got where the engine or the language cannot."""

    def __init__(self, recognizer: Recognizer, measures: object) -> None:
        """Take the recogniser that heard, and the language's measures."""
        able = recognizer.capabilities.candidate_scoring and isinstance(recognizer, CandidateScorer)
        self._scorer = recognizer if able and isinstance(recognizer, CandidateScorer) else None
        self._measures = measures if isinstance(measures, Shortlisting) else None

    def __call__(self, samples: Samples, recognition: Recognition) -> Recognition:
        """Return the readings and the words that sound like them, with the probabilities that the sound gives them."""
        started = time.perf_counter()
        heard = recognition.hypotheses
        if self._scorer is None or self._measures is None or not heard:
            return recognition
        if not _LEAST_SAMPLES < len(samples) <= LONGEST_SECONDS * SAMPLE_RATE:
            return recognition
        readings = [hypothesis.text for hypothesis in heard]
        words = self._measures.shortlist(readings, COUNT, [hypothesis.confidence or 0.0 for hypothesis in heard])
        if not words:
            return recognition
        written = {_key(reading): reading for reading in readings}
        texts = list(({_key(word): word for word in words} | written).values())
        scores = _weigh(self._scorer, samples, texts)
        best = max(scores.values())
        likeliest = sorted(scores.items(), key=lambda item: -item[1])[:MOST]
        hypotheses = tuple(
            Hypothesis(text, min(1.0, math.exp(score))) for text, score in likeliest if score > best - _HOPELESS
        )
        return Recognition(hypotheses, recognition.decode_seconds + time.perf_counter() - started)


def _weigh(scorer: CandidateScorer, samples: Samples, texts: Sequence[str]) -> dict[str, float]:
    """Return text -> natural log of its likelihood, the mean over the speeds; the hopeless ones are left out."""
    left = dict.fromkeys(texts, 0.0)
    for looks, speed in enumerate(SPEEDS, start=1):
        bare = [text.rstrip(".,!?") for text in left]
        found = scorer.score(samples if speed == 1.0 else at_speed(samples, speed), bare)
        mean = {text: (left[text] * (looks - 1) + score) / looks for text, score in zip(left, found, strict=True)}
        best = max(mean.values())
        left = {text: score for text, score in mean.items() if score > best - _HOPELESS}
    return left


def at_speed(samples: Samples, speed: float) -> Samples:
    """Return the sound played so many times as fast (and as high)."""
    count = int(len(samples) / speed)
    played: Samples = np.interp(np.arange(count) * speed, np.arange(len(samples)), samples).astype(np.float32)
    return played


def _key(text: str) -> str:
    return text.casefold().strip(" .,!?")
