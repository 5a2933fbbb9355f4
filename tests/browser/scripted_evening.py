"""An evening of the real program, typed by a script, with pages: it can be killed and started again."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

SEATS = ("Amy", "Ben", "Cleo", "Dan")
PATIENCE_SECONDS = 60


class ScriptedEvening:
    """`voice-host play --script` with pages, in a process that can be killed and started again."""

    def __init__(self, folder: Path, script: str, cards: Sequence[str], *, night_seconds: float) -> None:
        self._folder = folder
        self._journal = folder / "journal"
        (folder / "script.txt").write_text(script, encoding="utf-8")
        (folder / "cards.txt").write_text("\n".join(cards), encoding="utf-8")
        self._process = self._start(
            *("--players", ",".join(SEATS), "--seed", "7", "--cards", folder / "cards.txt"),
            *("--roles", "Ben=fairy,Cleo=boogeyman,Dan=sandman"),
            *("--set", f"night_seconds={night_seconds}", "--set", f"clue_seconds={night_seconds}"),
        )

    def _start(self, *more: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            (
                *(sys.executable, "-m", "voice_host", "play", "when-i-dream", "--screens"),
                *("--script", str(self._folder / "script.txt"), "--journal", str(self._journal), *map(str, more)),
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def links(self) -> dict[str, str]:
        """Wait for the links of the table and all seats."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            for path in self._journal.glob("*.links"):
                kept = json.loads(path.read_text(encoding="utf-8"))
                if set(SEATS) <= kept["tokens"].keys() and kept["port"] is not None:
                    base = f"http://127.0.0.1:{kept['port']}"
                    seats = {seat: f"{base}/seat/{kept['tokens'][seat]}" for seat in SEATS}
                    return {"table": f"{base}/table/{kept['tokens']['table']}", **seats}
            time.sleep(0.05)
        raise TimeoutError(self.killed())

    def killed_and_resumed(self) -> None:
        """Kill the program as nothing warns of it, and start it again."""
        self.killed()
        self.resumed()

    def resumed(self) -> None:
        """Start the killed program again."""
        self._process = self._start("--resume")

    def killed(self) -> str:
        """Kill the program; return what it has written."""
        self._process.kill()
        return self._process.communicate()[0]

    def ended(self) -> str:
        """Wait for the end of the evening; return what the program has written."""
        written, _ = self._process.communicate(timeout=120)
        assert self._process.returncode == 0, written
        return written
