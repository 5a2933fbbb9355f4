"""An environment in which `voice-host` is run as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

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
