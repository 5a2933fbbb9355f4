"""What a room does to sound, computed: noise, speech, and how a loudspeaker comes back to a microphone.

Pure. All sound is mono float at `RATE`. The test sound is a rising tone, a pause, and a burst of noise that ends at once: the
tone is found in any room, and by two clocks that differ (a matched filter); the burst is as broad as a voice, tells the
level, and its end tells how long the room goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

RATE: Final = 16_000
"""Samples per second."""
TONE_SECONDS: Final = 0.6
PAUSE_SECONDS: Final = 0.5
BURST_SECONDS: Final = 0.6
LEVEL_DBFS: Final = -20.0
"""Root mean square of tone and burst: that of the host's voice."""
QUIET_DBFS: Final = -120.0
"""What stands for the level of digital silence."""
LONGEST_DELAY_SECONDS: Final = 1.0
LONGEST_TAIL_SECONDS: Final = 1.4
BEFORE_SECONDS: Final = 1.5
"""How much of the quiet room a take must hold before the test sound."""
AFTER_SECONDS: Final = LONGEST_DELAY_SECONDS + LONGEST_TAIL_SECONDS
"""How much a take must hold after it."""

_EARLY_SECONDS: Final = 0.1
"""How much sooner than told a sound may come: sound systems only estimate their latency."""
_CERTAIN: Final = 8.0
"""How many times its own usual size the matched filter must show before the tone counts as heard; noise alone reaches 5."""
_FAINTEST_DB: Final = -90.0
_FIRST_ARRIVAL: Final = 0.6
"""A lobe of that part of the highest one, shortly before it, is the direct sound and the highest one an echo of it."""
_TAIL_OVER_NOISE: Final = 10.0
"""As a ratio of powers: 10 dB."""
_WINDOW_SECONDS: Final = 0.01
_STILL_WINDOWS: Final = 5
"""The tail has ended when so many windows on end are below the limit."""


@dataclass(frozen=True, slots=True)
class Echo:
    """How the loudspeaker comes back to the microphone."""

    delay_seconds: float
    leak_db: float
    tail_seconds: float


def rising_tone() -> Samples:
    """Return the tone that rises from 300 to 6000 Hz, equally long in each octave."""
    times = np.arange(round(TONE_SECONDS * RATE)) / RATE
    octaves = np.log(6000 / 300)
    phase = 2 * np.pi * 300 * TONE_SECONDS / octaves * np.expm1(times / TONE_SECONDS * octaves)
    return _leveled(_faded(np.sin(phase), 0.01))


def noise_burst() -> Samples:
    """Return the burst, 120 to 6500 Hz, falling from 500 Hz on as a voice does; the same each time."""
    frames = round(BURST_SECONDS * RATE)
    spectrum = np.fft.rfft(np.random.default_rng(5).standard_normal(frames))
    hertz = np.fft.rfftfreq(frames, 1 / RATE)
    spectrum *= ((hertz > 120) & (hertz < 6500)) * np.minimum(1, 500 / np.maximum(hertz, 1))
    return _leveled(_faded(np.fft.irfft(spectrum, frames), 0.002))


def measuring_sound() -> Samples:
    """Return what is played to measure an `Echo`."""
    return np.concatenate([rising_tone(), np.zeros(round(PAUSE_SECONDS * RATE), np.float32), noise_burst()])


# ---------------------------------------------------------------------------------------------------------------- levels


def dbfs(power: float) -> float:
    """Return a mean square as decibels of full scale, digital silence as `QUIET_DBFS`."""
    return max(QUIET_DBFS, float(10 * np.log10(power))) if power > 0 else QUIET_DBFS


def noise_dbfs(samples: Samples) -> float:
    """Return the usual level of a room: a cough or a door in less than half of the time does not count."""
    return dbfs(float(np.median(_powers(samples, 0.1))))


def speech_dbfs(samples: Samples, noise: float) -> float | None:
    """Return the level of the speech in a take, its pauses left out; None when less than half a second is over the noise."""
    powers = _powers(samples, 0.02)
    loud = powers[powers > 10 ** (noise / 10) * _TAIL_OVER_NOISE]
    return dbfs(float(loud.mean())) if len(loud) * 0.02 >= 0.5 else None


def is_digital_silence(samples: Samples) -> bool:
    """Tell whether every sample is exactly zero, which no open microphone brings."""
    return not np.any(samples)


# ------------------------------------------------------------------------------------------------------------------ echo


