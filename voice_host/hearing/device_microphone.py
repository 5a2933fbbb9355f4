"""The microphone that is a sound device: a child process owns it (`voice_host.hearing.capture_child`)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import replace
from threading import Lock
from typing import Final

import numpy as np

from voice_host.child_process import Values
from voice_host.errors import HostError, UsageError
from voice_host.hearing.digital_silence import DigitalSilence
from voice_host.hearing.microphone import Block, MicrophoneLost
from voice_host.hearing.timeline import Captured, Timeline
from voice_host.hearing.voice_activity import BLOCK_SAMPLES
from voice_host.sound_children.child import ANSWER_SECONDS, Opened, SoundChild
from voice_host.sound_children.stream import Wanted

_LOG = logging.getLogger(__name__)

_MAIN: Final = "voice_host.hearing.capture_child:main"

_BUFFER_SECONDS: Final = 10.0
"""Audio that may wait for a busy loop; what comes after it is replaced by silence, so that times stay true."""

_STOOD_STILL_SECONDS: Final = 0.2
"""After so long without a piece the loop may have stood still: what was captured meanwhile waits here, and ..."""
_OTHERS_SECONDS: Final = 0.05
"""... what the loudspeaker told meanwhile waits in other threads, and must be known first: else the host hears itself."""


class DeviceMicrophone:
    """A microphone of this machine, at the device's own rate and channels.

    After `MicrophoneLost` the same object can be asked for its `blocks` again: a new child then looks for the device.
    """

    def __init__(self, name: str | None = None, channel: int | None = None) -> None:
        """Choose the device by (part of) its name, None for the system's default; raises `MissingError`, `UsageError`.

        With ``channel`` (from 1) only that one is heard, else all are mixed. It is opened when its blocks are first asked for.
        """
        self._channel = channel
        self.captured_at = 0.0
        """The loop's time at which the last sample of the block that was last brought was captured."""
        self.lost_frames = 0
        """Frames that were replaced by silence since the device was opened first."""
        self._wanted = Wanted(name)
        self._was_open = False
        self._silence = DigitalSilence()
        self._arrivals = _Arrivals()
        self._child: SoundChild | None = self._started()
        try:
            self.name = self._child.key()
            """The device's name and host API."""
            if name is not None:
                self._wanted = Wanted(self.name)  # a part of a name may fit another device tomorrow
        except HostError:
            self.close()
            raise

    @property
    def child_pid(self) -> int | None:
        """Process id of the child that listens; None when there is none."""
        return None if self._child is None else self._child.pid

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring every block as it is captured; raises `MicrophoneLost` when the device cannot be opened, is gone, or mute."""
        if self._child is None:
            try:
                self._child = self._started()
            except HostError as error:
                raise MicrophoneLost(str(error), "microphone_lost") from error
        arrivals = self._arrivals
        arrivals.listen(asyncio.get_running_loop())
        try:
            opened = await self._opened(self._child)
            self._wanted = replace(self._wanted, place=self._wanted.place or opened.place)
            self._was_open = True
            self._check_channel(opened)
            timeline = Timeline(opened.rate, opened.channels if self._channel is None else 1)
            rest, given = np.zeros(0, np.float32), 0
            lost_before = self.lost_frames
            while True:
                piece = await arrivals.next(opened.channels)
                if piece is None:
                    raise self._lost()
                if self._channel is not None:
                    piece = replace(piece, frames=piece.frames[:, self._channel - 1 : self._channel])
                if self._silence.begun(piece.frames, opened.rate, switched_off=arrivals.switched_off):
                    raise self._mute()
                samples = timeline.samples(piece)
                self.lost_frames = lost_before + timeline.lost_frames
                if self._silence.waiting_for_sound:  # after a loss, silence is no microphone yet
                    given += len(samples)
                    continue
                rest = np.concatenate([rest, samples])
                while len(rest) >= BLOCK_SAMPLES:
                    block, rest = rest[:BLOCK_SAMPLES], rest[BLOCK_SAMPLES:]
                    given += BLOCK_SAMPLES
                    self.captured_at = timeline.captured_at(given) + _loop_offset()
                    yield block
        except MicrophoneLost:
            self.close()
            raise

    def close(self) -> None:
        """Let the device go; may be called twice."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.join()

    def _check_channel(self, opened: Opened) -> None:
        if self._channel is not None and not 1 <= self._channel <= opened.channels:
            self.close()
            raise UsageError(
                f"The microphone {self.name} has no channel {self._channel}; choose one from 1 to {opened.channels}."
            )

    async def _opened(self, child: SoundChild) -> Opened:
        """Wait until the stream runs."""
        child.open()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await asyncio.wrap_future(child.opened)
        except TimeoutError:
            raise self._lost() from None
        except HostError as error:
            _LOG.info("the microphone cannot be opened: %s", error)
            raise (self._lost() if self._was_open else MicrophoneLost(str(error), "microphone_lost")) from error

    def _started(self) -> SoundChild:
        self._arrivals = arrivals = _Arrivals()
        return SoundChild(_MAIN, self._wanted, "microphone", arrivals.put, arrivals.end)

    def _lost(self) -> MicrophoneLost:
        return MicrophoneLost(
            f"The microphone {self.name} brings no sound any more; plug it in again.", "microphone_lost"
        )

    def _mute(self) -> MicrophoneLost:
        return MicrophoneLost(
            f"The microphone {self.name} brings nothing but silence; open the lid, or switch the microphone on.",
            "microphone_silent",
        )


class _Arrivals:
    """What the child brought and nobody took yet; it comes in a thread and goes on the loop."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[tuple[Values, bytes]] = deque()
        self._arrived = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False
        self._taken_at = 0.0
        self.switched_off = False
        """True while somebody has switched the microphone off at the sound server."""

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tell the loop that takes."""
        self._loop = loop

    def put(self, values: Values, data: bytes) -> None:
        """Keep a piece, unless the loop is hopelessly late: the next one's number then tells what is missing."""
        if "muted" in values:
            self.switched_off = values["muted"]
            return
        with self._lock:
            late = self._waiting and values["captured_at"] - self._waiting[0][0]["captured_at"] > _BUFFER_SECONDS
            if not late:
                self._waiting.append((values, data))
        self._wake()

    def end(self) -> None:
        """Note that there will be no more."""
        self._ended = True
        self._wake()

    async def next(self, channels: int) -> Captured | None:
        """Return the next piece; None when the child is gone."""
        while True:
            with self._lock:
                message = self._waiting.popleft() if self._waiting else None
            if message is not None:
                before, self._taken_at = self._taken_at, time.monotonic()
                if self._taken_at - before > _STOOD_STILL_SECONDS:
                    await asyncio.sleep(_OTHERS_SECONDS)
                values, data = message
                frames = np.frombuffer(data, np.float32).reshape(-1, channels)
                return Captured(values["first"], values["captured_at"], values["lost"], frames)
            if self._ended:
                return None
            self._arrived.clear()
            if not self._waiting and not self._ended:
                await self._arrived.wait()

    def _wake(self) -> None:
        loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self._arrived.set)
            except RuntimeError:
                _LOG.debug("the loop has ended before the microphone")


def _loop_offset() -> float:
    """Return what is to be added to the machine's monotonic clock for the loop's."""
    return asyncio.get_running_loop().time() - time.monotonic()
