"""The loudspeaker that is a sound device, through PortAudio: a stream of its own, open all evening, interruptible."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from voice_host.devices import find_device, load_portaudio
from voice_host.errors import HostError, MissingError
from voice_host.speaking.clip import Clip, Samples, resample
from voice_host.speaking.loudspeaker import LoudspeakerLost, Turn

_LOG = logging.getLogger(__name__)

_ELSEWHERE: Final = "or choose `--speaker FILE.wav` or `--speaker none`"
_STALL_SECONDS: Final = 1.5
"""A stream that is that much behind its clip has stalled, which PortAudio does not tell."""

_OPEN_SECONDS: Final = 2.0
_CLOSE_SECONDS: Final = 0.5


class DeviceLoudspeaker:
    """Plays on the device whose name is or contains ``name`` (None: the system's default) at the device's own rate."""

    def __init__(self, name: str | None = None) -> None:
        """Open the device; raises `MissingError` without PortAudio or devices, `UsageError` for an unknown name."""
        self._sounddevice = sounddevice = load_portaudio()
        self._wanted = name
        self._turn = Turn()
        self._lock = threading.Lock()
        self._left: Samples = np.zeros(0, np.float32)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handed_over = asyncio.Event()
        self._closed = False
        self._opening: threading.Thread | None = None
        self._closing: threading.Thread | None = None
        self._device = find_device(name, "output")
        try:
            self._stream: Any = self._opened()
        except sounddevice.PortAudioError as error:
            raise MissingError(
                f"The loudspeaker {self.name} cannot be opened ({_reason(error)}); free it, {_ELSEWHERE}."
            ) from error

    @property
    def name(self) -> str:
        """The device's name as the system tells it."""
        return self._device.name

    @property
    def sample_rate(self) -> int:
        """The device's own rate, to which clips are converted."""
        return self._device.default_rate

    @property
    def playing(self) -> bool:
        """True while a clip can be heard."""
        return self._turn.playing

    async def play(self, clip: Clip) -> None:
        """Return when the clip has left the device; raises `LoudspeakerLost` when the device has stalled or gone."""
        loop = asyncio.get_running_loop()
        with self._turn as turn:
            await self._reopen_if_lost()
            self._handed_over.clear()
            with self._lock:
                self._loop, self._left = loop, resample(clip, self.sample_rate).samples
            latency = float(self._stream.latency)
            try:
                async with asyncio.timeout(clip.seconds + latency + _STALL_SECONDS):
                    await self._handed_over.wait()
            except TimeoutError:
                self._abandon()
                raise LoudspeakerLost(
                    f"The loudspeaker {self.name} has stalled; plug it in again, {_ELSEWHERE}."
                ) from None
            finally:
                self._drop()
            await turn.wait_until(loop.time() + latency)

    def stop(self) -> None:
        """Cut what is playing: silence after what the device already holds (some 30 ms)."""
        self._drop()
        self._turn.cut.set()
        self._handed_over.set()

    def close(self) -> None:
        """Give the device back; harmless a second time."""
        self._closed = True
        self.stop()
        self._abandon()
        if self._closing is not None:
            self._closing.join(_CLOSE_SECONDS)

    def _opened(self) -> Any:
        """Return a running stream on the wanted device; may block when the sound server hangs."""
        self._device = find_device(self._wanted, "output")
        channels = 1
        try:
            self._sounddevice.check_output_settings(self._device.index, 1, "float32", samplerate=self.sample_rate)
        except self._sounddevice.PortAudioError:  # some devices take all their channels or none
            channels = self._device.output_channels
        stream = self._sounddevice.OutputStream(
            samplerate=self.sample_rate,
            device=self._device.index,
            channels=channels,
            dtype="float32",
            latency="high",  # "low" is heard to crackle when the recogniser takes the processor
            callback=self._fill,
        )
        stream.start()
        return stream

    async def _reopen_if_lost(self) -> None:
        """Open a stream that has ended anew, in a thread; one that opens too late serves the next clip."""
        if self._stream is not None and self._stream.active:
            return
        if self._closed:
            raise LoudspeakerLost(f"The loudspeaker {self.name} is closed.")
        if self._opening is None or not self._opening.is_alive():
            self._abandon()
            ready = asyncio.Event()
            self._opening = threading.Thread(
                target=self._reopen,
                args=(asyncio.get_running_loop(), ready),
                name="opening the loudspeaker",
                daemon=True,
            )
            self._opening.start()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_OPEN_SECONDS):
                    await ready.wait()
        if self._stream is None:
            raise LoudspeakerLost(f"The loudspeaker {self.name} is gone; plug it in again, {_ELSEWHERE}.")

    def _reopen(self, loop: asyncio.AbstractEventLoop, ready: asyncio.Event) -> None:
        if self._closing is not None:
            self._closing.join()  # PortAudio does not open and close at the same time
        try:
            self._stream = self._opened()
        except (self._sounddevice.PortAudioError, HostError) as error:
            _LOG.info("the loudspeaker does not come back: %s", error)
        if self._closed:
            self._abandon()
        if not loop.is_closed():
            loop.call_soon_threadsafe(ready.set)

    def _abandon(self) -> None:
        """Close the stream in a thread of its own, because closing a stalled one returns late or never."""
        stream, self._stream = self._stream, None
        if stream is not None:
            self._closing = threading.Thread(target=stream.close, name="closing the loudspeaker", daemon=True)
            self._closing.start()

    def _drop(self) -> None:
        with self._lock:
            self._left, self._loop = self._left[:0], None

    def _fill(self, out: NDArray[np.float32], frames: int, _time: Any, _status: Any) -> None:
        """Hand PortAudio its next frames: the clip's, then silence; called in PortAudio's thread."""
        with self._lock:
            block, self._left = self._left[:frames], self._left[frames:]
            loop = self._loop
            if loop is not None and not len(self._left):
                self._loop = None
            else:
                loop = None
        out[: len(block)] = block[:, np.newaxis]
        out[len(block) :] = 0
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._handed_over.set)


def _reason(error: Exception) -> str:
    return str(error.args[0] if error.args else error)
