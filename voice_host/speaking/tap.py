"""What the room hears, brought to the rate of a tap piece by piece, each with the time at which it is heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import soxr

from voice_host.speaking.clip import Samples

TAP_RATE: Final = 16_000
"""Samples per second of what a `Tap` is given."""

Tap = Callable[[Samples, float], None]
"""Given, on the loop, what the room hears (mono, `TAP_RATE`) and the loop's time at which its first sample is heard.

Pieces come in order and without a gap while something sounds; where none comes, the room hears nothing.
"""


class Taps:
    """Several taps as one."""

    def __init__(self) -> None:
        self._taps: dict[str, Tap] = {}

    def add(self, name: str, tap: Tap) -> None:
        """Let one more listen, in the place of the one of that name."""
        self._taps[name] = tap

    def __call__(self, samples: Samples, heard_at: float) -> None:
        """Tell all of them."""
        for tap in self._taps.values():
            tap(samples, heard_at)


class TapConverter:
    """Converts stretches of sound for a tap; a stretch is what sounds without a gap."""

    def __init__(self, sample_rate: int, tap: Callable[[], Tap | None]) -> None:
        """Expect samples at this rate; ``tap`` tells whom to give them to, at each piece anew."""
        self._rate = sample_rate
        self._tap = tap
        self._resampler: Any = None
        self._taken = self._given = 0
        self._heard_to = 0.0

    def piece(self, samples: Samples, heard_at: float) -> None:
        """Hand on the next samples of a stretch, whose first one is heard at that time of the loop."""
        if self._tap() is None:
            self._resampler = None
            return
        if self._resampler is None:
            # The fastest of the linear-phase qualities: a listener wants to know of a sound before it comes back to it.
            self._resampler = soxr.ResampleStream(self._rate, TAP_RATE, 1, dtype="float32", quality="LQ")
            self._taken = self._given = 0
        self._heard_to = heard_at + len(samples) / self._rate
        self._taken += len(samples)
        self._give(self._resampler.resample_chunk(np.ascontiguousarray(samples, np.float32)))

    def end(self) -> None:
        """End the stretch: hand on what the resampler kept back."""
        if self._resampler is not None:
            self._give(self._resampler.resample_chunk(np.zeros(0, np.float32), last=True))
            self._resampler = None

    def _give(self, converted: Samples) -> None:
        tap = self._tap()
        at = self._heard_to + self._given / TAP_RATE - self._taken / self._rate
        self._given += len(converted)
        if tap is not None and len(converted):
            tap(converted, at)
