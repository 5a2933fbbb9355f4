"""The server of the pages, in the host's own event loop, and what it shows: one feed a viewer.

Theory of operation
-------------------
`Screens` owns the listening socket, the links and the feeds; it knows nothing of games. Whoever runs the evening calls `change`
with what a viewer may see, and is called with what was tapped. `serve` runs until it is cancelled; then all pages are told.
Nothing here waits for a page: see `feed` and `doors`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from voice_host.errors import UsageError
from voice_host.screens.audience import TABLE
from voice_host.screens.doors import BACKLOG, PageDoor, PageSocket, Turnstile
from voice_host.screens.feed import Feed
from voice_host.screens.guard import Guard, lan_address, own_names
from voice_host.screens.links import Links
from voice_host.screens.page_connection import (
    EVENING_OVER,
    LINK_REPLACED,
    OPENED_ELSEWHERE,
    TOO_MANY_PAGES,
    Allowances,
    PageConnection,
)
from voice_host.screens.pages import Texts, load_pages
from voice_host.screens.seat_microphone import SeatMicrophone
from voice_host.screens.taps import NewLink, Refused, Talk, Tap

MOST_TABLES: Final = 8
"""How many pages may show the table at once."""
_LARGEST_MESSAGE: Final = 16_384
"""Bytes; half a second of a seat's microphone."""
_STOP_SECONDS: Final = 2.0
_LAST_LOOK_SECONDS: Final = 0.3
"""How long the pages may still take to read how the evening ended."""
_PING_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user wants of the pages."""

    lan: bool = False
    """True: other devices in the local network may open them."""
    port: int | None = None
    """None: the one the evening had, else any free one."""


class _QuietServer(uvicorn.Server):
    """Leaves the signals to the program: the evening ends the server, not the other way round."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class Screens:
    """The pages of one evening; made by `open_screens`."""

    def __init__(
        self,
        listener: socket.socket,
        links: Links,
        constants: Mapping[str, Any],
        now: Callable[[], float],
        texts: Texts,
        *,
        lan: bool,
    ) -> None:
        self.on_tap: Callable[[str, Tap], None] = lambda _viewer, _tap: None
        """Called with the viewer and what was tapped on its page, once that is known to have a place now."""
        self.on_links: Callable[[], None] = lambda: None
        """Called when a link was replaced."""
        self.address = f"http://{(lan_address() if lan else None) or '127.0.0.1'}:{listener.getsockname()[1]}"
        self._listener = listener
        self._links = links
        self._constants = constants
        self._now = now
        self._run = secrets.token_urlsafe(6)
        self._feeds: dict[str, Feed] = {}
        self._open: dict[str, list[PageConnection]] = {}
        self._allowances: dict[str, Allowances] = {}
        self._microphone: SeatMicrophone | None = None
        self._talker: str | None = None
        self._pages = load_pages(texts)
        self._server = _QuietServer(server_config(self._application(own_names(lan=lan))))

    # ------------------------------------------------------------------------------------------------ what is shown

    def link(self, viewer: str) -> str:
        """Return the address of a viewer's page; whoever has it sees what that viewer sees."""
        page = "table" if viewer == TABLE else "seat"
        return f"{self.address}/{page}/{self._links.token_of(viewer)}"

    def is_open(self, viewer: str) -> bool:
        """Tell whether a page of that viewer is open now."""
        return bool(self._open.get(viewer))

    def knows(self, viewer: str) -> bool:
        """Tell whether anything was ever shown to that viewer."""
        return viewer in self._feeds

    def listens_to(self, seat: str) -> bool:
        """Tell whether the microphone of that seat's page is open."""
        return self._microphone is not None and seat == self._talker

    def change(self, viewer: str, values: Mapping[str, Any], captions: Sequence[Mapping[str, Any]] = ()) -> None:
        """Show a viewer the values as they are now (only what has changed is sent), and more captions."""
        if viewer not in self._feeds:
            self._feeds[viewer] = Feed(viewer, self._run, self._constants, self._now)
        self._feeds[viewer].change(values, captions)

    def forget(self, viewer: str) -> None:
        """Nobody has that name any more: its link opens nothing, and its pages are told."""
        self._feeds.pop(viewer, None)
        self._links.forget(viewer)
        for page in self._open.get(viewer, ()):
            page.close(LINK_REPLACED, "Nobody has this seat any more.")

    def open_microphone(self) -> SeatMicrophone:
        """Open the one microphone that the page of `let_talk`'s seat is; from now on its sound is taken."""
        if self._microphone is None:
            self._microphone = SeatMicrophone("the dreamer's page")
        return self._microphone

    def let_talk(self, seat: str | None) -> None:
        """Listen to the microphone of that seat's page, and to no other's."""
        if seat != self._talker:
            self._talker = seat
            self._release()

    def _release(self) -> None:
        """Whoever is gone, or no longer listened to, holds no button."""
        if self._microphone is not None:
            self._microphone.talk(pressed=False)

    # --------------------------------------------------------------------------------------------- what the pages send

    def take(self, viewer: str, message: Any) -> Refused | None:
        """Take a message that has been read; returns why not, if not."""
        match message:
            case Tap():
                self.on_tap(viewer, message)
                return None
            case NewLink(wanted):
                return self._replace_link(viewer, wanted, message.id)
            case Talk(pressed):
                return self._talk(viewer, message.id, pressed=pressed)
            case _:
                return Refused("malformed")

    def take_sound(self, viewer: str, sound: bytes) -> Refused | None:
        """Take some sound of a seat's microphone; returns why not, if not."""
        if self._microphone is None or viewer != self._talker:
            return Refused("no_microphone")
        return None if self._microphone.feed(sound) else Refused("malformed")

    def _talk(self, viewer: str, number: int | None, *, pressed: bool) -> Refused | None:
        if self._microphone is None or viewer != self._talker:
            return Refused("no_microphone", number)
        self._microphone.talk(pressed=pressed)
        return None

    def _replace_link(self, viewer: str, wanted: str, number: int | None) -> Refused | None:
        if viewer != TABLE:
            return Refused("not_this_page", number)
        if wanted not in self._feeds:
            return Refused("no_such_seat", number)
        self._links.renew(wanted)
        for page in self._open.get(wanted, ()):
            page.close(LINK_REPLACED, "This link was replaced by a new one.")
        self.on_links()
        return None

    # --------------------------------------------------------------------------------------------------------- serving

    async def serve(self) -> None:
        """Serve the pages until cancelled; then let them read how it ended, and go."""
        serving = asyncio.create_task(self._server.serve([self._listener]))
        try:
            await asyncio.shield(serving)
        finally:
            if not serving.done():
                if any(self._open.values()):
                    await asyncio.sleep(_LAST_LOOK_SECONDS)
                for page in [page for pages in self._open.values() for page in pages]:
                    page.close(EVENING_OVER, "The host has gone.")
                self._server.should_exit = True
                await asyncio.wait({serving}, timeout=_STOP_SECONDS)
            self.close()

    def close(self) -> None:
        """Let the port go; may be called twice."""
        self._listener.close()

    def _application(self, names: frozenset[str]) -> Guard:
        routes = [
            Route("/", self._front),
            Route("/table/{token}", self._table_page),
            Route("/seat/{token}", self._seat_page),
            Route("/pages/{name}", self._file),
            WebSocketRoute("/socket/{token}", self._socket),
        ]
        starlette = Starlette(routes=routes, exception_handlers={HTTPException: _say_no})
        starlette.router.redirect_slashes = False
        return Guard(starlette, names)

    async def _front(self, _: Request) -> Response:
        return self._html("index.html", 200)

    async def _table_page(self, request: Request) -> Response:
        known = self._links.viewer_of(request.path_params["token"]) == TABLE
        return self._html("table.html", 200) if known else self._html("no_such_link.html", 404)

    async def _seat_page(self, request: Request) -> Response:
        known = self._links.viewer_of(request.path_params["token"]) not in {None, TABLE}
        return self._html("seat.html", 200) if known else self._html("no_such_link.html", 404)

    async def _file(self, request: Request) -> Response:
        file = self._pages.get(request.path_params["name"])
        if file is None or file.media_type.startswith("text/html"):
            raise HTTPException(404)
        return Response(file.body, media_type=file.media_type, headers={"cache-control": "no-cache"})

    def _html(self, name: str, status: int) -> Response:
        file = self._pages[name]
        return Response(file.body, status, media_type=file.media_type)

    async def _socket(self, websocket: WebSocket) -> None:
        viewer = self._links.viewer_of(websocket.path_params["token"])
        pages = self._open.setdefault(viewer, []) if viewer is not None else []
        if viewer is None or viewer not in self._feeds:
            await websocket.send_denial_response(PlainTextResponse("This link opens nothing.\n", 404))
            return
        if viewer == TABLE and len(pages) >= MOST_TABLES:
            await websocket.accept()  # a browser tells its page the code of an open socket only
            await websocket.close(TOO_MANY_PAGES, "Too many pages show the table; close one.")
            return
        if viewer != TABLE:
            for page in pages:
                page.close(OPENED_ELSEWHERE, "This seat was opened on another device.")
        allowances = self._allowances.setdefault(viewer, Allowances(asyncio.get_running_loop().time))
        page = PageConnection(websocket, self._feeds[viewer], self, allowances)
        pages.append(page)
        try:
            self.on_links()
            await page.attend(_number(websocket.query_params.get("since")), websocket.query_params.get("run"))
        finally:
            pages.remove(page)
            self.on_links()
            if viewer == self._talker and not pages:
                self._release()


