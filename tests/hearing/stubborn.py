"""The child of an engine that does what its first sample says: it crashes, hangs, spins, grows, or answers."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from voice_host.child_process import Parent
from voice_host.hearing.recognizers import Capabilities, Hypothesis, Recognition
from voice_host.hearing.recognizers.recognizer_child import serve
from voice_host.hearing.sound_files import Samples

CRASH: Final = 0.11
HANG: Final = 0.12
HOLD: Final = 0.13
SPIN: Final = 0.14
STOP: Final = 0.15
GROW: Final = 0.16
CRASH_ONCE: Final = 0.17

MAIN: Final = "tests.hearing.stubborn:main"


class Stubborn:
    """An engine that streams, scores, listens for phrases and takes expectations."""

    name = "stubborn"
    languages = ("en",)
    capabilities = Capabilities(streaming=True, n_best=True, grammar=True, candidate_scoring=True, expectations=True)

    def __init__(self, folder: str) -> None:
        self._crashed = Path(folder) / "crashed"
        self._pieces: list[Samples] = []
        self._phrases: tuple[str, ...] = ()
        self._ballast: list[Samples] = []

    def recognize(self, samples: Samples) -> Recognition:
        self._obey(round(float(samples[0]), 2) if len(samples) else 0.0)
        return Recognition((Hypothesis(f"{len(samples)} samples", 0.5), Hypothesis(" ".join(self._phrases))), 0.25)

    def accept(self, block: Samples) -> None:
        self._obey(round(float(block[0]), 2))
        self._pieces.append(block)

    def finish(self) -> Recognition:
        pieces, self._pieces = self._pieces, []
        return self.recognize(np.concatenate([*pieces, np.zeros(0, np.float32)]))

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        self._obey(round(float(samples[0]), 2))
        return tuple(-float(len(candidate)) for candidate in candidates)

    def recognize_expecting(self, samples: Samples, words: Sequence[str]) -> Recognition:
        self._obey(round(float(samples[0]), 2))
        return Recognition((Hypothesis(" ".join(words), 0.5),), 0.5)

    def listen_for(self, phrases: Sequence[str]) -> tuple[str, ...]:
        self._phrases = tuple(phrases)
        return self._phrases[:1]

    def can_write(self, word: str) -> bool:
        return word.isascii()

    def close(self) -> None:
        pass

    def _obey(self, order: float) -> None:
        if order == CRASH:
            ctypes.string_at(0)
        elif order == CRASH_ONCE and not self._crashed.exists():
            self._crashed.touch()
            ctypes.string_at(0)
        elif order == HANG:
            time.sleep(1000)
        elif order == HOLD:
            ctypes.PyDLL(None).sleep(1000)
        elif order == STOP:
            os.kill(os.getpid(), signal.SIGSTOP)
        elif order == GROW:
            self._ballast.append(np.ones(5_000_000, np.float32))
        while order == SPIN:
            pass


def main(parent: Parent, _language: str, folder: str) -> None:
    """Serve the engine."""
    serve(parent, Stubborn(folder))
