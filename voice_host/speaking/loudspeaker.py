"""What makes sound audible: the loudspeaker's protocol, the silent one, and the one that writes a file.

The one that is a device is in `voice_host.speaking.device_loudspeaker`.

``play`` returns when the room has heard the clip to its end, on the clock of the running loop; on a loop whose clock jumps it
therefore takes no real time. One clip plays at a time: the one speech queue (`voice_host.speaking.voice`) sees to that.
``overlay`` is heard at the same time, for ticks and bells, which must come in time whatever is being said.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Protocol, Self

import numpy as np

from voice_host.errors import HostError, UsageError
from voice_host.speaking.clip import SAMPLE_RATE, Clip, Samples, resample
from voice_host.speaking.mixer import Mixer
from voice_host.speaking.tap import Tap, TapConverter

BLOCK_SECONDS: Final = 0.1
"""How often the file is written: what a kill can cost at most."""

_TAPPED_BLOCK_SECONDS: Final = 0.02
"""The same while somebody listens, who would otherwise know of a sound too late."""


class LoudspeakerLost(HostError):  # noqa: N818 - a fact in the past tense, as the callers read it
    """The room cannot hear now; the message is one sentence with the remedy, and the next clip may work again."""


class Loudspeaker(Protocol):
    """Whatever the room hears the host through."""

    volume: float
    """All amplitudes are multiplied by this; may be set while something plays."""
    tap: Tap | None
    """Told what the room hears, for whoever must know it from other sound."""

    @property
    def playing(self) -> bool:
        """True while a clip can be heard, also one that was overlaid."""
        ...

    async def play(self, clip: Clip) -> None:
        """Return when the room has heard the clip, or `stop` cut it; raises `LoudspeakerLost` when it cannot."""
        ...

    async def overlay(self, clip: Clip, at: float | None = None) -> None:
        """Let a clip be heard beside what plays, from that time of the loop on, or at once; return when it was heard.

        `stop` does not cut it: cancelling does. Raises `LoudspeakerLost` when the room cannot hear it.
        """
        ...

    def stop(self) -> None:
        """Cut the clip of `play` within 5 ms; harmless in silence."""
        ...

    def duck(self, on: bool) -> None:  # noqa: FBT001 - reads as a switch
        """Lower everything by 15 dB, or bring it back: somebody speaks."""
        ...

    def close(self) -> None:
        """Give the device back; may be called twice."""
        ...


class Turn:
    """Who is heard now: one clip of `play`, whose ``cut`` is set by `stop`, and any number that are overlaid."""

    def __init__(self) -> None:
        self.cut = asyncio.Event()
        self._taken = False
        self._overlaid: list[float] = []

    @property
    def playing(self) -> bool:
        """True while a clip plays or one that is overlaid has begun."""
        return self._taken or any(begin <= asyncio.get_running_loop().time() for begin in self._overlaid)

    def __enter__(self) -> Self:
        if self._taken:
            raise RuntimeError("a clip is playing already: only the speech queue may play")
        self.cut.clear()
        self._taken = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._taken = False

    @contextmanager
    def overlaid(self, at: float | None) -> Iterator[None]:
        """Count an overlaid clip as playing from that time of the loop on."""
        begin = asyncio.get_running_loop().time() if at is None else at
        self._overlaid.append(begin)
        try:
            yield
        finally:
            self._overlaid.remove(begin)

    async def wait_until(self, deadline: float) -> bool:
        """Wait until that time of the loop; True at once when cut before."""
        seconds = deadline - asyncio.get_running_loop().time()
        if seconds > 0 and not self.cut.is_set():
            try:
                async with asyncio.timeout(seconds):
                    await self.cut.wait()
            except TimeoutError:
                return False
        return self.cut.is_set()


async def sleep_until(deadline: float) -> None:
    """Return at that time of the loop, at once when it is past."""
    await asyncio.sleep(max(0.0, deadline - asyncio.get_running_loop().time()))


class SilentLoudspeaker:
    """Plays nothing: in the clip's own time, or (``takes_time=False``) in none; its tap hears nothing either."""

    def __init__(self, *, takes_time: bool = True) -> None:
        self.volume = 1.0
        """Kept for whoever asks for it."""
        self.tap: Tap | None = None
        """Never called."""
        self._takes_time = takes_time
        self._turn = Turn()

    @property
    def playing(self) -> bool:
        """True while a clip takes its time."""
        return self._turn.playing

    async def play(self, clip: Clip) -> None:
        """Let the clip's time pass."""
        with self._turn as turn:
            await turn.wait_until(asyncio.get_running_loop().time() + self._seconds(clip))

    async def overlay(self, clip: Clip, at: float | None = None) -> None:
        """Wait for the time, then let the clip's time pass."""
        with self._turn.overlaid(at):
            if at is not None:
                await sleep_until(at)
            await asyncio.sleep(self._seconds(clip))

    def stop(self) -> None:
        """Cut the waiting of `play`."""
        self._turn.cut.set()

    def duck(self, on: bool) -> None:  # noqa: FBT001 - the protocol's
        """Do nothing."""

    def close(self) -> None:
        """Cut the waiting of `play`."""
        self.stop()

    def _seconds(self, clip: Clip) -> float:
        return clip.seconds if self._takes_time else 0.0


