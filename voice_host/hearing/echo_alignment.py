"""Whether the echo comes when it is predicted: two clocks drift, most of all while nothing plays, and restarted devices jump."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

from voice_host.hearing.sound_files import Samples

_BLOCKS: Final = 8
_PAUSE: Final = 16
"""Blocks until the next comparison."""
_FADING: Final = 6
"""Blocks in which what was played before a gap is louder than what comes after it."""
_REACH: Final = 400
"""Samples, 25 ms: how far the echo is looked for from where it is predicted."""
_SURE: Final = 0.5
"""Correlation from which a shift is believed."""
_SAME: Final = 2
"""Samples of a shift that is none."""
_REMEMBERED: Final = 6
"""Beginnings that tell whether the clocks can be believed."""
_MOST_UNSURE: Final = 3
"""Comparisons without a belief, after which what remains is measured all the same."""
_PLACED: Final = 0.4
"""Of a predicted echo, how much must be in what is heard; all of it is, where the prediction is right, whoever speaks over it."""
_COMPARABLE: Final = 10.0
"""As a ratio of powers: what is that much louder than the prediction hides whether the prediction is in it."""
_AUDIBLE: Final = 1e-9
"""Mean square (-90 dBFS) of a prediction that can be compared."""


class Alignment:
    """Compares prediction and sound again and again."""

    def __init__(self) -> None:
        self.pending = False
        "whether it is not known yet if what is played now comes when it is expected"
        self.doubtful = False
        "whether that is not known, and some of what was played lately did not; or the prediction was not found in what was heard"
        self.lost = False
        "whether it was not found twice on end"
        self._missing = False
        self._lately: deque[bool] = deque([True], _REMEMBERED)
        self._unsure = 0
        self._resting = 0
        self._pairs: list[tuple[Samples, Samples]] = []

    def begin(self, *, after_silence: bool) -> None:
        """Be told that the host begins to speak, or goes on after a gap, in which the room still sounds of what was before."""
        self.pending = True
        self.doubtful = self._missing or any(self._lately)
        if after_silence:
            self._missing = False  # short sounds of one pitch may each be missed, and nothing is lost
        self._pairs, self._resting, self._unsure = [], 0 if after_silence else _FADING, 0

    def follow(self, echo: Samples, heard: Samples) -> int:
        """Take a block's predicted and true sound; returns by how many samples it is heard later than predicted, once known."""
        self._resting = max(0, self._resting - 1)
        if not self._resting and (self._pairs or float(np.square(echo).mean()) > _AUDIBLE):
            self._pairs.append((echo, heard))
        if len(self._pairs) < _BLOCKS:
            return 0
        predicted = np.concatenate([one for one, _ in self._pairs])
        true = np.concatenate([one for _, one in self._pairs])
        self._pairs = []
        shift = _best_shift(predicted, true)
        missing = shift is None and _is_missing(predicted, true)
        self.lost = missing and self._missing
        self._missing = missing
        self._unsure += shift is None
        if self.pending and shift is None and self._unsure < _MOST_UNSURE:
            self.doubtful = self.doubtful or missing
            return 0  # somebody speaks, or it comes at quite another time
        if self.pending and shift is not None:
            self._lately.append(abs(shift) > _SAME)
        self.pending, self.doubtful = False, missing
        self._resting = _PAUSE
        return shift or 0


def _is_missing(predicted: Samples, true: Samples) -> bool:
    """Tell whether the prediction is certainly not in the sound."""
    energy = float(np.square(predicted).sum()) + 1e-12
    comparable = float(np.square(true).sum()) <= _COMPARABLE * energy  # else somebody may speak over it
    return comparable and float(predicted @ true) < _PLACED * energy


def _best_shift(predicted: Samples, true: Samples) -> int | None:
    """Return by how many samples the true sound is later; None where it is not surely known."""
    size = 1 << (len(true) + _REACH).bit_length()
    both = np.fft.irfft(np.fft.rfft(true, size) * np.conj(np.fft.rfft(predicted, size)))
    scale = np.sqrt(np.square(predicted).sum() * np.square(true).sum()) + 1e-12
    around = np.concatenate([both[-_REACH:], both[: _REACH + 1]]) / scale
    best = int(around.argmax())
    if around[best] < _SURE:
        return None
    return best - _REACH if around[best] > 1.01 * around[_REACH] else 0
