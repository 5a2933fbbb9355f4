"""What running an evening takes, whoever speaks: a journal, a host joined from its parts, an end that is told."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from voice_host.errors import HostError
from voice_host.evening import Evening
from voice_host.host import Host, Room, Watcher
from voice_host.journal import Began, Entry, Journal
from voice_host.outputs import EventsFile, final_table
from voice_host.program import Program, follow_up
from voice_host.understanding import Understander

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS: Final = 1.0
"""How often a live evening's clock is put on disk, so that a resumed one goes on at the same second."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where an evening is kept, and what it holds already."""

    journal: Journal
    entries: tuple[tuple[float, Entry], ...]
    first: Began
    """What a new evening begins with, or what the resumed one began with."""


def make_host(program: Program, kept: Kept, room: Room | None, watchers: Sequence[Watcher]) -> Host:
    """Join an evening's parts."""
    chosen = {name: value for name, value in kept.first.options.items() if name not in {"game", "players"}}
    game = kept.first.options.get("game", kept.first.game)
    return Host(
        evening=Evening(program.build, program.prompts),
        journal=kept.journal,
        understand=Understander(program),
        room=room,
        watchers=watchers,
        follow_up=lambda evening: follow_up(evening, game, chosen, kept.first.seed),
    )


def begin(host: Host, kept: Kept) -> None:
    """Begin a new evening, or go on with a kept one."""
    if kept.entries:
        host.resume(kept.entries, kept.journal.marked("clock"))
    else:
        host.begin(kept.first)


async def heartbeat(host: Host, kept: Kept) -> None:
    """Keep a live evening's clock on disk until cancelled."""
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        kept.journal.mark("clock", host.now())


async def run_evening(
    host: Host, kept: Kept, source: Coroutine[Any, Any, None], *others: Coroutine[Any, Any, None]
) -> None:
    """Run the host beside its source (a script, an ear) and other tasks, until the evening is over."""
    with _loaded_for_good():
        await _until_over(host, source, *others)
    if host.evening.over:
        kept.journal.mark("finished", 1)


@contextmanager
def _loaded_for_good() -> Iterator[None]:
    """Keep the garbage collector from looking through all that was loaded: that holds the loop up for 30 to 70 ms."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def _until_over(host: Host, source: Coroutine[Any, Any, None], *others: Coroutine[Any, Any, None]) -> None:
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(task) for task in (source, *map(_spared, others))]
        await host.run()
        for task in started:
            task.cancel()


async def _spared(task: Coroutine[Any, Any, None]) -> None:
    """Let an evening outlive what only shows it; what the user is to know (`HostError`) still ends it."""
    try:
        await task
    except HostError:
        raise
    except Exception:
        log.exception("something that shows the evening has failed")
        print("A page or the table in the terminal has failed; the evening goes on without it.", file=sys.stderr)


def conclude(evening: Evening, events: EventsFile | None, *, must_be_over: bool = False) -> int:
    """Write the final line, print the final table; raises `HostError` when the evening had to come to its end and did not."""
    table = evening.view()
    scores, winners = dict(table.get("scores", {})), tuple(table.get("winners", ()))
    if events is not None:
        events.write({"type": "final", "scores": scores, "winners": list(winners)})
        events.close()
    if scores:
        print(final_table(scores, winners))
    if not evening.over and must_be_over:
        raise HostError("The recording ended before the evening did; go on with --resume and another recording.")
    if not evening.over:
        print("The script ended before the evening did; write on and go on with --resume.", file=sys.stderr)
    return 0
