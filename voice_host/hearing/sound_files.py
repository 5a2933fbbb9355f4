"""Sound files as the recognisers want them: mono float samples at 16 kHz, whatever the file holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from voice_host.errors import UsageError

Samples = NDArray[np.float32]

SAMPLE_RATE: Final = 16_000
"""Samples a second of all sound inside this room."""

_READ_FRAMES: Final = 65_536
_REMEDY: Final = "give a WAV, FLAC or Ogg file"


def read_sound(path: Path) -> Samples:
    """Return the whole file mixed to mono at `SAMPLE_RATE`, within -1..1; raises `UsageError` naming file and remedy."""
    with open_sound(path) as sound:
        return np.concatenate([np.zeros(0, np.float32), *stream_sound(sound)])


def open_sound(path: Path) -> soundfile.SoundFile:
    """Open a sound file that holds at least one sample, or raise `UsageError` with one sentence."""
    if not path.is_file():
        raise UsageError(f"There is no sound file {path}; {_REMEDY}.")
    try:
        sound = soundfile.SoundFile(path)
    except (soundfile.SoundFileError, OSError) as error:
        raise UsageError(f"{path} is not a sound file that can be read ({_reason(error)}); {_REMEDY}.") from error
    if sound.frames == 0:
        sound.close()
        raise UsageError(f"{path} holds no sound at all; {_REMEDY} with speech in it.")
    return sound


def stream_sound(sound: soundfile.SoundFile, channel: int | None = None) -> Iterator[Samples]:
    """Yield the rest of the file in pieces of any length (mono, `SAMPLE_RATE`), so that hours need no memory.

    With ``channel`` (from 1) only that one is heard, else all are mixed.
    """
    mono = MonoConverter(sound.samplerate, sound.channels if channel is None else 1)
    while True:
        try:
            frames = sound.read(_READ_FRAMES, dtype="float32", always_2d=True)
        except soundfile.SoundFileError as error:
            raise UsageError(f"{sound.name} is damaged ({_reason(error)}); record it again.") from error
        last = len(frames) < _READ_FRAMES
        piece = mono.convert(frames if channel is None else frames[:, channel - 1 : channel], last=last)
        if len(piece):
            yield piece
        if last:
            return


class MonoConverter:
    """Mixes and resamples a stream of frames (shape: frames x channels) to mono at `SAMPLE_RATE`."""

    def __init__(self, rate: int, channels: int) -> None:
        """Expect frames of this rate in Hz and this number of channels."""
        self._channels = channels
        self._resampler: Any = (
            None if rate == SAMPLE_RATE else soxr.ResampleStream(rate, SAMPLE_RATE, 1, dtype="float32", quality="HQ")
        )

    def convert(self, frames: NDArray[np.float32], *, last: bool = False) -> Samples:
        """Return the samples that are ready; a resampler keeps some back until the ``last`` piece."""
        mono = frames[:, 0] if self._channels == 1 else frames.mean(axis=1, dtype=np.float32)
        # A float file may hold anything: one NaN would poison the resampler and the recogniser for good.
        mono = np.clip(np.nan_to_num(mono, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0)
        if self._resampler is not None:
            mono = np.clip(self._resampler.resample_chunk(np.ascontiguousarray(mono), last=last), -1.0, 1.0)
        return np.ascontiguousarray(mono, dtype=np.float32)


def _reason(error: Exception) -> str:
    """Return libsndfile's or the system's own words without the path and the full stop."""
    words = getattr(error, "error_string", None) or getattr(error, "strerror", None) or str(error)
    return str(words).removeprefix("Error : ").strip().rstrip(".")
