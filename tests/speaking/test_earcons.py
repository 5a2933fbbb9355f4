"""Earcons: short, soft, without clicks, the same every time, and none like another even to an ear that mistakes pitch."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from voice_host.errors import UsageError
from voice_host.speaking.earcons import EARCONS, earcon


@pytest.mark.parametrize("name", EARCONS)
def test_an_earcon_is_short_soft_and_starts_and_ends_in_silence(name: str) -> None:
    clip = earcon(name)
    assert clip.audible
    assert clip.seconds <= (1.2 if name == "bell" else 0.35)
    assert clip.peak <= 0.5
    assert abs(clip.samples[0]) < 0.002
    assert abs(clip.samples[-1]) < 0.002


@pytest.mark.parametrize("name", EARCONS)
def test_an_earcon_lies_where_old_ears_and_small_loudspeakers_are_good(name: str) -> None:
    clip = earcon(name)
    energy = np.abs(np.fft.rfft(clip.samples)) ** 2
    hertz = np.fft.rfftfreq(len(clip.samples), 1 / clip.sample_rate)
    assert energy[(hertz >= 400) & (hertz <= 2000)].sum() >= 0.9 * energy.sum()


@pytest.mark.parametrize("name", EARCONS)
def test_an_earcon_does_not_click(name: str) -> None:
    """A click is energy far above the notes."""
    clip = earcon(name)
    energy = np.abs(np.fft.rfft(clip.samples)) ** 2
    hertz = np.fft.rfftfreq(len(clip.samples), 1 / clip.sample_rate)
    assert energy[hertz > 4000].sum() <= 1e-3 * energy.sum()


@pytest.mark.parametrize("name", EARCONS)
def test_an_earcon_is_the_same_every_time(name: str) -> None:
    assert np.array_equal(earcon(name).samples, earcon(name).samples)


def contour(name: str) -> NDArray[np.float64]:
    """Return what is left of a sound for an ear without a sense of pitch: loudness and rise or fall, frame by frame."""
    clip = earcon(name)
    frame = round(0.02 * clip.sample_rate)
    samples = np.zeros(frame * 18)
    samples[: min(len(clip.samples), len(samples))] = clip.samples[: len(samples)]
    frames = samples.reshape(-1, frame)
    loudness = np.sqrt((frames**2).mean(axis=1))
    hertz = np.fft.rfftfreq(frame * 4, 1 / clip.sample_rate)[1:]
    spectra = np.abs(np.fft.rfft(frames * np.hanning(frame), frame * 4))[:, 1:]
    octave = np.log2(hertz[spectra.argmax(axis=1)])
    sounding = loudness > 0.1 * loudness.max()
    octave = np.where(sounding, octave - octave[sounding].mean(), 0)
    return np.concatenate([loudness / loudness.max(), octave])


@pytest.mark.parametrize(("one", "other"), list(combinations(EARCONS, 2)))
def test_two_earcons_differ_in_more_than_pitch(one: str, other: str) -> None:
    assert float(np.abs(contour(one) - contour(other)).sum()) > 2.0


def test_an_unknown_earcon_is_refused_naming_the_known() -> None:
    with pytest.raises(UsageError, match="noted, next_card"):
        earcon("gong")
