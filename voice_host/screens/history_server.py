"""The page of past evenings: on this machine only, behind a link that nobody can guess, and only to be read."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from voice_host.errors import HostError, UsageError
from voice_host.screens.doors import BACKLOG
from voice_host.screens.guard import Guard, own_names
from voice_host.screens.pages import Texts, load_pages
from voice_host.screens.server import server_config

_TOKEN_BYTES: Final = 16


class HistoryServer:
    """Serves a list of evenings, and each of them, as they are on disk when they are asked for."""

    def __init__(
        self,
        evenings: Callable[[], Sequence[Mapping[str, Any]]],
        evening: Callable[[str], Mapping[str, Any]],
        texts: Texts,
        port: int | None = None,
    ) -> None:
        """Take the port; raises `UsageError` when it is taken. ``evening`` raises `HostError` for what cannot be read."""
        self._evenings = evenings
        self._evening = evening
        self._pages = load_pages(texts)
        self._token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._reading = asyncio.Lock()
        try:
            self._listener = socket.create_server(("127.0.0.1", port or 0), backlog=BACKLOG)
        except (OSError, OverflowError) as error:
            raise UsageError(f"The page cannot be served on port {port} ({error}); choose another --port.") from error
        routes = [
            Route("/history/{token}", self._page),
            Route("/history/{token}/evenings.json", self._list),
            Route("/history/{token}/evening/{id}.json", self._one),
            Route("/pages/{name}", self._file),
        ]
        starlette = Starlette(routes=routes, exception_handlers={HTTPException: _say_no})
        starlette.router.redirect_slashes = False
        self._application = Guard(starlette, own_names(lan=False))

    @property
    def link(self) -> str:
        """The address of the page; whoever has it reads all evenings."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/history/{self._token}"

    async def serve(self) -> None:
        """Serve until the program is stopped."""
        await uvicorn.Server(server_config(self._application)).serve([self._listener])

    def _check(self, request: Request) -> None:
        given = request.path_params["token"].encode("utf-8", "surrogatepass")
        if not secrets.compare_digest(given, self._token.encode()):
            raise HTTPException(404)

    async def _page(self, request: Request) -> Response:
        self._check(request)
        return Response(self._pages["history.html"].body, media_type=self._pages["history.html"].media_type)

    async def _list(self, request: Request) -> Response:
        self._check(request)
        return await self._read(self._evenings)

    async def _one(self, request: Request) -> Response:
        self._check(request)
        return await self._read(lambda: self._evening(request.path_params["id"]))

    async def _read(self, read: Callable[[], Any]) -> Response:
        """Answer with what is read, one request after the other: folding an evening takes the machine a second."""
        async with self._reading:
            try:
                found = await asyncio.to_thread(read)
            except HostError as error:
                return PlainTextResponse(f"{error}\n", 404 if isinstance(error, UsageError) else 422)
        return Response(json.dumps(found, ensure_ascii=False), media_type="application/json")

    async def _file(self, request: Request) -> Response:
        file = self._pages.get(request.path_params["name"])
        if file is None or file.media_type.startswith("text/html"):
            raise HTTPException(404)
        return Response(file.body, media_type=file.media_type)


async def _say_no(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return PlainTextResponse("There is no such page.\n" if status != 405 else "Pages are only read.\n", status)
