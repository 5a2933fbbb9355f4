"""Who may ask at all: the pages' own origin under the host's own name; and the headers that keep the pages to themselves."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, MutableMapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",  # the address of a page is its key
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=(), payment=(), usb=()",
    "cache-control": "no-store",
}
"""Sent with every answer."""

_OTHER_NAME: Final = "This host is not called that; open the link as it was printed."
_OTHER_ORIGIN: Final = "Only the host's own pages may connect."


class Guard:
    """Refuses requests under a foreign name (DNS rebinding) and sockets of foreign pages, before anything else sees them."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = frozenset(name.casefold() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or socket."""
        headers = Headers(scope=scope)
        if not self._is_our_name(headers.get("host", ""), scope):
            await _refuse(scope, receive, send, 421, _OTHER_NAME)
        elif scope["type"] == "websocket" and headers.get("origin") != f"http://{headers.get('host')}":
            await _refuse(scope, receive, send, 403, _OTHER_ORIGIN)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _is_our_name(self, host: str, scope: Scope) -> bool:
        """Accept the very address that was connected to, and the names by which this machine calls itself."""
        name = _without_port(host).casefold()
        server = scope.get("server")
        return name in self._names or (server is not None and name == server[0])


def own_names(*, lan: bool) -> frozenset[str]:
    """Return the names a page may be asked for by: those of the loopback, and in a local network the machine's own."""
    names = {"localhost", "127.0.0.1"}
    if lan:
        called = socket.gethostname().partition(".")[0]
        names |= {called, f"{called}.local"}
    return frozenset(name for name in names if name)


def lan_address() -> str | None:
    """Return the address by which others in the local network reach this machine, or None; sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: chooses the way out, no packet leaves
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if ipaddress.ip_address(address).is_unspecified else address


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] in {"http.response.start", "websocket.http.response.start"}:
            _add(message)
        await send(message)

    return sent


def _add(message: MutableMapping[str, Any]) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    response = PlainTextResponse(f"{sentence}\n", status, headers=HEADERS)
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).send_denial_response(response)
    else:
        await response(scope, receive, send)
