"""When each frame of a sound stream was captured or is heard, from the jittering times that the sound system tells."""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

_OBSERVATIONS: Final = 15
"""Buffers whose times are compared: a third of a second, so that a jump is followed within half of that."""

_CAPTURE_OBSERVATIONS: Final = 192
"""Buffers of a microphone whose times are compared: three to six seconds, in which some are told in time."""

_LATE_OBSERVATIONS: Final = 64
"""The first one or two seconds of them."""

_EARLY: Final = 48
"""One of so many times may be too early by an error."""

_LATEST_SECONDS: Final = 0.1
"""By so much a time is told late at most."""


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
        self._origin = self._settled()

    def shift(self, frames: int) -> None:
        """Count all frames that will be observed from here on as that many later: so many were lost before them."""
        self._origins = deque((origin - frames / self._rate for origin in self._origins), self._origins.maxlen)
        self._origin = self._settled()

    def time_of(self, frame: int) -> float:
        """Return the time of a frame."""
        return self._origin + frame / self._rate

    def frame_at(self, seconds: float) -> int:
        """Return the frame of a time."""
        return round((seconds - self._origin) * self._rate)

    def _settled(self) -> float:
        return median(self._origins)


class CaptureClock(FrameClock):
    """The same for what is captured, whose buffers come late in turns, but never early.

    PulseAudio's times lie on a line, or some 70 ms after it, for seconds on end: their median jumps from one to the other. The
    earliest ones are steady, though not the very earliest, which may be an error; most are late by what the first seconds tell.
    """

    def __init__(self, rate: int) -> None:
        super().__init__(rate)
        self._origins = deque(maxlen=_CAPTURE_OBSERVATIONS)
        self._late_seconds = 0.0

    def _settled(self) -> float:
        origins = sorted(self._origins)
        early = origins[len(origins) // _EARLY]
        if len(origins) > _OBSERVATIONS:
            lately = [self._origins[place] for place in range(-_OBSERVATIONS, 0)]
            if min(lately) > early + _LATEST_SECONDS:  # frames were lost, or the device has only now begun
                self._origins = deque(lately, _CAPTURE_OBSERVATIONS)
                origins = sorted(lately)
                early = origins[0]
        if len(origins) <= _LATE_OBSERVATIONS:
            self._late_seconds = origins[len(origins) * 3 // 5] - early
        return early + self._late_seconds
