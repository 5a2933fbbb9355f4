"""A page without a browser: a socket that keeps the state as `connection.js` does, and everything that travelled."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

PATIENCE_SECONDS = 30.0


class Page:
    """What one page knows."""

    def __init__(self, socket: ClientConnection, state: dict[str, Any] | None = None) -> None:
        self.socket = socket
        self.state: dict[str, Any] = state or {"n": None, "captions": []}
        self.received: list[str] = []
        """Every message as it travelled."""
        self.answers: list[dict[str, Any]] = []

    async def next(self) -> dict[str, Any]:
        """Take one message of the host."""
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE_SECONDS)
        assert isinstance(text, str)
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        match message["type"]:
            case "snapshot":
                self.state = message
            case "answer":
                self.answers.append(message)
            case _:
                captions = message.pop("captions", [])
                self.state = {**self.state, **message, "captions": [*self.state["captions"], *captions]}
        return message

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Take messages until the state is as wanted; beats alone keep nobody waiting for ever."""
        async with asyncio.timeout(2 * PATIENCE_SECONDS):
            while self.state["n"] is None or not wanted(self.state):
                await self.next()
        return self.state

    async def answer(self, **body: Any) -> dict[str, Any]:
        """Send a message and return the host's answer to it."""
        before = len(self.answers)
        await self.socket.send(json.dumps(body))
        while len(self.answers) == before:
            await self.next()
        return self.answers[-1]


@contextlib.asynccontextmanager
async def opened(address: str, token: str, known: dict[str, Any] | None = None) -> AsyncIterator[Page]:
    """Open the socket of a page; with the state of an earlier one it asks for what it missed."""
    query = "" if known is None else f"?since={known['n']}&run={known['run']}"
    url = f"{address.replace('http', 'ws', 1)}/socket/{token}{query}"
    async with connect(url, origin=address, max_queue=None) as socket:  # type: ignore[arg-type]
        yield Page(socket, known)
