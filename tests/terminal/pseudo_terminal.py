"""A real terminal of the system's kind, with the program in it and a reader at its other end."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]")
_ROOT: Final = Path(__file__).parents[2]


class PseudoTerminal:
    """The program at a terminal; everything that it wrote is kept.

    In the ``background`` it ignores Ctrl+C, as what a shell starts with ``&`` does; else it does not, whoever runs the tests.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        size: tuple[int, int] = (80, 24),
        term: str = "xterm",
        *,
        background: bool = False,
    ) -> None:
        self._ours, self._its = pty.openpty()
        self.resize(size)
        self.before = termios.tcgetattr(self._its)
        environment = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "LINES"}}
        path = os.pathsep.join(filter(None, (str(_ROOT), environment.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "voice_host", *arguments],
            stdin=self._its,
            stdout=self._its,
            stderr=self._its,
            env={**environment, "TERM": term, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_IGN if background else signal.SIG_DFL),  # noqa: PLW1509  no thread has been started
        )
        self.written = ""
        self._seen = 0

    def resize(self, size: tuple[int, int]) -> None:
        """Let the window have that many columns and lines."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        os.write(self._ours, f"{line}\r".encode())

    def until(self, text: str, seconds: float = 90.0) -> str:
        """Return what has been written since the last call up to that text; fails after so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            new = _ESCAPES.sub("", self.written[self._seen :])
            if text in new:
                self._seen = len(self.written)
                return new
            assert time.monotonic() < deadline, f"{text!r} was not shown, but: {new[-3000:]}"
            if not self._read() and self.process.poll() is not None:
                raise AssertionError(f"ended without {text!r}: {new[-3000:]}")

    def ended(self, seconds: float = 60.0) -> int:
        """Read to the end; returns the exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read()
        while self._read():
            pass
        return self.process.wait(1)

    def is_restored(self) -> bool:
        """Tell whether the terminal is as it was: the main screen, a cursor, lines that are echoed."""
        screen = self.written.rindex("\x1b[?1049l") > self.written.rindex("\x1b[?1049h")
        cursor = self.written.rindex("\x1b[?25h") > self.written.rindex("\x1b[?25l")
        return screen and cursor and termios.tcgetattr(self._its) == self.before

    def close(self) -> None:
        """End whatever still runs."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        os.close(self._ours)
        os.close(self._its)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 0.2)
        if not ready:
            return False
        self.written += os.read(self._ours, 65536).decode("utf-8", "replace")
        return True
