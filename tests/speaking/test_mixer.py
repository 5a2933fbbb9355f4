"""The mixer: sample-exact places, whatever the blocks; fades, ramps, and a limiter that leaves alone what fits."""

from __future__ import annotations

import numpy as np
import pytest

from voice_host.speaking.mixer import CEILING, DUCK_GAIN, FADE_SECONDS, Mixer, Samples

RATE = 48_000


def noise(count: int, peak: float, seed: int = 1) -> Samples:
    return (np.random.default_rng(seed).uniform(-peak, peak, count)).astype(np.float32)


def rendered(mixer: Mixer, *sizes: int) -> Samples:
    return np.concatenate([mixer.render(size)[0] for size in sizes])


@pytest.mark.parametrize("sizes", [(4000,), (1, 999, 2000, 1000), (480,) * 9])
def test_sounds_lie_where_they_were_put_whatever_the_blocks(sizes: tuple[int, ...]) -> None:
    first, second = noise(2000, 0.4), noise(700, 0.4, seed=2)
    mixer = Mixer(RATE)
    mixer.add(1, first)
    mixer.add(2, second, 1234)
    expected = np.zeros(sum(sizes), np.float32)
    expected[:2000] += first
    expected[1234:1934] += second
    assert np.array_equal(rendered(mixer, *sizes), expected)
    assert not mixer.active


def test_the_end_of_each_sound_is_told_once_with_its_frame() -> None:
    mixer = Mixer(RATE)
    mixer.add(7, noise(700, 0.4))
    mixer.add(8, noise(300, 0.4), 100)
    assert mixer.render(500)[1] == ((8, 400),)
    assert mixer.render(500)[1] == ((7, 700),)
    assert mixer.render(500)[1] == ()


def test_what_is_too_late_begins_at_once_and_what_is_stopped_early_never() -> None:
    mixer = Mixer(RATE)
    mixer.render(1000)
    mixer.add(1, noise(50, 0.4), 10)
    mixer.add(2, noise(50, 0.4), 5000)
    assert mixer.sounding
    mixer.stop(2)
    mixer.stop(3)
    samples, ended = mixer.render(100)
    assert samples[:50].any()
    assert not samples[50:].any()
    assert sorted(number for number, _ in ended) == [1, 2]


def test_a_stopped_sound_fades_in_five_milliseconds_without_a_click() -> None:
    mixer = Mixer(RATE)
    mixer.add(1, np.full(RATE, 0.5, np.float32))
    mixer.render(1000)
    mixer.stop(1)
    samples, ended = mixer.render(1000)
    fade = round(FADE_SECONDS * RATE)
    assert np.abs(np.diff(np.concatenate([[0.5], samples]))).max() < 0.01
    assert not samples[fade:].any()
    assert ended == ((1, 1000 + fade),)


def test_ducking_follows_the_same_ramp_whatever_the_blocks() -> None:
    ramps = []
    for sizes in ((4800,), (100,) * 48):
        mixer = Mixer(RATE)
        mixer.add(1, np.full(RATE, 0.5, np.float32))
        mixer.duck(on=True)
        ramps.append(rendered(mixer, *sizes))
    assert ramps[0] == pytest.approx(ramps[1], abs=1e-6)
    assert ramps[0][-1] == pytest.approx(0.5 * DUCK_GAIN)
    assert ramps[0][0] == pytest.approx(0.5, abs=0.001)


def test_what_fits_is_left_alone_to_the_bit_and_what_does_not_is_turned_down() -> None:
    mixer = Mixer(RATE)
    quiet = noise(RATE, CEILING)
    mixer.add(1, quiet)
    assert np.array_equal(rendered(mixer, *(480,) * 100), quiet)
    second = np.arange(RATE) / RATE
    tone = (0.9 * np.sin(2 * np.pi * 440 * second)).astype(np.float32)
    for number in (2, 3):
        mixer.add(number, tone)
    loud = rendered(mixer, *(480,) * 100)
    assert np.abs(loud).max() <= 1.0
    settled = loud[RATE // 10 :]
    assert np.abs(settled).max() == pytest.approx(CEILING, abs=0.02)
    # Turned down, not cut off: what is left beside the tone is small.
    wave = tone[RATE // 10 :]
    rest = settled - wave * (settled @ wave) / (wave @ wave)
    assert np.sqrt((rest**2).mean()) < 0.03
    mixer.render(RATE)
    mixer.add(4, quiet)
    assert np.array_equal(rendered(mixer, RATE), quiet)
