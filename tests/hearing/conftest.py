"""Speech for the tests, synthesised by espeak-ng, and the folder of recorded people where there is one."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import espeakng_loader
import numpy as np
import pytest
import soxr

from tests.hearing.sounds import Speak
from voice_host.hearing.recognizers import Recognizer, load_recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

_SYNCHRONOUS, _DONT_EXIT, _UTF8 = 2, 0x8000, 1  # without threads of its own: the other way hangs once in a while
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


@pytest.fixture(scope="session")
def speak() -> Speak:
    """Return a function from an English text to its sound at 16 kHz, without silence around it."""
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    data = Path(espeakng_loader.get_data_path()).parent
    rate = library.espeak_Initialize(_SYNCHRONOUS, 0, str(data).encode(), _DONT_EXIT)
    assert rate > 0
    pieces: list[Samples] = []

    def keep(samples: ctypes._Pointer[ctypes.c_short], count: int, _events: int | None) -> int:
        if samples and count:
            pieces.append(np.ctypeslib.as_array(samples, (count,)).astype(np.float32) / np.float32(32768))
        return 0

    callback = _CALLBACK(keep)
    library.espeak_SetSynthCallback(callback)
    library.espeak_SetVoiceByName(b"en-us")
    library.espeak_SetParameter(1, 140, 0)  # words a minute

    @cache
    def synthesize(text: str) -> Samples:
        assert callback is not None  # the native code keeps only an address
        pieces.clear()
        spoken = text.encode()
        assert library.espeak_Synth(spoken, len(spoken) + 1, 0, 0, 0, _UTF8, None, None) == 0
        sound: Samples = soxr.resample(np.concatenate(pieces), rate, SAMPLE_RATE).astype(np.float32)
        loud = np.flatnonzero(np.abs(sound) > 0.01)
        return sound[loud[0] : loud[-1] + 1]

    return synthesize


@pytest.fixture(scope="session")
def recognizer() -> Iterator[Recognizer]:
    loaded = load_recognizer("en")
    yield loaded
    loaded.close()


@pytest.fixture(scope="session")
def recordings() -> Path:
    """Return the folder of recorded human speech, or skip."""
    beside = Path(__file__).resolve().parents[2].parent / "shared" / "audio"
    folder = Path(os.environ.get("VOICE_HOST_TEST_AUDIO", beside))
    if not (folder / "index.tsv").is_file():
        pytest.skip("no folder of recorded speech; VOICE_HOST_TEST_AUDIO may name one")
    return folder
