"""A second engine that hears the same sound, where it is installed and the machine can: small engines mistake different words.

Theory of operation: both engines write what they hear, the words that sound like either are weighed by both, and the natural logs
of the likelihoods are added with fixed weights. So a word must suit two networks that were made by different people from different
recordings. Which engines go together, and with which weights, is a table; the weights are fitted by benchmarks/fit_english.py.
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from voice_host.errors import HostError, UsageError
from voice_host.hearing.recognizers import ENGINES, PACKAGES
from voice_host.hearing.recognizers.recognizer import CandidateScorer, Recognition, Recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.models import best_for

AUTO: Final = "auto"
NONE: Final = "none"
LEAST_CORES: Final = 2
SLOWEST_SECONDS: Final = 0.8
"""An engine that takes longer to hear a second of sound keeps the table waiting."""
_TRIALS: Final = 3
_TRIAL_WORD: Final = "dog"


@dataclass(frozen=True, slots=True)
class Pooling:
    """How the likelihoods of two engines are put together."""

    first: float
    """Weight of the first engine's natural log."""
    second: float
    """Weight of the second engine's."""
    words: int
    """So many of the words that are likeliest to the first engine are weighed by the second one."""
    readings: int
    """… and so many of what the second engine wrote itself."""


POOLINGS: Final[Mapping[tuple[str, str, str], Pooling]] = MappingProxyType(
    {("en", "moonshine", "whisper"): Pooling(first=0.4, second=0.95, words=24, readings=4)}
)
"""(Language, first engine, second engine) -> how they hear together.

Weights by benchmarks/fit_english.py --second-engine on the tuning half of its recordings, clean: with them the first engine's
calibration holds for both together, at no more near words accepted."""


class SecondEngine:
    """An engine that hears after the first one; its mistakes are others."""

    def __init__(self, recognizer: Recognizer, pooling: Pooling) -> None:
        """Take the engine; raises `TypeError` for one that cannot weigh words."""
        if not isinstance(recognizer, CandidateScorer):
            raise TypeError(f"{recognizer.name} cannot weigh words")
        self._recognizer: Recognizer = recognizer
        self._scorer: CandidateScorer = recognizer
        self.pooling: Final = pooling

    @property
    def name(self) -> str:
        """Return the engine's name."""
        return self._recognizer.name

    def recognize(self, samples: Samples) -> Recognition:
        """Return what this engine hears."""
        return self._recognizer.recognize(samples)

    def pool(self, samples: Samples, first: Mapping[str, float], written: Sequence[str]) -> dict[str, Weighed]:
        """Return text -> what both engines make of it.

        ``first`` is text -> natural log of its likelihood to the first engine, ``written`` what this engine wrote, likeliest first.
        """
        likeliest = sorted(first, key=lambda text: -first[text])[: self.pooling.words]
        texts = list(dict.fromkeys([*likeliest, *written[: self.pooling.readings]]))
        second = self._scorer.score(samples, texts)
        return {text: Weighed(first[text], score, self.pooling) for text, score in zip(texts, second, strict=True)}

    def close(self) -> None:
        """Free the model."""
        self._recognizer.close()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The natural logs of a text's likelihood to two engines."""

    first: float
    second: float
    pooling: Pooling

    @property
    def together(self) -> float:
        """Return the natural log of its likelihood to both."""
        return self.pooling.first * self.first + self.pooling.second * self.second


def load_second_engine(
    language: str, first: str, wish: str, load: Callable[[str, str], Recognizer], notice: Callable[[str], None]
) -> SecondEngine | None:
    """Load the engine that is to hear beside the first one; None without one.

    ``wish`` is `AUTO` for one that is installed and quick enough here, `NONE`, or a name. Raises `UsageError` for a name that
    cannot go with the first engine, and what ``load`` (language, name) raises where the named one cannot be loaded; `AUTO`
    raises nothing, and tells ``notice`` why an engine that is there is not used.
    """
    partners = [second for code, one, second in POOLINGS if (code, one) == (language, first)]
    if wish not in {AUTO, NONE} and wish not in partners:
        raise UsageError(_no_partner(language, first, wish, partners))
    if wish == AUTO:
        name = next((one for one in partners if _is_installed(language, one)), None)
        if name is None or cores() < LEAST_CORES:
            return None
        return _affordable(language, first, name, load, notice)
    return None if wish == NONE else SecondEngine(load(language, wish), POOLINGS[language, first, wish])


def cores() -> int:
    """Return how many processors this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _affordable(
    language: str, first: str, name: str, load: Callable[[str, str], Recognizer], notice: Callable[[str], None]
) -> SecondEngine | None:
    try:
        engine = SecondEngine(load(language, name), POOLINGS[language, first, name])
        seconds = hearing_seconds(engine)
    except HostError as error:
        notice(f"{name} does not listen beside {first}: {error}")
        return None
    if seconds <= SLOWEST_SECONDS:
        return engine
    engine.close()
    notice(
        f"{name} does not listen beside {first}: it takes {seconds:.1f} s for a word here; --second-engine {name} takes it all the same."
    )
    return None


def hearing_seconds(engine: SecondEngine) -> float:
    """Return how long the engine takes to weigh a word in a second of sound, by the clock; the least of some trials."""
    dice = np.random.default_rng(0)
    taken = []
    for _ in range(_TRIALS):
        hiss = dice.normal(0.0, 0.01, SAMPLE_RATE).astype(np.float32)  # another one each time: engines remember a sound
        started = time.perf_counter()
        engine.pool(hiss, {_TRIAL_WORD: 0.0}, ())
        taken.append(time.perf_counter() - started)
    return min(taken)


def _is_installed(language: str, engine: str) -> bool:
    return best_for(language, engine) is not None and importlib.util.find_spec(PACKAGES[engine]) is not None


def _no_partner(language: str, first: str, wish: str, partners: Sequence[str]) -> str:
    if wish not in ENGINES[language]:
        return f"There is no engine {wish!r} for language {language!r}; choose one of: {', '.join(ENGINES[language])}."
    choice = ", ".join((*partners, NONE))
    return f"{wish} cannot listen beside {first} in language {language!r}; choose --second-engine {choice}."