class FileLoudspeaker:
    """Writes what the room would hear as a WAV file (16 bit, mono) on the loop's timeline, silence included.

    The file's first sample is the loop's time at the construction (or at the first `play`, when no loop ran yet). The file
    is whole after each block, also when the process is killed. While the disk is full, clips take their time unheard.
    """

    def __init__(self, path: Path, sample_rate: int = SAMPLE_RATE) -> None:
        """Begin the file anew; raises `UsageError` when the path cannot be written."""
        self.tap: Tap | None = None
        """Told each piece when it was heard."""
        self._turn = Turn()
        self._mixer = Mixer(sample_rate)
        self._volume = 1.0
        self._numbers = count(1)
        self._tapped = TapConverter(sample_rate, lambda: self.tap)
        self._file = _GrowingWave(path, sample_rate)
        self._sample_rate = sample_rate
        self._failures = 0
        self._last_failure: LoudspeakerLost | None = None
        self._began = self._now()

    @property
    def playing(self) -> bool:
        """True while a clip goes to the file."""
        return self._turn.playing

    @property
    def volume(self) -> float:
        """All amplitudes are multiplied by this; changes take effect at the sample."""
        return self._volume

    @volume.setter
    def volume(self, gain: float) -> None:
        self._advance()
        self._volume = gain
        self._mixer.set_volume(gain)

    async def play(self, clip: Clip) -> None:
        """Write the clip as time passes, without what `stop` cuts off; raises `LoudspeakerLost` after the clip's time."""
        with self._turn as turn:
            await self._write(clip, None, turn.wait_until)

    async def overlay(self, clip: Clip, at: float | None = None) -> None:
        """Write a clip beside what plays, from that time of the loop on; raises `LoudspeakerLost` after the clip's time."""

        async def wait(deadline: float) -> bool:
            await sleep_until(deadline)
            return False

        with self._turn.overlaid(at):
            await self._write(clip, at, wait)

    def stop(self) -> None:
        """Cut the clip of `play`, which fades out from this very sample on."""
        self._turn.cut.set()

    def duck(self, on: bool) -> None:  # noqa: FBT001 - the protocol's
        """Lower everything by 15 dB, or bring it back."""
        self._advance()
        self._mixer.duck(on=on)

    def close(self) -> None:
        """Finish the file with the silence up to now, where a loop still runs; harmless a second time."""
        self.stop()
        self._advance()
        self._tapped.end()
        if self._now() is not None:
            self._save(self._mixer.frame, np.zeros(0, np.float32))
        self._file.close()

    async def _write(self, clip: Clip, at: float | None, wait: Callable[[float], Awaitable[bool]]) -> None:
        """Mix a clip in from a time on and write until it is over, ``wait`` says that it was cut, or it is cancelled."""
        samples = resample(clip, self._sample_rate).samples
        loop = asyncio.get_running_loop()
        failures = self._failures
        self._advance()
        number = next(self._numbers)
        first = self._mixer.frame if at is None else max(self._mixer.frame, self._frame_at(at))
        self._mixer.add(number, samples, first)
        end = (self._began or 0.0) + (first + len(samples)) / self._sample_rate
        try:
            while loop.time() < end and not await wait(min(end, loop.time() + self._block_seconds)):
                self._advance()
        finally:
            self._advance()
            self._mixer.stop(number)
        if self._failures > failures and self._last_failure is not None:
            raise self._last_failure

    @property
    def _block_seconds(self) -> float:
        return BLOCK_SECONDS if self.tap is None else _TAPPED_BLOCK_SECONDS

    def _advance(self) -> None:
        """Write what was heard up to now."""
        now = self._now()
        if now is None:
            return
        if self._began is None:
            self._began = now
        until = self._frame_at(now)
        while self._mixer.frame < until:
            if not self._mixer.active:
                self._tapped.end()
                self._mixer.skip(until)
                return
            begin = self._mixer.frame
            samples, _ = self._mixer.render(min(until - begin, round(BLOCK_SECONDS * self._sample_rate)))
            self._save(begin, samples)
            self._tapped.piece(samples, self._began + begin / self._sample_rate)

    def _frame_at(self, time: float) -> int:
        """Return the place on the timeline of a loop time."""
        return round((time - (self._began or 0.0)) * self._sample_rate)

    def _save(self, frame: int, samples: Samples) -> None:
        try:
            self._file.write(frame, samples)
        except LoudspeakerLost as lost:
            self._failures += 1
            self._last_failure = lost

    @staticmethod
    def _now() -> float | None:
        try:
            return asyncio.get_running_loop().time()
        except RuntimeError:
            return None


