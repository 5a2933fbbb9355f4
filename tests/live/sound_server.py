"""A PulseAudio server of our own: the microphone of a table, the loudspeaker in the room, and how the one leaks into the other.

Between both there is the air, a null sink into which the table speaks. The microphone ``vmic`` hears all that is in it; what the host
plays on the loudspeaker ``vspk`` comes into it more softly, always after the same time, as in a real room. (A loopback between two
sinks would have a clock of its own, and skip on a busy machine.) What the room hears of the host is the loudspeaker's monitor.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

AIR: Final = "air"
MICROPHONE: Final = "vmic"
LOUDSPEAKER: Final = "vspk"
SINK_RATE: Final = 48_000
LEAK_DECIBELS: Final = -20.0

_PROGRAMS: Final = ("pulseaudio", "pactl", "parec", "pacat")
_START_SECONDS: Final = 20.0
_SETTLING_SECONDS: Final = 1.5
"""A stream on a null sink that has just woken stalls at its start."""


def skip_without_a_sound_server() -> None:
    """Skip the test where PulseAudio is not installed."""
    missing = [program for program in _PROGRAMS if shutil.which(program) is None]
    if missing:
        pytest.skip(
            f"no {', '.join(missing)}: apt-get install pulseaudio pulseaudio-utils libasound2-plugins libportaudio2"
        )


class SoundServer:
    """One server process that tests may freeze, kill and start again; its microphone and its loudspeaker can be unplugged."""

    def __init__(self, leak_decibels: float | None = LEAK_DECIBELS) -> None:
        """``leak_decibels``: how loud the microphone hears the loudspeaker; None: not at all."""
        self._folder = Path(tempfile.mkdtemp(prefix="vh-"))
        self._leak_decibels = leak_decibels
        self._process: subprocess.Popen[bytes] | None = None
        self._readers: list[subprocess.Popen[bytes]] = []
        self.environment: dict[str, str] = {
            "XDG_RUNTIME_DIR": str(self._folder),
            "PULSE_SERVER": f"unix:{self._folder}/native",
            "PULSE_SINK": LOUDSPEAKER,
            "PULSE_SOURCE": MICROPHONE,
        }
        """What a program needs to find these devices and no others."""

    def start(self) -> None:
        """Start the server with both devices; raises `RuntimeError` when it does not come up."""
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1"]
        command += ["-L", f"module-native-protocol-unix auth-anonymous=1 socket={self._folder}/native"]
        (self._folder / "native").unlink(missing_ok=True)
        self._process = subprocess.Popen(command, env=self._whole_environment(), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + _START_SECONDS
        while subprocess.run(
            ["pactl", "info"], env=self._whole_environment(), capture_output=True, check=False
        ).returncode:
            if time.monotonic() > deadline:
                raise RuntimeError("the sound server does not come up")
            time.sleep(0.1)
        self.pactl("load-module", "module-null-sink", f"sink_name={AIR}", f"rate={SINK_RATE}")
        self.pactl("set-default-sink", AIR)  # whoever is on a device that is the default no more would be moved
        self.pactl("set-default-source", f"{AIR}.monitor")
        self.plug_in(MICROPHONE)
        self.plug_in(LOUDSPEAKER)
        time.sleep(_SETTLING_SECONDS)

    def close(self) -> None:
        """End the server and all that was started for it."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---------------------------------------------------------------------------------------------------------- faults

    def kill(self) -> None:
        """Let the server die without a word to anybody."""
        for process in (*self._readers, *([self._process] if self._process else [])):
            process.kill()
            process.wait()
        self._readers.clear()
        self._process = None

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Let the server hang: streams stall, and nobody is told."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def unplug(self, device: str) -> None:
        """Take the microphone or the loudspeaker away, and with it all streams on it."""
        for module, arguments in self._modules():
            if f"_name={device} " in arguments:
                self.pactl("unload-module", module)

    def plug_in(self, device: str) -> None:
        """Bring the microphone or the loudspeaker (back), with a reader that keeps it awake."""
        if device == MICROPHONE:
            self.pactl("load-module", "module-remap-source", f"source_name={device}", f"master={AIR}.monitor")
            self._read(device)
            return
        module = self.pactl("load-module", "module-remap-sink", f"sink_name={device}", f"master={AIR}").strip()
        self._set_leak(module)
        self._read(f"{device}.monitor")

    def mute_microphone(self, *, muted: bool) -> None:
        """Let the microphone bring nothing but zeros, as behind a shut lid."""
        self.pactl("set-source-mute", MICROPHONE, str(int(muted)))

    # ------------------------------------------------------------------------------------------------------------ parts

    def pactl(self, *words: str) -> str:
        """Ask the server for something; raises `subprocess.CalledProcessError` when it refuses."""
        answer = subprocess.run(
            ["pactl", *words], env=self._whole_environment(), capture_output=True, check=True, text=True, timeout=20
        )
        return answer.stdout

    def _whole_environment(self) -> dict[str, str]:
        return {**os.environ, **self.environment}

    def _modules(self) -> list[tuple[str, str]]:
        """Return number and arguments of each loaded module."""
        rows = (line.split("\t") for line in self.pactl("list", "short", "modules").splitlines())
        return [(row[0], f"{row[2]} ") for row in rows if len(row) > 2]

    def _set_leak(self, module: str) -> None:
        """Let that much of what the loudspeaker plays come into the air."""
        volume = 0.0 if self._leak_decibels is None else 10 ** (self._leak_decibels / 20)
        for stream in json.loads(self.pactl("--format=json", "list", "sink-inputs")):
            if str(stream.get("owner_module")) == module:
                self.pactl("set-sink-input-volume", str(stream["index"]), f"{volume:.4f}")

    def _read(self, source: str) -> None:
        self._readers.append(
            subprocess.Popen(
                ["parec", "-d", source, "--latency-msec=20", "--rate=16000", "--channels=1"],
                env=self._whole_environment(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
