"""Takes the host's own voice out of what the microphone hears, and tells in which blocks nobody else speaks.

Theory of operation: as long as it is not known how the loudspeaker is heard, the ear is half-duplex: closed while something plays,
and for the tail after it. Meanwhile what is played is looked for in what is heard. Not found, loud as it was: the microphone hears
no loudspeaker (`Echo.NONE`), and everything passes untouched. Found: an adaptive filter learns the room from the seconds that are
kept; as soon as it explains most of what was heard it is trusted (`Echo.CANCELLED`): its prediction is taken off, and the ear is
closed only for blocks in which what remains is no louder than what usually remains of an echo that strong. A person who speaks over
the host is louder than that and is heard. When the prediction is of no use any more, everything begins anew.

Where the echo was measured before, its delay is looked for there first, and the half-duplex ear opens for what is much louder than
the echo can be (`voice_host.hearing.known_echo`). What does not agree with what is heard is forgotten.

Counts samples on a clock that its caller gives; asks no clock, knows no device.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from voice_host.hearing.adaptive_filter import AdaptiveFilter
from voice_host.hearing.echo_alignment import Alignment
from voice_host.hearing.echo_reference import Match, Reference, find
from voice_host.hearing.known_echo import UNKNOWN, KnownEcho, LouderThanEcho, possible
from voice_host.hearing.near_end import NearEnd
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS

FILTER_SECONDS: Final = 0.384
"""How much of the room's answer is learned."""
DELAY_SECONDS: Final = (-0.1, 0.6)
"""From the told to the true time at which the microphone hears the loudspeaker; wireless ones are late, and some microphones tell too early times."""
TAIL_SECONDS: Final = 0.5
"""In which the sound of a room falls by 60 dB, where nobody has measured it."""

_SURE: Final = 6.5
"""Sharpness of a match from which it is none by chance: in talk without an echo at most 5 was measured, with one 4 to 36."""
_CHANCE: Final = 3.5
"""Sharpness of a match that is believed when the next one is the same."""
_SAME_DELAY_SAMPLES: Final = 24
_KEPT_BLOCKS: Final = round(3.0 / BLOCK_SECONDS)
_FIRST_LOOK_BLOCKS: Final = round(0.8 / BLOCK_SECONDS)
_LOOK_BLOCKS: Final = round(0.5 / BLOCK_SECONDS)
"""Blocks in which something is played, between two searches for it."""
_NOT_HEARD_BLOCKS: Final = round(2.0 / BLOCK_SECONDS)
"""Of played sound that is not found in quiet, after which the microphone hears no loudspeaker. What is loud and not found may be
the host after all, at a time that a restarted device has told wrong: the ear stays half-duplex."""
_QUIET: Final = 0.03
"""-30 dB: nobody talks when all that is heard is that much quieter than what is played."""
_NO_LEAK: Final = 0.003
"""-50 dB: an echo that cannot be louder than this is none."""
_STALE_DB: Final = 6.0
"""A leak that differs so much from what was measured is another one now."""
_DOUBT: Final = 0.16
"""8 dB: a person who is known by loudness alone counts as no louder than that, so that the words decide, too."""
_SILENCE: Final = 1e-9
_PASSES: Final = 2
"""How often the filter learns from the seconds that are kept."""
_TRUSTED_DB: Final = -6.0
"""What remains of the echo in the best quarter of the blocks when the filter begins to be trusted, and ..."""
_USELESS_DB: Final = -3.0
"""... when it is not any more."""
_SUPPRESSED: Final = 0.3
"""-10 dB: what is left of a block in which nobody but the host is heard."""
_LEAD_SAMPLES: Final = 128
"""The filter begins this much before the echo: the strongest sound is not always the first."""


class Echo(Enum):
    """What is known of how the microphone hears the loudspeaker."""

    UNKNOWN = "unknown"
    NONE = "none"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, eq=False)
class Cleared:
    """One block without the echo."""

    samples: Samples
    echo: float
    "mean square of what may be left of the host's voice; 0 when the host is silent"
    open: bool = True
    "False: nobody but the host can be heard in it"


_log = logging.getLogger(__name__)