class _GrowingWave:
    """A WAV file that is whole after each write; what it skips is silence (a hole, where the disk knows holes)."""

    def __init__(self, path: Path, sample_rate: int) -> None:
        self._path = path
        self._sample_rate = sample_rate
        self._frames = 0
        try:
            if path.exists() and not path.is_file():
                raise UsageError(f"The loudspeaker file {path} is no regular file; choose another name.")
            self._file: IO[bytes] = path.open("wb", buffering=0)
            self._write_header()
        except OSError as error:
            raise UsageError(
                f"The loudspeaker file {path} cannot be written ({error.strerror}); choose another path."
            ) from error

    def write(self, frame: int, samples: Samples) -> None:
        """Write samples at a frame of the file, or behind its end if that is later; raises `LoudspeakerLost`."""
        if self._file.closed:
            return
        frame = max(frame, self._frames)
        data = np.round(np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes()
        try:
            self._file.truncate(_HEADER.size + 2 * frame)
            self._file.seek(_HEADER.size + 2 * frame)
            while data:
                data = data[self._file.write(data) :]
            self._frames = frame + len(samples)
            self._write_header()
        except OSError as error:
            remedy = "free disk space; the evening goes on with captions"
            raise LoudspeakerLost(
                f"The loudspeaker file {self._path} cannot be written ({error.strerror}): {remedy}."
            ) from error

    def close(self) -> None:
        """Close the file; harmless a second time."""
        self._file.close()

    def _write_header(self) -> None:
        """Write the header for the samples that are in the file by now."""
        size = min(2 * self._frames, 0xFFFFFFFF - _HEADER.size)
        rate = self._sample_rate
        fields = (b"RIFF", size + _HEADER.size - 8, b"WAVE", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16, b"data", size)
        self._file.seek(0)
        self._file.write(_HEADER.pack(*fields))


_HEADER: Final = struct.Struct("<4sI4s4sIHHIIHH4sI")
