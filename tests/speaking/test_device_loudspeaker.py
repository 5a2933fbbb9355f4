"""The device loudspeaker on a sound server of our own, with a null sink whose monitor tells what the room hears.

Each test's host is a process of its own, because PortAudio looks for devices once, when it is loaded.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PROLOGUE = """
import asyncio, json, sys, numpy as np
from voice_host.errors import HostError
from voice_host.speaking.clip import Clip, silence
from voice_host.speaking.device_loudspeaker import DeviceLoudspeaker
def tone(seconds, rate=22050):
    return Clip((0.5 * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate)).astype(np.float32), rate)
def tell(**values):
    print(json.dumps(values), flush=True)
async def refused(name=None):
    try:
        DeviceLoudspeaker(name)
    except HostError as error:
        tell(kind=type(error).__name__, sentence=str(error))
"""
RATE = 16000


def host(main: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    program = PROLOGUE + "async def main():\n" + "\n".join(f"    {line}" for line in main.strip().splitlines())
    return subprocess.Popen(
        [sys.executable, "-c", program + "\nasyncio.run(main())"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def told(process: subprocess.Popen[str], timeout: float = 20) -> list[dict[str, Any]]:
    out, _ = process.communicate(timeout=timeout)
    assert process.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


@dataclass
class SoundServer:
    """A running PulseAudio with the null sink ``vspk``."""

    environment: dict[str, str]
    process: subprocess.Popen[bytes]

    @contextmanager
    def listening(self) -> Iterator[bytearray]:
        """Collect what the room hears, 16 bit mono at `RATE`; filled when the block is left."""
        command = [
            "parec",
            "-d",
            "vspk.monitor",
            f"--rate={RATE}",
            "--channels=1",
            "--format=s16le",
            "--latency-msec=20",
        ]
        with tempfile.TemporaryFile() as file:
            recorder = subprocess.Popen(command, stdout=file, env={**os.environ, **self.environment})
            time.sleep(0.4)
            heard = bytearray()
            try:
                yield heard
                time.sleep(0.4)
            finally:
                recorder.terminate()
                recorder.wait()
            file.seek(0)
            heard += file.read()


def loud_seconds(heard: bytearray) -> float:
    """Return for how long the 440 Hz tone was heard."""
    samples = np.frombuffer(bytes(heard), np.int16).astype(np.float64) / 32768
    blocks = samples[: len(samples) // 160 * 160].reshape(-1, 160)
    return float((np.sqrt((blocks**2).mean(axis=1)) > 0.1).sum() / 100)


@pytest.fixture(scope="module")
def server() -> Iterator[SoundServer]:
    missing = [program for program in ("pulseaudio", "pactl", "parec") if shutil.which(program) is None]
    if missing:
        pytest.skip(
            f"no {', '.join(missing)}: apt-get install pulseaudio pulseaudio-utils libasound2-plugins libportaudio2"
        )
    folder = Path(tempfile.mkdtemp(prefix="vh-"))
    socket = folder / "native"
    environment = {"XDG_RUNTIME_DIR": str(folder), "PULSE_SERVER": f"unix:{socket}", "PULSE_SINK": "vspk"}
    modules = [
        f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
        "module-null-sink sink_name=vspk rate=48000",
    ]
    process = subprocess.Popen(
        [
            "pulseaudio",
            "-n",
            "--daemonize=no",
            "--exit-idle-time=-1",
            *[part for module in modules for part in ("-L", module)],
        ],
        env={**os.environ, **environment},
        stderr=subprocess.DEVNULL,
    )
    for _ in range(100):
        if (
            subprocess.run(
                ["pactl", "info"], env={**os.environ, **environment}, capture_output=True, check=False
            ).returncode
            == 0
        ):
            break
        time.sleep(0.1)
    else:
        process.kill()
        pytest.skip("the sound server does not come up here")
    keep_alive = subprocess.Popen(  # without a reader, a stream on an idle null sink stalls at its start
        ["parec", "-d", "vspk.monitor", "--latency-msec=20"],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
    )
    time.sleep(1)
    yield SoundServer(environment, process)
    keep_alive.kill()
    keep_alive.wait()
    process.kill()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def test_the_room_hears_the_clip_whole_and_play_returns_then(server: SoundServer) -> None:
    with server.listening() as heard:
        program = """
