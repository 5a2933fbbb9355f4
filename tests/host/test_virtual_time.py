"""The virtual clock: waiting is free, order is kept, work in threads takes no time."""

from __future__ import annotations

import asyncio
import time

from voice_host.virtual_time import run


def test_an_hour_of_waiting_takes_no_real_time() -> None:
    async def wait() -> float:
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time()

    began = time.monotonic()
    assert run(wait(), virtual=True) == 3600
    assert time.monotonic() - began < 5


def test_the_clock_stands_while_a_worker_thread_works() -> None:
    async def work() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        sleeper = asyncio.create_task(asyncio.sleep(1, result="slept"))
        await asyncio.sleep(0)
        await loop.run_in_executor(None, time.sleep, 0.05)
        worked_at = loop.time()
        await sleeper
        return worked_at, loop.time()

    assert run(work(), virtual=True) == (0, 1)


def test_sleepers_wake_in_the_order_of_their_seconds() -> None:
    async def race() -> list[float]:
        woken: list[float] = []

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds)
            woken.append(seconds)

        await asyncio.gather(*(sleep(seconds) for seconds in (3, 1, 2.5, 0)))
        return woken

    assert run(race(), virtual=True) == [0, 1, 2.5, 3]
