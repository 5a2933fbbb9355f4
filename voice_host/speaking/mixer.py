"""Sounds that are heard together: mixed sample-exactly on one timeline, ducked, faded, and kept within what a device can play.

Pure: it knows frames (samples of all channels at one time), no clock. A file is written with it, and the child process that
plays mixes with it inside the sound system's callback.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

FADE_SECONDS: Final = 0.005
"""How long a sound that is cut takes to fall silent: shorter clicks, longer is heard as a tail."""

DUCK_GAIN: Final = 10 ** (-15 / 20)
"""-15 dB: speech is still understood behind somebody who speaks."""

_RAMP_SECONDS: Final = 0.03
"""How long a change of the volume or the ducking takes."""

CEILING: Final = 0.95
"""The amplitude that the limiter holds."""

_LIMITER_STEP_SECONDS: Final = 0.005
_RELEASE_SECONDS: Final = 0.2
"""How long the limiter takes from silence back to full gain."""


class Mixer:
    """Mixes any number of sounds into one row of samples; nothing is heard twice or out of order."""

    def __init__(self, sample_rate: int) -> None:
        """Begin a timeline at frame 0, at that many frames a second."""
        self.sample_rate = sample_rate
        self.frame = 0
        """The next frame to be rendered."""
        self._sounds: dict[int, _Sound] = {}
        self._volume = 1.0
        self._ducked = False
        self._gain = 1.0
        self._limiter = _Limiter(sample_rate)

    @property
    def active(self) -> bool:
        """True while a sound is in the mix or waits for its frame."""
        return bool(self._sounds)

    @property
    def sounding(self) -> bool:
        """True when a sound has begun by the next frame."""
        return any(sound.begin <= self.frame for sound in self._sounds.values())

    def add(self, number: int, samples: Samples, begin: int | None = None) -> None:
        """Let a sound begin at a frame, or at the next one when that is past or None; the number is the caller's name for it."""
        self._sounds[number] = _Sound(samples, max(self.frame, begin or 0))

    def stop(self, number: int) -> None:
        """Fade a sound out from the next frame on; harmless when it is over."""
        sound = self._sounds.get(number)
        if sound is not None:
            sound.fade(self.frame, round(FADE_SECONDS * self.sample_rate))

    def duck(self, *, on: bool) -> None:
        """Lower everything by 15 dB, or bring it back, within 30 ms."""
        self._ducked = on

    def set_volume(self, gain: float) -> None:
        """Multiply all amplitudes by this from now on."""
        self._volume = gain

    def skip(self, frame: int) -> None:
        """Go on at a later frame, past silence."""
        if self._sounds:
            raise ValueError("Only silence can be skipped.")
        self.frame = max(self.frame, frame)
        self._gain = self._target

    def render(self, frames: int) -> tuple[Samples, tuple[tuple[int, int], ...]]:
        """Return the next frames, and of each sound that ended in them its number and the frame after its last one."""
        begin, end = self.frame, self.frame + frames
        mix = np.zeros(frames, np.float32)
        ended = []
        for number, sound in list(self._sounds.items()):
            sound.mix_into(mix, begin)
            if sound.end <= end:
                ended.append((number, sound.end))
                del self._sounds[number]
        self.frame = end
        self._apply_gain(mix)
        return self._limiter.limited(mix), tuple(ended)

    @property
    def _target(self) -> float:
        return self._volume * (DUCK_GAIN if self._ducked else 1.0)

    def _apply_gain(self, mix: Samples) -> None:
        """Bring the gain to its target in a straight line: the longest way, from full to nothing, takes the ramp's time."""
        target = self._target
        if self._gain != target:
            step = 1.0 / (_RAMP_SECONDS * self.sample_rate)
            way = np.arange(1, len(mix) + 1) * (step if target > self._gain else -step) + self._gain
            ramp = np.minimum(way, target) if target > self._gain else np.maximum(way, target)
            mix *= ramp.astype(np.float32)
            self._gain = float(ramp[-1]) if len(ramp) else self._gain
        elif target != 1.0:
            mix *= np.float32(target)


class _Sound:
    """Samples with their place on the timeline."""

    def __init__(self, samples: Samples, begin: int) -> None:
        self._samples = samples
        self.begin = begin

    @property
    def end(self) -> int:
        """The frame after its last one."""
        return self.begin + len(self._samples)

    def fade(self, frame: int, frames: int) -> None:
        """Let it fall silent from a frame on."""
        heard = max(0, frame - self.begin)
        if not heard:
            self._samples = self._samples[:0]  # it never began
            self.begin = min(self.begin, frame)
            return
        self._samples = self._samples[: heard + frames].copy()
        tail = len(self._samples) - heard
        if tail > 0:
            self._samples[heard:] *= np.linspace(1, 0, tail + 1, dtype=np.float32)[1:]

    def mix_into(self, mix: Samples, begin: int) -> None:
        """Add what of it falls into the frames from ``begin`` on."""
        first, last = max(self.begin, begin), min(self.end, begin + len(mix))
        if first < last:
            mix[first - begin : last - begin] += self._samples[first - self.begin : last - self.begin]


class _Limiter:
    """Turns down what would be too loud, within 5 ms, and slowly up again; leaves everything else as it is, to the bit."""

    def __init__(self, sample_rate: int) -> None:
        self._step = max(1, round(_LIMITER_STEP_SECONDS * sample_rate))
        self._release = _LIMITER_STEP_SECONDS / _RELEASE_SECONDS
        self._gain = 1.0

    def limited(self, mix: Samples) -> Samples:
        """Return samples within -1..1."""
        loudest = float(np.abs(mix).max()) if len(mix) else 0.0
        if self._gain == 1.0 and loudest <= CEILING:
            return mix
        for first in range(0, len(mix), self._step):
            piece = mix[first : first + self._step]
            peak = float(np.abs(piece).max())
            allowed = min(1.0, CEILING / peak) if peak > 0 else 1.0
            gain = allowed if allowed < self._gain else min(allowed, self._gain + self._release)
            piece *= np.linspace(self._gain, gain, len(piece) + 1, dtype=np.float32)[1:]
            self._gain = gain
        return _softly_clipped(mix)


def _softly_clipped(mix: Samples) -> Samples:
    """Bend what is over the ceiling, in the 5 ms before the limiter has turned down, instead of cutting it off."""
    over = np.abs(mix) - CEILING
    room = 1.0 - CEILING
    bent = np.sign(mix) * (CEILING + room * np.tanh(np.maximum(over, 0.0) / room))
    return np.where(over > 0, bent, mix).astype(np.float32)
