"""An evening with pages, in real time in a thread of its own, whose lines a test types one by one and whose timers it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self, TypeVar

from voice_host.games.game import Played, TimerFinished
from voice_host.host import Host, SourceEnded, SpeechBegan, SpeechRecognized
from voice_host.journal import Began, Journal
from voice_host.program import LOBBY, Program
from voice_host.running import Kept, begin, make_host, run_evening
from voice_host.screens.server import Screens, Wanted
from voice_host.tables.tapping import open_pages

Result = TypeVar("Result")

PLAYERS = ("Amy", "Ben", "Cleo", "Dan")
ROLES: Mapping[str, str] = {"Ben": "fairy", "Cleo": "boogeyman", "Dan": "sandman"}
_PATIENCE_SECONDS = 60.0


class EveningWithPages:
    """A context manager: enters when the pages are served, leaves when the host and the server have stopped."""

    def __init__(
        self,
        program: Program,
        folder: Path,
        *,
        players: tuple[str, ...] = PLAYERS,
        cards: tuple[str, ...] = (),
        lobby: bool = False,
        settings: Mapping[str, Any] | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        self._program = program
        folder.mkdir(exist_ok=True)
        self._journal = folder / "test.evening"
        self._began = began(players, cards, lobby=lobby, settings=settings or {})
        self._wanted = wanted or Wanted()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._error: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop
        self.host: Host
        self.screens: Screens
        self.announced: list[str] = []
        """What the terminal would show of links."""

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(_PATIENCE_SECONDS)
        if self._error is not None:
            raise self._error
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self.host.inbox.put_nowait, SourceEnded(abruptly=True))
        self._thread.join(_PATIENCE_SECONDS)
        if self._error is not None:
            raise self._error

    # ------------------------------------------------------------------------------------------------ what tests do

    @property
    def address(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return self.screens.address

    def link(self, viewer: str) -> str:
        """Return the address of the table's page (``table``) or a seat's."""
        return self.in_loop(lambda: self.screens.link(viewer))

    def token(self, viewer: str) -> str:
        """Return the last part of a viewer's link."""
        return self.link(viewer).rpartition("/")[2]

    def types(self, line: str) -> None:
        """Let somebody say something (``Amy: I guess dragon``, ``?: foul``); returns when the pages have been shown it."""
        self._say(line)
        self.settle()

    def _say(self, line: str) -> None:
        speaker, _, text = line.partition(":")

        def say() -> None:
            now = self.host.now()
            self.host.inbox.put_nowait(SpeechBegan(now))
            self.host.inbox.put_nowait(SpeechRecognized((text.strip(),), now, now, None if speaker == "?" else speaker))

        self.in_loop(say)

    def ends(self, line: str) -> None:
        """Let somebody say what ends the evening; returns when the host and the server have stopped."""
        self._say(line)
        self._thread.join(_PATIENCE_SECONDS)

    @property
    def over(self) -> bool:
        """True when the host and the server have stopped."""
        return not self._thread.is_alive()

    def timer_ends(self, name: str) -> None:
        """End a running timer now (``night``, ``clue``, ``last_guess``, ``appeal``)."""
        self.in_loop(lambda: self.host._record(self.host.now(), TimerFinished(name)))
        self.settle()

    def night_falls(self) -> None:
        """Begin the night where the table has dealt its own cards and the host is heard by nobody."""
        self.in_loop(lambda: self.host._record(self.host.now(), Played("night_falls")))
        self.settle()

    def settle(self) -> None:
        """Wait until all that has arrived is applied and shown."""

        async def settled() -> None:
            await self.host.inbox.join()
            await asyncio.sleep(0)
            await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(settled(), self._loop).result(_PATIENCE_SECONDS)

    def view(self, viewer: str = "table") -> Mapping[str, Any]:
        """Return what the game shows that viewer."""
        return self.in_loop(lambda: self.host.evening.view(viewer))

    def in_loop(self, call: Callable[[], Result]) -> Result:
        """Call something in the evening's own loop and return what it returns."""

        async def called() -> Result:
            return call()

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result(_PATIENCE_SECONDS)

    # ------------------------------------------------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            asyncio.run(self._evening())
        except BaseException as error:  # noqa: BLE001  told to whoever waits in the test's own thread
            self._error = error
        finally:
            self._ready.set()

    async def _evening(self) -> None:
        self._loop = asyncio.get_running_loop()
        kept = Kept(Journal.create(self._journal, sync=False), (), self._began)
        try:
            self.host = make_host(self._program, kept, None, [])
            screens = open_pages(self._wanted, self._program, kept, self.host, self.announced.append)
            assert screens is not None
            self.screens = screens
            begin(self.host, kept)
            await run_evening(self.host, kept, self._until_stopped(), screens.serve())
        finally:
            kept.journal.close()

    async def _until_stopped(self) -> None:
        self._ready.set()
        await asyncio.Event().wait()


def began(players: tuple[str, ...], cards: tuple[str, ...], *, lobby: bool, settings: Mapping[str, Any]) -> Began:
    """Return what an evening of the tests begins with: rigged words, and the roles of `ROLES` in the first round."""
    rigged = [dict(ROLES)] if players == PLAYERS else []
    chosen = {"language": "en", "upcoming": list(cards), "roles": rigged, "rounds": None, "settings": dict(settings)}
    if lobby:
        return Began(LOBBY, {**chosen, "game": "when-i-dream", "roles": []}, 7)
    return Began("when-i-dream", {**chosen, "players": list(players)}, 7)
