"""Microphone and loudspeaker on a real sound server: every fault is noticed, and mended without anybody's help."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sound_children.pulse_server import PulseServer
from voice_host.hearing.device_microphone import DeviceMicrophone
from voice_host.hearing.microphone import MicrophoneLost
from voice_host.speaking.clip import Clip
from voice_host.speaking.device_loudspeaker import DeviceLoudspeaker
from voice_host.speaking.loudspeaker import LoudspeakerLost

pytestmark = pytest.mark.real_time
"""In real time, which several tests at once disturb."""

PATIENCE_SECONDS = 30.0
"""How long a busy machine may take; the host itself notices within two seconds."""


class Listener:
    """Listens as a host does: tells what is lost, and goes on when it is back."""

    def __init__(self) -> None:
        self.microphone = DeviceMicrophone()
        self.blocks = 0
        self.loudest = 0.0
        self.losses: list[str] = []

    async def listen(self) -> None:
        while True:
            try:
                async for block in self.microphone.blocks():
                    self.blocks += 1
                    self.loudest = max(self.loudest, float(np.abs(block).max()))
            except MicrophoneLost as lost:
                self.losses.append(lost.reason)
                await asyncio.sleep(0.3)

    async def hears_again(self) -> None:
        before = self.blocks
        await until(lambda: self.blocks > before + 10)


async def until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def tone(seconds: float) -> Clip:
    return Clip((0.5 * np.sin(2 * np.pi * 440 * np.arange(round(seconds * 22050)) / 22050)).astype(np.float32), 22050)


def with_microphone(evening: Callable[[Listener], Awaitable[None]]) -> None:
    async def main() -> None:
        listener = Listener()
        task = asyncio.create_task(listener.listen())
        try:
            await until(lambda: listener.blocks > 10)
            await evening(listener)
        finally:
            task.cancel()
            await asyncio.wait([task])
            listener.microphone.close()

    leaves_nothing_behind(main())


def with_loudspeaker(evening: Callable[[DeviceLoudspeaker, list[str]], Awaitable[None]]) -> None:
    async def main() -> None:
        loudspeaker = DeviceLoudspeaker()
        told: list[str] = []
        loudspeaker.on_lost = lambda _lost: told.append("lost")
        loudspeaker.on_back = lambda: told.append("back")
        try:
            await loudspeaker.play(tone(0.2))
            await evening(loudspeaker, told)
        finally:
            loudspeaker.close()

    leaves_nothing_behind(main())


def leaves_nothing_behind(evening: Any) -> None:
    """Run an evening; afterwards there is no thread, no descriptor and no child that was not there before."""
    before = used()
    asyncio.run(evening)
    deadline = time.monotonic() + 5
    while used() != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert used() == before


def used() -> tuple[int, int, int]:
    """Return how many threads, descriptors and children that serve a host this process has."""
    commands = [
        process / "cmdline"
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and f"PPid:\t{os.getpid()}\n" in text_of(process / "status")
    ]
    children = [command for command in commands if "child_process" in text_of(command)]
    return threading.active_count(), len([*Path("/proc/self/fd").iterdir()]), len(children)


def text_of(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has ended in the meantime
        return ""


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_microphones_child_that_dies_or_hangs_is_replaced(fault: signal.Signals) -> None:
    async def evening(listener: Listener) -> None:
        pid = listener.microphone.child_pid
        assert pid is not None
        os.kill(pid, fault)
        await until(lambda: listener.losses == ["microphone_lost"])
        await listener.hears_again()
        assert listener.microphone.child_pid != pid

    with_microphone(evening)


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_loudspeakers_child_that_dies_or_hangs_is_replaced_in_silence_too(fault: signal.Signals) -> None:
    async def evening(loudspeaker: DeviceLoudspeaker, told: list[str]) -> None:
        assert loudspeaker.child_pid is not None
        os.kill(loudspeaker.child_pid, fault)
        await until(lambda: told == ["lost", "back"])
        await loudspeaker.play(tone(0.2))

    with_loudspeaker(evening)


@pytest.mark.usefixtures("server")
def test_whoever_waits_for_a_clip_is_told_that_it_cannot_be_heard() -> None:
    async def evening(loudspeaker: DeviceLoudspeaker, told: list[str]) -> None:
        loudspeaker.volume = 0.5
        playing = asyncio.create_task(loudspeaker.play(tone(60)))
        ticking = asyncio.create_task(loudspeaker.overlay(tone(0.1), asyncio.get_running_loop().time() + 50))
        await asyncio.sleep(0.3)
        assert loudspeaker.child_pid is not None
        os.kill(loudspeaker.child_pid, signal.SIGKILL)
        for waiting in (playing, ticking):
            with pytest.raises(LoudspeakerLost, match="plug it in again"):
                await waiting
        with pytest.raises(LoudspeakerLost):
            await loudspeaker.play(tone(0.1))
        await until(lambda: "back" in told)
        assert loudspeaker.volume == 0.5
        await loudspeaker.play(tone(0.1))

    with_loudspeaker(evening)


def test_an_unplugged_microphone_is_lost_although_the_server_offers_the_loudspeakers_own_sound(
    server: PulseServer,
) -> None:
    async def evening(listener: Listener) -> None:
        await asyncio.to_thread(server.unplug, "vmic")
        await until(lambda: "microphone_lost" in listener.losses)
        before = listener.blocks
        await asyncio.sleep(2)
        assert listener.blocks == before
        await asyncio.to_thread(server.plug_in, "vmic")
        await listener.hears_again()

    with_microphone(evening)


def test_an_unplugged_loudspeaker_that_was_asked_for_is_lost_until_it_is_back(
    server: PulseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SINK", "vspk")

    async def evening(loudspeaker: DeviceLoudspeaker, told: list[str]) -> None:
        await asyncio.to_thread(server.unplug, "vspk")
        await until(lambda: told == ["lost"])
        await asyncio.sleep(2)
        assert told == ["lost"]
        await asyncio.to_thread(server.plug_in, "vspk")
        await until(lambda: told == ["lost", "back"])
        await loudspeaker.play(tone(0.2))

    with_loudspeaker(evening)


def test_the_systems_default_is_followed_when_it_changes(server: PulseServer) -> None:
    async def evening(loudspeaker: DeviceLoudspeaker, _told: list[str]) -> None:
        try:
            await asyncio.to_thread(server.pactl, "set-default-sink", "vmic")
            await asyncio.sleep(0.5)
            await loudspeaker.play(tone(0.2))
            streams = await asyncio.to_thread(server.pactl, "list", "short", "sink-inputs")
            sinks = await asyncio.to_thread(server.pactl, "list", "short", "sinks")
            number = next(line.split("\t")[0] for line in sinks.splitlines() if "\tvmic\t" in line)
            assert streams.split("\t")[1] == number
        finally:
            await asyncio.to_thread(server.pactl, "set-default-sink", "vspk")

    with_loudspeaker(evening)


def test_a_microphone_that_is_switched_off_is_told_and_goes_on_when_it_is_on(server: PulseServer) -> None:
    async def evening(listener: Listener) -> None:
        await asyncio.to_thread(server.pactl, "set-source-mute", "vmic.monitor", "1")
        await until(lambda: listener.losses == ["microphone_silent"])
        await asyncio.sleep(1)
        before = listener.blocks
        await asyncio.sleep(1)
        assert listener.blocks == before
        await asyncio.to_thread(server.pactl, "set-source-mute", "vmic.monitor", "0")
        await listener.hears_again()

    with_microphone(evening)


def test_a_sound_server_that_hangs_or_dies_is_found_again(server: PulseServer) -> None:
    async def evening(listener: Listener) -> None:
        loudspeaker = DeviceLoudspeaker()
        told: list[str] = []
        loudspeaker.on_lost = lambda _lost: told.append("lost")
        loudspeaker.on_back = lambda: told.append("back")
        try:
            for fail, mend in (
                (lambda: server.freeze(frozen=True), lambda: server.freeze(frozen=False)),
                (server.kill, server.start),
            ):
                listener.losses.clear()
                told.clear()
                await asyncio.to_thread(fail)
                await until(lambda: listener.losses and told)
                await asyncio.to_thread(mend)
                await until(lambda: "back" in told[-1:])
                await loudspeaker.play(tone(0.2))
                await listener.hears_again()
        finally:
            loudspeaker.close()

    with_microphone(evening)
