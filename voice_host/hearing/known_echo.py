"""What was measured of a loudspeaker's echo before the evening: where to look for it, and how loud it can be at most.

Theory of operation: until the room is learned the ear is half-duplex. Where the leak was measured it need not be deaf meanwhile:
what is much louder than all that the loudspeaker can have left in the microphone is a person. Measurements can be stale,
so all of this only says where to begin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from voice_host.hearing.echo_reference import Reference
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS

POSSIBLE_DELAY_SECONDS: Final = (-0.1, 1.0)
POSSIBLE_LEAK_DB: Final = (-70.0, 30.0)
POSSIBLE_TAIL_SECONDS: Final = (0.0, 3.0)
_LOUDER_DB: Final = 12.0
"""By how much a person is louder than the usual echo: no block of an echo of speech is, in a room that answers unevenly."""
_REVERBERANT_SECONDS: Final = 0.15
"""For so long after a sound its echo may still be nearly as loud."""
_HOLD_BLOCKS: Final = round(0.2 / BLOCK_SECONDS)


@dataclass(frozen=True, slots=True)
class KnownEcho:
    """What was measured; None: that was not."""

    delay_seconds: float | None = None
    "from the moment at which a sound is said to be heard to that at which the microphone is said to hear it"
    leak_db: float | None = None
    "level in the microphone less level of what is played"
    tail_seconds: float | None = None
    heard: bool = True
    "False: the microphone did not hear the loudspeaker at all, and need not be watched for long to believe it again"


UNKNOWN: Final = KnownEcho()


def possible(known: KnownEcho) -> KnownEcho:
    """Return what of it can be true."""
    return KnownEcho(
        _within(known.delay_seconds, POSSIBLE_DELAY_SECONDS),
        _within(known.leak_db, POSSIBLE_LEAK_DB),
        _within(known.tail_seconds, POSSIBLE_TAIL_SECONDS),
        known.heard,
    )


def _within(value: float | None, bounds: tuple[float, float]) -> float | None:
    return value if value is not None and math.isfinite(value) and bounds[0] <= value <= bounds[1] else None


class LouderThanEcho:
    """Finds a person by loudness alone, block by block, while the room is not learned yet."""

    def __init__(self, leak_db: float) -> None:
        """Take the level of the echo less that of what is played."""
        self._leak = 10 ** (leak_db / 10)
        self._louder = False
        self._held = 0

    def expected(self, reference: Reference, start: int, delays: range) -> float:
        """Return the mean square that the echo usually has at most in a block that begins with sample ``start``."""
        first = start - delays[-1] - round(_REVERBERANT_SECONDS * SAMPLE_RATE)
        count = -(-(start + BLOCK_SAMPLES - delays[0] - first) // BLOCK_SAMPLES) * BLOCK_SAMPLES
        played = reference.window(first, count).reshape(-1, BLOCK_SAMPLES)
        return self._leak * float(np.square(played).mean(axis=1).max())

    def is_person(self, block: Samples, expected: float) -> bool:
        """Tell whether somebody speaks in the block, or did a moment ago."""
        louder = float(np.square(block).mean()) > expected * 10 ** (_LOUDER_DB / 10)
        near = louder and (self._louder or self._held > 0)  # a single block is a guess
        self._louder = louder
        self._held = _HOLD_BLOCKS if near else max(0, self._held - 1)
        return self._held > 0
