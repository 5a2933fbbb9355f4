"""The parent's side of the child process that speaks: started, asked, watched, killed; every call here blocks.

All waiting is for real time by a thread of its own, because a voice that hangs does so on every clock.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from itertools import count
from pathlib import Path
from typing import IO, Any, Final

from voice_host.errors import HostError

_LOG = logging.getLogger(__name__)

_PROGRAM: Final = Path(__file__).with_name("voice_child.py")

_DROPPED_VARIABLES: Final = frozenset(
    {"ESPEAK_DATA_PATH", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONVERBOSE", "PYTHONWARNINGS"}
)
"""Variables that change what the child says: the first makes another espeak speak garbage, the others print."""


class VoiceLost(HostError):  # noqa: N818 - a fact in the past tense, as the callers read it
    """Nothing can be spoken now; the message is one sentence with the remedy."""


class VoiceStuck(VoiceLost):
    """The child gave no answer in time, or ended; another one may do better."""


class VoiceProcess:
    """One running child; raises `VoiceStuck` when it fails, `VoiceLost` when a new one would fail the same way."""

    def __init__(self, language: str, voice: str | None, start_seconds: float) -> None:
        """Start the child and wait until it can speak."""
        self._folder = Path(tempfile.mkdtemp(prefix="voice-host-"))
        self._numbers = count(1)
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        try:
            self._process = self._start(language, voice or "")
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise VoiceLost(f"The voice's process cannot be started ({error}); free memory and processes.") from error
        threading.Thread(target=self._read, name="voice-child", daemon=True).start()
        try:
            hello = self._answer(start_seconds)
        except VoiceStuck:
            self.kill()
            raise
        if "error" in hello:
            self.kill()
            raise VoiceLost(str(hello["error"]))
        self.engine = str(hello["engine"])
        """What speaks, with its version."""
        self.voice = str(hello["voice"])
        """The engine's own name of the voice."""

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True until the child has ended."""
        return self._process.poll() is None

    def speak(self, text: str, words_per_minute: int, timeout_seconds: float) -> Path:
        """Return a file with the spoken text, which the caller removes; raises `VoiceStuck` after that many seconds."""
        path = self._folder / f"{next(self._numbers)}.wav"
        request = {"text": text, "rate": words_per_minute, "file": str(path)}
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - opened as a pipe
        try:
            stdin.write(json.dumps(request).encode() + b"\n")
            stdin.flush()
        except (OSError, ValueError) as error:
            raise VoiceStuck(_ENDED) from error
        answer = self._answer(timeout_seconds)
        if "error" in answer:
            raise VoiceStuck(str(answer["error"]))
        return path

    def kill(self) -> None:
        """End the child at once, whatever it does, and remove its files; harmless a second time."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:
                _LOG.debug("the voice's pipe was broken already")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, language: str, voice: str) -> subprocess.Popen[bytes]:
        environment = {name: value for name, value in os.environ.items() if name not in _DROPPED_VARIABLES}
        with (self._folder / "errors.txt").open("wb") as errors:
            return subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", str(_PROGRAM), language, voice, str(self._folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                bufsize=0,
                start_new_session=os.name == "posix",  # Ctrl-C is for the host, which then ends the child
            )

    def _read(self) -> None:
        """Hand over the child's answers until it ends, which is an empty one (pipes cannot be waited for on Windows)."""
        stdout: IO[bytes] | None = self._process.stdout
        assert stdout is not None  # noqa: S101 - opened as a pipe
        buffer = b""
        with stdout:
            while block := stdout.read(4096):
                *lines, buffer = (buffer + block).split(b"\n")
                for line in lines:
                    self._answers.put(line)
        self._answers.put(b"")

    def _answer(self, timeout_seconds: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=timeout_seconds)
        except queue.Empty:
            raise VoiceStuck(
                f"The voice has not answered for {timeout_seconds:g} seconds; it is tried again by itself."
            ) from None
        if not line:
            raise VoiceStuck(f"{_ENDED} {self._last_words()}".strip())
        try:
            values = json.loads(line)
        except ValueError:
            values = None
        if not isinstance(values, dict):
            raise VoiceStuck("The voice's process answered nonsense; it is tried again by itself.")
        return values

    def _last_words(self) -> str:
        """Return what the child last wrote on stderr, for the log of whoever looks into it."""
        try:
            written = (self._folder / "errors.txt").read_text("utf-8", "replace").strip()
        except OSError:
            return ""
        if written:
            _LOG.warning("the voice's process wrote: %s", written[-500:])
        return ""


_ENDED: Final = "The voice's process has ended unexpectedly; it is tried again by itself."
