"""How connections come in: uvicorn's two protocols with limits, so that no crowd and no flood makes the host late.

Theory of operation
-------------------
The server runs in the host's own event loop, so whatever a stranger can make it do at once delays the clock. Therefore: a few
connections are accepted at a time (the listening socket's backlog), little is read of each at a time, a connection that asks
for nothing or reads nothing is dropped, and one more than enough is answered with 503. A page that sends more than a page ever
does is closed with `TOO_MUCH`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from voice_host.screens.taps import Allowance

TOO_SLOW: Final = 4408
"""Close code: the page did not read what was sent to it."""
TOO_MUCH: Final = 4429
"""Close code: the page sent more than a page ever does."""

BACKLOG: Final = 16
"""How many connections are accepted in one turn of the loop."""
MOST_CONNECTIONS: Final = 128
"""Above it each request is answered with 503; ten seats and a few tables need a fraction."""
_MOST_OPEN: Final = 192
"""Above it a connection is closed at once, unasked."""
_SILENT_SECONDS: Final = 5.0
"""How long a connection may be open without a request."""
_LONGEST_SECONDS: Final = 30.0
"""How long a connection that is no page's socket may be open at all."""
_READ_BYTES: Final = 4096
"""Read at a time; the loop's own 256 KiB would hold tens of thousands of tiny frames."""
_SLOW_SECONDS: Final = 10.0
"""How long a page may leave what was sent unread."""
_LAST_WORD_SECONDS: Final = 3.0
"""How long a connection that is being closed may take to read why."""
_BYTES_AT_ONCE: Final = 128 * 1024
_BYTES_PER_SECOND: Final = 64 * 1024
"""Twice what a seat's microphone sends."""
_PING_BYTES: Final = 256
"""What a ping counts for: it makes the host answer."""

_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 5\r\n"
    b"Connection: close\r\nContent-Length: 56\r\n\r\nToo many pages are open; close some, then try once more\n"
)


class Turnstile:
    """Lets one request in at each turn of the loop, in order, so that whatever else is due comes between two of them."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, begin: Callable[[], None]) -> None:
        """Begin a request as soon as it is its turn."""
        self._waiting.append(begin)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._let_in)

    def _let_in(self) -> None:
        self._waiting[0]()
        self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._let_in)


class PageDoor(H11Protocol):
    """Takes HTTP requests, in bounded number and for a bounded time."""

    def __init__(self, turnstile: Turnstile, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turnstile = turnstile
        self._full = False
        self._timers: list[asyncio.TimerHandle] = []

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or tell it that there is no room."""
        super().connection_made(transport)
        _read_little(transport)
        self._full = len(self.connections) > MOST_CONNECTIONS
        if len(self.connections) > _MOST_OPEN:
            self._refuse()
            return
        self._timers = [
            self.loop.call_later(_SILENT_SECONDS, self._close_if_silent),
            self.loop.call_later(_LONGEST_SECONDS, transport.abort),
        ]

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_timers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        if self.transport.is_closing():
            return
        if self._full:
            self._refuse()
            return
        self.transport.pause_reading()
        self._turnstile.enter(partial(self._take, data))

    def _take(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self.flow.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Let the connection become a page's socket, which may stay."""
        self._stop_timers()
        super().handle_websocket_upgrade(event)

    def _refuse(self) -> None:
        self.transport.write(_FULL)
        self.transport.close()

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.abort()

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()


class PageSocket(WebSocketsSansIOProtocol):
    """A page's socket: what it may send in a second is bounded, and so is how long it may leave things unread."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._allowance = Allowance(_BYTES_AT_ONCE, _BYTES_PER_SECOND, self.loop.time)
        self._slow_timer: asyncio.TimerHandle | None = None
        self._deaf = False
        """True: what still comes is read and thrown away, because a socket that is closed over unread bytes loses its last word."""
        self.close_timeout = _LAST_WORD_SECONDS

    def data_received(self, data: bytes) -> None:
        """Take bytes, as long as they are not too many."""
        if self._deaf:
            return
        if not self._allowance.take(len(data)):
            self._close_now(TOO_MUCH, "This page sent too much.")
            return
        super().data_received(data)
        if self.transport.is_closing():
            self._abort_later()

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._allowance.take(_PING_BYTES):
            super().handle_ping()
        else:
            self._close_now(TOO_MUCH, "This page sent too much.")

    async def send(self, message: Any) -> None:
        """Send what the application says; a socket that was refused with an answer has had its handshake."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # else uvicorn reports it as an error of ours, once for each stranger

    def pause_writing(self) -> None:
        """Start to wait for a page that does not read."""
        super().pause_writing()
        if self._slow_timer is None:
            sentence = "This page reads too slowly; it may come again."
            self._slow_timer = self.loop.call_later(_SLOW_SECONDS, self._close_now, TOO_SLOW, sentence)

    def resume_writing(self) -> None:
        """Go on: the page has read."""
        super().resume_writing()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """Close the socket of a page that has not answered a ping: its machine sleeps or is gone."""
        super().keepalive_timeout()
        self._forget()
        self._abort_later()

    def handle_parser_exception(self) -> None:
        """Close the socket of a page that broke the protocol, or sent more than a message may hold."""
        super().handle_parser_exception()
        self._forget()
        self._abort_later()

    def _close_now(self, code: int, reason: str) -> None:
        """Say why, and let go, whether that is read or not."""
        if self._deaf or self.transport.is_closing():
            return
        self._deaf = True
        self.stop_keepalive()
        if self.handshake_complete and not self.close_sent:
            self.conn.fail(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self._forget()
        self._abort_later()

    def _forget(self) -> None:
        """Let whoever still sends to this page know that it is gone."""
        self.disconnected = True
        self.writable.set()

    def _abort_later(self) -> None:
        self.loop.call_later(_LAST_WORD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._slow_timer is not None:
            self._slow_timer.cancel()
            self._slow_timer = None


def _read_little(transport: asyncio.Transport) -> None:
    """Let asyncio's socket transport read a little at a time; a loop of another make keeps its own ways."""
    if hasattr(transport, "max_size"):
        cast("Any", transport).max_size = _READ_BYTES
