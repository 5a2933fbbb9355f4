"""What makes sound audible: the loudspeaker's protocol, the silent one, and the one that writes a file.

The one that is a device is in `voice_host.speaking.device_loudspeaker`.

``play`` returns when the room has heard the clip to its end, on the clock of the running loop; on a loop whose clock jumps it
therefore takes no real time. One clip plays at a time: the one speech queue (`voice_host.speaking.voice`) sees to that.
"""

from __future__ import annotations

import asyncio
import struct
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Protocol, Self

import numpy as np

from voice_host.errors import HostError, UsageError
from voice_host.speaking.clip import SAMPLE_RATE, Clip, Samples, resample, silence

BLOCK_SECONDS: Final = 0.1
"""How often a file loudspeaker writes: what a kill can cost at most."""


class LoudspeakerLost(HostError):  # noqa: N818 - a fact in the past tense, as the callers read it
    """The room cannot hear now; the message is one sentence with the remedy, and the next clip may work again."""


class Loudspeaker(Protocol):
    """Whatever the room hears the host through."""

    @property
    def playing(self) -> bool:
        """True while a clip can be heard."""

    async def play(self, clip: Clip) -> None:
        """Return when the room has heard the clip, or `stop` cut it; raises `LoudspeakerLost` when it cannot."""

    def stop(self) -> None:
        """Cut what is playing at once; harmless in silence."""

    def close(self) -> None:
        """Give the device back."""


class Turn:
    """Holds a loudspeaker's one clip: entered while it plays; ``cut`` is set by `stop`."""

    def __init__(self) -> None:
        self.cut = asyncio.Event()
        self.playing = False

    def __enter__(self) -> Self:
        if self.playing:
            raise RuntimeError("a clip is playing already: only the speech queue may play")
        self.cut.clear()
        self.playing = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.playing = False

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


class SilentLoudspeaker:
    """Plays nothing: in the clip's own time, or (``takes_time=False``) in none."""

    def __init__(self, *, takes_time: bool = True) -> None:
        self._takes_time = takes_time
        self._turn = Turn()

    @property
    def playing(self) -> bool:
        """True while a clip takes its time."""
        return self._turn.playing

    async def play(self, clip: Clip) -> None:
        """Let the clip's time pass."""
        with self._turn as turn:
            seconds = clip.seconds if self._takes_time else 0.0
            await turn.wait_until(asyncio.get_running_loop().time() + seconds)

    def stop(self) -> None:
        """Cut the waiting."""
        self._turn.cut.set()

    def close(self) -> None:
        """Do nothing."""


class FileLoudspeaker:
    """Writes what the room would hear as a WAV file (16 bit, mono) on the loop's timeline, silence included.

    The file's first sample is the loop's time at the construction (or at the first `play`, when no loop ran yet). The file
    is whole after each block, also when the process is killed. While the disk is full, clips take their time unheard.
    """

    def __init__(self, path: Path, sample_rate: int = SAMPLE_RATE) -> None:
        """Begin the file anew; raises `UsageError` when the path cannot be written."""
        self._turn = Turn()
        self._file = _GrowingWave(path, sample_rate)
        self._sample_rate = sample_rate
        try:
            self._began: float | None = asyncio.get_running_loop().time()
        except RuntimeError:
            self._began = None

    @property
    def playing(self) -> bool:
        """True while a clip goes to the file."""
        return self._turn.playing

    async def play(self, clip: Clip) -> None:
        """Write the clip as time passes, without what `stop` cuts off; raises `LoudspeakerLost` after the clip's time."""
        samples = resample(clip, self._sample_rate).samples
        lost: LoudspeakerLost | None = None
        with self._turn as turn:
            begin = asyncio.get_running_loop().time()
            first = self._frame_at(begin)
            written = 0
            while written < len(samples) and not turn.cut.is_set():
                until = min(written + round(BLOCK_SECONDS * self._sample_rate), len(samples))
                try:
                    await turn.wait_until(begin + until / self._sample_rate)
                except asyncio.CancelledError:
                    turn.cut.set()
                    raise
                finally:
                    if turn.cut.is_set():
                        heard = self._frame_at(asyncio.get_running_loop().time()) - first
                        until = max(written, min(heard, until))
                    lost = self._written(first + written, samples[written:until]) or lost
                    written = until
        if lost is not None:
            raise lost

    def stop(self) -> None:
        """Cut what is playing, to the sample."""
        self._turn.cut.set()

    def close(self) -> None:
        """Finish the file with the silence up to now, where a loop still runs; harmless a second time."""
        self.stop()
        try:
            now = asyncio.get_running_loop().time()
        except RuntimeError:
            now = None
        if now is not None and self._began is not None:
            self._written(self._frame_at(now), silence(0).samples)
        self._file.close()

    def _frame_at(self, now: float) -> int:
        """Return the place on the timeline of a loop time."""
        if self._began is None:
            self._began = now
        return round((now - self._began) * self._sample_rate)

    def _written(self, frame: int, samples: Samples) -> LoudspeakerLost | None:
        try:
            self._file.write(frame, samples)
        except LoudspeakerLost as lost:
            return lost
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
