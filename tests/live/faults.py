"""The faults that a table can meet, made for real: unplugged sinks, a dead or hung server, stopped and killed children, a busy machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
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
_STARVED_SECONDS: Final = 1.35
"""Longer than what a host notices."""


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong for some seconds."""

    name: str
    seconds: float
    """How long it lasts; 0: it is over at once, like a kill."""
    happens: Callable[[SoundServer, int], contextlib.AbstractContextManager[None]]
    """Given the server and the host's process id; entered when the fault begins, left when it is mended."""
    child: str | None = None
    """Which child of the host's is not the same afterwards."""
    blind_seconds: float = 0.0
    """For so long of it the host itself cannot notice anything."""
    pauses: bool = True
    """False: nobody is to notice; what is said next is said a little later."""
    in_answer: bool = False
    """True: it happens just before a guess, whose answer is then the first to need what fails."""

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


@contextlib.contextmanager
def starved(process: int) -> Iterator[None]:
    """Let a process work for a tenth of the time, as on a machine that has ten times too much to do."""
    over = threading.Event()

    def give_some_time() -> None:
        while not over.is_set():
            os.kill(process, signal.SIGSTOP)
            over.wait(_STARVED_SECONDS)
            os.kill(process, signal.SIGCONT)
            over.wait(_STARVED_SECONDS / 9)

    giving = threading.Thread(target=give_some_time, name="starving the host")
    giving.start()
    try:
        yield
    finally:
        over.set()
        giving.join()


def _of_child(
    what: str, kind: str, seconds: float, do: Callable[[int | None], contextlib.AbstractContextManager[None]]
) -> Fault:
    needed = what == "voice"  # a child that speaks is missed when there is something to say
    return Fault(
        f"{what} {kind}",
        seconds,
        lambda _server, host: do(child_of(host, what)),
        child=what,
        pauses=not needed,
        in_answer=needed,
    )


FAULTS: Final[Mapping[str, Fault]] = {
    fault.name: fault
    for fault in (
        Fault("microphone unplugged", 2.0, lambda server, _host: unplugged(server, MICROPHONE)),
        Fault("loudspeaker unplugged", 2.0, lambda server, _host: unplugged(server, LOUDSPEAKER)),
        Fault("microphone silent", 2.0, lambda server, _host: muted(server)),
        Fault("server hung", 4.0, lambda server, _host: server.frozen()),
        Fault("server killed and restarted", 1.0, lambda server, _host: restarted(server)),
        Fault("host stopped", 3.0, lambda _server, host: stopped(host), blind_seconds=3.0),
        Fault("host starved", 5.0, lambda _server, host: starved(host), blind_seconds=5.0),
        Fault("machine busy", 8.0, lambda _server, _host: busy(), pauses=False),
        *(_of_child(what, "killed", 0.0, killed) for what in CHILDREN),
        *(_of_child(what, "stopped", 8.0 if what == "voice" else 4.0, stopped) for what in CHILDREN),
    )
}

ALL_IN_ONE_NIGHT: Final = (
    *("microphone unplugged", "capture stopped", "playback killed", "recogniser killed", "voice stopped"),
    *("loudspeaker unplugged", "capture killed", "playback stopped", "recogniser stopped", "voice killed"),
    *("microphone silent", "server hung", "server killed and restarted", "host starved", "host stopped"),
)
"""All that can go wrong at any machine, a third of it after each guess of a night with three."""
