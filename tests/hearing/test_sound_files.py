"""Sound files of every kind become mono at 16 kHz; broken ones are refused in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

from voice_host.errors import UsageError
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, open_sound, read_sound, stream_sound


def tone(rate: int, seconds: float = 1.0, hertz: float = 440.0) -> Samples:
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(round(rate * seconds)) / rate)).astype(np.float32)


@pytest.mark.parametrize(
    ("rate", "channels", "name", "subtype"),
    [
        (16_000, 1, "a.wav", "PCM_16"),
        (44_100, 2, "a.wav", "PCM_16"),
        (8_000, 1, "a.wav", "PCM_16"),
        (48_000, 6, "a.wav", "PCM_24"),
        (192_000, 1, "a.wav", "PCM_32"),
        (11_025, 1, "a.wav", "PCM_U8"),
        (22_050, 2, "a.wav", "FLOAT"),
        (16_000, 1, "a.wav", "ULAW"),
        (44_100, 2, "a.flac", "PCM_24"),
        (48_000, 2, "a.ogg", "OPUS"),
        (44_100, 1, "a.ogg", "VORBIS"),
    ],
)
def test_every_rate_depth_and_channel_count_becomes_the_same_tone(
    tmp_path: Path, rate: int, channels: int, name: str, subtype: str
) -> None:
    frames = np.repeat(tone(rate)[:, np.newaxis], channels, axis=1)
    soundfile.write(tmp_path / name, frames, rate, subtype=subtype)
    samples = read_sound(tmp_path / name)
    assert samples.dtype == np.float32
    assert abs(len(samples) - SAMPLE_RATE) <= 20
    spectrum = np.abs(np.fft.rfft(samples[:SAMPLE_RATE], SAMPLE_RATE))
    assert int(spectrum.argmax()) == 440
    assert 0.4 < np.abs(samples[1000:-1000]).max() < 0.6


def test_stereo_is_mixed_not_cut_to_its_left_channel(tmp_path: Path) -> None:
    path = tmp_path / "right.wav"
    soundfile.write(path, np.stack([np.zeros(16_000, np.float32), tone(16_000)], axis=1), 16_000)
    assert np.abs(read_sound(path)).max() == pytest.approx(0.25, abs=0.01)


def test_not_a_number_infinity_and_wild_levels_stay_within_one(tmp_path: Path) -> None:
    path = tmp_path / "wild.wav"
    wild = np.array([0.1, np.nan, np.inf, -np.inf, 7.0, -9.0] * 500, np.float32)
    soundfile.write(path, wild, 22_050, subtype="FLOAT")
    samples = read_sound(path)
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1.0


def test_a_long_file_is_read_in_pieces_with_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "long.wav"
    soundfile.write(path, tone(44_100, 20.0), 44_100)
    with open_sound(path) as sound:
        pieces = list(stream_sound(sound))
    assert len(pieces) > 5
    assert np.array_equal(np.concatenate(pieces), read_sound(path))
    assert abs(len(read_sound(path)) - 20 * SAMPLE_RATE) <= 2


def test_a_truncated_wav_gives_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "cut.wav"
    soundfile.write(path, tone(16_000), 16_000, subtype="PCM_16")
    path.write_bytes(path.read_bytes()[: 44 + 16_000])
    assert len(read_sound(path)) == 8_000


def test_a_damaged_flac_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "cut.flac"
    rng = np.random.default_rng(1)
    soundfile.write(path, rng.normal(0, 0.1, 200_000).astype(np.float32), 16_000)
    path.write_bytes(path.read_bytes()[:200_000])
    with pytest.raises(UsageError, match=r"cut\.flac is damaged"):
        read_sound(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a sound file"),
        (b"RIFF", "not a sound file"),
        (b"this is a letter, not a sound\n" * 50, "not a sound file"),
        (b"\x00" * 4000, "not a sound file"),
    ],
)
def test_what_is_no_sound_is_refused_in_one_sentence_with_the_remedy(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "bad.wav"
    path.write_bytes(content)
    with pytest.raises(UsageError) as refused:
        read_sound(path)
    sentence = str(refused.value)
    assert str(path) in sentence
    assert reason in sentence
    assert sentence.endswith("give a WAV, FLAC or Ogg file.")
    assert "\n" not in sentence


def test_a_sound_without_samples_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.wav"
    soundfile.write(path, np.zeros(0, np.float32), 16_000)
    with pytest.raises(UsageError, match="holds no sound"):
        read_sound(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.wav", tmp_path):
        with pytest.raises(UsageError, match="There is no sound file"):
            read_sound(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.wav"
    soundfile.write(path, tone(16_000), 16_000)
    path.chmod(0)
    with pytest.raises(UsageError, match=r"secret\.wav"):
        read_sound(path)
