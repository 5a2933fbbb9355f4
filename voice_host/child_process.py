"""A child process that does what may crash or hang: started, heard to be alive, told what to do, killed.

Theory of operation
-------------------
Parent and child exchange messages: a dictionary of JSON values and, where sound goes over, some bytes. Beside its work the child
pings from a thread of its own, four times a second. The parent's watching thread kills a child that was silent for too long, so that
every end looks the same: the reading thread finds the pipe closed and calls ``on_end``, once, after the last message. A child that was
stopped, killed, or hangs in native code without letting its threads run is known within ``silence_seconds``.

The silence is counted in steps of the watching thread: while the machine sleeps or gives the parent no time, the child is not blamed.
When the parent dies, the child finds its pipe closed and ends.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, Final, NoReturn

from voice_host.errors import HostError

_LOG = logging.getLogger(__name__)

PING_SECONDS: Final = 0.25
SILENCE_SECONDS: Final = 1.5
"""How long a working child may be silent: six pings."""
START_SECONDS: Final = 15.0
"""How long it may be silent before its first word: the interpreter and the libraries come from a disk."""
_STEP_SECONDS: Final = 0.1
"""How often the parent looks; a step counts at most double."""
_LAST_WORDS: Final = 2000
"""Characters of what a child wrote on stderr that go into the log."""
_LARGE: Final = 65536
"""Bytes that are not worth being copied to be written in one go."""

Values = Mapping[str, Any]

_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from voice_host.child_process import _serve; _serve()"
)
"""The child imports what the parent would, so that an installed package and a checkout are never mixed."""


class ChildLost(HostError):  # noqa: N818 - a fact in the past tense, as the callers read it
    """The child has ended or was killed because it hung; the message is one sentence."""


class ChildProcess:
    """One running child; ``main`` is ``package.module:function``, called there with a `Parent` and the arguments.

    ``on_message`` gets each message's values and bytes, ``on_end`` the sentence of how it ended, ``on_ping`` the processor seconds that
    the child has used so far; all in one thread of the child's. Raises `ChildLost` when it cannot be started.
    """

    def __init__(
        self,
        name: str,
        main: str,
        arguments: Sequence[str],
        *,
        on_message: Callable[[Values, bytes], None],
        on_end: Callable[[str], None],
        on_ping: Callable[[float], None] = lambda _worked: None,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.name = name
        """What it does, as the sentences call it, e.g. "the recogniser"."""
        self.silence_seconds = silence_seconds
        """How long it may be silent from its first message (not a ping) on; before, it has `START_SECONDS` each time."""
        self._spoke = False
        self._on_message = on_message
        self._on_end = on_end
        self._on_ping = on_ping
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the child has ended
        self._sending = threading.Lock()
        self._dismissed = False
        """Whether we ended it ourselves, which is nothing to wonder at."""
        self._silent_seconds = 0.0
        self._heard_at = time.monotonic()
        self._verdict: str | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-c", _START, json.dumps(sys.path), main, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=os.name == "posix",  # Ctrl-C is for the host, which then ends its children
            )
        except OSError as error:
            self._errors.close()
            raise ChildLost(f"The process of {name} cannot be started ({error}); free memory and processes.") from error
        self._ended = threading.Event()
        threading.Thread(target=self._read, name=f"reading {name}", daemon=True).start()
        threading.Thread(target=self._watch, name=f"watching {name}", daemon=True).start()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True until the child has ended."""
        return self._process.poll() is None

    @property
    def heard_at(self) -> float:
        """The second of `time.monotonic` at which the child was last known to be alive."""
        return self._heard_at

    def send(self, values: Values, data: bytes | memoryview = b"") -> None:
        """Hand a message over; blocks while the pipe is full, raises `ChildLost` when there is nobody to take it."""
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - opened as a pipe
        try:
            with self._sending:
                _write(stdin, values, data)
        except (OSError, ValueError) as error:
            raise ChildLost(f"The process of {self.name} has ended unexpectedly.") from error

    def kill(self, verdict: str | None = None) -> None:
        """End the child at once, whatever it does; harmless a second time. ``on_end`` is then told the verdict."""
        self._verdict = self._verdict or verdict
        self._dismissed = self._dismissed or self._process.poll() is None
        with contextlib.suppress(OSError):
            self._process.kill()

    def wait(self, seconds: float) -> bool:
        """Wait until ``on_end`` was called and returned; tells whether it did."""
        return self._ended.wait(seconds)

    def _read(self) -> None:
        """Hand over the child's messages until it ends (pipes cannot be waited for on Windows)."""
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - opened as a pipe
        try:
            while (message := _read_message(stdout)) is not None:
                self._silent_seconds = 0.0
                self._heard_at = time.monotonic()
                if "ping" in message[0]:
                    self._on_ping(message[0]["ping"])
                else:
                    self._spoke = True
                    self._on_message(*message)
        finally:
            self._end(stdout)

    def _end(self, stdout: IO[bytes]) -> None:
        self._process.kill()  # it may have closed its pipe and live
        stdout.close()
        code = self._process.wait()
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None  # noqa: S101 - opened as a pipe
            self._process.stdin.close()
        sentence = self._verdict or f"The process of {self.name} has ended unexpectedly ({_how(code)})."
        self._log_last_words(sentence, expected=code == 0 or self._dismissed)
        try:
            self._on_end(sentence)
        finally:
            self._ended.set()

    def _watch(self) -> None:
        """Kill the child when it was silent for too long."""
        looked = time.monotonic()
        while not self._ended.wait(_STEP_SECONDS):
            now = time.monotonic()
            self._silent_seconds += min(now - looked, 2 * _STEP_SECONDS)
            looked = now
            allowed = self.silence_seconds if self._spoke else START_SECONDS
            if self._silent_seconds > allowed:
                self.kill(f"The process of {self.name} has not answered for {allowed:g} seconds.")

    def _log_last_words(self, sentence: str, *, expected: bool) -> None:
        """Write what the child last wrote on stderr into the log, for whoever looks into it."""
        with self._errors:
            self._errors.seek(0)
            written = self._errors.read().decode("utf-8", "replace").strip()
        _LOG.log(logging.INFO if expected else logging.WARNING, "%s %s", sentence, written[-_LAST_WORDS:])


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


