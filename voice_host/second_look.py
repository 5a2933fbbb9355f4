"""A second look at the sound: what could have been said is found from what was heard, and the recogniser hears it again.

Theory of operation: a recogniser's n-best holds what it would write, not all that was said. The measures name the words that
sound most like it (never knowing what is hidden). The recogniser tells how likely each word is for the same sound, at several
speeds, because a small network's mistakes differ with the speed and the word does not. An engine that takes expectations can
hear the utterance once more in the light of these words instead; what it writes then and wrote before has the mean of both
probabilities. Where a second engine listens, it hears the same sound, what sounds like its readings is weighed as well, and each
word has what both engines make of it. Nothing here knows a secret, so the hypotheses are the same whatever is hidden.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

import numpy as np

from voice_host.errors import HostError
from voice_host.hearing.recognizers.recognizer import (
    CandidateScorer,
    ExpectingRecognizer,
    Hypothesis,
    Recognition,
    Recognizer,
)
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.second_engine import SecondEngine, Weighed

_LOG = logging.getLogger(__name__)

LONGEST_SECONDS: Final = 6.0
"""Longer utterances are stories and table talk."""
MOST: Final = 24
"""Hypotheses that come back."""
EXPECTED_WORDS: Final = 24
"""Words that an engine is told to expect."""
HOPELESS: Final = 8.0
"""Natural log: what is so much less likely than the best is not looked at again, and is left out in the end."""
_LEAST_SAMPLES: Final = SAMPLE_RATE // 10


@dataclass(frozen=True, slots=True)
class Plan:
    """How an engine weighs candidates: what its time is worth spending on."""

    words: int
    """So many are weighed."""
    speeds: tuple[float, ...]
    """At which the sound is played to it."""


WEIGHING: Final[Mapping[str, Plan]] = MappingProxyType({"moonshine": Plan(words=40, speeds=(1.0, 0.9, 1.1))})
"""Engine -> its plan; the right one is among forty for 96 % of 545 recorded English words. Whisper and Vosk can weigh
candidates, too, but are not worth their time: see benchmarks/engines.md."""
EXPECTING: Final[frozenset[str]] = frozenset()
"""Engines that hear again with expectations; none, until it misses less at the same false accepts (benchmarks/mandarin.md)."""


@runtime_checkable
class Shortlisting(Protocol):
    """Measures that name the words which what was heard could have been."""

    def shortlist(
        self, readings: Sequence[str], count: int, confidences: Sequence[float] = (), *, bare: bool = False
    ) -> tuple[str, ...]:
        """Return up to `count` words that sound like the readings, likeliest first; none when it is no guess.

        Each is a whole text with what was said around it, or, `bare`, the word alone.
        """
        ...


@dataclass(frozen=True, slots=True)
class Look:
    """What a second look found, with what led to it, for `--explain`."""

    recognition: Recognition
    second: Recognition | None = None
    """What the second engine wrote; None where none listened."""
    weighed: Mapping[str, Weighed] = field(default_factory=dict)
    """Text -> what each of two engines makes of it."""


class SecondLook:
    """Hears again what was heard; gives back what it got where the engine or the language cannot."""

    def __init__(
        self,
        recognizer: Recognizer,
        measures: object,
        expecting: frozenset[str] = EXPECTING,
        other: SecondEngine | None = None,
    ) -> None:
        """Take the recogniser that heard, the language's measures, the engines that hear again with expectations, and a second engine."""
        can = recognizer.capabilities
        expects = recognizer.name in expecting and can.expectations
        self._expecting = recognizer if expects and isinstance(recognizer, ExpectingRecognizer) else None
        self._scorer = recognizer if can.candidate_scoring and isinstance(recognizer, CandidateScorer) else None
        self._plan = WEIGHING.get(recognizer.name)
        self._measures = measures if isinstance(measures, Shortlisting) else None
        self._other = other

    def __call__(self, samples: Samples, recognition: Recognition) -> Recognition:
        """Return the readings and the words that sound like them, with the probabilities that the sound gives them."""
        return self.look(samples, recognition).recognition

    def look(self, samples: Samples, recognition: Recognition) -> Look:
        """Return the same with what led to it."""
        started = time.perf_counter()
        if self._measures is None or not recognition.hypotheses:
            return Look(recognition)
        if not _LEAST_SAMPLES < len(samples) <= LONGEST_SECONDS * SAMPLE_RATE:
            return Look(recognition)
        second: Recognition | None = None
        weighed: Mapping[str, Weighed] = {}
        if self._expecting is not None:
            found = _expect(self._expecting, self._measures, samples, recognition)
        elif self._scorer is not None and self._plan is not None:
            second, weighed = self._together(self._scorer, self._measures, samples, recognition, self._plan)
            found = shares(weighed)
            found = found or _weigh(self._scorer, self._measures, samples, recognition, self._plan)
        else:
            found = {}
        if not found:
            return Look(recognition)
        best = max(found.values())
        likeliest = sorted(found.items(), key=lambda item: -item[1])[:MOST]
        hypotheses = tuple(
            Hypothesis(text, min(1.0, math.exp(score))) for text, score in likeliest if score > best - HOPELESS
        )
        seconds = recognition.decode_seconds + time.perf_counter() - started
        return Look(Recognition(hypotheses, seconds), second, weighed)

    def _together(
        self, scorer: CandidateScorer, measures: Shortlisting, samples: Samples, recognition: Recognition, plan: Plan
    ) -> tuple[Recognition | None, Mapping[str, Weighed]]:
        """Return what the second engine wrote and what both make of each word; nothing where it heard nothing or was lost."""
        if self._other is None:
            return None, {}
        try:
            second = self._other.recognize(samples)
            if not second.hypotheses:
                return second, {}
            return second, _pool(scorer, self._other, measures, samples, (recognition, second), plan)
        except HostError as error:  # it is being started anew; the first engine hears on
            _LOG.warning("%s hears alone: %s", self._other.name, error)
            return None, {}