class EchoCanceller:
    """Clears one microphone of one loudspeaker; all its methods belong to one thread."""

    def __init__(self, known: KnownEcho = UNKNOWN) -> None:
        """Begin with what was measured before."""
        self.reference = Reference()
        self._known = possible(known)
        self._tail_seconds = max(TAIL_SECONDS, self._known.tail_seconds or 0.0)
        self._tail = round(self._tail_seconds * SAMPLE_RATE)
        self._partitions = round(FILTER_SECONDS / BLOCK_SECONDS)
        self.begin_anew()
        self._delays = _delays(self._known.delay_seconds)
        if not self._known.heard:
            self._unheard_blocks = _FIRST_LOOK_BLOCKS

    def begin_anew(self) -> None:
        """Forget what was learned, because another microphone or loudspeaker is used, or one of them was moved."""
        self.echo = Echo.UNKNOWN
        self._delays = _delays(None)  # it need not be where it was measured any more
        self._unheard_blocks = _NOT_HEARD_BLOCKS
        self._agreed = False
        """whether what was heard so far agrees with the measured leak"""
        self._louder = None if self._known.leak_db is None else LouderThanEcho(self._known.leak_db)
        self._delay = 0
        self._filter = AdaptiveFilter(BLOCK_SAMPLES, self._partitions)
        self._near = NearEnd(self._tail_seconds)
        self._alignment = Alignment()
        self._heard: deque[tuple[int, Samples]] = deque(maxlen=_KEPT_BLOCKS)
        self._sounded = 0
        self._found: Match | None = None
        self._next_look = _FIRST_LOOK_BLOCKS
        self._was_silent = True

    def hear(self, block: Samples, start: int) -> Cleared:
        """Clear the next block, whose first sample was heard at this sample of the reference's clock."""
        if self.echo is Echo.CANCELLED:
            return self._cancel(block, start)
        self._look_for(block, start)
        return Cleared(block, 0.0) if self.echo is Echo.NONE else self._close(block, start)

    # -------------------------------------------------------------------------------------------------------- learning

    def _close(self, block: Samples, start: int) -> Cleared:
        """Half-duplex: hear nothing while the loudspeaker may be heard, but what is louder than that."""
        usual = _delays(None)  # where the echo was measured it need not be any more
        first, last = min(usual[0], self._delays[0]), max(usual[-1], self._delays[-1])
        if not self.reference.sounds(start - last - self._tail, start + BLOCK_SAMPLES - first):
            return Cleared(block, 0.0)
        if self._louder is not None and self._agreed:
            expected = self._louder.expected(self.reference, start, range(first, last + 1))
            if self._louder.is_person(block, expected):
                return Cleared(block, max(expected, _DOUBT * _power(block)))
        return Cleared(np.zeros_like(block), _power(block), open=False)

    def _look_for(self, block: Samples, start: int) -> None:
        """Keep what is heard, and look now and then for what plays in it."""
        if self._heard and self._heard[-1][0] + BLOCK_SAMPLES != start:
            self._heard.clear()  # the clocks were compared anew
        self._heard.append((start, block))
        self._sounded += self.reference.sounds(start, start + BLOCK_SAMPLES)
        if self._sounded >= self._next_look:
            self._next_look = self._sounded + _LOOK_BLOCKS
            self._decide()

    def _decide(self) -> None:
        """Search what is kept; a weak match counts when what was heard before, of which nothing is kept, had the same."""
        heard = np.concatenate([block for _, block in self._heard])
        found = find(self.reference, heard, self._heard[0][0], self._delays)
        told = (self._sounded * BLOCK_SECONDS, found.delay, found.sharpness, found.leak)
        _log.info("echo after %.1f s of speech: %d samples later, sharpness %.1f, at most %.4f of it", *told)
        self._compare(found)
        before, complete = self._found, len(self._heard) == _KEPT_BLOCKS
        again = complete and before is not None and abs(found.delay - before.delay) <= _SAME_DELAY_SAMPLES
        if found.leak >= _NO_LEAK and (found.sharpness >= _SURE or (again and found.sharpness >= _CHANCE)):
            self.echo = Echo.UNKNOWN  # even if there was none before: now there is one, half-duplex until it is known
            self._learn(found)
        elif found.leak < _NO_LEAK or (found.leak < _QUIET and self._sounded >= self._unheard_blocks):
            self.echo = Echo.NONE
        if complete:
            self._found = found
            self._heard.clear()

    def _compare(self, found: Match) -> None:
        """Forget what was measured where it is not so any more: nobody knows then what is too loud for an echo."""
        if found.sharpness >= _SURE:
            leak_db, known_db = 20 * math.log10(found.leak + _SILENCE), self._known.leak_db
            self._agreed = known_db is not None and -_STALE_DB <= leak_db - known_db <= _STALE_DB
        elif found.leak >= _QUIET and self._sounded >= _NOT_HEARD_BLOCKS:
            self._delays, self._agreed = _delays(None), False

    def _learn(self, found: Match) -> None:
        """Let the filter learn from the seconds that are kept, and trust it when it explains most of a quarter of them."""
        self._delay = found.delay - _LEAD_SAMPLES
        self._filter = AdaptiveFilter(BLOCK_SAMPLES, self._partitions, found.leak)
        for _ in range(_PASSES):
            self._filter.forget_sound()
            near = NearEnd(self._tail_seconds)
            for start, block in self._heard:
                echo = self._filter.predict(self._played(start))
                self._filter.learn(block - echo)
                near.judge(_power(echo), _power(block - echo))
        if near.best_db is not None and near.best_db <= _TRUSTED_DB:
            _log.info("the echo is cancelled but for %.1f dB", near.best_db)
            self.echo, self._near = Echo.CANCELLED, near

    # ------------------------------------------------------------------------------------------------------ cancelling

    def _cancel(self, block: Samples, start: int) -> Cleared:
        """Take off the predicted echo, and close the ear where nothing else is heard."""
        if not self.reference.sounds(self._earliest(start) - self._tail, start - self._delay + BLOCK_SAMPLES):
            self._was_silent = True
            self._near.hear_room(_power(block))
            return Cleared(block, 0.0)
        if self._was_silent:
            self._was_silent = False
            self._near.begin()
            self._filter.forget_sound()
            self._alignment.begin(after_silence=True)
        elif self.reference.begins(start - self._delay, start - self._delay + BLOCK_SAMPLES):
            self._alignment.begin(after_silence=False)
        echo = self._filter.predict(self._played(start))
        residual = block - echo
        if not self._alignment.pending and not self._alignment.doubtful:
            self._filter.learn(residual)
        if shift := self._alignment.follow(echo, block):
            self._shift(shift, start)
        if self._alignment.lost:
            _log.info("the echo is not where it was: half-duplex until it is found again")
            self.begin_anew()
            return self._close(block, start)
        judged = self._near.judge(_power(echo), _power(residual), doubtful=self._alignment.doubtful)
        if self._near.best_db is not None and self._near.best_db >= _USELESS_DB:
            _log.info("the echo is not what it was: half-duplex until it is known again")
            self.begin_anew()
        if not judged.near:  # not to nothing: it may be the first, soft sound of somebody's word
            spoken = 1 - judged.expected / (_power(residual) + _SILENCE)
            residual = residual * np.float32(math.sqrt(max(_SUPPRESSED**2, spoken)))
        return Cleared(residual, judged.expected, open=judged.near)

    def _shift(self, samples: int, start: int) -> None:
        """Read the reference that much earlier, and give the filter the history that belongs to it."""
        self._delay += samples
        self._filter.forget_sound()
        for back in range(self._partitions, -1, -1):
            self._filter.predict(self._played(start - back * BLOCK_SAMPLES))

    def _played(self, start: int) -> Samples:
        return self.reference.window(start - self._delay, BLOCK_SAMPLES)

    def _earliest(self, start: int) -> int:
        """Return the sample of the reference from which on it can still be heard."""
        return start - self._delay - self._partitions * BLOCK_SAMPLES


def _delays(known_seconds: float | None) -> range:
    """Return where the echo is looked for, in samples."""
    first, last = DELAY_SECONDS if known_seconds is None else (known_seconds - 0.1, known_seconds + 0.2)
    return range(round(first * SAMPLE_RATE), round(last * SAMPLE_RATE))


def _power(block: Samples) -> float:
    return float(np.square(block).mean())
