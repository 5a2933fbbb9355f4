"""The recognisers, one engine a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from voice_host.errors import UsageError
from voice_host.hearing.recognizers.moonshine import MoonshineRecognizer
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition, Recognizer
from voice_host.hearing.recognizers.vosk import VoskRecognizer
from voice_host.hearing.recognizers.whisper import WhisperRecognizer

__all__ = ["ENGINES", "Capabilities", "Hypothesis", "Recognition", "Recognizer", "load_recognizer"]

ENGINES: Final[Mapping[str, Mapping[str, Callable[[], Recognizer]]]] = MappingProxyType(
    {
        "en": {
            "moonshine": MoonshineRecognizer,
            "whisper": partial(WhisperRecognizer, "en"),
            "vosk": partial(VoskRecognizer, "en"),
        },
        "zh-Hant": {"whisper": partial(WhisperRecognizer, "zh-Hant"), "vosk": partial(VoskRecognizer, "zh-Hant")},
        "ko": {"whisper": partial(WhisperRecognizer, "ko"), "vosk": partial(VoskRecognizer, "ko")},
    }
)
"""Language -> engine's name -> how to load it; the first engine of a language is its default."""


def load_recognizer(language: str, engine: str | None = None) -> Recognizer:
    """Load the engine (or the language's default); raises `UsageError` for a wrong name, `MissingError` for no model."""
    engines = ENGINES.get(language)
    if engines is None:
        raise UsageError(f"No recogniser understands language {language!r}; choose one of: {', '.join(ENGINES)}.")
    name = engine or next(iter(engines))
    if name not in engines:
        raise UsageError(f"There is no engine {name!r} for language {language!r}; choose one of: {', '.join(engines)}.")
    return engines[name]()
