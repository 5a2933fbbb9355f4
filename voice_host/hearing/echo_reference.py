"""What the host plays, as the reference for finding it again in what the microphone hears: its timeline and its delay."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

KEPT_SAMPLES: Final = 1 << 17
"""8 s: how far back the timeline goes: what is learned from, and the longest delay of a wireless loudspeaker."""
_SAME_SOUND_SECONDS: Final = 0.008
"""Pieces whose times are that near follow each other to the sample: the times jitter, the sound does not."""
_AUDIBLE: Final = 0.001
"""Amplitude (-60 dBFS) from which something is played."""
_BAND: Final = (150.0, 6000.0)
"""Hertz in which loudspeakers and microphones of a table both work."""
_EMPTY: Final = 1e-12
_KEPT_BEGINNINGS: Final = 32
_FIRST_ARRIVAL: Final = 0.6
"""A match of that part of the best one, shortly before it, is the direct sound, and the best one is a wall."""
_LATER_SAMPLES: Final = round(0.06 * SAMPLE_RATE)
"""How much later than the direct sound the loudest reflection comes at most."""


class Reference:
    """A timeline of what is played, in samples of 16 kHz on one clock; silent where nothing was told, and long ago."""

    def __init__(self) -> None:
        self._ring = np.zeros(KEPT_SAMPLES, np.float32)
        self._end = 0
        self._audible_until = -KEPT_SAMPLES
        self._begun: deque[int] = deque(maxlen=_KEPT_BEGINNINGS)

    def play(self, samples: Samples, heard_at: float) -> None:
        """Take the next piece (mono, 16 kHz) and the second at which its first sample can be heard."""
        start = round(heard_at * SAMPLE_RATE)
        if abs(start - self._end) <= _SAME_SOUND_SECONDS * SAMPLE_RATE or start < self._end:
            start = self._end
        else:
            self._begun.append(start)
            if start - self._end >= KEPT_SAMPLES:
                self._ring[:] = 0.0
            else:
                self._write(self._end, np.zeros(start - self._end, np.float32))
        self._write(start, samples[-KEPT_SAMPLES:])
        self._end = start + len(samples)
        loud = np.flatnonzero(np.abs(samples) >= _AUDIBLE)
        if len(loud):
            self._audible_until = start + int(loud[-1]) + 1

    def window(self, start: int, count: int) -> Samples:
        """Return that many samples (no more than are kept) from one on the clock on."""
        heard = np.zeros(count, np.float32)
        begin, end = max(start, self._end - KEPT_SAMPLES), min(start + count, self._end)
        if begin < end:
            heard[begin - start : end - start] = self._ring.take(np.arange(begin, end), mode="wrap")
        return heard

    def sounds(self, start: int, end: int) -> bool:
        """Tell whether anything audible is played between two samples of the clock."""
        if start >= self._audible_until or end <= start:
            return False
        return bool(np.abs(self.window(start, end - start)).max() >= _AUDIBLE)

    def begins(self, start: int, end: int) -> bool:
        """Tell whether what is played goes on after a gap between two samples of the clock: its time was told anew, not counted."""
        return any(start <= begun < end for begun in self._begun)

    def _write(self, start: int, samples: Samples) -> None:
        self._ring.put(np.arange(start, start + len(samples)), samples, mode="wrap")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a played sound was found in a heard one."""

    delay: int
    "samples by which it is heard later than it is played"
    sharpness: float
    "how far the match stands out of what chance brings; above about 8 it is no chance"
    leak: float
    "the greatest amplitude that the echo can have, as a part of what is played"


def find(reference: Reference, heard: Samples, start: int, delays: range) -> Match:
    """Find what is played in what was heard from sample ``start`` of the clock on, at one of the delays (samples)."""
    played = reference.window(start - delays[-1], len(heard) + delays[-1] - delays[0])
    size = 1 << (len(played) + len(heard) - 1).bit_length()
    cross = np.fft.rfft(played, size) * np.conj(np.fft.rfft(heard, size))
    hertz = np.fft.rfftfreq(size, 1 / SAMPLE_RATE)
    # Half whitened: fully, it would weigh noise as much as speech; not at all, a vowel would match at each of its periods.
    cross *= ((hertz >= _BAND[0]) & (hertz <= _BAND[1])) / np.sqrt(np.abs(cross) + _EMPTY)
    found = np.abs(np.fft.irfft(cross))[: len(delays)]  # by how much later it is played in the window than heard
    best = int(found.argmax())
    sharpness = float(found[best] / (np.sqrt(np.square(found).mean()) + _EMPTY))
    energy = float(np.square(played[best : best + len(heard)]).sum())
    leak = float(np.sqrt(np.square(heard).sum() / (energy + _EMPTY)))
    earlier = found[best : best + _LATER_SAMPLES]  # which was played later than what came over the wall
    first = best + int(np.flatnonzero(earlier >= _FIRST_ARRIVAL * found[best])[-1])
    return Match(delays[-1] - first, sharpness, leak)
