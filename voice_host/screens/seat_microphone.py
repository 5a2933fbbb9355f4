"""The microphone of a seat's own page, as a microphone like any other: push to talk, silence in between.

Theory of operation
-------------------
A page sends sound only while its button is held, in pieces, over a network that delivers them unevenly. The ear wants a block
every 32 ms without gap. So blocks come at the loop's pace; the pieces wait in a small buffer until there is enough of them to
ride out the network's jitter, and wherever there is none, there is silence. What would wait too long is forgotten.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE: Final = 16_000
BLOCK_SAMPLES: Final = 512
"""As the ear takes them: 32 ms."""
_BLOCK_SECONDS: Final = BLOCK_SAMPLES / SAMPLE_RATE
_HEAD_SAMPLES: Final = 4 * BLOCK_SAMPLES
"""Waited for before a speech is played on: the network may be that late (128 ms)."""
_MOST_SAMPLES: Final = 10 * SAMPLE_RATE

Samples = NDArray[np.float32]


class SeatMicrophone:
    """A microphone on a page; its sound begins to count when `blocks` is first asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.captured_at = 0.0
        """The loop's second at which the last sample of the last block came from the page, as nearly as can be known."""
        self.lost_samples = 0
        """How many came while the buffer was full."""
        self._waiting = np.zeros(0, np.float32)
        self._playing = False
        self._pressed = False
        self._listened_to = False
        self._closed = asyncio.Event()

    def feed(self, sound: bytes) -> bool:
        """Take a piece of 16 kHz mono int16, little-endian; False when it is none."""
        if len(sound) % 2:
            return False
        if self._listened_to:
            piece = np.frombuffer(sound, "<i2").astype(np.float32) / 32768.0
            room = max(0, _MOST_SAMPLES - len(self._waiting))
            self.lost_samples += max(0, len(piece) - room)
            self._waiting = np.concatenate([self._waiting, piece[:room]])
        return True

    def talk(self, *, pressed: bool) -> None:
        """Be told that the button was pressed or let go: what came before the end is played on at once."""
        self._pressed = pressed

    async def blocks(self) -> AsyncGenerator[Samples, None]:
        """Bring a block every 32 ms until closed, counted from the first call."""
        loop = asyncio.get_running_loop()
        opened, number = loop.time(), 0
        self._listened_to = True
        while not self._closed.is_set():
            number += 1
            try:
                async with asyncio.timeout_at(opened + number * _BLOCK_SECONDS):
                    await self._closed.wait()
            except TimeoutError:
                self.captured_at = loop.time()
                yield self._next_block()

    def close(self) -> None:
        """Let the page's microphone go; may be called twice."""
        self._closed.set()

    def _next_block(self) -> Samples:
        if not self._playing:
            self._playing = len(self._waiting) >= (_HEAD_SAMPLES if self._pressed else 1)
        if not self._playing:
            return np.zeros(BLOCK_SAMPLES, np.float32)
        block, self._waiting = self._waiting[:BLOCK_SAMPLES], self._waiting[BLOCK_SAMPLES:]
        self._playing = bool(len(self._waiting))
        return np.pad(block, (0, BLOCK_SAMPLES - len(block)))
