"""The loudspeaker that is a sound device: a child process owns it (`voice_host.speaking.playback_child`).

Theory of operation
-------------------
A thread keeps the child: when it ends, because the device did or because it hung and was killed, the loudspeaker is lost:
whoever waits for a clip gets `LoudspeakerLost`, and another child is tried each second until one plays, by the device's name,
with a fresh list of devices. Under PulseAudio and PipeWire the default device follows the server's choice by itself.
Everything but the keeper's own work happens on the loop.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any, Final

import numpy as np

from voice_host.child_process import Values
from voice_host.errors import HostError
from voice_host.sound_children.child import SoundChild
from voice_host.sound_children.stream import Wanted
from voice_host.speaking.clip import Clip, resample
from voice_host.speaking.loudspeaker import LoudspeakerLost, Turn
from voice_host.speaking.tap import Tap, TapConverter

_LOG = logging.getLogger(__name__)

_MAIN: Final = "voice_host.speaking.playback_child:main"

RETRY_SECONDS: Final = 1.0
"""How often a lost device is tried."""


class DeviceLoudspeaker:
    """Plays on the device whose name is or contains ``name`` (None: the system's default) at the device's own rate."""

    def __init__(self, name: str | None = None) -> None:
        """Open the device; raises `MissingError` without PortAudio or a device that opens, `UsageError` for an unknown name."""
        self._on_lost: Callable[[LoudspeakerLost], None] | None = None
        self._on_back: Callable[[], None] | None = None
        self._wanted = Wanted(name)
        self._turn = Turn()
        self._volume = 1.0
        self._ducked = False
        self._tap: Tap | None = None
        self._numbers = count(1)
        self._pending: dict[int, asyncio.Future[float]] = {}
        self._playing: asyncio.Future[float] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = threading.Event()
        self._stir = threading.Event()
        self._child: SoundChild | None = None
        self._new = self._started()
        try:
            self.name = self._new.key()
            """The device's name and host API."""
            if name is not None:
                self._wanted = Wanted(self.name)  # a part of a name may fit another device tomorrow
            self._take_over(self._new)
        except HostError:
            self._new.kill()
            self._new.join()
            raise
        self._keeper = threading.Thread(target=self._keep, name="keeping the loudspeaker", daemon=True)
        self._keeper.start()

    # ------------------------------------------------------------------------------------------------ what is asked

    @property
    def child_pid(self) -> int | None:
        """Process id of the child that plays; None while the device is lost."""
        child = self._child
        return None if child is None else child.pid

    @property
    def on_lost(self) -> Callable[[LoudspeakerLost], None] | None:
        """Called on the loop when the device is lost, also while nothing plays; set it on the loop."""
        return self._on_lost

    @on_lost.setter
    def on_lost(self, call: Callable[[LoudspeakerLost], None] | None) -> None:
        self._on_lost = call
        self._know_loop()

    @property
    def on_back(self) -> Callable[[], None] | None:
        """Called on the loop when it can be heard again; set it on the loop."""
        return self._on_back

    @on_back.setter
    def on_back(self, call: Callable[[], None] | None) -> None:
        self._on_back = call
        self._know_loop()

    @property
    def playing(self) -> bool:
        """True while a clip can be heard."""
        return self._turn.playing

    @property
    def volume(self) -> float:
        """All amplitudes are multiplied by this, from a moment after it is set."""
        return self._volume

    @volume.setter
    def volume(self, gain: float) -> None:
        self._volume = gain
        self._send_settings()

    @property
    def tap(self) -> Tap | None:
        """Told what is heard some 80 ms before it is; set it on the loop."""
        return self._tap

    @tap.setter
    def tap(self, tap: Tap | None) -> None:
        self._tap = tap
        self._know_loop()
        self._send_settings()

    async def play(self, clip: Clip) -> None:
        """Return when the clip has left the device; raises `LoudspeakerLost` when the device has stalled or gone."""
        with self._turn as turn:
            heard_until = await self._sounded(clip, None, cuttable=True)
            await turn.wait_until(heard_until)

    async def overlay(self, clip: Clip, at: float | None = None) -> None:
        """Let a clip be heard beside what plays, from that time of the loop on, within a few milliseconds."""
        with self._turn.overlaid(at):
            heard_until = await self._sounded(clip, at, cuttable=False)
            await asyncio.sleep(max(0.0, heard_until - asyncio.get_running_loop().time()))

    def stop(self) -> None:
        """Cut the clip of `play`: it fades out after what the device already holds (some 100 ms)."""
        self._turn.cut.set()
        if self._playing is not None and not self._playing.done():
            self._playing.set_result(self._playing.get_loop().time())

    def duck(self, on: bool) -> None:  # noqa: FBT001 - the protocol's
        """Lower everything by 15 dB, or bring it back."""
        self._ducked = on
        self._send_settings()

    def close(self) -> None:
        """Give the device back; harmless a second time."""
        self._closed.set()
        self._stir.set()
        self.stop()
        self._new.kill()
        self._keeper.join()
        for child in {self._new, self._child}:
            if child is not None:
                child.kill()
                child.join()
        self._child = None

    # --------------------------------------------------------------------------------------------------- on the loop

    async def _sounded(self, clip: Clip, at: float | None, *, cuttable: bool) -> float:
        """Have the child play a clip; returns the loop's time at which its end is heard, or was cut."""
        loop = self._know_loop()
        child = self._child
        if child is None:
            raise self._lost()
        rate = child.opened.result().rate
        number = next(self._numbers)
        ended: asyncio.Future[float] = loop.create_future()
        self._pending[number] = ended
        if cuttable:
            self._playing = ended
        begun = loop.time() if at is None else max(at, loop.time())
        machine_at = None if at is None else at - _loop_offset(loop)
        child.send({"play": number, "at": machine_at}, resample(clip, rate).samples.tobytes())
        try:
            # A sound server that was given no time takes much at once; nobody hears it faster.
            return max(await ended, begun + clip.seconds)
        finally:
            del self._pending[number]
            if cuttable:
                self._playing = None
            child.send({"stop": number})  # harmless for a clip that was played

    def _heard_from(self, child: SoundChild, values: Values, data: bytes) -> None:
        """Take what the child told."""
        offset = _loop_offset(asyncio.get_running_loop())
        if child is not self._child:
            return
        if "finished" in values:
            ended = self._pending.get(values["finished"])
            if ended is not None and not ended.done():
                ended.set_result(values["heard_until"] + offset)
        elif "heard_at" in values:
            self._converter.piece(np.frombuffer(data, np.float32), values["heard_at"] + offset)
        elif "silence" in values:
            self._converter.end()

    def _tell_lost(self) -> None:
        lost = self._lost()
        for ended in self._pending.values():
            if not ended.done():
                ended.set_exception(lost)
        if self._on_lost is not None:
            self._on_lost(lost)

    def _tell_back(self) -> None:
        if self._on_back is not None:
            self._on_back()

    def _know_loop(self) -> asyncio.AbstractEventLoop:
        """Note the running loop, to which the threads' news go."""
        self._loop = asyncio.get_running_loop()
        return self._loop

    def _lost(self) -> LoudspeakerLost:
        if self._closed.is_set():
            return LoudspeakerLost(f"The loudspeaker {self.name} is closed.")
        return LoudspeakerLost(
            f"The loudspeaker {self.name} cannot be heard; plug it in again, "
            "or choose `--speaker FILE.wav` or `--speaker none`."
        )

    # ---------------------------------------------------------------------------------------------- in any thread

    def _send_settings(self) -> None:
        child = self._child
        if child is not None:
            child.send({"volume": self._volume, "ducked": self._ducked, "tapped": self._tap is not None})

    def _on_loop(self, call: Callable[..., None], *arguments: Any) -> None:
        loop = self._loop
        if loop is not None and not self._closed.is_set():
            try:
                loop.call_soon_threadsafe(call, *arguments)
            except RuntimeError:
                _LOG.debug("the loop has ended before the loudspeaker")

    # --------------------------------------------------------------------------------------------- in the keeper's thread

    def _started(self) -> SoundChild:
        """Start a child, whose news come to the loop or to the keeper."""
        child: SoundChild

        def receive(values: Values, data: bytes) -> None:
            self._on_loop(self._heard_from, child, values, data)

        child = SoundChild(_MAIN, self._wanted, "loudspeaker", receive, self._stir.set)
        return child

    def _take_over(self, child: SoundChild) -> None:
        """Play through a child from now on; raises `HostError` when it cannot play."""
        opened = child.wait_opened()
        self._wanted = replace(self._wanted, place=self._wanted.place or opened.place)
        self._converter = TapConverter(opened.rate, lambda: self._tap)
        self._child = child
        self._send_settings()

    def _keep(self) -> None:
        """Notice that the child is lost, and bring another one, until closed."""
        while not self._closed.is_set():
            self._stir.wait()
            self._stir.clear()
            child = self._child
            if child is None or child.alive:
                continue
            self._child = None
            child.join()
            if not self._closed.is_set():
                _LOG.warning("the loudspeaker %s is lost", self.name)
                self._on_loop(self._tell_lost)
            while self._child is None and not self._closed.is_set():
                self._try_again()

    def _try_again(self) -> None:
        """Start a child; when it cannot play, wait a moment."""
        began = time.monotonic()
        try:
            self._new = self._started()
            if self._closed.is_set():
                raise self._lost()
            self._new.key()
            self._take_over(self._new)
        except HostError as error:
            _LOG.info("the loudspeaker does not come back: %s", error)
            self._new.kill()
            self._new.join()
            self._closed.wait(max(0.0, began + RETRY_SECONDS - time.monotonic()))
        else:
            _LOG.info("the loudspeaker %s is back", self.name)
            self._on_loop(self._tell_back)


def _loop_offset(loop: asyncio.AbstractEventLoop) -> float:
    """Return what is to be added to the machine's monotonic clock for the loop's."""
    return loop.time() - time.monotonic()
