"""Earcons: short sounds that stand for a fact, made from numbers, the same whatever the verdict.

Each has a contour of its own (how many notes, whether they rise, fall, glide, shake or ring), because a difference of
pitch alone is lost on most ears; all notes lie between 400 and 2000 Hz, where older ears and small loudspeakers are good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from voice_host.errors import UsageError
from voice_host.speaking.clip import SAMPLE_RATE, Clip

Sound = NDArray[np.float64]

PEAK: Final = 0.4
"""Amplitude of every earcon: below speech, so that none startles a dreamer."""

_FADE_SECONDS: Final = 0.008


def earcon(name: str) -> Clip:
    """Return the sound of that name; raises `UsageError` naming those there are."""
    if name not in _MAKERS:
        raise UsageError(f"There is no earcon {name!r}; choose one of: {', '.join(EARCONS)}.")
    sound = _faded(_MAKERS[name]())
    return Clip((sound * (PEAK / np.abs(sound).max())).astype(np.float32), SAMPLE_RATE)


def _times(seconds: float) -> Sound:
    return np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE


def _faded(sound: Sound, seconds: float = _FADE_SECONDS) -> Sound:
    """Return the sound with soft edges (half a cosine): an edge is a click."""
    count = min(round(seconds * SAMPLE_RATE), len(sound) // 2)
    ramp = 0.5 - 0.5 * np.cos(np.pi * np.arange(count) / max(1, count))
    shape = np.ones(len(sound))
    shape[:count] = ramp
    shape[len(sound) - count :] = ramp[::-1]
    return sound * shape


def _note(hertz: float, seconds: float, decay_seconds: float = 0.15) -> Sound:
    """Return a soft struck note: a sine, a little of its octave, dying away."""
    time = _times(seconds)
    wave = np.sin(2 * np.pi * hertz * time) + 0.25 * np.sin(4 * np.pi * hertz * time)
    return _faded(wave * np.exp(-time / decay_seconds))


def _glide(first_hertz: float, last_hertz: float, seconds: float) -> Sound:
    """Return a tone whose pitch slides evenly (in octaves) from the first to the last frequency."""
    time = _times(seconds)
    hertz = first_hertz * (last_hertz / first_hertz) ** (time / seconds)
    return np.sin(2 * np.pi * np.cumsum(hertz) / SAMPLE_RATE)


def _rest(seconds: float) -> Sound:
    return np.zeros(round(seconds * SAMPLE_RATE))


def _noted() -> Sound:
    """Make two quick notes, upwards."""
    return np.concatenate([_note(660, 0.07), _note(990, 0.11)])


def _next_card() -> Sound:
    """Make three even taps on one note, like cards laid down."""
    tap = _note(740, 0.05, 0.02)
    return np.concatenate([tap, _rest(0.045), tap, _rest(0.045), tap])


def _bell() -> Sound:
    """Make one struck bell that rings out: the only long sound."""
    time = _times(1.2)
    partials = ((587.0, 1.0, 0.5), (880.0, 0.4, 0.35), (1174.0, 0.5, 0.3), (1568.0, 0.25, 0.18))
    rings = [gain * np.sin(2 * np.pi * hertz * time) * np.exp(-time / decay) for hertz, gain, decay in partials]
    return np.asarray(np.sum(rings, axis=0), np.float64)


def _tick() -> Sound:
    """Make one dry tap, like a clock."""
    time = _times(0.04)
    return np.sin(2 * np.pi * 1400 * time) * np.exp(-time / 0.006)


def _pause() -> Sound:
    """Make a tone that sinks."""
    return _glide(1000, 450, 0.3)


def _resume() -> Sound:
    """Make a tone that climbs."""
    return _glide(450, 1000, 0.3)


def _attention() -> Sound:
    """Make a trill: high, low, high, low."""
    return np.concatenate([_note(hertz, 0.08, 0.3) for hertz in (1050, 790, 1050, 790)])


def _refused() -> Sound:
    """Make one low tone that shakes."""
    time = _times(0.3)
    return np.sin(2 * np.pi * 440 * time) * (0.55 + 0.45 * np.cos(2 * np.pi * 18 * time))


def _day() -> Sound:
    """Make four notes of a chord, upwards, like a curtain."""
    return np.concatenate([_note(523, 0.07), _note(659, 0.07), _note(784, 0.07), _note(1047, 0.13)])


_MAKERS: Final[Mapping[str, Callable[[], Sound]]] = MappingProxyType(
    {
        "noted": _noted,
        "next_card": _next_card,
        "bell": _bell,
        "tick": _tick,
        "pause": _pause,
        "resume": _resume,
        "attention": _attention,
        "refused": _refused,
        "day": _day,
    },
)

EARCONS: Final = tuple(_MAKERS)
"""Names of all earcons: guess taken, card changed, time over, a second of the last five, clock stopped, clock runs,
look at the screen, the rules forbid it, the night is over."""
