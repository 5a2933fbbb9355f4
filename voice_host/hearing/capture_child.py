"""The child process that listens.

    to the parent   {"first": number, "captured_at": time, "lost": flag} and frames

The number is that of the first frame since the opening; one that leaves some out says that the parent was too slow for them.
The time is when that frame was captured, on the machine's monotonic clock, which all its processes share. The flag tells that
the sound system lost frames before it. Frames are float32, as the device brings them, with all their channels. The messages
at the beginning are those of `voice_host.sound_children.stream`.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from voice_host.child_process import Parent
from voice_host.sound_children.stream import CHECK_SECONDS, SoundStream, Wanted

_PIECE_SECONDS: Final = 0.016
"""How much is told in one piece: half a block of what listens, so that it waits little and costs little."""

_BUFFER_SECONDS: Final = 10.0
"""What may wait for a parent that is too busy."""


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    number: int
    captured_at: float
    lost: bool
    frames: NDArray[np.float32]


class Recorder:
    """The device's stream and what it brought that was not told yet."""

    def __init__(self, parent: Parent, wanted: Wanted) -> None:
        self._parent = parent
        self._arrived = threading.Event()
        self._waiting: deque[_Piece] = deque()
        self._frames = 0
        self._told = 0
        self._stream = SoundStream(parent, wanted, "input", self._take)
        self._stream.start()

    def tell(self) -> None:
        """Tell what the device brings, as long as it does."""
        while True:
            self._arrived.wait(CHECK_SECONDS)
            self._arrived.clear()
            self._stream.check()
            taken = [self._waiting.popleft() for _ in range(len(self._waiting))]
            while taken:
                self._tell_next(taken)

    def _tell_next(self, taken: list[_Piece]) -> None:
        """Take the first pieces that belong together, and tell them as one."""
        first = taken.pop(0)
        joined, end = [first.frames], first.number + len(first.frames)
        while taken and taken[0].number == end and not taken[0].lost:
            joined.append(taken[0].frames)
            end += len(taken.pop(0).frames)
        values = {"first": first.number, "captured_at": first.captured_at, "lost": first.lost}
        self._parent.send(values, np.concatenate(joined).tobytes())
        self._told = end

    def _take(self, frames: NDArray[np.float32], count: int, times: Any, status: Any) -> None:
        """Keep what PortAudio brings; called in its thread."""
        now = self._stream.beat()
        age = times.currentTime - times.inputBufferAdcTime
        if not 0 < age < 10:  # some systems do not tell
            age = self._stream.latency_seconds + count / self._stream.rate
        first, self._frames = self._frames, self._frames + count
        if first - self._told < _BUFFER_SECONDS * self._stream.rate:
            self._waiting.append(_Piece(first, now - age, bool(status.input_overflow), frames.copy()))
        if self._frames - self._told >= _PIECE_SECONDS * self._stream.rate:
            self._arrived.set()


def _obey(parent: Parent) -> None:
    """Notice that the parent is gone, which ends this process; it wants nothing else."""
    while True:
        parent.receive()


def main(parent: Parent, wanted: str) -> None:
    """Listen until the parent is gone."""
    recorder = Recorder(parent, Wanted.of(wanted))
    threading.Thread(target=_obey, args=(parent,), name="obeying", daemon=True).start()
    recorder.tell()
