"""A simulated table: a microphone that hears the loudspeaker through a room, and people over it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

import numpy as np

from voice_host.hearing.microphone import Block
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS
from voice_host.speaking.tap import Tap

PIECE_SAMPLES = 320
"""What a loudspeaker tells at a time."""

Placed = tuple[float, Samples]
"""A sound and the second at which it begins."""


def room_answer(seconds: float, loud_db: float = 0.0) -> Samples:
    """Return how a room answers a click, falling by 60 dB in that time, with an energy of that level."""
    count = round(seconds * SAMPLE_RATE)
    fading = 10 ** (-3 * np.arange(count) / count)
    answer = np.random.default_rng(1).normal(size=count) * fading * 0.3
    answer[0] = 1.5
    loud: Samples = (answer * 10 ** (loud_db / 20) / np.sqrt(np.square(answer).sum())).astype(np.float32)
    return loud


def timeline(sounds: Sequence[Placed], seconds: float) -> Samples:
    """Lay sounds over silence."""
    heard = np.zeros(round(seconds * SAMPLE_RATE), np.float32)
    for at, samples in sounds:
        start = round(at * SAMPLE_RATE)
        heard[start : start + len(samples)] += samples[: len(heard) - start]
    return heard


class EchoRoom:
    """Implements the microphone's protocol; as it is listened to, the loudspeaker tells ``tap`` what it plays."""

    name = "echo room"

    def __init__(  # noqa: PLR0917
        self,
        host: Sequence[Placed],
        people: Sequence[Placed],
        answer: Samples | None,
        seconds: float,
        delay_seconds: float = 0.08,
        drift: float = 0.0,
    ) -> None:
        """Let both speak; without an answer the loudspeaker is not heard; ``drift`` is by how much its clock is too fast."""
        self.tap: Tap | None = None
        self.captured_at = 0.0
        self._played = timeline(host, seconds)
        self._sounds = timeline([(at, np.ones_like(samples)) for at, samples in host], seconds)
        "not 0 where a sound is played, be it silent for a moment"
        echo = np.zeros_like(self._played)
        if answer is not None:
            size = len(self._played) + len(answer)
            full = np.fft.irfft(np.fft.rfft(self._played, size) * np.fft.rfft(answer, size), size)
            places = np.arange(len(echo)) * (1 + drift) - delay_seconds * SAMPLE_RATE
            echo = np.interp(places, np.arange(size), full, left=0.0, right=0.0)
        noise = np.random.default_rng(2).normal(0, 10 ** (-65 / 20), len(echo))
        self._heard = (echo + noise + timeline(people, seconds)).astype(np.float32)

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring each block when it has been heard; the loudspeaker tells 40 ms before."""
        loop = asyncio.get_running_loop()
        told = 0
        for number, block in enumerate(
            self._heard[: len(self._heard) // BLOCK_SAMPLES * BLOCK_SAMPLES].reshape(-1, BLOCK_SAMPLES)
        ):
            self.captured_at = (number + 1) * BLOCK_SECONDS
            await asyncio.sleep(max(0.0, self.captured_at - loop.time()))
            while self.tap is not None and told < (self.captured_at + 0.04) * SAMPLE_RATE:
                piece = self._played[told : told + PIECE_SAMPLES]
                if self._sounds[told : told + PIECE_SAMPLES].any():
                    self.tap(piece, told / SAMPLE_RATE)
                told += PIECE_SAMPLES
            yield block

    def close(self) -> None:
        """Do nothing."""
