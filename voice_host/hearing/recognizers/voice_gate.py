"""Did anybody speak at all? Counted while the blocks of an utterance come, so that noise never becomes a word."""

from __future__ import annotations

from enum import Enum
from typing import Final

import numpy as np

from voice_host.hearing.sound_files import Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, SileroVoiceActivity

_VOICE: Final = 0.3
_SURE_VOICE: Final = 0.8
_LEAST_BLOCKS: Final = 2
"""Of 85 recordings of noise, coughs and laughter 53 have fewer; of 150 recorded words, even ones of 0.3 s, none has."""
_SURE_BLOCKS: Final = 4


class Voice(Enum):
    """How much of a voice there was in an utterance."""

    NONE = "none"
    DOUBTFUL = "doubtful"
    SURE = "sure"


class VoiceGate:
    """Follows one utterance; belongs to one thread at a time."""

    def __init__(self) -> None:
        self._voice = SileroVoiceActivity()
        self._waiting = np.zeros(0, np.float32)
        self._voiced = self._surely = 0

    def reset(self) -> None:
        """Begin a new utterance."""
        self._voice.reset()
        self._waiting = self._waiting[:0]
        self._voiced = self._surely = 0

    def accept(self, samples: Samples) -> None:
        """Take the next samples (mono, 16 kHz, any number)."""
        waiting = np.concatenate([self._waiting, samples])
        whole = len(waiting) // BLOCK_SAMPLES * BLOCK_SAMPLES
        for start in range(0, whole, BLOCK_SAMPLES):
            self._listen(waiting[start : start + BLOCK_SAMPLES])
        self._waiting = waiting[whole:]

    def finish(self) -> Voice:
        """Tell how much of a voice there was in all that was accepted since `reset`, and begin anew."""
        if len(self._waiting):
            self._listen(np.pad(self._waiting, (0, BLOCK_SAMPLES - len(self._waiting))))
        doubtful = Voice.DOUBTFUL if self._voiced >= _LEAST_BLOCKS else Voice.NONE
        voice = Voice.SURE if self._surely >= _SURE_BLOCKS else doubtful
        self.reset()
        return voice

    def _listen(self, block: Samples) -> None:
        probability = self._voice.probability(block)
        self._voiced += probability >= _VOICE
        self._surely += probability >= _SURE_VOICE