def open_screens(
    wanted: Wanted, links: Links, constants: Mapping[str, Any], now: Callable[[], float], texts: Texts
) -> Screens:
    """Take the port; raises `UsageError` when the one that was asked for is taken.

    Without a wish the port of the evening's last start is tried first, so that open pages find a resumed evening again.
    """
    host = "0.0.0.0" if wanted.lan else "127.0.0.1"  # noqa: S104  only with --lan
    if wanted.port is not None:
        try:
            listener = _listening(host, wanted.port)
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"The pages cannot be served on port {wanted.port} ({error}); choose another --port, or --no-screens."
            ) from error
    else:
        listener = _first_free(host, [links.port or 0, 0])
    links.keep_port(listener.getsockname()[1])
    return Screens(listener, links, constants, now, texts, lan=wanted.lan)


@functools.lru_cache(maxsize=64)  # milliseconds each, and the same until a link is replaced
def qr_rows(text: str) -> Sequence[str]:
    """Return the QR code of a text, a string of ``0`` and ``1`` (dark) a row, without the quiet zone round it."""
    return ["".join(str(int(cell)) for cell in row) for row in segno.make(text, error="m", micro=False).matrix]


def _first_free(host: str, ports: Sequence[int]) -> socket.socket:
    for port in ports:
        try:
            return _listening(host, port)
        except OSError as error:
            failed = error
    raise UsageError(f"The pages cannot be served ({failed}); go on with --no-screens.")


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)  # taken here, so that nobody else can have it until the server runs
    except BaseException:
        listener.close()
        raise
    listener.settimeout(0)
    return listener


def server_config(application: Guard) -> uvicorn.Config:
    """Return how the pages are served: through bounded doors, and without a line of log that holds a token."""
    return uvicorn.Config(
        application,
        http=cast("type[asyncio.Protocol]", functools.partial(PageDoor, Turnstile())),  # uvicorn only calls it
        ws=PageSocket,
        backlog=BACKLOG,
        lifespan="off",
        log_config=None,
        log_level=logging.ERROR,  # below it uvicorn logs the paths of requests, and these hold the tokens
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        ws_max_size=_LARGEST_MESSAGE,
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )


async def _say_no(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = "Pages are only read." if status == 405 else "There is no such page."
    return PlainTextResponse(f"{sentence}\n", status)


def _number(text: str | None) -> int | None:
    """Read a page's number; anything odd means that it knows nothing yet."""
    return int(text) if text is not None and text.isascii() and text.isdecimal() and len(text) < 16 else None
