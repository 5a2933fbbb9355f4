"""The faults that a table can meet, made for real: unplugged sinks, a dead or hung server, stopped and killed children, a busy machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.live.sound_server import LOUDSPEAKER, MICROPHONE, SoundServer

CHILDREN: Final[Mapping[str, str]] = {
    "capture": "capture_child",
    "playback": "playback_child",
    "voice": "voice_child",
    "recogniser": "recognizer_child",
}
"""A part of the command line of each child process of a host, by what it does."""

_HOGS: Final = 2 * (os.cpu_count() or 1)


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong for some seconds."""

    name: str
    seconds: float
    """How long it lasts; 0: it is over at once, like a kill."""
    happens: Callable[[SoundServer, int], contextlib.AbstractContextManager[None]]
    """Given the server and the host's process id; entered when the fault begins, left when it is mended."""

    def pass_over(self, server: SoundServer, host: int) -> None:
        """Let the fault happen and be mended."""
        with self.happens(server, host):
            time.sleep(self.seconds)


def child_of(host: int, what: str) -> int | None:
    """Return the process id of one of a host's children, or None while there is none."""
    word = CHILDREN[what]
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
            if parent == host and word in command:
                return int(folder.name)
    return None


@contextlib.contextmanager
def unplugged(server: SoundServer, sink: str) -> Iterator[None]:
    """Take a sink away, and bring it back."""
    server.unplug(sink)
    yield
    server.plug_in(sink)


@contextlib.contextmanager
def muted(server: SoundServer) -> Iterator[None]:
    """Let the microphone bring nothing but zeros."""
    server.mute_microphone(muted=True)
    yield
    server.mute_microphone(muted=False)


@contextlib.contextmanager
def restarted(server: SoundServer) -> Iterator[None]:
    """Kill the server, and start another one."""
    server.kill()
    yield
    server.start()


@contextlib.contextmanager
def stopped(process: int | None) -> Iterator[None]:
    """Stop a process as a debugger does; one that somebody else kills meanwhile need not go on."""
    if process is not None:
        os.kill(process, signal.SIGSTOP)
    yield
    if process is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


@contextlib.contextmanager
def killed(process: int | None) -> Iterator[None]:
    """Kill a process."""
    if process is not None:
        os.kill(process, signal.SIGKILL)
    yield


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """Keep the processors busy with something else."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(_HOGS)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def _of_child(
    what: str, do: Callable[[int | None], contextlib.AbstractContextManager[None]]
) -> Callable[..., contextlib.AbstractContextManager[None]]:
    return lambda _server, host: do(child_of(host, what))


FAULTS: Final[Mapping[str, Fault]] = {
    fault.name: fault
    for fault in (
        Fault("microphone unplugged", 4.0, lambda server, _host: unplugged(server, MICROPHONE)),
        Fault("loudspeaker unplugged", 4.0, lambda server, _host: unplugged(server, LOUDSPEAKER)),
        Fault("microphone silent", 6.0, lambda server, _host: muted(server)),
        Fault("server hung", 5.0, lambda server, _host: server.frozen()),
        Fault("server killed and restarted", 3.0, lambda server, _host: restarted(server)),
        Fault("host stopped", 6.0, lambda _server, host: stopped(host)),
        Fault("machine busy", 8.0, lambda _server, _host: busy()),
        *(Fault(f"{what} killed", 0.0, _of_child(what, killed)) for what in CHILDREN),
        *(Fault(f"{what} stopped", 5.0, _of_child(what, stopped)) for what in CHILDREN),
    )
}
