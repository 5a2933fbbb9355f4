"""Rooms that are computed, so that what must be measured is known exactly."""

from __future__ import annotations

import numpy as np
import pytest

from voice_host.acoustics import (
    AFTER_SECONDS,
    BEFORE_SECONDS,
    LEVEL_DBFS,
    QUIET_DBFS,
    RATE,
    Echo,
    Samples,
    dbfs,
    find_tone,
    is_digital_silence,
    measure_echo,
    measuring_sound,
    noise_burst,
    noise_dbfs,
    rising_tone,
    speech_dbfs,
    spread,
    usual_echo,
)


def noise(seconds: float, level_dbfs: float, seed: int = 1) -> Samples:
    samples = np.random.default_rng(seed).standard_normal(round(seconds * RATE)) * 10 ** (level_dbfs / 20)
    return samples.astype(np.float32)


def room(
    delay: float, leak_db: float, noise_dbfs: float | None = -60.0, tail_seconds: float = 0.0, drift: float = 0.0
) -> Samples:
    """Return what a microphone hears of the test sound that is played at `BEFORE_SECONDS`.

    The reverberation falls by 60 dB in ``tail_seconds``; ``drift`` is by how much the clocks differ.
    """
    sound = measuring_sound().astype(np.float64)
    if drift:
        sound = np.interp(np.arange(0, len(sound), 1 + drift), np.arange(len(sound)), sound)
    if tail_seconds:
        times = np.arange(round(1.5 * tail_seconds * RATE)) / RATE
        response = np.random.default_rng(2).standard_normal(len(times)) * 10 ** (-3 * times / tail_seconds) * 0.02
        response[0] = 1
        size = 1 << (len(sound) + len(response)).bit_length()
        sound = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[: len(sound) + len(response)]
    take = np.zeros(round((BEFORE_SECONDS + len(measuring_sound()) / RATE + AFTER_SECONDS) * RATE))
    begin = round((BEFORE_SECONDS + delay) * RATE)
    end = min(len(take), begin + len(sound))
    take[begin:end] += sound[: end - begin] * 10 ** (leak_db / 20)
    if noise_dbfs is not None:
        take += noise(len(take) / RATE, noise_dbfs)[: len(take)]
    return take.astype(np.float32)


@pytest.mark.parametrize("delay", [-0.02, 0.0, 0.0653, 0.42, 0.9])
@pytest.mark.parametrize("leak_db", [0.0, -20.0, -35.0])
def test_delay_and_leak_are_those_of_the_room(delay: float, leak_db: float) -> None:
    echo = measure_echo(room(delay, leak_db), BEFORE_SECONDS)
    assert echo is not None
    assert echo.delay_seconds == pytest.approx(delay, abs=0.0005)
    assert echo.leak_db == pytest.approx(leak_db, abs=0.3)
    assert echo.tail_seconds <= 0.02


def test_a_leak_below_the_noise_is_still_found() -> None:
    echo = measure_echo(room(0.1, -35.0, noise_dbfs=-45.0), BEFORE_SECONDS)
    assert echo is not None
    assert echo.delay_seconds == pytest.approx(0.1, abs=0.001)
    assert echo.leak_db == pytest.approx(-35.0, abs=2.0)
    assert echo.tail_seconds == 0.0


def test_a_virtual_room_without_any_noise_is_measured() -> None:
    echo = measure_echo(room(0.065, -20.0, noise_dbfs=None), BEFORE_SECONDS)
    assert echo is not None
    assert echo.delay_seconds == pytest.approx(0.065, abs=0.0005)
    assert echo.leak_db == pytest.approx(-20.0, abs=0.1)
    assert echo.tail_seconds <= 0.01


@pytest.mark.parametrize("drift", [-0.0003, 0.0003])
def test_clocks_that_differ_by_300_millionths_do_not_hide_it(drift: float) -> None:
    echo = measure_echo(room(0.065, -30.0, drift=drift), BEFORE_SECONDS)
    assert echo is not None
    assert echo.delay_seconds == pytest.approx(0.065, abs=0.002)
    assert echo.leak_db == pytest.approx(-30.0, abs=0.5)


@pytest.mark.parametrize("reverberation", [0.3, 0.6, 1.0])
def test_the_tail_lasts_until_the_room_is_10_db_over_its_noise(reverberation: float) -> None:
    echo = measure_echo(room(0.05, -10.0, noise_dbfs=-70.0, tail_seconds=reverberation), BEFORE_SECONDS)
    assert echo is not None
    # The burst drives the reverberation to about its own level; from -30 dBFS to -60 dBFS it falls in half its time.
    assert echo.tail_seconds == pytest.approx(0.45 * reverberation, rel=0.35)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("level_dbfs", [-70.0, -30.0])
def test_a_room_without_the_tone_is_never_said_to_hear_it(seed: int, level_dbfs: float) -> None:
    assert find_tone(noise(6.0, level_dbfs, seed), BEFORE_SECONDS) is None


def test_neither_silence_nor_a_hum_nor_a_voice_of_another_pitch_is_the_tone() -> None:
    times = np.arange(6 * RATE) / RATE
    hum = (0.1 * np.sin(2 * np.pi * 50 * times) + 0.05 * np.sin(2 * np.pi * 440 * times)).astype(np.float32)
    assert find_tone(np.zeros(6 * RATE, np.float32), BEFORE_SECONDS) is None
    assert find_tone(hum, BEFORE_SECONDS) is None
    assert find_tone(rising_tone(), 60.0) is None


def test_tone_and_burst_are_as_loud_as_they_say_and_do_not_clip() -> None:
    for sound in (rising_tone(), noise_burst()):
        assert dbfs(float(np.mean(sound.astype(np.float64) ** 2))) == pytest.approx(LEVEL_DBFS, abs=0.01)
        assert np.abs(sound).max() < 0.6


def test_noise_is_the_usual_level_and_a_door_does_not_count() -> None:
    quiet = noise(3.0, -55.0)
    assert noise_dbfs(quiet) == pytest.approx(-55.0, abs=0.3)
    quiet[RATE : 2 * RATE] += noise(1.0, -10.0, 2)
    assert noise_dbfs(quiet) == pytest.approx(-55.0, abs=0.5)
    assert noise_dbfs(np.zeros(RATE, np.float32)) == QUIET_DBFS
    assert noise_dbfs(np.zeros(0, np.float32)) == QUIET_DBFS


def test_speech_is_measured_without_its_pauses_and_silence_is_no_speech() -> None:
    take = noise(5.0, -60.0)
    for second in (1, 3):
        take[second * RATE : (second + 1) * RATE] += noise(1.0, -25.0, second)
    assert speech_dbfs(take, -60.0) == pytest.approx(-25.0, abs=0.3)
    assert speech_dbfs(noise(5.0, -60.0), -60.0) is None


def test_digital_silence_is_told_from_a_very_quiet_room() -> None:
    assert is_digital_silence(np.zeros(RATE, np.float32))
    assert not is_digital_silence(noise(1.0, -110.0))


def test_several_measurements_give_their_median_and_how_far_they_are_apart() -> None:
    first, second, third = Echo(0.06, -20, 0.1), Echo(0.07, -22, 0.2), Echo(0.3, -21, 0.15)
    assert usual_echo([first, second, third]) == Echo(0.07, -21, 0.15)
    assert usual_echo([first, None, third]) is not None
    assert usual_echo([first, None, None]) is None
    assert spread([first, None, second]) == pytest.approx((0.01, 2.0))
    assert spread([None]) == (0.0, 0.0)
