"""When each frame of a sound stream was captured or is heard, from the jittering times that the sound system tells."""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

_OBSERVATIONS: Final = 15
"""Buffers whose times are compared: a third of a second, so that a jump is followed within half of that."""


class FrameClock:
    """Maps frames to seconds: the median of what the last buffers said, so that one late callback moves nothing."""

    def __init__(self, rate: int) -> None:
        """Expect that many frames a second."""
        self._rate = rate
        self._origins: deque[float] = deque(maxlen=_OBSERVATIONS)
        self._origin = 0.0

    def observe(self, frame: int, seconds: float) -> None:
        """Be told at which time a frame was captured, or is heard."""
        self._origins.append(seconds - frame / self._rate)
        self._origin = median(self._origins)

    def shift(self, frames: int) -> None:
        """Count all frames that will be observed from here on as that many later: so many were lost before them."""
        self._origins = deque((origin - frames / self._rate for origin in self._origins), maxlen=_OBSERVATIONS)
        self._origin = median(self._origins)

    def time_of(self, frame: int) -> float:
        """Return the time of a frame."""
        return self._origin + frame / self._rate

    def frame_at(self, seconds: float) -> int:
        """Return the frame of a time."""
        return round((seconds - self._origin) * self._rate)
