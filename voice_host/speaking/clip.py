"""A clip: mono sound as a value, and the few operations that speaking needs on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

Samples = NDArray[np.float32]

SAMPLE_RATE: Final = 22050
"""Samples per second of our own sounds: that of the espeak voice, so that mixing the two resamples nothing."""

_AUDIBLE: Final = 0.003
"""Amplitude (-50 dBFS) below which a sample counts as silence."""


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A stretch of mono sound; raises `ValueError` when the samples are not one row of float32."""

    samples: Samples
    """Amplitudes -1..1."""
    sample_rate: int
    """Samples per second."""

    def __post_init__(self) -> None:
        """Refuse what would only fail later, inside a sound driver."""
        if self.samples.ndim != 1 or self.samples.dtype != np.float32:
            raise ValueError(f"A clip is one row of float32, not {self.samples.ndim} of {self.samples.dtype}.")
        if self.sample_rate <= 0:
            raise ValueError(f"A clip has a positive sample rate, not {self.sample_rate}.")

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate

    @property
    def peak(self) -> float:
        """The largest amplitude, 0 for an empty clip."""
        return float(np.abs(self.samples).max()) if len(self.samples) else 0.0

    @property
    def audible(self) -> bool:
        """True when every sample is a finite number and at least one can be heard."""
        return bool(np.isfinite(self.samples).all()) and self.peak >= _AUDIBLE


def silence(seconds: float, sample_rate: int = SAMPLE_RATE) -> Clip:
    """Return that many seconds of silence."""
    return Clip(np.zeros(max(0, round(seconds * sample_rate)), np.float32), sample_rate)


def resample(clip: Clip, sample_rate: int) -> Clip:
    """Return the clip at another sample rate; the very same clip when the rate is right already."""
    if clip.sample_rate == sample_rate:
        return clip
    if not len(clip.samples):
        return Clip(clip.samples, sample_rate)
    converted = soxr.resample(clip.samples, clip.sample_rate, sample_rate)
    return Clip(np.clip(converted, -1.0, 1.0).astype(np.float32), sample_rate)


def concatenate(clips: Iterable[Clip]) -> Clip:
    """Return the clips one after the other, at the highest of their sample rates; of no clips, an empty one."""
    clips = list(clips)
    if not clips:
        return silence(0)
    sample_rate = max(clip.sample_rate for clip in clips)
    return Clip(np.concatenate([resample(clip, sample_rate).samples for clip in clips]), sample_rate)


def trim(clip: Clip, margin_seconds: float = 0.005) -> Clip:
    """Return the clip without the silence around it, but for a margin in which it fades in and out without a click."""
    loud = np.flatnonzero(np.abs(clip.samples) >= _AUDIBLE)
    if not len(loud):
        return Clip(clip.samples[:0], clip.sample_rate)
    margin = round(margin_seconds * clip.sample_rate)
    samples = clip.samples[max(0, loud[0] - margin) : loud[-1] + 1 + margin].copy()
    ramp = np.linspace(0, 1, min(margin, len(samples)), dtype=np.float32)
    samples[: len(ramp)] *= ramp
    samples[len(samples) - len(ramp) :] *= ramp[::-1]
    return Clip(samples, clip.sample_rate)
