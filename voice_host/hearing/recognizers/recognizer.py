"""What every recogniser offers: utterances in, n-best hypotheses out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from voice_host.hearing.sound_files import Samples


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One reading of an utterance."""

    text: str
    confidence: float | None = None
    "0..1, the probability of the whole text, so long texts have less; None where the engine cannot tell"


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a recogniser made of one utterance; no hypothesis means that nobody said a word."""

    hypotheses: tuple[Hypothesis, ...]
    "best first"
    decode_seconds: float
    "time of the machine, not of the audio"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can do beyond turning a clip into one text."""

    streaming: bool = False
    n_best: bool = False
    grammar: bool = False
    """Whether the engine is a `PhraseRecognizer` too."""
    candidate_scoring: bool = False
    """Whether the engine is a `CandidateScorer` too."""
    expectations: bool = False
    """Whether the engine is an `ExpectingRecognizer` too."""


class Recognizer(Protocol):
    """An engine with its model loaded, for one language."""

    @property
    def name(self) -> str:
        """Return the engine's name as ``--engine`` takes it."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the codes of the languages that the loaded model writes."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """Return what the engine can do."""
        ...

    def recognize(self, samples: Samples) -> Recognition:
        """Return the hypotheses for one utterance (mono, 16 kHz, any length); blocks, so call it in a worker."""
        ...

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word or phrase."""
        ...

    def close(self) -> None:
        """Free the model; the recogniser is of no use afterwards."""
        ...


@runtime_checkable
class CandidateScorer(Protocol):
    """An engine that tells how likely given texts are for an utterance; it says so in its capabilities."""

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        """Return the natural log of each whole text's likelihood; dearest for the samples that were not just recognised."""
        ...


@runtime_checkable
class ExpectingRecognizer(Protocol):
    """An engine that hears an utterance again in the light of words that it may hold; it says so in its capabilities."""

    def recognize_expecting(self, samples: Samples, words: Sequence[str]) -> Recognition:
        """Return the hypotheses for the utterance that was just recognised; any other words may be in them, too."""
        ...


@runtime_checkable
class PhraseRecognizer(Protocol):
    """An engine that follows a grammar of phrases beside free words; it says so in its capabilities."""

    def listen_for(self, phrases: Iterable[str]) -> tuple[str, ...]:
        """Expect these phrases from the next utterance on; returns those that it has no words for."""
        ...
