"""``voice-host history --page``: past evenings in a browser on this machine."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voice_host.commands.history import kept_evenings
from voice_host.journal import by_id, evenings_folder
from voice_host.page_texts import load_page_texts
from voice_host.past_evenings import read_evening
from voice_host.screens.history_server import HistoryServer


def history_server(folder: Path, port: int | None) -> HistoryServer:
    """Return the server of a folder's evenings; raises `UsageError` when the port is taken."""

    def evenings() -> list[Mapping[str, Any]]:
        return [
            {"id": kept.id, "began": kept.began, "players": list(kept.players), "state": kept.state}
            for kept in kept_evenings(folder)
        ]

    def evening(name: str) -> Mapping[str, Any]:
        return read_evening(by_id(folder, name)).as_json()

    return HistoryServer(evenings, evening, load_page_texts(), port)


def serve_history(journal: Path | None, port: int | None) -> int:
    """Serve until Ctrl+C; returns the exit code."""

    async def serve() -> None:
        server = history_server(evenings_folder(journal), port)
        print(f"Past evenings, on this machine only: {server.link}\nCtrl+C ends it.", flush=True)
        await server.serve()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())
    return 0
