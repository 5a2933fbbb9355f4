"""Spoken texts kept on disk, so that no text is synthesised twice on one machine; a damaged file is as good as none."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
import zlib
from pathlib import Path
from typing import Final

import numpy as np
import soundfile
from numpy.typing import NDArray

from voice_host.speaking.clip import Clip

_LOG = logging.getLogger(__name__)

LARGEST_BYTES: Final = 64_000_000
"""About 25 minutes of speech; the files that were not used for longest go first."""

_WRITES_BETWEEN_PRUNES: Final = 50


def clip_key(*parts: str | float) -> str:
    """Return the file-name-safe key of whatever determines a clip's sound."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


class ClipCache:
    """A bounded folder of clips by key; a fault of the disk is logged once and costs only the caching."""

    def __init__(self, folder: Path, largest_bytes: int = LARGEST_BYTES) -> None:
        self._folder = folder
        self._largest_bytes = largest_bytes
        self._writes = 0
        self._broken = False

    def path(self, key: str) -> Path:
        """Return where the clip of that key is kept."""
        return self._folder / f"{key}.wav"

    def get(self, key: str) -> Clip | None:
        """Return the clip, or None when there is none that is whole, finite and audible."""
        path = self.path(key)
        try:
            with soundfile.SoundFile(path) as file:
                samples = file.read(dtype="int16")
                checked = file.comment == _checksum(samples)
                clip = _clip(samples, file.samplerate) if checked else None
            if clip is None or not clip.audible:
                _LOG.warning("the cached sound %s is damaged and is made anew", path)
                return None
            os.utime(path)  # used just now: the last to be pruned
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RuntimeError) as error:
            if path.exists():
                _LOG.warning("the cached sound %s cannot be read and is made anew: %s", path, error)
            return None
        return clip

    def put(self, key: str, clip: Clip) -> Clip:
        """Keep the clip and return it as `get` will, to the bit; a reader sees the whole file or none, also after a crash."""
        samples = np.clip(np.round(clip.samples * 32768), -32768, 32767).astype(np.int16)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(".part", "clip-", self._folder)
            os.close(descriptor)
            temporary = Path(name)
            try:
                with soundfile.SoundFile(temporary, "w", clip.sample_rate, 1, "PCM_16", format="WAV") as file:
                    file.comment = _checksum(samples)
                    file.write(samples)
                temporary.replace(self.path(key))
            finally:
                temporary.unlink(missing_ok=True)
            self._prune_now_and_then()
        except (OSError, RuntimeError) as error:
            if not self._broken:
                _LOG.warning("spoken texts cannot be cached in %s: %s", self._folder, error)
            self._broken = True
        return _clip(samples, clip.sample_rate)

    def _prune_now_and_then(self) -> None:
        self._writes += 1
        if self._writes % _WRITES_BETWEEN_PRUNES == 1:
            self.prune()

    def prune(self) -> None:
        """Remove the files that were not used for longest, until the rest fits; and what a crash has left half-written."""
        entries = [(entry, entry.stat()) for entry in self._folder.iterdir() if entry.suffix in {".wav", ".part"}]
        entries.sort(key=lambda pair: pair[1].st_mtime, reverse=True)
        total = 0
        newest = entries[0][1].st_mtime if entries else 0.0
        for entry, status in entries:
            total += status.st_size
            abandoned = entry.suffix == ".part" and status.st_mtime < newest - _ABANDONED_SECONDS
            if abandoned or total > self._largest_bytes:
                entry.unlink(missing_ok=True)


_ABANDONED_SECONDS: Final = 3600


def _clip(samples: NDArray[np.int16], sample_rate: int) -> Clip:
    return Clip((samples / 32768).astype(np.float32), sample_rate)


def _checksum(samples: NDArray[np.int16]) -> str:
    return f"crc32 {zlib.crc32(samples.tobytes()):08x}"
