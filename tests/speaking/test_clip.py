"""Clips: values of sound, joined, converted and trimmed without surprises."""

from __future__ import annotations

import numpy as np
import pytest

from voice_host.speaking.clip import Clip, concatenate, resample, silence, trim


def tone(seconds: float, sample_rate: int = 16000, hertz: float = 440.0, peak: float = 0.5) -> Clip:
    times = np.arange(round(seconds * sample_rate)) / sample_rate
    return Clip((peak * np.sin(2 * np.pi * hertz * times)).astype(np.float32), sample_rate)


def test_only_one_row_of_float32_is_a_clip() -> None:
    for samples in (np.zeros((2, 3), np.float32), np.zeros(3, np.float64), np.zeros(3, np.int16)):
        with pytest.raises(ValueError, match="one row of float32"):
            Clip(samples, 16000)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="positive"):
        Clip(np.zeros(3, np.float32), 0)


def test_resampling_keeps_length_and_pitch() -> None:
    for sample_rate in (8000, 22050, 44100, 48000):
        converted = resample(tone(1.0), sample_rate)
        assert converted.sample_rate == sample_rate
        assert converted.seconds == pytest.approx(1.0, abs=0.001)
        spectrum = np.abs(np.fft.rfft(converted.samples))
        assert np.argmax(spectrum) / converted.seconds == pytest.approx(440, abs=2)


def test_clips_of_different_rates_join_at_the_highest() -> None:
    joined = concatenate([tone(0.5, 16000), silence(0.25, 22050), tone(0.5, 48000)])
    assert joined.sample_rate == 48000
    assert joined.seconds == pytest.approx(1.25, abs=0.001)


def test_no_clips_join_to_an_empty_one() -> None:
    assert concatenate([]).seconds == 0
    assert concatenate([silence(0, 16000), tone(0.1, 22050)]).seconds == pytest.approx(0.1)


def test_trimming_leaves_a_few_milliseconds_and_no_click() -> None:
    trimmed = trim(concatenate([silence(0.4, 16000), tone(0.5), silence(0.7, 16000)]))
    assert trimmed.seconds == pytest.approx(0.51, abs=0.002)
    assert abs(trimmed.samples[0]) < 0.001
    assert abs(trimmed.samples[-1]) < 0.001


def test_silence_trims_to_nothing() -> None:
    assert trim(silence(1.0)).seconds == 0


def test_silence_and_broken_numbers_are_not_audible() -> None:
    assert tone(0.1).audible
    assert not silence(1.0).audible
    assert not silence(0).audible
    broken = tone(0.1).samples.copy()
    broken[5] = np.nan
    assert not Clip(broken, 16000).audible
