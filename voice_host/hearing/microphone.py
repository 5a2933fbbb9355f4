"""Microphones: devices that bring blocks of 32 ms, mono, 16 kHz, until they end."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from voice_host.devices import find_device, load_portaudio
from voice_host.errors import HostError
from voice_host.hearing.sound_files import SAMPLE_RATE, MonoConverter, Samples, open_sound, stream_sound
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS

Block = Samples
"""`BLOCK_SAMPLES` samples."""

_CLOSING_SILENCE_SECONDS: Final = 1.0
_MOST_CHANNELS: Final = 2
"""Sound servers offer 32 channels of which two carry sound; averaging the others would only make it quieter."""
_BUFFER_SECONDS: Final = 10.0
"""Audio that may wait for a busy loop; what comes after it is replaced by silence, so that times stay true."""
_STALL_SECONDS: Final = 2.0

_log = logging.getLogger(__name__)


class Microphone(Protocol):
    """A source of blocks at the pace of the audio."""

    @property
    def name(self) -> str:
        """Return the name that the user chose it by."""
        ...

    def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block as it is captured, without gap or drift; ends when the device does."""
        ...

    def close(self) -> None:
        """Let the device go; may be called twice."""
        ...


class FileMicrophone:
    """A sound file as a microphone, at the pace of the running event loop's clock.

    On an ordinary loop that is real time, on a loop whose clock jumps it is as fast as the machine allows.
    After the file one second of silence follows, so that its last word is heard to the end, and the stream ends.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; raises `UsageError` when it cannot be read or holds nothing."""
        self.name = str(path)
        self._sound = open_sound(path)

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block at the end of its 32 ms, counted from the first call."""
        loop = asyncio.get_running_loop()
        opened = loop.time()
        for number, block in enumerate(_cut(self._pieces()), start=1):
            # The due time is counted from the start: sleeping 32 ms each time would drift.
            await asyncio.sleep(max(0.0, opened + number * BLOCK_SECONDS - loop.time()))
            yield block

    def close(self) -> None:
        """Close the file."""
        self._sound.close()

    def _pieces(self) -> Iterator[Samples]:
        """Yield the file and the silence after it."""
        yield from stream_sound(self._sound)
        yield np.zeros(int(_CLOSING_SILENCE_SECONDS * SAMPLE_RATE), np.float32)


class DeviceMicrophone:
    """A microphone of this machine, at the device's own rate and channels."""

    def __init__(self, name: str | None = None) -> None:
        """Choose the device by its key or (part of) its name, None for the system's default; raises `MissingError`, `UsageError`.

        The device is opened when its blocks are first asked for.
        """
        self._portaudio = load_portaudio()
        device = find_device(name, "input")
        self.name = device.name
        self.lost_frames = 0
        "frames that came while the buffer was full"
        self._index = device.index
        self._rate = device.default_rate
        self._channels = min(device.input_channels, _MOST_CHANNELS)
        self._lock = Lock()  # PortAudio's thread brings, the loop's thread takes
        self._waiting: deque[NDArray[np.float32]] = deque()
        self._waiting_frames = 0
        self._gap_frames = 0
        self._stream: Any = None

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block as it is captured; raises `HostError` when the device cannot be opened or falls silent."""
        loop = asyncio.get_running_loop()
        arrived = asyncio.Event()

        def take(frames: NDArray[np.float32], _count: int, _time: Any, status: Any) -> None:
            if status:
                _log.warning("microphone %s: %s", self.name, status)
            if self._keep(frames):
                loop.call_soon_threadsafe(arrived.set)

        self._open(take)
        mono = MonoConverter(self._rate, self._channels)
        rest = np.zeros(0, np.float32)
        while True:
            try:
                await asyncio.wait_for(arrived.wait(), _STALL_SECONDS)
            except TimeoutError as error:
                raise HostError(
                    f"The microphone {self.name} brings no sound any more; plug it in again and go on with --resume."
                ) from error
            arrived.clear()
            for frames in self._taken():
                rest = np.concatenate([rest, mono.convert(frames)])
                whole = len(rest) - len(rest) % BLOCK_SAMPLES
                for block in rest[:whole].reshape(-1, BLOCK_SAMPLES):
                    yield block
                rest = rest[whole:]

    def close(self) -> None:
        """Let the device go; may be called twice."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _keep(self, frames: NDArray[np.float32]) -> bool:
        """Queue frames, with silence in place of those lost before them; False when the buffer is full."""
        with self._lock:
            if self._waiting_frames > _BUFFER_SECONDS * self._rate:
                self.lost_frames += len(frames)
                self._gap_frames += len(frames)
                return False
            if self._gap_frames:
                self._waiting.append(np.zeros((self._gap_frames, self._channels), np.float32))
                self._gap_frames = 0
            self._waiting.append(frames.copy())  # PortAudio uses its buffer again
            self._waiting_frames += len(frames)
            return True

    def _taken(self) -> Iterator[NDArray[np.float32]]:
        """Yield the queued frames piece by piece, oldest first, until there are none."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._waiting_frames = 0
                    return
                frames = self._waiting.popleft()
                self._waiting_frames = max(0, self._waiting_frames - len(frames))
            yield frames

    def _open(self, take: Any) -> None:
        """Open the device and start it."""
        try:
            self._stream = self._portaudio.InputStream(
                device=self._index, samplerate=self._rate, channels=self._channels, dtype="float32", callback=take
            )
            self._stream.start()
        except self._portaudio.PortAudioError as error:
            self.close()
            raise HostError(
                f"The microphone {self.name} cannot be opened ({error}); is it in use or unplugged?"
            ) from error


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
