"""Plays a sound into the room and hears what comes back, through the very devices an evening uses.

Delays are therefore those that whoever cancels the echo meets: from the time at which the loudspeaker's tap says that a sample
is heard, to the time at which the microphone says that it was captured.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from statistics import median
from types import TracebackType
from typing import Final, Self, TypeVar

import numpy as np

from voice_host.child_process import ChildLost
from voice_host.errors import HostError
from voice_host.hearing.microphone import Microphone, MicrophoneLost
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SECONDS
from voice_host.speaking.clip import Clip
from voice_host.speaking.loudspeaker import Loudspeaker, LoudspeakerLost

Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)

_SETTLING_SECONDS: Final = 0.4
"""Many devices begin with a click or a ramp."""
_ATTEMPTS: Final = 3
_REST_SECONDS: Final = 1.0
_GRACE_SECONDS: Final = 8.0
"""How much longer than asked for a microphone may take to open and to bring it."""
_FIRST_SAMPLE: Final = 1e-3
"""Amplitude from which on a sound counts as begun: more than what a resampler rings before it."""


class Listener:
    """Keeps what a microphone brings, with the time at which it was captured, as long as its block is entered."""

    def __init__(self, microphone: Microphone) -> None:
        self._microphone = microphone
        self._blocks: list[Samples] = []
        self._began: list[float] = []
        """What each block says about when the first one began."""
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._microphone.close()

    @property
    def seconds(self) -> float:
        """How much was heard since the device had settled."""
        return len(self._blocks) * BLOCK_SECONDS

    async def heard(self, seconds: float) -> None:
        """Return when that much was heard in all; raises `HostError` when the microphone is lost or brings nothing."""
        try:
            async with asyncio.timeout(seconds - self.seconds + _GRACE_SECONDS):
                while self.seconds < seconds:
                    self._more.clear()
                    if self._task is not None and self._task.done():
                        self._task.result()
                        raise HostError(f"The microphone {self._microphone.name} has ended; choose another with --mic.")
                    await self._more.wait()
        except TimeoutError as error:
            raise HostError(
                f"The microphone {self._microphone.name} brings no sound; plug it in again or choose another with --mic."
            ) from error

    def take(self) -> tuple[Samples, float]:
        """Return all that was heard, and when on the loop's clock its first sample was captured."""
        return np.concatenate([np.zeros(0, np.float32), *self._blocks]), median(self._began or [0.0])

    async def _listen(self) -> None:
        settling = round(_SETTLING_SECONDS / BLOCK_SECONDS)
        try:
            async for block in self._microphone.blocks():
                if settling:
                    settling -= 1
                    continue
                self._blocks.append(block)
                self._began.append(self._microphone.captured_at - len(self._blocks) * BLOCK_SECONDS)
                self._more.set()
        finally:
            self._more.set()


async def patiently(work: Callable[[], Awaitable[Result]]) -> Result:
    """Do something with devices again when they fail, at most `_ATTEMPTS` times: a busy machine loses them for a moment."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return await work()
        except (MicrophoneLost, LoudspeakerLost, ChildLost) as error:
            _LOG.info("tried again: %s", error)
            await asyncio.sleep(_REST_SECONDS)
    return await work()


async def hear(microphone: Microphone, seconds: float) -> Samples:
    """Return that much of what the microphone hears; raises `HostError` when it brings nothing. The microphone is closed."""
    async with Listener(microphone) as listener:
        await listener.heard(seconds)
    return listener.take()[0][: round(seconds * SAMPLE_RATE)]


async def play_and_hear(
    microphone: Microphone, loudspeaker: Loudspeaker, sound: Samples, before: float, after: float
) -> tuple[Samples, float]:
    """Play a sound (at `SAMPLE_RATE`) and return what was heard, and the second of it at which the sound was played.

    At least ``before`` seconds come before the sound and ``after`` behind it. The microphone is closed, the loudspeaker is
    not. Raises `HostError` when either device fails.
    """
    heard_at: list[float] = []

    def tap(samples: Samples, at: float) -> None:
        loud = np.flatnonzero(np.abs(samples) > _FIRST_SAMPLE)
        if len(loud) and not heard_at:
            heard_at.append(at + int(loud[0]) / SAMPLE_RATE)

    async with Listener(microphone) as listener:
        await listener.heard(before)
        loudspeaker.tap = tap
        try:
            await loudspeaker.play(Clip(sound, SAMPLE_RATE))
        finally:
            loudspeaker.tap = None
        await listener.heard(listener.seconds + after)
    if not heard_at:
        raise HostError("The loudspeaker took the sound but never played it; choose another with --speaker.")
    samples, began_at = listener.take()
    return samples, heard_at[0] - began_at
