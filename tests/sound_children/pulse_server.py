"""A PulseAudio server of a test's own, with null sinks that can be unplugged, and that can be frozen and killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest


class PulseServer:
    """The microphone is the monitor of the sink ``vmic``, the loudspeaker the sink ``vspk``."""

    def __init__(self) -> None:
        """Make a folder for it; skips the test where PulseAudio is not installed."""
        missing = [program for program in ("pulseaudio", "pactl", "parec") if shutil.which(program) is None]
        if missing:
            pytest.skip(
                f"no {', '.join(missing)}: apt-get install pulseaudio pulseaudio-utils libasound2-plugins libportaudio2"
            )
        self._folder = Path(tempfile.mkdtemp(prefix="vh-"))
        self._processes: list[subprocess.Popen[bytes]] = []
        self.environment = {"XDG_RUNTIME_DIR": str(self._folder), "PULSE_SERVER": f"unix:{self._folder}/native"}

    def start(self) -> None:
        """Start it with both sinks."""
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--log-target=null"]
        command += ["-L", f"module-native-protocol-unix auth-anonymous=1 socket={self._folder}/native"]
        self._run(command)
        deadline = time.monotonic() + 20
        while subprocess.run(["pactl", "info"], env=self._whole(), capture_output=True, check=False).returncode:
            if time.monotonic() > deadline:
                pytest.skip("the sound server does not come up here")
            time.sleep(0.1)
        for sink in ("vmic", "vspk"):
            self.plug_in(sink)
        self.pactl("set-default-sink", "vspk")
        self.pactl("set-default-source", "vmic.monitor")
        time.sleep(1)

    def kill(self) -> None:
        """Let it die."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()
        self._processes.clear()
        (self._folder / "native").unlink(missing_ok=True)

    def close(self) -> None:
        """Leave nothing behind."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def freeze(self, *, frozen: bool) -> None:
        """Stop it, or let it go on."""
        self._processes[0].send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)

    def plug_in(self, sink: str) -> None:
        """Bring a sink, and a reader that keeps it awake: a stream on an idle null sink stalls at its start."""
        self.pactl("load-module", "module-null-sink", f"sink_name={sink}", "rate=48000")
        self._run(["parec", "-d", f"{sink}.monitor", "--latency-msec=20"])

    def unplug(self, sink: str) -> None:
        """Take a sink away."""
        for line in self.pactl("list", "short", "modules").splitlines():
            if f"sink_name={sink} " in f"{line} ":
                self.pactl("unload-module", line.split("\t")[0])

    def pactl(self, *words: str) -> str:
        """Ask it for something."""
        return subprocess.run(
            ["pactl", *words], env=self._whole(), capture_output=True, check=True, text=True, timeout=20
        ).stdout

    def _run(self, command: list[str]) -> None:
        nowhere = subprocess.DEVNULL
        self._processes.append(subprocess.Popen(command, env=self._whole(), stdout=nowhere, stderr=nowhere))

    def _whole(self) -> dict[str, str]:
        return {**os.environ, **self.environment}
