"""Sounds and a scripted microphone for the hearing tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import numpy as np

from voice_host.hearing.microphone import Block
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES

Speak = Callable[[str], Samples]
"""From an English text to its sound, without silence around it."""


class ClipMicrophone:
    """A scripted microphone that brings its samples as fast as they are taken."""

    name = "clip"
    captured_at = 0.0

    def __init__(self, samples: Samples) -> None:
        self._blocks = np.pad(samples, (0, -len(samples) % BLOCK_SAMPLES)).reshape(-1, BLOCK_SAMPLES)

    async def blocks(self) -> AsyncGenerator[Block, None]:
        for block in self._blocks:
            yield block

    def close(self) -> None:
        pass


def silence(seconds: float) -> Samples:
    return np.zeros(round(seconds * SAMPLE_RATE), np.float32)


def noise(seconds: float, level: float) -> Samples:
    return np.random.default_rng(4).normal(0, level, round(seconds * SAMPLE_RATE)).astype(np.float32)


def one_stream(*parts: Samples) -> Samples:
    return np.concatenate(parts)
