"""What a source brings (a microphone, or the monitor of a sink), recorded while it does, with the time of the clock at which each sample was heard."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping
from typing import Final

import numpy as np

from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

QUIET_DBFS: Final = -50.0
"""What is softer than this is silence at the table."""

_CHUNK_SAMPLES: Final = 320
_RETRY_SECONDS: Final = 0.3
_SETTLED: Final = 50
"""Chunks after which the earliest arrival tells when the recording began, to some 20 ms."""


class Recording:
    """Records a source (16 kHz, mono) in a thread until it is closed; goes on after the server was gone."""

    def __init__(self, source: str, environment: Mapping[str, str]) -> None:
        self._command = ["parec", "-d", source, f"--rate={SAMPLE_RATE}", "--channels=1"]
        self._command += ["--format=s16le", "--raw", "--latency-msec=20"]
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._sound = bytearray()
        self._closed = False
        self.began = time.monotonic()
        """The second of the clock (`time.monotonic`) at which the first sample was heard."""
        self.last_loud = float("-inf")
        """The second of the clock at which it was last heard to bring something."""
        self._thread = threading.Thread(target=self._record, name=f"recording {source}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the recording; what was recorded stays."""
        self._closed = True
        if self._process is not None:
            self._process.kill()
        self._thread.join(5)

    def samples(self, last_seconds: float | None = None) -> Samples:
        """Return all that was recorded, or the last seconds of it."""
        count = 0 if last_seconds is None else 2 * round(last_seconds * SAMPLE_RATE)
        with self._lock:
            sound = bytes(self._sound[-count:])
        return np.frombuffer(sound, np.int16).astype(np.float32) / np.float32(32768)

    def second_of(self, sample: float) -> float:
        """Return the second of the clock at which a sample was heard."""
        return self.began + sample / SAMPLE_RATE

    def sample_at(self, second: float) -> int:
        """Return the number of the sample that was heard at that second of the clock."""
        return max(0, round((second - self.began) * SAMPLE_RATE))

    def _record(self) -> None:
        while not self._closed:
            self._process = subprocess.Popen(
                self._command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            assert self._process.stdout is not None
            with self._process.stdout as stream:
                chunks = 0
                while chunk := stream.read(2 * _CHUNK_SAMPLES):
                    self._keep(chunk, time.monotonic(), settling=chunks < _SETTLED, first=chunks == 0)
                    chunks += 1
            self._process.kill()
            self._process.wait()
            time.sleep(_RETRY_SECONDS)

    def _keep(self, chunk: bytes, now: float, *, settling: bool, first: bool) -> None:
        """Append a chunk; what was missed while there was no server is silence."""
        missed = 2 * max(0, round((now - self.began) * SAMPLE_RATE) - len(chunk) // 2 - len(self._sound) // 2)
        with self._lock:
            if first and self._sound:
                self._sound.extend(bytes(missed))
            self._sound.extend(chunk)
            count = len(self._sound) // 2
        if settling:
            earliest = now - count / SAMPLE_RATE
            self.began = earliest if count <= len(chunk) // 2 else min(self.began, earliest)
        level = np.frombuffer(chunk, np.int16).astype(np.float64) / 32768
        if level.size and np.sqrt(np.mean(level**2)) > 10 ** (QUIET_DBFS / 20):
            self.last_loud = now
