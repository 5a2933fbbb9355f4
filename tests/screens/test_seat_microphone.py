"""A page's microphone brings blocks without gap, what was said whole and in order, silence in between."""

from __future__ import annotations

import asyncio
from random import Random

import numpy as np

from voice_host.hearing.voice_activity import BLOCK_SAMPLES as BLOCK_OF_THE_EAR
from voice_host.screens.seat_microphone import BLOCK_SAMPLES, SeatMicrophone
from voice_host.virtual_time import run


def _heard(pieces: list[tuple[float, bytes]], released: float, seconds: float) -> np.ndarray:
    """Return what the ear gets when pieces of sound come at those seconds and the button is let go."""

    async def listen() -> np.ndarray:
        microphone = SeatMicrophone("a page")
        blocks: list[np.ndarray] = []

        async def take() -> None:
            blocks.extend([block async for block in microphone.blocks()])

        taking = asyncio.create_task(take())
        await asyncio.sleep(0)
        microphone.talk(pressed=True)
        loop = asyncio.get_running_loop()
        for at, piece in pieces:
            await asyncio.sleep(max(0.0, at - loop.time()))
            assert microphone.feed(piece)
        await asyncio.sleep(max(0.0, released - loop.time()))
        microphone.talk(pressed=False)
        await asyncio.sleep(max(0.0, seconds - loop.time()))
        microphone.close()
        await taking
        return np.concatenate(blocks)

    return run(listen(), virtual=True)


def test_blocks_are_as_the_ear_takes_them() -> None:
    assert BLOCK_SAMPLES == BLOCK_OF_THE_EAR
    heard = _heard([], 0.1, 1.0)
    assert len(heard) == 31 * BLOCK_SAMPLES
    assert not heard.any()


def test_what_was_said_arrives_whole_and_in_order_though_the_network_is_uneven() -> None:
    chance = Random(1)
    said = np.arange(1, 16_001, dtype="<i2")
    pieces = [said[start : start + 1600] for start in range(0, 16_000, 1600)]
    times = [0.1 * number + 0.1 * chance.random() for number in range(1, 11)]
    heard = _heard([(at, piece.tobytes()) for at, piece in zip(times, pieces, strict=True)], times[-1], 3.0)
    loud = np.round(heard[heard != 0] * 32768).astype(int)
    assert loud.tolist() == said.tolist()


def test_the_end_of_a_short_word_is_not_held_back() -> None:
    heard = _heard([(0.1, np.full(300, 1000, "<i2").tobytes())], 0.15, 1.0)
    assert np.count_nonzero(heard) == 300


def test_half_a_sample_is_no_sound() -> None:
    assert not SeatMicrophone("a page").feed(b"\0\0\0")


def test_what_waits_too_long_is_forgotten() -> None:
    microphone = SeatMicrophone("a page")
    microphone._listened_to = True
    for _ in range(20):
        microphone.feed(np.ones(16_000, "<i2").tobytes())
    assert microphone.lost_samples == 10 * 16_000
