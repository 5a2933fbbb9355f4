"""A sound server of our own: PulseAudio with null sinks, as a machine's loudspeaker and microphone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.devices.machines import NOWHERE, Machine


@pytest.fixture(scope="session")
def sound_server() -> Iterator[Machine]:
    """Run PulseAudio with the null sinks ``vspk`` (the loudspeaker) and ``vmic`` (whose monitor is the microphone)."""
    missing = [program for program in ("pulseaudio", "pactl", "parec") if shutil.which(program) is None]
    if missing:
        pytest.skip(
            f"no {', '.join(missing)}: apt-get install pulseaudio pulseaudio-utils libasound2-plugins libportaudio2"
        )
    folder = Path(tempfile.mkdtemp(prefix="vh-"))
    socket = folder / "native"
    machine = Machine(
        {
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_SERVER": f"unix:{socket}",
            "PULSE_SINK": "vspk",
            "PULSE_SOURCE": "vmic.monitor",
        }
    )
    environment = {**os.environ, **machine.environment}
    modules = [
        f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
        "module-null-sink sink_name=vspk rate=48000",
        "module-null-sink sink_name=vmic rate=48000",
    ]
    server = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", *[p for m in modules for p in ("-L", m)]],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 20
    while subprocess.run(["pactl", "info"], env=environment, capture_output=True, check=False).returncode:
        if time.monotonic() > deadline:
            server.kill()
            pytest.skip("the sound server does not come up here")
        time.sleep(0.1)
    readers = [  # without a reader, a stream on an idle null sink stalls at its start
        subprocess.Popen(
            ["parec", "-d", f"{sink}.monitor", "--latency-msec=20"], env=environment, stdout=subprocess.DEVNULL
        )
        for sink in ("vspk", "vmic")
    ]
    time.sleep(1)
    yield machine
    for process in (*readers, server):
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def bare_machine() -> Machine:
    """Return a machine with PortAudio but without any device, as far as this one's hardware allows."""
    machine = Machine(dict(NOWHERE))
    if machine.run("devices").returncode == 0:
        pytest.skip("this machine has a sound device that does not depend on a sound server")
    return machine


@pytest.fixture
def machine_without_portaudio(tmp_path: Path) -> Machine:
    """Return a machine on which the system's PortAudio is not found: not by the program and not by its children."""
    if not sys.platform.startswith("linux"):
        pytest.skip("elsewhere the package brings PortAudio")
    hiding = "import ctypes.util\nfind = ctypes.util.find_library\nctypes.util.find_library = lambda name: None if name == 'portaudio' else find(name)\n"
    (tmp_path / "sitecustomize.py").write_text(hiding, encoding="utf-8")
    return Machine(
        {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)}
    )