loop = asyncio.get_running_loop()
speaker = DeviceLoudspeaker()
await asyncio.sleep(0.3)
begin = loop.time()
await speaker.play(tone(0.8))
tell(seconds=loop.time() - begin, playing=speaker.playing)
await asyncio.sleep(0.2)
await speaker.play(tone(0.4, 48000))
speaker.close(); speaker.close()
"""
        (answer,) = told(host(program, server.environment))
    assert 0.8 <= answer["seconds"] < 3
    assert not answer["playing"]
    assert loud_seconds(heard) == pytest.approx(1.2, abs=0.06)


def test_stop_is_heard_at_once_and_the_next_clip_is_whole(server: SoundServer) -> None:
    with server.listening() as heard:
        program = """
loop = asyncio.get_running_loop()
speaker = DeviceLoudspeaker("pulse")
await asyncio.sleep(0.3)
begin = loop.time()
loop.call_later(0.5, speaker.stop)
await speaker.play(tone(5))
tell(seconds=loop.time() - begin)
await asyncio.sleep(0.2)
await speaker.play(tone(0.3))
speaker.close()
"""
        (answer,) = told(host(program, server.environment))
    assert 0.5 <= answer["seconds"] < 1.5
    assert 0.25 < loud_seconds(heard) < 1.5  # of 5.3 seconds; a busy machine begins late


def test_an_empty_clip_and_a_stop_in_silence_are_harmless(server: SoundServer) -> None:
    program = """
speaker = DeviceLoudspeaker()
speaker.stop()
await speaker.play(silence(0))
await speaker.play(tone(0.1))
tell(playing=speaker.playing)
speaker.close()
"""
    assert told(host(program, server.environment)) == [{"playing": False}]


def test_an_unknown_loudspeaker_is_refused_naming_those_there_are(server: SoundServer) -> None:
    (answer,) = told(host("await refused('gramophone')", server.environment))
    assert answer["kind"] == "UsageError"
    assert "'gramophone'" in answer["sentence"]
    assert "pulse" in answer["sentence"]


def test_a_stalled_server_is_noticed_and_the_loudspeaker_found_again_while_the_host_goes_on(
    server: SoundServer,
) -> None:
    program = """
loop = asyncio.get_running_loop()
speaker = DeviceLoudspeaker()
gaps = []
async def tick():
    while True:
        begin = loop.time()
        await asyncio.sleep(0.02)
        gaps.append(loop.time() - begin)
ticking = asyncio.create_task(tick())
await speaker.play(tone(0.2))
tell(ready=True)
await asyncio.sleep(0.5)
for number in range(12):
    begin = loop.time()
    try:
        await speaker.play(tone(0.3))
        tell(lost=None, seconds=loop.time() - begin, gap=max(gaps))
    except HostError as error:
        tell(lost=str(error), seconds=loop.time() - begin, gap=max(gaps))
    await asyncio.sleep(0.3)
speaker.close()
"""
    process = host(program, server.environment)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline()) == {"ready": True}
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        lost = [json.loads(process.stdout.readline()) for _ in range(2)]
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    assert all("plug it in again, or choose `--speaker" in answer["lost"] for answer in lost)
    assert all(answer["seconds"] < 15 for answer in lost)
    last = told(process, 40)[-1]
    assert last["lost"] is None
    assert last["gap"] < 0.5


def test_a_machine_without_loudspeakers_is_told_with_the_way_out() -> None:
    nowhere = {"PULSE_SERVER": "unix:/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
    answers = told(host("await refused()", nowhere))
    if not answers:
        pytest.skip("this machine has a loudspeaker that does not depend on a sound server")
    assert answers[0]["kind"] == "MissingError"
    assert "`--speaker FILE.wav` or `--speaker none`" in answers[0]["sentence"]


def test_missing_portaudio_is_told_with_the_command_that_installs_it(tmp_path: Path) -> None:
    hidden = "import ctypes.util\nctypes.util.find_library = lambda name: None\n"
    (tmp_path / "sitecustomize.py").write_text(hidden)  # which the child, too, reads first
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    (answer,) = told(host("await refused()", {"PYTHONPATH": path}))
    assert answer["kind"] == "MissingError"
    assert "PortAudio is not installed; run: " in answer["sentence"]
