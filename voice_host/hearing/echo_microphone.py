"""A microphone that does not hear the loudspeaker: any other one, with the host's own voice taken out block by block."""

from __future__ import annotations

import contextlib
import logging
import math
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

import numpy as np

from voice_host.hearing.echo import Echo, EchoCanceller
from voice_host.hearing.microphone import Block, Microphone
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS, SileroVoiceActivity, VoiceActivity

_REMEMBERED_BLOCKS: Final = round(40.0 / BLOCK_SECONDS)
"""More than the longest utterance and the time it takes to recognise it."""
_CLOCK_BLOCKS: Final = round(5.0 / BLOCK_SECONDS)
_DRIFT_SAMPLES: Final = 16
"""1 ms, from which the clocks are compared anew in a silence."""
_ASTRAY_SAMPLES: Final = 800
"""50 ms, from which the clocks are compared anew at once: where the echo is expected there is none."""
_SETTLED_BLOCKS: Final = round(0.5 / BLOCK_SECONDS)
_QUIET_SECONDS: Final = 1.5
"""Of silence of the loudspeaker, in which the comparison disturbs nothing."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Remembered:
    power: float
    "mean square of what was passed on"
    echo: float
    "mean square of what may be left of the host's voice"


class EchoFreeMicrophone:
    """Implements the microphone's protocol over another one; `tap` takes what the loudspeaker plays. The loop's thread only."""

    def __init__(self, microphone: Microphone, canceller: EchoCanceller) -> None:
        """Take the device, which stays the caller's to close, and what is known of its echo, which outlives it."""
        self._microphone = microphone
        self._canceller = canceller
        self._remembered: deque[_Remembered] = deque(maxlen=_REMEMBERED_BLOCKS)
        self._count = 0
        self._clock = _Clock()
        self.open = True
        """Whether anybody but the host may be heard in the block that was brought last."""

    @property
    def name(self) -> str:
        """Return the name that the user chose it by."""
        return self._microphone.name

    @property
    def captured_at(self) -> float:
        """Return the loop's time at which the last sample of the block that was brought last was captured."""
        return self._microphone.captured_at

    @property
    def heard_seconds(self) -> float:
        """Return the seconds of audio that were brought since the microphone opened."""
        return self._count * BLOCK_SECONDS

    @property
    def hears_no_loudspeaker(self) -> bool:
        """Tell whether the loudspeaker was looked for and not found, so that nothing is taken out."""
        return self._canceller.echo is Echo.NONE

    def tap(self, samples: Samples, heard_at: float) -> None:
        """Take what the loudspeaker plays (mono, 16 kHz) and the loop's time at which its first sample is heard."""
        self._canceller.reference.play(samples, heard_at)

    def begin_anew(self) -> None:
        """Forget how the loudspeaker is heard and how the clocks compare: one of them was lost and is back, or was moved."""
        self._canceller.begin_anew()
        self._clock = _Clock()

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block without the host's voice; one in which nobody else speaks is silent, and not `open`."""
        self._clock = _Clock()
        self._count = 0
        self._remembered.clear()
        async with contextlib.aclosing(self._microphone.blocks()) as blocks:
            async for block in blocks:
                clock = self._clock
                clock.tick(self._microphone.captured_at)
                if clock.astray:
                    clock.adjust()
                    self._canceller.begin_anew()
                elif not self._canceller.reference.sounds(
                    clock.start - round(_QUIET_SECONDS * SAMPLE_RATE), clock.start
                ):
                    clock.adjust()
                cleared = self._canceller.hear(block, clock.start)
                self.open = cleared.open
                self._count += 1
                self._remembered.append(_Remembered(float(np.square(cleared.samples).mean()), cleared.echo))
                yield cleared.samples

    def close(self) -> None:
        """Let the device go; may be called twice."""
        self._microphone.close()

    def above_echo_db(self, started: float, ended: float) -> float:
        """Return how much louder than what may be left of the host's voice it was between two seconds of this audio.

        In decibels; infinite where the host was silent, or is not heard by this microphone.
        """
        first = self._count - len(self._remembered)
        begin, end = round(started / BLOCK_SECONDS) - first, round(ended / BLOCK_SECONDS) - first
        stretch = list(self._remembered)[max(0, begin) : max(0, end)]
        echo = sum(block.echo for block in stretch)
        if not echo:
            return math.inf
        return 10 * math.log10(max(1e-12, sum(block.power for block in stretch)) / echo)


class NearVoiceActivity:
    """A voice detector that hears no voice where nobody but the host is heard."""

    def __init__(self, microphone: EchoFreeMicrophone, detector: VoiceActivity | None = None) -> None:
        """Listen to the blocks of this microphone, each as soon as it was brought."""
        self._microphone = microphone
        self._detector = detector or SileroVoiceActivity()

    def probability(self, block: Samples) -> float:
        """Return how likely (0..1) the block holds speech that is not the host's."""
        return self._detector.probability(block) if self._microphone.open else 0.0

    def reset(self) -> None:
        """Forget the blocks heard so far."""
        self._detector.reset()


class _Clock:
    """Counts the blocks of one microphone on the loop's clock, to the sample."""

    def __init__(self) -> None:
        self._count = 0
        self._origins: deque[int] = deque(maxlen=_CLOCK_BLOCKS)
        self._origin: int | None = None

    @property
    def start(self) -> int:
        """Return the sample of the clock at which the present block began."""
        return (self._origin or 0) + (self._count - 1) * BLOCK_SAMPLES

    def tick(self, captured_at: float) -> None:
        """Count a block whose last sample was captured at this second."""
        self._count += 1
        self._origins.append(round(captured_at * SAMPLE_RATE) - self._count * BLOCK_SAMPLES)
        if self._origin is None:
            self._origin = self._origins[0]

    @property
    def astray(self) -> bool:
        """Tell whether the blocks come at quite another time than they are counted for: a device that has just begun tells wrong ones."""
        return len(self._origins) >= _SETTLED_BLOCKS and abs(self._ahead) >= _ASTRAY_SAMPLES

    def adjust(self) -> None:
        """Follow the clock: whoever compares later or earlier than usual is late, so the middle of many is true."""
        if self._origin is None or abs(self._ahead) < _DRIFT_SAMPLES:
            return
        _log.debug("the clocks differ by %d samples more", self._ahead)
        self._origin += self._ahead

    @property
    def _ahead(self) -> int:
        """Return by how many samples the blocks come later than they are counted for."""
        return sorted(self._origins)[len(self._origins) // 2] - (self._origin or 0)