# ------------------------------------------------------------------------------------------------------- in the child


class Parent:
    """The child's end: messages in, messages out; when the parent is gone the process ends."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source = source
        self._sink = sink
        self._sending = threading.Lock()
        threading.Thread(target=self._ping, name="pinging", daemon=True).start()

    def receive(self) -> tuple[Values, bytes]:
        """Return the next message; ends the process when there will be none."""
        message = _read_message(self._source)
        if message is None:
            _leave()
        return message

    def send(self, values: Values, data: bytes | memoryview = b"") -> None:
        """Hand a message over; any thread may. Ends the process when nobody takes it."""
        try:
            with self._sending:
                _write(self._sink, values, data)
        except OSError:
            _leave()

    def _ping(self) -> None:
        while True:
            self.send({"ping": time.process_time()})
            time.sleep(PING_SECONDS)


def _leave() -> NoReturn:
    os._exit(0)  # native libraries may hang or abort in their exit handlers


def _serve() -> None:
    """Run what the command line names: the protocol has descriptors of its own, what libraries print goes to stderr."""
    import faulthandler
    import importlib

    faulthandler.enable()
    source = os.fdopen(os.dup(0), "rb", buffering=0)
    sink = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    parent = Parent(source, sink)
    module, _, function = sys.argv[1].partition(":")
    getattr(importlib.import_module(module), function)(parent, *sys.argv[2:])
    sys.stderr.flush()
    _leave()


# ---------------------------------------------------------------------------------------------------------- messages

_SIZES: Final = struct.Struct("<II")


def _write(sink: IO[bytes], values: Values, data: bytes | memoryview) -> None:
    """Write the sizes of the values' JSON and of the bytes, then both."""
    text = json.dumps(values, ensure_ascii=False).encode()
    head = _SIZES.pack(len(text), len(data)) + text
    for piece in (head, data) if len(data) > _LARGE else (head + bytes(data),):
        left = memoryview(piece)
        while left:
            left = left[sink.write(left) :]


def _read_message(source: IO[bytes]) -> tuple[Values, bytes] | None:
    """Return the next message; None at the end, in whatever place it comes."""
    sizes = _read_exactly(source, _SIZES.size)
    if sizes is None:
        return None
    text_size, data_size = _SIZES.unpack(sizes)
    both = _read_exactly(source, text_size + data_size)
    return None if both is None else (json.loads(both[:text_size]), both[text_size:])


def _read_exactly(source: IO[bytes], size: int) -> bytes | None:
    whole = bytearray()
    while len(whole) < size:
        piece = source.read(size - len(whole))
        if not piece:
            return None
        whole += piece
    return bytes(whole)