def _expect(
    recognizer: ExpectingRecognizer, measures: Shortlisting, samples: Samples, recognition: Recognition
) -> dict[str, float]:
    """Return text -> natural log of its probability, the mean of what was heard freely and with expectations."""
    words = measures.shortlist(*_readings(recognition, EXPECTED_WORDS), bare=True)
    if not words:
        return {}
    again = recognizer.recognize_expecting(samples, words).hypotheses
    written: dict[str, str] = {}
    chances: dict[str, float] = {}
    for hypothesis in (*recognition.hypotheses, *again):
        text = written.setdefault(_key(hypothesis.text), hypothesis.text)
        chances[text] = chances.get(text, 0.0) + (hypothesis.confidence or 0.0) / 2
    return {text: math.log(chance) for text, chance in chances.items() if chance > 0.0}


def _weigh(
    scorer: CandidateScorer, measures: Shortlisting, samples: Samples, recognition: Recognition, plan: Plan
) -> dict[str, float]:
    """Return text -> natural log of its likelihood, the mean over the speeds; the hopeless ones are left out."""
    words = measures.shortlist(*_readings(recognition, plan.words))
    if not words:
        return {}
    written = {_key(hypothesis.text): hypothesis.text for hypothesis in recognition.hypotheses}
    texts = list(({_key(word): word for word in words} | written).values())
    return _weighed(scorer, samples, texts, plan, HOPELESS)


def _pool(  # noqa: PLR0917 - two engines and what they heard
    scorer: CandidateScorer,
    other: SecondEngine,
    measures: Shortlisting,
    samples: Samples,
    heard: tuple[Recognition, Recognition],
    plan: Plan,
) -> dict[str, Weighed]:
    """Return text -> what both engines make of it, for what either wrote and the words that sound like it."""
    lists = [measures.shortlist(*_readings(recognition, plan.words)) for recognition in heard]
    if not all(lists):
        return {}
    readings = [[_bare(hypothesis.text) for hypothesis in recognition.hypotheses] for recognition in heard]
    # As the first engine's list writes it, where that has it: to a network that writes "Sled", "sled" is unlikely.
    texts = {_key(text): text for text in (*readings[1], *readings[0], *lists[1], *lists[0]) if text}
    first = _weighed(
        scorer, samples, list(texts.values()), plan, math.inf
    )  # what one finds hopeless the other may hear
    return other.pool(samples, first, [texts[_key(text)] for text in readings[1] if text])


def shares(weighed: Mapping[str, Weighed]) -> dict[str, float]:
    """Return text -> natural log of its share in the probability of all that two engines weighed."""
    scores = {text: one.together for text, one in weighed.items()}
    best = max(scores.values(), default=0.0)
    total = best + math.log(sum(math.exp(score - best) for score in scores.values())) if scores else 0.0
    return {text: score - total for text, score in scores.items()}


def _weighed(
    scorer: CandidateScorer, samples: Samples, texts: Sequence[str], plan: Plan, hopeless: float
) -> dict[str, float]:
    """Return text -> natural log of its likelihood, the mean over the speeds; what falls so far behind is left out."""
    left = dict.fromkeys(texts, 0.0)
    for looks, speed in enumerate(plan.speeds, start=1):
        found = scorer.score(samples if speed == 1.0 else at_speed(samples, speed), [_bare(text) for text in left])
        mean = {text: (left[text] * (looks - 1) + score) / looks for text, score in zip(left, found, strict=True)}
        best = max(mean.values())
        left = {text: score for text, score in mean.items() if score > best - hopeless}
    return left


def _readings(recognition: Recognition, count: int) -> tuple[list[str], int, list[float]]:
    """Return what a shortlist of so many words is made from."""
    heard = recognition.hypotheses
    return [one.text for one in heard], count, [one.confidence or 0.0 for one in heard]


def at_speed(samples: Samples, speed: float) -> Samples:
    """Return the sound played so many times as fast (and as high)."""
    count = int(len(samples) / speed)
    played: Samples = np.interp(np.arange(count) * speed, np.arange(len(samples)), samples).astype(np.float32)
    return played


def _bare(text: str) -> str:
    return text.rstrip(".,!?")


def _key(text: str) -> str:
    return text.casefold().strip(" .,!?")
