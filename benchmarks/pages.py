"""How late the host's loop is, and how soon a page is answered, while strangers and broken pages do what they can.

    python benchmarks/pages.py

The host and its pages run in a process of their own, as they do in an evening; everybody else runs in this one. Told are, for each
trouble, the latest that a wake-up of the loop came (by the wall's clock, so other programs' work counts), the most that the host's own
thread worked at a stretch beyond the 5 ms between two wake-ups (by its CPU clock), and how long the table's page waited for
answers to its taps meanwhile. The design wants the loop never more than 50 ms late.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from figures import table
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from voice_host.journal import Began, Journal
from voice_host.program import Program
from voice_host.running import Kept, begin, make_host, run_evening
from voice_host.screens.server import Wanted
from voice_host.tables.tapping import open_pages

PLAYERS = ("Amy", "Ben", "Cleo", "Dan")
PROBE_SECONDS = 0.005
TAP_SECONDS = 0.15
QUIET_SECONDS = 10.0
CROWD = 1000


# ------------------------------------------------------------------------------------------------- the host's process


def serve(parent: Connection, folder: Path) -> None:
    """Run an evening with pages until told to stop; send the links, then the figures of each stretch that is asked for."""
    asyncio.run(_evening(parent, folder))


async def _evening(parent: Connection, folder: Path) -> None:
    program = Program("en")
    seconds = {"night_seconds": 3600.0, "clue_seconds": 3600.0}
    chosen: dict[str, object] = {"language": "en", "upcoming": [], "roles": [], "rounds": None, "settings": seconds}
    kept = Kept(
        Journal.create(folder / "b.evening"), (), Began("when-i-dream", {**chosen, "players": list(PLAYERS)}, 7)
    )
    host = make_host(program, kept, None, [])
    pages = open_pages(Wanted(), program, kept, host, lambda _: None)
    if pages is None:
        raise RuntimeError("no pages were wanted")
    begin(host, kept)
    await asyncio.sleep(0)  # the pages are shown the beginning
    parent.send({viewer: pages.link(viewer) for viewer in ("table", *PLAYERS)})
    await run_evening(host, kept, pages.serve(), _stop_after(_probe(parent)))


async def _stop_after(probe: Awaitable[None]) -> None:
    await probe
    os._exit(0)


async def _probe(parent: Connection) -> None:
    """Wake up every 5 ms and remember how late; answers ``begin`` with nothing and ``end`` with the figures in ms."""
    loop = asyncio.get_running_loop()
    late = worked = 0.0
    cpu = time.thread_time()
    while True:
        due = loop.time() + PROBE_SECONDS
        await asyncio.sleep(PROBE_SECONDS)
        late = max(late, loop.time() - due)
        used, cpu = time.thread_time() - cpu, time.thread_time()
        worked = max(worked, used - PROBE_SECONDS)
        if parent.poll():
            match parent.recv():
                case "begin":
                    late = worked = 0.0
                case "end":
                    parent.send((1000 * late, 1000 * worked))
                case _:
                    return


# ------------------------------------------------------------------------------------------------------- the troubles


class Troubles:
    """What strangers and broken pages do; each method is one trouble."""

    def __init__(self, links: dict[str, str]) -> None:
        self._links = links
        self.server = urllib.parse.urlsplit(links["table"])
        self.address = f"http://{self.server.netloc}"

    def socket(self, viewer: str) -> connect:
        """Open the socket of a viewer's page."""
        token = self._links[viewer].rpartition("/")[2]
        url = f"ws://{self.server.netloc}/socket/{token}"
        return connect(url, origin=self.address, max_queue=None)  # type: ignore[arg-type]

    async def nothing(self) -> None:
        """Leave the pages in peace."""
        await asyncio.sleep(QUIET_SECONDS)

    async def a_crowd_asks(self) -> None:
        """Let a thousand connections ask for a page that is not theirs, at once."""
        request = f"GET /seat/wrong HTTP/1.1\r\nHost: {self.server.netloc}\r\n\r\n".encode()
        await asyncio.gather(*(self._knock(request) for _ in range(CROWD)))

    async def a_crowd_is_silent(self) -> None:
        """Open a thousand connections that ask for nothing."""
        await asyncio.gather(*(self._knock(b"") for _ in range(CROWD)))

    async def wrong_tokens(self) -> None:
        """Try a thousand sockets with wrong tokens."""
        for _ in range(20):
            await asyncio.gather(*(self._wrong_socket() for _ in range(CROWD // 20)))

    async def a_flood_of_messages(self) -> None:
        """Let a page send as many taps as it can, and come again each time it is closed."""
        await self._flood(lambda page: page.send('{"intent": "score"}'))

    async def a_flood_of_pings(self) -> None:
        """Let a page send as many pings as it can."""
        await self._flood(lambda page: page.ping())

    async def oversize(self) -> None:
        """Let a page send messages of a megabyte."""
        await self._flood(lambda page: page.send("x" * 1_000_000))

    async def random_bytes(self) -> None:
        """Send what is no HTTP and no WebSocket."""
        chance = Random(5)
        garbage = [chance.randbytes(chance.randrange(20_000)) for _ in range(200)]
        await asyncio.gather(*map(self._knock, garbage))

    async def deaf_pages(self) -> None:
        """Open the table's page six times without ever reading, while the evening goes on."""
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(6):
                page = await stack.enter_async_context(self.socket("table"))
                page.transport.pause_reading()
            await asyncio.sleep(QUIET_SECONDS)

    async def _knock(self, request: bytes) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            reader, writer = await asyncio.open_connection(self.server.hostname, self.server.port)
            writer.write(request)
            await asyncio.wait_for(reader.read(1000), 8)
            writer.close()

    async def _wrong_socket(self) -> None:
        with contextlib.suppress(OSError, TimeoutError, WebSocketException):
            async with connect(f"ws://{self.server.netloc}/socket/wrong", origin=self.address):  # type: ignore[arg-type]
                pass

    async def _flood(self, send: Callable[[ClientConnection], Awaitable[object]]) -> None:
        until = time.monotonic() + QUIET_SECONDS
        while time.monotonic() < until:
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                async with self.socket("Cleo") as page:
                    while time.monotonic() < until:
                        await send(page)


async def _tapping(troubles: Troubles, waits: list[float]) -> None:
    """Tap on the table's page all the while, and note how long each answer takes."""
    async with troubles.socket("table") as page:
        while True:
            sent = time.monotonic()
            await page.send('{"intent": "whose_turn"}')
            while json.loads(await page.recv())["type"] != "answer":
                pass
            waits.append(time.monotonic() - sent)
            await asyncio.sleep(TAP_SECONDS)


async def _measured(host: Connection, troubles: Troubles, trouble: Callable[[], Awaitable[None]]) -> list[str]:
    waits: list[float] = []
    tapping = asyncio.create_task(_tapping(troubles, waits))
    await asyncio.sleep(1.0)
    host.send("begin")
    waits.clear()
    await trouble()
    if tapping.done():
        tapping.result()
    tapping.cancel()
    host.send("end")
    late, worked = await asyncio.to_thread(host.recv)
    waits.sort()
    name = getattr(trouble, "__name__", "").replace("_", " ")
    answered = [f"{1000 * waits[len(waits) // 2]:.0f}", f"{1000 * waits[-1]:.0f}"] if waits else ["–", "–"]
    return [name, f"{late:.0f}", f"{max(0.0, worked):.0f}", *answered]


async def _all(host: Connection, troubles: Troubles) -> list[list[str]]:
    kinds = [
        *(troubles.nothing, troubles.a_crowd_asks, troubles.a_crowd_is_silent, troubles.wrong_tokens),
        *(troubles.a_flood_of_messages, troubles.a_flood_of_pings, troubles.oversize, troubles.random_bytes),
        troubles.deaf_pages,
    ]
    rows = []
    for kind in kinds:
        rows.append(await _measured(host, troubles, kind))
        print(*rows[-1], sep="  ", file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Print the table of all troubles."""
    here, there = multiprocessing.Pipe()
    spawning = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        host = spawning.Process(target=serve, args=(there, Path(folder)), daemon=True)
        host.start()
        rows = asyncio.run(_all(here, Troubles(here.recv())))
        here.send("stop")
        host.join()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores; load average {load:.1f} at the end, all programs counted.\n")
    print(table(["trouble", "latest wake-up ms", "own work at a stretch ms", "answer ms (median)", "(slowest)"], rows))


if __name__ == "__main__":
    main()
