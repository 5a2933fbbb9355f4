"""The socket of one open page: brings it up to date, takes what is tapped on it, never keeps anybody waiting."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from voice_host.screens.doors import TOO_MUCH
from voice_host.screens.feed import Feed, Message
from voice_host.screens.taps import REASONS, Allowance, Refused, Tap, read_message

LINK_REPLACED: Final = 4401
"""Close code: the link was replaced by a new one."""
OPENED_ELSEWHERE: Final = 4409
"""Close code: the same seat was opened on another device, which has it now."""
TOO_MANY_PAGES: Final = 4503
"""Close code: as many pages as may be show the table already; a page tries again now and then."""
EVENING_OVER: Final = 1001
"""Close code: the host has gone; a page that has not seen the end tries again."""

BEAT_SECONDS: Final = 5.0
"""A page that hears nothing for twice that long has lost its connection."""
_TAPS_AT_ONCE: Final = 8
_TAPS_PER_SECOND: Final = 4.0
"""As fast as fingers are; what comes faster is refused, because each tap that counts is written to the disk."""
_MESSAGES_AT_ONCE: Final = 30
_MESSAGES_PER_SECOND: Final = 10.0
"""A page that sends more is closed."""
_SOUND_BYTES_AT_ONCE: Final = 96_000
_SOUND_BYTES_PER_SECOND: Final = 40_000
"""A seat's microphone brings 32 000 a second."""


class Takes(Protocol):
    """Whoever takes what a page has sent."""

    def take(self, viewer: str, message: Any) -> Refused | None:
        """Take a message that has been checked; returns why not, if not. Must return at once."""

    def take_sound(self, viewer: str, sound: bytes) -> Refused | None:
        """Take some 16 kHz mono int16 of a seat's microphone; returns why not, if not."""


class Allowances:
    """What the pages of one viewer may send, all together: a page that comes again has no more."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.taps = Allowance(_TAPS_AT_ONCE, _TAPS_PER_SECOND, now)
        self.messages = Allowance(_MESSAGES_AT_ONCE, _MESSAGES_PER_SECOND, now)
        self.sound = Allowance(_SOUND_BYTES_AT_ONCE, _SOUND_BYTES_PER_SECOND, now)


class PageConnection:
    """One open page of one viewer."""

    def __init__(self, socket: WebSocket, feed: Feed, takes: Takes, allowances: Allowances) -> None:
        self._socket = socket
        self._feed = feed
        self._takes = takes
        self._may = allowances
        self._answers: deque[Mapping[str, Any]] = deque(maxlen=_MESSAGES_AT_ONCE)
        self._woken = asyncio.Event()
        self._ending: tuple[int, str] | None = None

    def close(self, code: int, reason: str) -> None:
        """Let the page go, with a code and a sentence, as soon as it has read what is on its way."""
        self._ending = self._ending or (code, reason)
        self._woken.set()

    async def attend(self, since: int | None, run: str | None) -> None:
        """Serve the page until it goes, or until it is let go."""
        await self._socket.accept()
        self._feed.listeners.add(self._woken.set)
        receiving = asyncio.create_task(self._receive())
        receiving.add_done_callback(lambda _: self._woken.set())
        try:
            await self._send(since, run, receiving)
        except WebSocketDisconnect:
            pass
        finally:
            self._feed.listeners.discard(self._woken.set)
            receiving.cancel()
            await asyncio.wait({receiving})
        if not receiving.cancelled() and (error := receiving.exception()) is not None:
            raise error

    async def _send(self, since: int | None, run: str | None, receiving: asyncio.Task[None]) -> None:
        """Send what is new whenever something is, and a beat when nothing is."""
        message: Message | None
        message = self._feed.since(since, run) or self._feed.beat()  # the page waits for a word that it is connected
        while self._ending is not None or not receiving.done():
            self._woken.clear()
            if message is not None:
                since, run = message["n"], message.get("run", run)
                await self._write(message)
            while self._answers:
                await self._write(self._answers.popleft())
            if self._ending is not None:
                await self._socket.close(*self._ending)
                return
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                await self._write(self._feed.beat())
            message = self._feed.since(since, run)

    async def _write(self, message: Mapping[str, Any]) -> None:
        await self._socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    async def _receive(self) -> None:
        while self._socket.client_state is WebSocketState.CONNECTED:
            received = await self._socket.receive()
            if received["type"] != "websocket.receive":
                return
            text = received.get("text")
            took = self._take_text(text) if text is not None else self._take_sound(received["bytes"])
            if not took:
                self.close(TOO_MUCH, "This page sent too much.")
                return

    def _take_text(self, text: str) -> bool:
        if not self._may.messages.take():
            return False
        message = read_message(text, self._feed.values.get("say", {}))
        if isinstance(message, Tap) and not self._may.taps.take():
            message = Refused("too_fast", message.id)
        refused = message if isinstance(message, Refused) else self._takes.take(self._feed.viewer, message)
        self._answer(message.id, refused)
        return True

    def _take_sound(self, sound: bytes) -> bool:
        if not self._may.sound.take(len(sound)):
            return False
        refused = self._takes.take_sound(self._feed.viewer, sound)
        if refused is None:
            return True
        self._answer(None, refused)
        return self._may.messages.take()

    def _answer(self, number: int | None, refused: Refused | None) -> None:
        answer: dict[str, Any] = {"type": "answer", "id": number, "ok": refused is None}
        if refused is not None:
            answer.update(reason=refused.reason, text=REASONS[refused.reason])
        self._answers.append(answer)
        self._woken.set()
