"""When an utterance that pauses is over: as soon as what was said so far is complete, and later where something is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from voice_host.evening import CUTTING
from voice_host.games.game import Intent, Listening, Utterance
from voice_host.hearing.recognizers import Hypothesis

INCOMPLETE_SECONDS: Final = 1.2
"""How long a phrase that lacks its word is waited for ("my guess is ...")."""
TALK_SECONDS: Final = 0.7
"""How long a pause may be in a story or in talk, where nothing tells what is complete."""
_LIKELY: Final = 0.25
"""As a part of the likeliest reading: one that is less likely does not interrupt the host."""


class Understanding(Protocol):
    """Turns hypotheses into intents (see `voice_host.dialogue`)."""

    def __call__(
        self, utterance: Utterance, speaker: str | None, listening: Listening
    ) -> tuple[tuple[Intent, ...], str | None]:
        """Return the intents, and what is unclear when there are none and somebody meant the host."""


class Endings:
    """Tells by their meaning which readings are complete."""

    def __init__(self, understand: Understanding, listening: Callable[[], Listening]) -> None:
        """Understand as the host does, by what may be said at each moment."""
        self._understand = understand
        self._listening = listening

    def patience(self, texts: tuple[str, ...]) -> float | None:
        """Tell how many seconds of silence end an utterance that reads like this so far."""
        if not texts:
            return None
        listening = self._listening()
        intents, unclear = self._understand(Utterance(0, texts, 0.0, 0.0), None, listening)
        if unclear is not None:
            return INCOMPLETE_SECONDS
        if not intents or any(intent.name == listening.any_speech for intent in intents):
            return TALK_SECONDS
        return 0.0

    def barges_in(self, hypotheses: tuple[Hypothesis, ...]) -> bool:
        """Tell whether what was said so far is complete, and not to wait until the host has spoken."""
        best = max((hypothesis.confidence or 0.0 for hypothesis in hypotheses), default=0.0)
        likely = tuple(one.text for one in hypotheses if (one.confidence or 0.0) >= _LIKELY * best)
        if not likely:
            return False
        intents, _ = self._understand(Utterance(0, likely, 0.0, 0.0), None, self._listening())
        return bool(intents) and all(intent.name in CUTTING for intent in intents)
