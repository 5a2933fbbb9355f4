"""Microphones: what brings blocks of 32 ms, mono, 16 kHz, until it ends; a file is one.

The one that is a device is in `voice_host.hearing.device_microphone`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Final, Literal, Protocol

import numpy as np

from voice_host.errors import HostError, UsageError
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, open_sound, stream_sound
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS

Block = Samples
"""`BLOCK_SAMPLES` samples."""

_CLOSING_SILENCE_SECONDS: Final = 1.0


class MicrophoneLost(HostError):  # noqa: N818 - a fact in the past tense, as the callers read it
    """The table cannot be heard now; the message is one sentence with the remedy."""

    def __init__(self, sentence: str, reason: Literal["microphone_lost", "microphone_silent"]) -> None:
        """Take the sentence, and which of the two happened."""
        super().__init__(sentence)
        self.reason: Literal["microphone_lost", "microphone_silent"] = reason
        """``microphone_lost``: the device is gone; ``microphone_silent``: it brings nothing but zeros."""


class Microphone(Protocol):
    """A source of blocks at the pace of the audio."""

    @property
    def name(self) -> str:
        """Return the name that the user chose it by."""
        ...

    @property
    def captured_at(self) -> float:
        """Return the loop's time at which the last sample of the block that `blocks` brought last was captured."""
        ...

    def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block as it is captured, without gap or drift; ends when a recording does.

        Raises `MicrophoneLost` when a device does; called again, it waits for the device and goes on.
        """
        ...

    def close(self) -> None:
        """Let the device go; may be called twice."""
        ...


class FileMicrophone:
    """A sound file as a microphone, at the pace of the running event loop's clock.

    On an ordinary loop that is real time, on a loop whose clock jumps it is as fast as the machine allows.
    After the file one second of silence follows, so that its last word is heard to the end, and the stream ends.
    """

    def __init__(self, path: Path, channel: int | None = None) -> None:
        """Open the file, or one of its channels (from 1); raises `UsageError` when it cannot be read or holds nothing."""
        self.name = str(path)
        self._channel = channel
        self.captured_at = 0.0
        """The loop's time at the end of the last block."""
        self._sound = open_sound(path)
        if channel is not None and not 1 <= channel <= self._sound.channels:
            raise UsageError(f"{path} has no channel {channel}; choose one from 1 to {self._sound.channels}.")

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block at the end of its 32 ms, counted from the first call."""
        loop = asyncio.get_running_loop()
        opened = loop.time()
        for number, block in enumerate(_cut(self._pieces()), start=1):
            # The due time is counted from the start: sleeping 32 ms each time would drift.
            due = opened + number * BLOCK_SECONDS
            await asyncio.sleep(max(0.0, due - loop.time()))
            self.captured_at = due
            yield block

    def close(self) -> None:
        """Close the file."""
        self._sound.close()

    def _pieces(self) -> Iterator[Samples]:
        """Yield the file and the silence after it."""
        yield from stream_sound(self._sound, self._channel)
        yield np.zeros(int(_CLOSING_SILENCE_SECONDS * SAMPLE_RATE), np.float32)


def _cut(pieces: Iterator[Samples]) -> Iterator[Block]:
    """Cut pieces of any length into blocks; the last block is filled up with silence."""
    rest = np.zeros(0, np.float32)
    for piece in pieces:
        rest = np.concatenate([rest, piece])
        whole = len(rest) - len(rest) % BLOCK_SAMPLES
        yield from rest[:whole].reshape(-1, BLOCK_SAMPLES)
        rest = rest[whole:]
    if len(rest):
        yield np.pad(rest, (0, BLOCK_SAMPLES - len(rest)))
