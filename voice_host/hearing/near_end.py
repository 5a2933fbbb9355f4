"""Tells whether a person speaks while the host does, from how much remains of the echo where nobody else does."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

from voice_host.hearing.voice_activity import BLOCK_SECONDS

MARGIN_DB: Final = 4.0
"""By how much a person is louder than what may remain of the echo."""
_FIRST_DB: Final = -8.0
"""What remains at best, before it was measured."""
_WINDOW: Final = round(4.0 / BLOCK_SECONDS)
_LEAST_WINDOW: Final = round(1.0 / BLOCK_SECONDS)
_SPREAD_DB: Final = (8.0, 13.0)
"""By how much more than in the best quarter of the blocks may remain: what is measured, within these bounds."""
_DOUBTFUL_DB: Final = 6.0
"""What a prediction that comes too early or too late may leave: twice the amplitude of the echo."""
_HOLD_BLOCKS: Final = 6
"""0.2 s: between two syllables a person is silent and goes on."""
_DECAY_DB: Final = 60.0
"""Loss of a room's sound by which its tail is measured."""
_AUDIBLE: Final = 1e-8
"""Mean square (-80 dBFS) of an echo of which the rest can be measured."""
_SILENT: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one block holds."""

    near: bool
    "a person speaks, or spoke a moment ago"
    expected: float
    "mean square of what may remain of the host's voice"


class NearEnd:
    """Follows one microphone block by block.

    What remains of the echo is known from the blocks in which nobody speaks. Nobody knows which these are, but even
    of a lively table a quarter of them is quiet: what remains in the best quarter is the measure.
    """

    def __init__(self, tail_seconds: float) -> None:
        """Take the seconds in which the room's sound falls by 60 dB."""
        self._fading = 10 ** (-_DECAY_DB / 10 * BLOCK_SECONDS / max(tail_seconds, BLOCK_SECONDS))
        self._lingering = 0.0
        self._remains: deque[float] = deque(maxlen=_WINDOW)
        self._quiet: deque[float] = deque(maxlen=_WINDOW)
        self._noise = 0.0
        self._held = 0
        self._louder = False
        self._best_db = _FIRST_DB
        self._usual_db = _FIRST_DB + _SPREAD_DB[1]

    @property
    def best_db(self) -> float | None:
        """Return what remains in the best quarter of the last blocks, in decibels of the echo; None before it is known."""
        return self._best_db if len(self._remains) >= _LEAST_WINDOW else None

    def hear_room(self, power: float) -> None:
        """Take the mean square of a block in which the host is silent."""
        self._quiet.append(power)

    def begin(self) -> None:
        """Be told that the host begins to speak after a silence, in which the room was as loud as its quieter blocks."""
        self._held, self._louder, self._lingering = 0, False, 0.0
        self._noise = sorted(self._quiet)[len(self._quiet) // 4] if self._quiet else 0.0

    def judge(self, echo: float, residual: float, *, doubtful: bool = False) -> Judgement:
        """Judge a block by the mean squares of the predicted echo and of what remains; a doubtful prediction may take off nothing."""
        self._lingering = max(echo, self._lingering * self._fading)
        if self._lingering > _AUDIBLE and not doubtful:
            self._measure(10 * math.log10((residual + _SILENT) / self._lingering))
        usual_db = max(self._usual_db, _DOUBTFUL_DB) if doubtful else self._usual_db
        expected = self._lingering * 10 ** (usual_db / 10) + self._noise + _SILENT
        louder = residual > expected * 10 ** (MARGIN_DB / 10)
        near = louder and (self._louder or self._held > 0)  # a single block is a guess
        self._louder = louder
        self._held = _HOLD_BLOCKS if near else max(0, self._held - 1)
        return Judgement(self._held > 0, expected)

    def _measure(self, remains_db: float) -> None:
        self._remains.append(remains_db)
        if len(self._remains) >= _LEAST_WINDOW:
            ordered = sorted(self._remains)
            best, middle = ordered[len(ordered) // 4], ordered[len(ordered) // 2]
            self._best_db = best
            spread = max(_SPREAD_DB[0], 2.5 * (middle - best)) if len(self._remains) == _WINDOW else _SPREAD_DB[1]
            self._usual_db = best + min(_SPREAD_DB[1], spread)
