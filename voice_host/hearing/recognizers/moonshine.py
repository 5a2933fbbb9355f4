"""Moonshine tiny-en, the embedded English engine: its 44 MB model comes with its package."""

from __future__ import annotations

import importlib.util
import math
import re
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

from voice_host.errors import MissingError
from voice_host.hearing.recognizers.moonshine_decoder import MoonshineDecoder, Opening
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import SileroVoiceActivity, voice_probabilities

_PADDING_SECONDS: Final = 0.15
"""Silence before and after the clip: clips cut close to the word are misheard without it."""
_VOICE: Final = 0.3
_SURE_VOICE: Final = 0.8
_LEAST_BLOCKS: Final = 2
_LEAST_WORD_PROBABILITY: Final = ((9, 0.04), (4, 0.12), (0, 0.25))
"""Ghosts: the decoder writes "You" for silence and "Thank you" for a cough. They are known by two evidences, never by the
word: hardly a block of voice, and a small probability per word; the fewer blocks are surely voice, the more it must be.
Measured on 85 recordings of noise, coughs and sneezes: 81 ghosts without the rule, 10 with it; of 545 words it loses 4."""
_WRITABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 '.-]*")
_WORD: Final = re.compile(r"[A-Za-z0-9]")
"""For music and sighs the model writes notes and letters of other alphabets, which are no English words."""

_BEAM: Final = 8
"""Readings followed at once: the right word is among eight for 89 % of 572 recorded words, the first alone for 72 %."""
_NARROW_BEAM: Final = 3
_SHORT_SECONDS: Final = 5.0
"""Longer utterances are stories and table talk: their single words matter less than the time they take."""
_REPAIR: Final = "run: pip install --force-reinstall moonshine-voice==0.1.0"


class MoonshineRecognizer:
    """Moonshine tiny-en; any thread may call it, one utterance is decoded at a time."""

    name: Final = "moonshine"
    languages: Final = ("en",)
    capabilities: Final = Capabilities(n_best=True, candidate_scoring=True)

    def __init__(self) -> None:
        """Load the model (0.3 s); raises `MissingError` when the package or its model is not there or damaged."""
        folder = _model_folder()
        try:
            self._decoder = MoonshineDecoder(folder)
        except Exception as error:  # onnxruntime's errors have no common base of their own
            raise MissingError(f"The English model cannot be loaded ({_first_line(error)}); {_REPAIR}") from error
        self._voice = SileroVoiceActivity()
        self._lock = Lock()
        self._opened: tuple[Samples, Opening] | None = None
        "the last utterance, which is mostly the one that is scored"

    def recognize(self, samples: Samples) -> Recognition:
        """Return the n-best hypotheses for one utterance (mono, 16 kHz, any length)."""
        started = time.perf_counter()
        with self._lock:
            voices = voice_probabilities(samples, self._voice)
            voiced = np.count_nonzero(voices >= _VOICE) >= _LEAST_BLOCKS
            hypotheses = self._decode(samples) if voiced else ()
        sure = np.count_nonzero(voices >= _SURE_VOICE)
        least = next(probability for blocks, probability in _LEAST_WORD_PROBABILITY if sure >= blocks)
        if hypotheses and _word_probability(hypotheses[0]) < least:
            hypotheses = ()
        return Recognition(hypotheses, time.perf_counter() - started)

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        """Return the natural log of each whole text's likelihood; of any utterance, whether or not it holds a voice."""
        with self._lock:
            return self._decoder.score(self._open(samples), candidates)

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word: it spells anything in plain Latin letters."""
        return _WRITABLE.fullmatch(word) is not None

    def close(self) -> None:
        """Let the model go; its memory is freed with this object."""

    def _open(self, samples: Samples) -> Opening:
        """Return the encoded clip between two pieces of silence; asked again for the same clip, it is not encoded again."""
        if self._opened is None or self._opened[0] is not samples:
            padding = int(_PADDING_SECONDS * SAMPLE_RATE)
            self._opened = samples, self._decoder.open(np.pad(samples, padding))
        return self._opened[1]

    def _decode(self, samples: Samples) -> tuple[Hypothesis, ...]:
        """Return the decoder's readings that hold a word, for the clip."""
        width = _BEAM if len(samples) <= _SHORT_SECONDS * SAMPLE_RATE else _NARROW_BEAM
        readings = self._decoder.decode(self._open(samples), width, width)
        texts: dict[str, float] = {}
        for reading in readings:
            text = collapse_repetitions(reading.text)  # which may make several readings one
            if _WORD.search(text):
                texts[text] = texts.get(text, 0.0) + math.exp(reading.log_probability)
        hypotheses = [Hypothesis(text, min(1.0, probability)) for text, probability in texts.items()]
        return tuple(sorted(hypotheses, key=lambda hypothesis: -(hypothesis.confidence or 0.0)))


def _word_probability(hypothesis: Hypothesis) -> float:
    """Return the geometric mean of the probabilities (0..1) of the hypothesis's words."""
    return float((hypothesis.confidence or 0.0) ** (1 / len(hypothesis.text.split())))


def _model_folder() -> Path:
    """Return the model's folder inside its package, which is only looked up: its native code is not needed."""
    found = importlib.util.find_spec("moonshine_voice")
    if found is None or found.origin is None:
        raise MissingError("The English recogniser is not installed; run: pip install moonshine-voice==0.1.0")
    folder = Path(found.origin).parent / "assets" / "tiny-en"
    if not folder.is_dir():
        raise MissingError(f"The English model is missing at {folder}; {_REPAIR}")
    return folder


def _first_line(error: Exception) -> str:
    """Return the first line of what an engine complains about."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__


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
