"""Microphone and loudspeaker on a real sound server tell the same time: what is played when is captured then."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tests.sound_children.pulse_server import PulseServer
from voice_host.hearing.device_microphone import DeviceMicrophone
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.speaking.clip import Clip
from voice_host.speaking.device_loudspeaker import DeviceLoudspeaker

RATE = 22050
NEAR_SECONDS = 0.06
"""A few milliseconds on a quiet machine, 15 on one that has ten times too much to do."""


def test_ticks_are_heard_at_their_time_over_speech_and_the_tap_tells_both(
    server: PulseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SOURCE", "vspk.monitor")  # the microphone hears what the loudspeaker plays
    speech = Clip(np.random.default_rng(1).uniform(-0.1, 0.1, 5 * RATE).astype(np.float32), RATE)
    tick = Clip(np.full(round(0.03 * RATE), 0.7, np.float32), RATE)
    tapped: list[tuple[Samples, float]] = []
    captured: list[tuple[Samples, float]] = []

    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        microphone, loudspeaker = DeviceMicrophone(), DeviceLoudspeaker()
        settled = asyncio.Event()
        loudspeaker.tap = lambda samples, at: tapped.append((samples, at))

        async def listen() -> None:
            async for block in microphone.blocks():
                piece = block, microphone.captured_at - len(block) / SAMPLE_RATE
                captured.append(piece)
                if len(captured) == 60:
                    settled.set()

        listening = asyncio.create_task(listen())
        try:
            await asyncio.wait_for(settled.wait(), 30)
            due = [loop.time() + 1 + number for number in range(4)]
            ticks = [asyncio.create_task(loudspeaker.overlay(tick, at)) for at in due]
            await loudspeaker.play(speech)
            await asyncio.gather(*ticks)
            await asyncio.sleep(0.5)
        finally:
            listening.cancel()
            await asyncio.wait([listening])
            microphone.close()
            loudspeaker.close()
        return due

    due = asyncio.run(main())
    for heard in (captured, tapped):
        begins = onsets(heard)
        assert len(begins) == len(due)
        assert begins == pytest.approx(due, abs=NEAR_SECONDS)
    assert server.pactl("list", "short", "sink-inputs") == ""


def onsets(pieces: list[tuple[Samples, float]]) -> list[float]:
    """Return the times at which something louder than speech begins."""
    times = [at + int(hit) / SAMPLE_RATE for samples, at in pieces for hit in np.flatnonzero(np.abs(samples) > 0.4)]
    return [time for number, time in enumerate(times) if not number or time > times[number - 1] + 0.3]
