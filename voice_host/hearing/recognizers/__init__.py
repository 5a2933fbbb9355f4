"""The recognisers, one engine a file, and which of them plays a language best on this machine."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from voice_host.errors import MissingError, UsageError
from voice_host.hearing.recognizers.moonshine import MoonshineRecognizer
from voice_host.hearing.recognizers.recognizer import (
    CandidateScorer,
    Capabilities,
    Hypothesis,
    Recognition,
    Recognizer,
)
from voice_host.hearing.recognizers.streaming import StreamingRecognizer
from voice_host.hearing.recognizers.vosk import VoskRecognizer
from voice_host.hearing.recognizers.whisper import WhisperRecognizer
from voice_host.models import advice, best_for, install_command

__all__ = [
    "ENGINES",
    "CandidateScorer",
    "Capabilities",
    "Hypothesis",
    "Recognition",
    "Recognizer",
    "StreamingRecognizer",
    "best_engine",
    "describe",
    "load_recognizer",
]

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
"""Language -> engine's name -> how to load it, in the order in which they are taken when several hear equally well."""


PACKAGES: Final[Mapping[str, str]] = MappingProxyType(
    {"moonshine": "onnxruntime", "whisper": "faster_whisper", "vosk": "vosk"}
)
"""What each engine imports."""


def load_recognizer(language: str, engine: str | None = None) -> Recognizer:
    """Load the engine, or the best installed one; raises `UsageError` for a wrong name, `MissingError` for no model."""
    engines = _engines(language)
    name = engine or best_engine(language)
    if name not in engines:
        raise UsageError(f"There is no engine {name!r} for language {language!r}; choose one of: {', '.join(engines)}.")
    return engines[name]()


def best_engine(language: str) -> str:
    """Return the name of the engine whose model, of those on this machine, hears the language best.

    Raises `UsageError` for a language that no engine hears, `MissingError` with a command where no model is installed.
    """
    engines = _engines(language)
    found = [(name, best) for name in engines if (best := best_for(language, name)) is not None]
    if not found:
        raise MissingError(f"No recogniser for language {language!r} is here; run: {install_command(language)}")
    # A model may outlive the package that plays it; where only such are left, loading one says what to install.
    found = [pair for pair in found if importlib.util.find_spec(PACKAGES[pair[0]]) is not None] or found
    return max(found, key=lambda pair: pair[1].model.languages.get(language, 0))[0]


def describe(language: str, recognizer: Recognizer) -> str:
    """Return what the host says about its ear: which engine listens, and in one sentence how to get a better one."""
    found = best_for(language, recognizer.name)
    model = f" ({found.model.name})" if found is not None else ""
    better = advice(language)
    return f"Listening with {recognizer.name}{model}." + (f" {better}" if better else "")


def _engines(language: str) -> Mapping[str, Callable[[], Recognizer]]:
    """Return the engines of a language, or raise `UsageError`."""
    engines = ENGINES.get(language)
    if engines is None:
        raise UsageError(f"No recogniser understands language {language!r}; choose one of: {', '.join(ENGINES)}.")
    return engines