def find_tone(take: Samples, played_at: float) -> tuple[float, float] | None:
    """Return the delay in seconds and the gain in dB of the rising tone in a take, or None when it cannot be heard in it.

    ``played_at`` is the second of the take at which the tone is said to be played; at least `BEFORE_SECONDS` come before it.
    """
    tone = rising_tone()
    filtered = np.abs(_correlated(take, tone)) / float(np.sum(tone.astype(np.float64) ** 2))
    begin = max(0, round((played_at - _EARLY_SECONDS) * RATE))
    usual = float(np.sqrt(np.mean(filtered[: max(1, begin - len(tone))] ** 2)))
    sought = filtered[begin : round((played_at + LONGEST_DELAY_SECONDS) * RATE)]
    if not len(sought):
        return None
    highest = int(sought.argmax())
    if sought[highest] < max(_CERTAIN * usual, 10 ** (_FAINTEST_DB / 20)):
        return None
    early = sought[max(0, highest - round(0.03 * RATE)) : highest + 1]
    first = highest - len(early) + 1 + int(np.argmax(early >= _FIRST_ARRIVAL * sought[highest]))
    return (begin + first) / RATE - played_at, float(20 * np.log10(sought[highest]))


def measure_echo(take: Samples, played_at: float) -> Echo | None:
    """Return how the test sound that was played at that second of a take comes back, or None when it does not."""
    found = find_tone(take, played_at)
    if found is None:
        return None
    delay, tone_gain = found
    burst_begin = round((played_at + delay + TONE_SECONDS + PAUSE_SECONDS) * RATE)
    burst_end = burst_begin + round(BURST_SECONDS * RATE)
    quiet = take[: round((played_at - _EARLY_SECONDS) * RATE)]
    noise = float(np.mean(quiet.astype(np.float64) ** 2)) if len(quiet) else 0.0
    power = float(np.mean(take[burst_begin:burst_end].astype(np.float64) ** 2)) if burst_begin < len(take) else 0.0
    # In a noise that is as loud as the burst the difference means nothing; the tone's gain (of its direct sound) does.
    leak = dbfs(power - noise) - LEVEL_DBFS if power > 2 * noise else tone_gain
    return Echo(delay, leak, _tail(take[burst_end:], noise))


def usual_echo(echoes: Sequence[Echo | None]) -> Echo | None:
    """Return the median of several measurements, None when half of them or more heard nothing."""
    heard = [echo for echo in echoes if echo is not None]
    if 2 * len(heard) <= len(echoes):
        return None
    return Echo(
        median(echo.delay_seconds for echo in heard),
        median(echo.leak_db for echo in heard),
        median(echo.tail_seconds for echo in heard),
    )


def spread(echoes: Sequence[Echo | None]) -> tuple[float, float]:
    """Return by how many seconds the delays, and by how many decibels the leaks, of several measurements differ."""
    delays = [echo.delay_seconds for echo in echoes if echo is not None] or [0.0]
    leaks = [echo.leak_db for echo in echoes if echo is not None] or [0.0]
    return max(delays) - min(delays), max(leaks) - min(leaks)


def _tail(after: Samples, noise: float) -> float:
    """Return for how long sound stays more than 10 dB over a noise (a mean square)."""
    powers = _powers(after[: round(LONGEST_TAIL_SECONDS * RATE)], _WINDOW_SECONDS)
    limit = _TAIL_OVER_NOISE * max(noise, 10 ** (_FAINTEST_DB / 10))
    still = 0
    for number, power in enumerate(powers):
        still = still + 1 if power <= limit else 0
        if still == _STILL_WINDOWS:
            return (number + 1 - _STILL_WINDOWS) * _WINDOW_SECONDS
    return (len(powers) - still) * _WINDOW_SECONDS


def _powers(samples: Samples, window_seconds: float) -> NDArray[np.float64]:
    """Return the mean square of each window; of a shorter sound, of all of it."""
    length = round(window_seconds * RATE)
    if len(samples) < length:
        return np.array([np.mean(samples.astype(np.float64) ** 2) if len(samples) else 0.0])
    windows = samples[: len(samples) // length * length].reshape(-1, length).astype(np.float64)
    return np.asarray((windows**2).mean(axis=1))


def _correlated(take: Samples, pattern: Samples) -> NDArray[np.float64]:
    """Return, for each place in a take, how much it is like the pattern from there on."""
    size = 1 << (len(take) + len(pattern)).bit_length()
    spectrum = np.fft.rfft(take.astype(np.float64), size) * np.conj(np.fft.rfft(pattern.astype(np.float64), size))
    return np.asarray(np.fft.irfft(spectrum, size)[: len(take)])


def _faded(samples: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    ramp = np.sin(np.linspace(0, np.pi / 2, round(seconds * RATE))) ** 2
    samples[: len(ramp)] *= ramp
    samples[-len(ramp) :] *= ramp[::-1]
    return samples


def _leveled(samples: NDArray[np.float64]) -> Samples:
    gain = 10 ** (LEVEL_DBFS / 20) / float(np.sqrt(np.mean(samples**2)))
    return np.asarray(samples * gain, np.float32)
