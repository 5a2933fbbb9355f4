"""A file is a microphone: paced by the loop's clock, without drift, complete."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from voice_host import virtual_time
from voice_host.errors import MissingError, UsageError
from voice_host.hearing.device_microphone import DeviceMicrophone
from voice_host.hearing.microphone import FileMicrophone, Microphone, MicrophoneLost
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS


async def collect(microphone: Microphone) -> tuple[Samples, list[float]]:
    loop = asyncio.get_running_loop()
    opened = loop.time()
    blocks, times = [], []
    async for block in microphone.blocks():
        assert block.shape == (BLOCK_SAMPLES,)
        blocks.append(block)
        times.append(loop.time() - opened)
    microphone.close()
    return np.concatenate(blocks), times


def recording(path: Path, seconds: float, rate: int = SAMPLE_RATE) -> Path:
    count = round(seconds * rate)
    soundfile.write(path, np.random.default_rng(2).normal(0, 0.1, count).astype(np.float32), rate)
    return path


@pytest.mark.parametrize("rate", [16_000, 44_100])
def test_a_file_comes_whole_followed_by_silence_on_the_virtual_clock(tmp_path: Path, rate: int) -> None:
    path = recording(tmp_path / "long.wav", 600.0, rate)
    began = time.perf_counter()
    heard, times = virtual_time.run(collect(FileMicrophone(path)), virtual=True)
    assert time.perf_counter() - began < 20
    sound = read_sound(path)
    assert np.array_equal(heard[: len(sound)], sound)
    assert not heard[len(sound) :].any()
    assert len(heard) - len(sound) >= SAMPLE_RATE
    due = np.arange(1, len(times) + 1) * BLOCK_SECONDS
    assert np.abs(np.array(times) - due).max() < 0.001


def test_in_real_time_a_slow_listener_does_not_make_it_drift(tmp_path: Path) -> None:
    path = recording(tmp_path / "short.wav", 0.5)

    async def slow() -> float:
        loop = asyncio.get_running_loop()
        opened = loop.time()
        microphone = FileMicrophone(path)
        async for _ in microphone.blocks():
            await asyncio.sleep(0.015)
        return loop.time() - opened

    assert virtual_time.run(slow(), virtual=False) == pytest.approx(1.536, abs=0.15)


def test_a_file_that_cannot_be_read_is_refused_when_the_microphone_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        FileMicrophone(tmp_path / "nowhere.wav")


@pytest.fixture
def sound_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[bytes]]:
    """Start a user-land sound server with a virtual microphone, or skip."""
    if shutil.which("pulseaudio") is None or shutil.which("paplay") is None:
        pytest.skip("pulseaudio is not installed")
    folder = tmp_path_factory.mktemp("sound")
    folder.chmod(0o700)
    socket = folder / "native"
    environment = {"XDG_RUNTIME_DIR": str(folder), "PULSE_SERVER": f"unix:{socket}", "PULSE_SOURCE": "vmic.monitor"}
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    server = subprocess.Popen(
        [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--log-target=null",
            "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
            "-L", "module-null-sink sink_name=vmic rate=48000",
        ]
    )  # fmt: skip
    for _ in range(100):
        if subprocess.run(["pactl", "info"], capture_output=True, check=False).returncode == 0:
            break
        time.sleep(0.05)
    # A null sink that nobody reads stalls the first stream for up to two seconds.
    reader = subprocess.Popen(["parec", "-d", "vmic.monitor", "--latency-msec=20"], stdout=subprocess.DEVNULL)
    time.sleep(1.0)
    yield server
    for process in (reader, server):
        process.kill()
        process.wait(10)
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.mark.usefixtures("sound_server")
def test_a_device_brings_what_is_played_into_it_at_the_right_time(tmp_path: Path) -> None:
    clip = tmp_path / "clip.wav"
    second = np.arange(SAMPLE_RATE) / SAMPLE_RATE
    soundfile.write(clip, 0.5 * np.sin(2 * np.pi * (300 + 600 * second) * second), SAMPLE_RATE)  # a rising tone

    async def listen() -> Samples:
        microphone = DeviceMicrophone("pulse")
        blocks = []
        player = None
        async for block in microphone.blocks():
            blocks.append(block)
            if len(blocks) == 16:
                player = subprocess.Popen(["paplay", "-d", "vmic", str(clip)])  # noqa: ASYNC220  half a second in
            if len(blocks) == 94:
                break
        microphone.close()
        microphone.close()
        assert player is not None
        assert microphone.lost_frames == 0
        return np.concatenate(blocks)

    heard = virtual_time.run(listen(), virtual=False)
    played = read_sound(clip)
    match = np.correlate(heard, played, "valid")
    at = int(match.argmax())
    piece = heard[at : at + len(played)]
    assert match[at] / (np.linalg.norm(piece) * np.linalg.norm(played)) > 0.9
    assert 0.4 < at / SAMPLE_RATE < 1.5


def test_a_device_that_falls_silent_for_good_is_an_error_that_names_it(sound_server: subprocess.Popen[bytes]) -> None:
    async def listen() -> None:
        microphone = DeviceMicrophone("pulse")
        try:
            count = 0
            async for _ in microphone.blocks():
                count += 1
                if count == 10:
                    sound_server.kill()
        finally:
            microphone.close()

    with pytest.raises(MicrophoneLost, match="pulse"):
        virtual_time.run(listen(), virtual=False)


@pytest.mark.usefixtures("sound_server")
def test_an_unknown_device_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UsageError, match=r"'flute'; choose one of: .*pulse"):
        DeviceMicrophone("flute")


def test_a_machine_without_a_microphone_says_what_else_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PULSE_SERVER", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    try:
        DeviceMicrophone()
    except MissingError as error:
        sentence = str(error)
        assert "libportaudio2" in sentence or "voice-host demo" in sentence
