"""The linear part of echo cancellation: learns how the room turns what is played into what the microphone hears of it.

Theory of operation: the room is a long filter, cut into partitions of one block each and applied in the frequency domain
(overlap-save). Its uncertainty is estimated per partition and frequency as a Kalman filter does, so that it learns fast where it
knows little and hardly moves while a person speaks over the host, without anybody having to detect that.
After G. Enzner and P. Vary, "Frequency-domain adaptive Kalman filter for acoustic echo control in hands-free telephones" (2006),
and F. Kuech, E. Mabande, G. Enzner, "State-space architecture of the partitioned-block-based acoustic echo controller" (2014).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

_FORGETTING: Final = 0.9997
"""How sure the room stays the same from block to block; less follows people who move, and forgets what it knew."""
_UNCERTAIN: Final = 0.33
"""How much of the leak's power each partition may have before anything is known; more learns from the first words too hastily."""
_SMALLEST: Final = 1e-9
"""Power of a spectrum that stands for nothing."""
_NOISE_MEMORY: Final = 0.6
"""Of the power of what the filter does not explain, how much is kept from the block before."""


class AdaptiveFilter:
    """Predicts the echo of a played signal, block by block; holds ``partitions`` blocks of the room's answer."""

    def __init__(self, block_samples: int, partitions: int, leak: float = 1.0) -> None:
        """Know nothing but how loud the echo is (``leak``: its amplitude as a part of what is played)."""
        self._block = block_samples
        self._partitions = partitions
        self._played = np.zeros(2 * block_samples, np.float32)
        bins = block_samples + 1
        self._spectra = np.zeros((partitions, bins), np.complex64)
        self._room = np.zeros((partitions, bins), np.complex64)
        self._uncertainty = np.full((partitions, bins), _UNCERTAIN * leak**2, np.float32)
        self._unexplained = np.zeros(bins, np.float32)

    def forget_sound(self) -> None:
        """Be told that nothing was played for longer than the room's answer, so that its history is silence."""
        self._played[:] = 0.0
        self._spectra[:] = 0.0

    def predict(self, played: Samples) -> Samples:
        """Take what is played during a block (with its bulk delay) and return the echo that the filter expects of it."""
        self._played = np.concatenate([self._played[self._block :], played])
        self._spectra = np.roll(self._spectra, 1, axis=0)
        self._spectra[0] = np.fft.rfft(self._played)
        return self._sound(np.sum(self._room * self._spectra, axis=0))

    def learn(self, residual: Samples) -> None:
        """Learn from what was heard less what was predicted of the same block."""
        error = np.fft.rfft(np.concatenate([np.zeros(self._block, np.float32), residual])).astype(np.complex64)
        power = np.square(np.abs(self._spectra))
        self._unexplained += (1 - _NOISE_MEMORY) * (np.square(np.abs(error)) - self._unexplained)
        # Half of the error's frame is zero, so half of the uncertain echo's power is in it.
        expected = 0.5 * np.sum(self._uncertainty * power, axis=0) + self._unexplained + _SMALLEST
        gain = self._uncertainty / expected
        step = np.conj(self._spectra) * (gain * error)
        kept = np.fft.irfft(step, axis=1)
        kept[:, self._block :] = 0.0  # a partition answers within its own block, else overlap-save wraps around
        self._room += np.fft.rfft(kept, axis=1).astype(np.complex64)
        shrunk = self._uncertainty * (1 - 0.5 * gain * power)
        forgetting = np.float32(_FORGETTING**2)
        self._uncertainty = forgetting * shrunk + (1 - forgetting) * np.square(np.abs(self._room)) + _SMALLEST

    def _sound(self, spectrum: NDArray[np.complex64]) -> Samples:
        sound: Samples = np.fft.irfft(spectrum)[self._block :].astype(np.float32)
        return sound
