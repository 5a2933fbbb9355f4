"""What a device brings: when it was captured, what was lost, which channels carry sound, and when silence is a fault."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from voice_host.devices import SoundDevice
from voice_host.hearing.channels import ChannelMixer
from voice_host.hearing.digital_silence import DigitalSilence
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.timeline import Captured, Timeline
from voice_host.sound_children.frame_clock import CaptureClock, FrameClock
from voice_host.sound_children.stream import ways

RATE = 48_000
PIECE = 960


def noise(frames: int, channels: int = 1, level: float = 0.1) -> NDArray[np.float32]:
    return np.random.default_rng(5).normal(0, level, (frames, channels)).astype(np.float32)


def pieces(sound: NDArray[np.float32], *, began: float = 100.0, jitter: float = 0.0) -> list[Captured]:
    late = np.abs(np.random.default_rng(6).normal(0, jitter, len(sound) // PIECE + 1))
    return [
        Captured(first, began + first / RATE + float(late[number]), False, sound[first : first + PIECE])  # noqa: FBT003
        for number, first in enumerate(range(0, len(sound), PIECE))
    ]


def brought(timeline: Timeline, captured: list[Captured]) -> Samples:
    return np.concatenate([timeline.samples(piece) for piece in captured])


@pytest.mark.parametrize("jitter", [0.0, 0.02])
def test_each_sample_is_told_when_it_was_captured_whatever_the_jitter(jitter: float) -> None:
    timeline = Timeline(RATE, 1)
    samples = brought(timeline, pieces(noise(60 * RATE), jitter=jitter))
    assert len(samples) == pytest.approx(60 * SAMPLE_RATE, abs=600)
    assert timeline.captured_at(len(samples)) == pytest.approx(100 + len(samples) / SAMPLE_RATE, abs=0.005 + jitter)
    assert timeline.lost_frames == 0


def test_a_device_with_a_clock_of_its_own_is_followed_without_inserting_anything() -> None:
    timeline = Timeline(RATE, 1)
    slow = [Captured(p.first, 100 + (p.captured_at - 100) * 1.002, False, p.frames) for p in pieces(noise(120 * RATE))]  # noqa: FBT003
    samples = brought(timeline, slow)
    assert timeline.lost_frames == 0
    assert timeline.captured_at(len(samples)) == pytest.approx(100 + len(samples) / SAMPLE_RATE * 1.002, abs=0.02)


def test_frames_that_the_host_was_too_slow_for_become_silence() -> None:
    sound = noise(10 * RATE)
    captured = pieces(sound)
    timeline = Timeline(RATE, 1)
    samples = brought(timeline, captured[:100] + captured[150:])
    assert timeline.lost_frames == 50 * PIECE
    assert len(samples) == pytest.approx(10 * SAMPLE_RATE, abs=600)
    assert not samples[round(2.1 * SAMPLE_RATE) : round(2.9 * SAMPLE_RATE)].any()
    assert timeline.captured_at(len(samples)) == pytest.approx(100 + len(samples) / SAMPLE_RATE, abs=0.005)


@pytest.mark.parametrize(("told", "seconds"), [(True, 0.08), (False, 0.5)])
def test_frames_that_the_sound_system_lost_become_silence_by_the_clock(*, told: bool, seconds: float) -> None:
    captured = pieces(noise(20 * RATE))
    late = [Captured(p.first, p.captured_at + seconds, told and p.first == 480_000, p.frames) for p in captured[500:]]
    timeline = Timeline(RATE, 1)
    samples = brought(timeline, captured[:500] + late)
    assert timeline.lost_frames / RATE == pytest.approx(seconds, abs=0.01)
    assert len(samples) / SAMPLE_RATE == pytest.approx(20 + seconds, abs=0.02)
    assert timeline.captured_at(len(samples)) == pytest.approx(120 + seconds, abs=0.03)


def test_a_microphone_on_one_of_two_channels_is_as_loud_as_on_one() -> None:
    mono = noise(2 * RATE)
    for channel in (0, 1):
        frames = noise(2 * RATE, 2, level=0.0001)
        frames[:, channel] = mono[:, 0]
        mixer = ChannelMixer(RATE, 2)
        mixed = np.concatenate([mixer.mixed(frames[first : first + PIECE]) for first in range(0, len(frames), PIECE)])
        assert np.abs(mixed - mono[:, 0])[PIECE:].max() < 0.001


def test_two_live_channels_are_averaged_and_opposed_ones_do_not_cancel() -> None:
    mono = noise(2 * RATE)
    both = ChannelMixer(RATE, 2)
    assert both.mixed(np.hstack([mono, mono])) == pytest.approx(mono[:, 0], abs=1e-6)
    opposed = ChannelMixer(RATE, 2)
    opposed.mixed(np.hstack([mono, -0.9 * mono]))
    assert opposed.mixed(np.hstack([mono, -0.9 * mono])) == pytest.approx(mono[:, 0], abs=1e-6)


def test_channels_that_come_and_go_make_no_click_and_a_bad_number_no_harm() -> None:
    mixer = ChannelMixer(RATE, 2)
    steady = np.full((PIECE, 2), 0.5, np.float32)
    one_dies = steady.copy()
    one_dies[:, 1] = 0
    parts = [mixer.mixed(frames) for frames in (steady, *[one_dies] * 400)]
    mixed = np.concatenate(parts)[PIECE:]
    assert np.abs(np.diff(mixed)).max() < 0.01
    assert mixed[-1] == pytest.approx(0.5)
    steady[3, 0] = np.nan
    steady[4, 1] = np.inf
    assert np.isfinite(mixer.mixed(steady)).all()


def mute_after(silence: DigitalSilence, sound: NDArray[np.float32]) -> float | None:
    """Return after how many seconds of the sound the microphone was called mute."""
    for first in range(0, len(sound), PIECE):
        if silence.begun(sound[first : first + PIECE], RATE, switched_off=False):
            return (first + PIECE) / RATE
    return None


def test_zeros_are_a_fault_of_a_microphone_that_always_brought_noise() -> None:
    silence = DigitalSilence()
    zeros = np.zeros((5 * RATE, 1), np.float32)
    assert mute_after(silence, np.concatenate([zeros[:RATE], noise(40 * RATE)])) is None
    assert mute_after(silence, zeros) == pytest.approx(1.5, abs=0.05)
    assert silence.waiting_for_sound
    assert mute_after(silence, zeros) is None  # told once
    assert mute_after(silence, noise(RATE)) is None
    assert not silence.waiting_for_sound
    assert mute_after(silence, zeros) == pytest.approx(1.5, abs=0.05)


def test_zeros_are_the_nature_of_virtual_cards_and_noise_gates() -> None:
    silence = DigitalSilence()
    words = np.concatenate([noise(2 * RATE), np.zeros((RATE // 5, 1), np.float32)] * 20)
    assert mute_after(silence, words) is None
    assert mute_after(silence, np.zeros((60 * RATE, 1), np.float32)) is None


def test_a_microphone_that_is_switched_off_is_mute_at_once_and_back_when_switched_on() -> None:
    silence = DigitalSilence()
    zeros = np.zeros((PIECE, 1), np.float32)
    assert not silence.begun(zeros, RATE, switched_off=False)
    assert silence.begun(zeros, RATE, switched_off=True)
    assert not silence.begun(zeros, RATE, switched_off=True)
    assert silence.waiting_for_sound
    assert not silence.begun(zeros, RATE, switched_off=False)
    assert not silence.waiting_for_sound


def test_one_late_callback_moves_no_time() -> None:
    clock = FrameClock(RATE)
    for number in range(50):
        clock.observe(number * PIECE, 10 + number * PIECE / RATE + (0.5 if number == 40 else 0))
    assert clock.time_of(RATE) == pytest.approx(11.0)
    assert clock.frame_at(11.0) == RATE


def test_a_microphone_whose_times_are_late_in_turns_keeps_its_time() -> None:
    """PulseAudio's are late by a buffer for seconds on end, now less and now more of them."""
    clock, chance = CaptureClock(RATE), np.random.default_rng(7)
    told = []
    for number in range(3000):
        share = 0.9 if number // 200 % 2 else 0.4
        late = 0.066 if chance.uniform() < share else 0.0
        clock.observe(number * PIECE, 10 + number * PIECE / RATE * (1 - 1e-4) + late)
        told.append(clock.time_of(number * PIECE) - number * PIECE / RATE * (1 - 1e-4))
    settled = np.array(told[192:])
    assert settled == pytest.approx(10.066, abs=0.001)


def test_a_microphone_that_begins_with_wrong_times_or_loses_frames_is_followed() -> None:
    clock = CaptureClock(RATE)
    for number in range(60):
        clock.observe(number * PIECE, 10 + number * PIECE / RATE - max(0.0, 0.5 - 0.025 * number))
    assert clock.time_of(0) == pytest.approx(10.0, abs=0.001)
    for number in range(60, 90):
        clock.observe(number * PIECE, 10.4 + number * PIECE / RATE)
    assert clock.time_of(0) == pytest.approx(10.4, abs=0.001)


def test_a_device_is_tried_at_its_own_rate_then_at_the_usual_ones_with_two_channels_one_or_all() -> None:
    device = SoundDevice("fussy", "ALSA", 0, input_channels=8, output_channels=1, default_rate=44_100)
    tried = list(ways(device, "input"))
    assert tried[:3] == [(44_100, 2), (44_100, 1), (44_100, 8)]
    assert [rate for rate, channels in tried if channels == 2] == [44_100, 48_000, 16_000]
    assert list(ways(device, "output")) == [(44_100, 1), (48_000, 1), (16_000, 1)]
