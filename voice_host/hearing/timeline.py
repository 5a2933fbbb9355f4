"""What a device brings, on its own timeline: mono, 16 kHz, with silence in place of what was lost, so that times stay true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from voice_host.hearing.channels import ChannelMixer
from voice_host.hearing.sound_files import SAMPLE_RATE, MonoConverter, Samples
from voice_host.sound_children.frame_clock import CaptureClock

_UNTOLD_GAP_SECONDS: Final = 0.25
"""How far the clock must have run ahead of the frames before some are taken to be lost that nobody told of."""

_TOLD_GAP_SECONDS: Final = 0.02
"""The same after the sound system told that it lost some."""

_FOLLOWING: Final = 0.02
"""How fast a device's own clock is followed, which runs some ten thousandths faster or slower than the machine's."""

_SETTLING_PIECES: Final = 50
"""The first second tells when frames are captured; a device that has just been opened brings a few late."""

_PIECE_FRAMES: Final = 16_384
"""Silence goes through the resampler in pieces of this many frames."""


@dataclass(frozen=True, slots=True, eq=False)
class Captured:
    """What a device brought in one go."""

    first: int
    """The number of its first frame since the device was opened."""
    captured_at: float
    """When that was captured, in seconds."""
    lost: bool
    """True when the sound system lost frames before it, without saying how many."""
    frames: NDArray[np.float32]
    """Frames x channels."""


class Timeline:
    """Turns pieces of frames into mono samples at `SAMPLE_RATE`, and tells when each sample was captured."""

    def __init__(self, rate: int, channels: int) -> None:
        """Expect frames of this rate in Hz and this number of channels; the first ones that come begin the timeline."""
        self.lost_frames = 0
        """How many frames of the device were replaced by silence."""
        self._rate = rate
        self._channels = ChannelMixer(rate, channels)
        self._converter = MonoConverter(rate, 1)
        self._clock = CaptureClock(rate)
        self._pieces = 0
        self._next: int | None = None
        "the number that the next frame must have, as the device counts"
        self._frames = 0
        "frames on the timeline, with those that were lost"
        self._samples = 0
        self._origin = 0.0
        "the time of the timeline's frame 0, as the frames were counted"
        self._told_of_loss = False

    def samples(self, piece: Captured) -> Samples:
        """Return the samples that are ready after this piece; the resampler keeps a few back."""
        gap = 0 if self._next is None else max(0, piece.first - self._next)
        self._told_of_loss = self._told_of_loss or piece.lost
        self._clock.observe(self._frames + gap, piece.captured_at)
        gap += self._lost_by_the_clock()
        self._next = piece.first + len(piece.frames)
        self._frames += gap + len(piece.frames)
        self.lost_frames += gap
        mono = self._channels.mixed(piece.frames)
        samples = np.concatenate([*self._silence(gap), self._converter.convert(mono[:, np.newaxis])])
        self._samples += len(samples)
        return samples

    def captured_at(self, samples: int) -> float:
        """Return when that many samples of all that were returned were captured, in seconds."""
        return self._clock.time_of(round(samples * self._rate / SAMPLE_RATE))

    def _lost_by_the_clock(self) -> int:
        """Return how many frames are missing by the clock, which then starts anew."""
        origin = self._clock.time_of(0)
        self._pieces += 1
        if self._pieces <= _SETTLING_PIECES:
            self._origin = origin
            return 0
        ahead = origin - self._origin
        if ahead < (_TOLD_GAP_SECONDS if self._told_of_loss else _UNTOLD_GAP_SECONDS):
            self._origin += _FOLLOWING * ahead
            return 0
        self._told_of_loss = False
        missing = round(ahead * self._rate)
        self._clock.shift(missing)
        return missing

    def _silence(self, frames: int) -> list[Samples]:
        """Return that much silence through the resampler, which joins it to what was before."""
        pieces = []
        while frames > 0:
            piece = min(frames, _PIECE_FRAMES)
            pieces.append(self._converter.convert(np.zeros((piece, 1), np.float32)))
            frames -= piece
        return pieces
