"""An environment in which `voice-host` is run as a user runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import soundfile

NOWHERE = {"PULSE_SERVER": "unix:/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
"""Variables under which PortAudio finds no sound server."""


@dataclass
class Machine:
    """An environment in which `voice-host` runs."""

    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, timeout: float = 120, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run one command to its end."""
        return subprocess.run(
            [sys.executable, "-m", "voice_host", *arguments],
            env={**os.environ, **self.environment, **variables},
            capture_output=True,
            check=False,
            text=True,
            timeout=timeout,
        )

    def pactl(self, *arguments: str) -> str:
        """Ask the sound server, or tell it."""
        ran = subprocess.run(
            ["pactl", *arguments],
            env={**os.environ, **self.environment},
            check=True,
            capture_output=True,
            text=True,
            timeout=20,
        )
        return ran.stdout.strip()

    @contextmanager
    def leaking(self, leak_db: float, latency_milliseconds: int = 60) -> Iterator[None]:
        """Let the loudspeaker be heard in the microphone, so much quieter and about so much later."""
        latency = f"latency_msec={latency_milliseconds}"
        module = self.pactl("load-module", "module-loopback", "source=vspk.monitor", "sink=vmic", latency)
        try:
            inputs = self.pactl("list", "sink-inputs")
            (number,) = [
                part.partition("\n")[0] for part in inputs.split("Sink Input #") if f"Owner Module: {module}\n" in part
            ]
            self.pactl("set-sink-input-volume", number, f"{leak_db}dB")
            yield
        finally:
            self.pactl("unload-module", module)

    @contextmanager
    def noise(self, level_dbfs: float) -> Iterator[None]:
        """Let the room be as loud as that."""
        samples = np.random.default_rng(1).standard_normal(30 * 48000) * 10 ** (level_dbfs / 20)
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            soundfile.write(file, np.clip(samples, -1, 1), 48000, format="WAV")
            file.flush()
            loop = f"while paplay -d vmic {file.name}; do :; done"
            player = subprocess.Popen(
                ["sh", "-c", loop], env={**os.environ, **self.environment}, start_new_session=True
            )
            try:
                time.sleep(0.5)
                yield
            finally:
                os.killpg(player.pid, signal.SIGKILL)
                player.wait()
