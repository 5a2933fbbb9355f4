"""Moonshine tiny-en, the embedded English engine: its 44 MB model comes with its package."""

from __future__ import annotations

import re
import time
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np

from voice_host.errors import MissingError
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import SileroVoiceActivity, speech_seconds

_PADDING_SECONDS: Final = 0.15
"""Silence before and after the clip: clips cut close to the word are misheard without it."""
_SURE_PROBABILITY: Final = 0.5
_LEAST_SPEECH_SECONDS: Final = 0.06
"""The decoder writes "You" for silence and "The" for noise: below this much voice nobody said anything."""
_WRITABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 '.-]*")
_WORD: Final = re.compile(r"[A-Za-z0-9]")
"""For music and sighs the model writes notes and letters of other alphabets, which are no English words."""


class MoonshineRecognizer:
    """Moonshine tiny-en; any thread may call it, one utterance is decoded at a time."""

    name: Final = "moonshine"
    languages: Final = ("en",)
    capabilities: Final = Capabilities()

    def __init__(self) -> None:
        """Load the model (0.5 s, 270 MB); raises `MissingError` when the package or its model is not there."""
        try:
            from moonshine_voice import ModelArch, Transcriber, get_model_path
        except (ImportError, OSError) as error:
            raise MissingError(
                f"The English recogniser is not installed ({error}); run: pip install moonshine-voice==0.1.0"
            ) from error
        folder = Path(get_model_path("tiny-en"))
        if not folder.is_dir():
            raise MissingError(
                f"The English model is missing at {folder}; run: pip install --force-reinstall moonshine-voice==0.1.0"
            )
        # With its own voice detection the engine writes phantom first lines; 0 makes the whole clip one segment.
        self._transcriber: Any = Transcriber(str(folder), ModelArch.TINY, options={"vad_threshold": "0"})
        self._voice = SileroVoiceActivity()
        self._lock = Lock()

    def recognize(self, samples: Samples) -> Recognition:
        """Return at most one hypothesis for one utterance (mono, 16 kHz, any length)."""
        started = time.perf_counter()
        with self._lock:
            spoken = speech_seconds(samples, self._voice, _SURE_PROBABILITY) >= _LEAST_SPEECH_SECONDS
            text = self._decode(samples) if spoken else ""
        hypotheses = (Hypothesis(text),) if text else ()
        return Recognition(hypotheses, time.perf_counter() - started)

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word: it spells anything in plain Latin letters."""
        return _WRITABLE.fullmatch(word) is not None

    def close(self) -> None:
        """Free the model; the recogniser is of no use afterwards."""
        with self._lock:
            self._transcriber.close()

    def _decode(self, samples: Samples) -> str:
        """Return the engine's text for the clip between two pieces of silence, without repetition loops."""
        padding = np.zeros(int(_PADDING_SECONDS * SAMPLE_RATE), np.float32)
        padded = np.concatenate([padding, samples, padding])
        transcript = self._transcriber.transcribe_without_streaming(padded.tolist(), SAMPLE_RATE)
        text = collapse_repetitions(" ".join(line.text for line in transcript.lines).strip())
        return text if _WORD.search(text) else ""


def collapse_repetitions(text: str) -> str:
    """Return the text with a phrase that is said three times or more in a row, as decoders in a loop do, said once."""
    words = text.split()
    keys = [re.sub(r"\W", "", word).lower() for word in words]
    kept: list[int] = []
    at = 0
    while at < len(words):
        length, times = _loop_at(keys, at)
        kept.extend(range(at, at + length))
        at += length * times
    return " ".join(words[index] for index in kept)


def _loop_at(keys: list[str], at: int) -> tuple[int, int]:
    """Return (length in words, times said) of the loop that starts here; (1, 1) when there is none."""
    for length in range(1, (len(keys) - at) // 3 + 1):
        phrase = keys[at : at + length]
        times = 1
        while keys[at + length * times : at + length * (times + 1)] == phrase:
            times += 1
        if times >= 3:
            return length, times
    return 1, 1
