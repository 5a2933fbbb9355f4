"""From the channels of a device to mono: the channels that carry sound, and only those."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

_MEMORY_SECONDS: Final = 1.0
"""How long the loudness of a channel is remembered."""

_DEAD_SHARE: Final = 0.001
"""A channel 30 dB below the loudest carries nothing: its share would only make the others quieter."""

_CANCELLED_SHARE: Final = 0.1
"""A mix 10 dB below its loudest channel has cancelled itself: the channels are turned against each other."""


class ChannelMixer:
    """Mixes a stream of frames (shape: frames x channels) to mono, without a click when a channel comes or goes."""

    def __init__(self, rate: int, channels: int) -> None:
        """Expect frames of this rate in Hz and this number of channels."""
        self._rate = rate
        self._weights = np.full(channels, 1 / channels, np.float32)
        self._products = np.zeros((channels, channels))

    def mixed(self, frames: NDArray[np.float32]) -> Samples:
        """Return one sample for each frame."""
        # A driver may bring anything: one NaN would poison the recogniser for good.
        frames = np.clip(np.nan_to_num(frames, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0)
        if frames.shape[1] == 1 or not len(frames):
            return np.ascontiguousarray(frames[:, 0])
        weights = self._weighed(frames)
        if np.array_equal(weights, self._weights):
            return np.asarray(frames @ weights)
        way = np.linspace(0, 1, len(frames), dtype=np.float32)[:, np.newaxis]
        shares, self._weights = self._weights * (1 - way) + weights * way, weights
        return np.asarray((frames * shares).sum(axis=1, dtype=np.float32))

    def _weighed(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the share of each channel, after what was heard of late."""
        forgotten = np.exp(-len(frames) / (_MEMORY_SECONDS * self._rate))
        self._products = self._products * forgotten + frames.T @ frames
        powers = np.diagonal(self._products)
        loudest = float(powers.max())
        if loudest <= 0:
            return self._weights
        alive: NDArray[np.bool_] = powers >= _DEAD_SHARE * loudest
        weights: NDArray[np.float32] = (alive / alive.sum()).astype(np.float32)
        if float(weights @ self._products @ weights) < _CANCELLED_SHARE * loudest:
            weights = np.zeros_like(weights)
            weights[int(powers.argmax())] = 1
        return weights
