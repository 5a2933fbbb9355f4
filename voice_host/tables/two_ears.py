"""Two ears at one table: the dreamer's own microphone, and the one on the table; each utterance belongs to one of them.

Theory of operation
-------------------
Whoever speaks is heard by both, so each utterance comes twice. It belongs to the ear at which it was louder, measured by how
loud speech usually is there: a dreamer is as loud as ever at both, and then counts as the dreamer; a giver is as loud as ever on
the table, and faint at the dreamer's. What one ear was given the other one is not, so that nothing counts twice and nothing is lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

import numpy as np

from voice_host.hearing.microphone import Block, Microphone
from voice_host.hearing.recognizers import Capabilities, Recognition, Recognizer
from voice_host.hearing.sound_files import Samples
from voice_host.hearing.voice_activity import BLOCK_SECONDS

TABLE: Final = "table"
DREAMER: Final = "dreamer"

MARGIN_DB: Final = 4.0
"""How much fainter than usual, compared with the table's, the dreamer's ear may hear a dreamer."""
USUAL_DBFS: Final = -35.0
"""How loud speech is at an ear that has heard none yet."""
_FORGETS_DB: Final = 1.0
"""By how much the usual level comes down with each fainter utterance of the ear."""
_KEPT_SECONDS: Final = 90.0
_SAME: Final = 0.5
"""Utterances of two ears are one when they share so much of their time."""


@dataclass(frozen=True, slots=True)
class _Given:
    """An utterance that was given to an ear."""

    ear: str
    started: float
    ended: float

    def is_twin_of(self, ear: str, started: float, ended: float) -> bool:
        """Tell whether it is what an ear has heard in that time; a guess amid the talk on the table is the dreamer's own."""
        shared = min(self.ended, ended) - max(self.started, started)
        lengths = (self.ended - self.started, ended - started)
        return shared > _SAME * (max(lengths) if (ear, self.ear) == (DREAMER, TABLE) else min(lengths))


class _Meter:
    """How loud it was at one ear, block by block."""

    def __init__(self) -> None:
        self.usual = USUAL_DBFS
        self._blocks: deque[tuple[float, float]] = deque(maxlen=round(_KEPT_SECONDS / BLOCK_SECONDS))

    def feed(self, second: float, block: Block) -> None:
        self._blocks.append((second, float(np.mean(np.square(block, dtype=np.float64)))))

    def level(self, started: float, ended: float) -> float:
        """Return how loud (dBFS) most of a stretch was: somebody else may have fallen into it."""
        powers = [power for second, power in self._blocks if started <= second <= ended]
        return float(10 * np.log10(np.median(powers) + 1e-12)) if powers else -120.0

    def learn(self, level: float) -> None:
        """Take an utterance of this ear into account."""
        self.usual = max(level, self.usual - _FORGETS_DB)


class TwoEars:
    """Decides to which ear each utterance belongs; seconds are the evening's."""

    def __init__(self, recognizer: Recognizer, look_again: Callable[[Samples, Recognition], Recognition]) -> None:
        """Take the recogniser that both share, and what weighs its readings a second time."""
        self.recognizer = SharedRecognizer(recognizer, look_again)
        self._meters = {TABLE: _Meter(), DREAMER: _Meter()}
        self._given: deque[_Given] = deque(maxlen=32)
        self._open: set[str] = set()

    def metered(self, ear: str, microphone: Microphone, now: Callable[[], float]) -> Microphone:
        """Return the ear's microphone with a look at how loud it is; ``now`` tells the second of the evening."""
        return _Metered(microphone, self._meters[ear], now)

    def one(self, ear: str, dreamer: Callable[[], str | None]) -> OneEar:
        """Return what listening with one of them takes; ``dreamer`` tells who wears the microphone now."""
        self._open.add(ear)
        return OneEar(ear, self, dreamer)

    def close(self, ear: str) -> bool:
        """Be told that an ear hears nothing any more; tells whether it was the last one."""
        self._open.discard(ear)
        return not self._open

    def belongs_to(self, ear: str, started: float, ended: float) -> bool:
        """Tell whether what this ear has heard in that time is its own."""
        known = next((given for given in self._given if given.is_twin_of(ear, started, ended)), None)
        if known is None:
            known = _Given(self._louder(started, ended), started, ended)
            self._given.append(known)
            meter = self._meters[known.ear]
            meter.learn(meter.level(started, ended))
        return known.ear == ear

    def _louder(self, started: float, ended: float) -> str:
        below = {ear: max(0.0, meter.usual - meter.level(started, ended)) for ear, meter in self._meters.items()}
        return DREAMER if below[DREAMER] <= below[TABLE] + MARGIN_DB else TABLE


@dataclass(frozen=True, slots=True)
class OneEar:
    """Implements `voice_host.tables.listening.Whose` for one of two ears."""

    name: str
    _ears: TwoEars
    _dreamer: Callable[[], str | None]

    @property
    def recognizer(self) -> Recognizer:
        """Return the recogniser that both ears share."""
        return self._ears.recognizer

    def metered(self, microphone: Microphone, now: Callable[[], float]) -> Microphone:
        """Return the microphone with a look at how loud it is at this ear; ``now`` tells the second of the evening."""
        return self._ears.metered(self.name, microphone, now)

    def speaker(self) -> str | None:
        """Return who speaks into this microphone, if only one can."""
        return self._dreamer() if self.name == DREAMER else None

    def not_by(self) -> str | None:
        """Return who does not, because that player's own microphone would have told."""
        return self._dreamer() if self.name == TABLE else None

    def claims(self, started: float, ended: float) -> bool:
        """Tell whether an utterance belongs to this ear."""
        return self._ears.belongs_to(self.name, started, ended)

    def ended(self) -> bool:
        """Tell, at the end of the microphone, whether nobody can be heard any more."""
        return self._ears.close(self.name)


class _Metered:
    """A microphone that shows each of its blocks to a meter."""

    def __init__(self, microphone: Microphone, meter: _Meter, now: Callable[[], float]) -> None:
        self._microphone = microphone
        self._meter = meter
        self._now = now

    @property
    def name(self) -> str:
        return self._microphone.name

    @property
    def captured_at(self) -> float:
        return self._microphone.captured_at

    async def blocks(self) -> AsyncGenerator[Block, None]:
        async for block in self._microphone.blocks():
            self._meter.feed(self._now() - BLOCK_SECONDS, block)
            yield block

    def close(self) -> None:
        self._microphone.close()


class SharedRecognizer:
    """One recogniser for two ears: whole utterances, one at a time; closing it is its owner's."""

    def __init__(self, recognizer: Recognizer, look_again: Callable[[Samples, Recognition], Recognition]) -> None:
        self._recognizer = recognizer
        self._look_again = look_again
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Return the engine's name."""
        return self._recognizer.name

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the codes of the languages."""
        return self._recognizer.languages

    @property
    def capabilities(self) -> Capabilities:
        """Return what is left: two voices at once cannot be streamed into one engine."""
        return Capabilities(n_best=self._recognizer.capabilities.n_best)

    def recognize(self, samples: Samples) -> Recognition:
        """Return the hypotheses for one utterance when the other ear's is done."""
        with self._lock:
            recognition = self._recognizer.recognize(samples)
            return self._look_again(samples, recognition) if recognition.hypotheses else recognition

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word."""
        return self._recognizer.can_write(word)

    def close(self) -> None:
        """Do nothing."""
