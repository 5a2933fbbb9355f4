"""A machine that slept or stood still: the evening's clock did not move meanwhile."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.host.test_host import Table
from voice_host.games.game import Paused, Resumed
from voice_host.host import SourceEnded
from voice_host.journal import Entry, read_entries
from voice_host.machine_watch import MachineWatch
from voice_host.program import Program
from voice_host.virtual_time import run


def pauses(table: Table) -> list[tuple[float, Entry]]:
    return [(t, entry) for t, entry in read_entries(table.path) if isinstance(entry, Paused | Resumed)]


def test_sleep_is_told_and_the_devices_are_opened_anew(english: Program, tmp_path: Path) -> None:
    table = Table(english, tmp_path, None)
    slept, woken = [0.0], [0]

    def wake() -> None:
        woken[0] += 1

    async def acts(table: Table) -> None:
        watch = MachineWatch(table.host, woken=wake, slept_seconds=lambda: slept[0])
        table.host.look_at_machine = watch.look
        watching = asyncio.create_task(watch.run())
        await asyncio.sleep(10.0)
        slept[0] = 3600.0
        await asyncio.sleep(10.0)
        watching.cancel()

    table.play(acts)
    (paused, fault), (resumed, back) = pauses(table)
    assert (fault, back) == (Paused("machine_slept"), Resumed())
    assert 9.7 <= paused <= 10.3
    assert 1.0 <= resumed - paused <= 1.8
    assert woken == [1]
    assert "machine_slept" in table.said()


def test_hearing_that_is_late_stops_the_clock_until_it_is_not(english: Program, tmp_path: Path) -> None:
    table = Table(english, tmp_path, None)
    behind = [0.0]
    starved: list[float] = []

    async def acts(table: Table) -> None:
        watch = MachineWatch(
            table.host,
            behind_seconds=lambda: behind[0],
            starved=lambda: starved.append(table.host.now()),
            slept_seconds=lambda: 0.0,
        )
        watching = asyncio.create_task(watch.run())
        for seconds, late in ((5.0, 0.8), (5.0, 3.0), (5.0, 0.5), (5.0, 0.0), (5.0, 0.0)):
            behind[0] = late
            await asyncio.sleep(seconds)
        watching.cancel()

    table.play(acts)
    (paused, fault), (resumed, _) = pauses(table)
    assert fault == Paused("machine_slow")
    assert 5.0 <= paused <= 5.3
    assert 15.7 <= resumed <= 16.5
    assert starved == pytest.approx([paused, resumed], abs=0.3)


def test_a_process_that_stood_still_loses_none_of_the_evening(english: Program, tmp_path: Path) -> None:
    """In real time: the loop is blocked over the end of a giver's five seconds."""
    table = Table(english, tmp_path, None)

    async def evening() -> None:
        table.host.begin(table.first)
        watch = MachineWatch(table.host)
        table.host.look_at_machine = watch.look
        playing = asyncio.create_task(table.host.run())
        watching = asyncio.create_task(watch.run())
        await asyncio.sleep(4.0)
        time.sleep(3.0)  # noqa: ASYNC251 - that is the fault
        deadline = asyncio.get_running_loop().time() + 60.0
        while not any(isinstance(entry, Resumed) for _, entry in pauses(table)):
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.1)
        table.host.inbox.put_nowait(SourceEnded(abruptly=True))
        await playing
        watching.cancel()

    run(evening(), virtual=False)
    table.journal.close()
    (paused, fault), *_ = pauses(table)
    assert fault == Paused("machine_slow")
    assert paused < 5.0
    assert table.finished() == []
