"""What can fail in the middle of an evening, and how often the table is told of it; pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FAULTS: Final = (
    "microphone_lost",
    "microphone_silent",
    "loudspeaker_lost",
    "recognizer_lost",
    "voice_lost",
    "machine_slow",
    "machine_slept",
)
"""The reasons for which the clock is stopped without being asked, which are also the prompts that say so."""

BACK: Final[Mapping[str, str]] = {"loudspeaker_lost": "loudspeaker_back", "voice_lost": "voice_back"}
"""What is said when the evening goes on after a fault that could not be said aloud; "on we go" after the others."""

NEWS_SECONDS: Final = 30.0
"""How long the table is not told again of a fault that it was told of: a loose cable does not nag."""


class FaultNews:
    """Knows of which faults the table was told, in seconds of the evening."""

    def __init__(self) -> None:
        self._told_at: dict[str, float] = {}
        self._told = False

    def is_news(self, reason: str, now: float) -> bool:
        """Tell whether the table shall be told of a fault now; it is then taken to be."""
        told_at = self._told_at.get(reason)
        if told_at is not None and now - told_at < NEWS_SECONDS:
            return False
        self._told_at[reason] = now
        self._told = True
        return True

    def end(self) -> bool:
        """End the pause; tells whether the table was told of anything in it."""
        told, self._told = self._told, False
        return told
