"""Nothing but zeros: a fault of a microphone that always brought at least noise, and normal for one that did not."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

MUTE_SECONDS: Final = 1.5
"""Zeros for so long are a fault."""

PROBATION_SECONDS: Final = 30.0
"""How long a microphone must never have been silent, before its silence is a fault."""

NATURAL_SECONDS: Final = 0.1
"""Zeros for so long within that time are a microphone's nature: a virtual card, a noise gate."""


class DigitalSilence:
    """Follows one microphone, also over its reopenings."""

    def __init__(self) -> None:
        self._natural = False
        self._trusted_seconds = 0.0
        self._zero_seconds = 0.0
        self._switched_off = False
        self.waiting_for_sound = False
        """True after it was mute, until it brings anything but zeros, or was switched on."""

    def begun(self, frames: NDArray[np.float32], rate: int, *, switched_off: bool) -> bool:
        """Take the next frames; tell whether the microphone has just become mute, by itself or because it was switched off."""
        sounding = np.flatnonzero(frames.any(axis=1))
        zeros = self._zero_seconds + (int(sounding[0]) if len(sounding) else len(frames)) / rate
        self._zero_seconds = zeros if not len(sounding) else (len(frames) - 1 - int(sounding[-1])) / rate
        if self.waiting_for_sound:
            self.waiting_for_sound = switched_off if self._switched_off else not len(sounding)
            return False
        self._switched_off = switched_off
        if not self._natural and self._trusted_seconds < PROBATION_SECONDS:
            self._natural = zeros >= NATURAL_SECONDS and self._trusted_seconds > 0
            self._trusted_seconds += len(frames) / rate if len(sounding) else 0.0
        trusted = not self._natural and self._trusted_seconds >= PROBATION_SECONDS
        self.waiting_for_sound = switched_off or (trusted and self._zero_seconds >= MUTE_SECONDS)
        return self.waiting_for_sound
