"""The table's screen, read from the events file while the evening goes on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_POLL_SECONDS: Final = 0.02


class Screen:
    """Follows an events file in a thread until it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stop = threading.Event()
        self.events: list[Mapping[str, Any]] = []
        self.origin = float("inf")
        """The second of the clock (`time.monotonic`) at which the evening's second 0 was, to some 20 ms."""
        self.paused: str | None = None
        """Why the evening is paused."""
        self._thread = threading.Thread(target=self._follow, name="screen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop to follow, when what is written by now has been read."""
        self._stop.set()
        self._thread.join(5)

    def _follow(self) -> None:
        while not self._path.exists() and not self._stop.is_set():
            time.sleep(_POLL_SECONDS)
        if not self._path.exists():
            return
        rest = ""
        with self._path.open(encoding="utf-8") as file:
            while True:
                stopping = self._stop.is_set()
                rest += file.read()
                *lines, rest = rest.split("\n")
                for line in lines:
                    self._see(json.loads(line), time.monotonic())
                if stopping:
                    return
                time.sleep(_POLL_SECONDS)

    def _see(self, event: Mapping[str, Any], now: float) -> None:
        self.events.append(event)
        if "t" in event:
            self.origin = min(self.origin, now - event["t"])
        if event["type"] == "view" and event["viewer"] == "table":
            self.paused = event["view"]["paused"]
