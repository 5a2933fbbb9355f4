"""The parent's side of a child that owns a sound device: what it found and opened, and what it brings."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Final, TypeVar

from voice_host.child_process import ChildLost, ChildProcess, Values
from voice_host.errors import HostError
from voice_host.sound_children.stream import Wanted, refusal

_LOG = logging.getLogger(__name__)

_Value = TypeVar("_Value")

ANSWER_SECONDS: Final = 10.0
"""How long the process and the sound system may take; on a busy machine the process alone takes seconds."""

_SILENCE_SECONDS: Final = 1.25
"""How long a child may tell nothing: a stopped one is to be known, and told, within two seconds."""

JOIN_SECONDS: Final = 2.0
"""How long a killed child is waited for."""


@dataclass(frozen=True, slots=True)
class Opened:
    """How a device runs."""

    rate: int
    """Frames a second."""
    channels: int
    place: str | None
    """Where the sound server has put it, as far as it says."""


class SoundChild:
    """One child with one device; the methods return at once, but `key` and `wait_opened`."""

    def __init__(
        self,
        main: str,
        wanted: Wanted,
        called: str,
        receive: Callable[[Values, bytes], None],
        on_end: Callable[[], None],
    ) -> None:
        """Start ``main`` (``package.module:function``) on the device that is wanted.

        ``called`` stands in sentences. ``receive`` gets what the stream brings, ``on_end`` comes last, both in threads of ours.
        """
        self._called = called
        self._receive = receive
        self._on_end = on_end
        self._found: Future[str] = Future()
        self.opened: Future[Opened] = Future()
        """Done when the stream runs; raises what the child told, or `HostError` when it ended."""
        self._gone = False
        self._outbox: queue.SimpleQueue[tuple[Values, bytes] | None] = queue.SimpleQueue()
        self._process = ChildProcess(
            f"the {called}",
            main,
            [wanted.argument()],
            on_message=self._take,
            on_end=self._end,
            silence_seconds=_SILENCE_SECONDS,
        )
        # A stopped child reads nothing, and a full pipe must not stop the host.
        self._writer = threading.Thread(target=self._write, name=f"telling the {called}", daemon=True)
        self._writer.start()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True until it is gone."""
        return not self._gone

    def key(self) -> str:
        """Wait for the name and the host API of the device that was found; raises what the child told, or `HostError`."""
        return self._waited(self._found)

    def open(self) -> None:
        """Ask for the stream to be opened: `opened` tells how that went."""
        self.send({"open": True})

    def wait_opened(self) -> Opened:
        """Ask for the stream and wait until it runs; raises what the child told, or `HostError`."""
        self.open()
        return self._waited(self.opened)

    def send(self, values: Values, data: bytes = b"") -> None:
        """Queue a message for the child; what it does not read any more is lost with it."""
        self._outbox.put((values, data))

    def kill(self) -> None:
        """End it at once; harmless a second time."""
        self._process.kill()

    def join(self) -> None:
        """Wait until it is gone; a child that was killed is, at once, unless the kernel itself hangs in a driver."""
        self._process.wait(JOIN_SECONDS)
        self._writer.join(JOIN_SECONDS)

    def _waited(self, future: Future[_Value]) -> _Value:
        try:
            return future.result(ANSWER_SECONDS)
        except FutureTimeoutError:
            self.kill()
            raise HostError(
                f"The {self._called} does not answer; start the sound system again, or unplug what was plugged in last."
            ) from None

    def _write(self) -> None:
        while (message := self._outbox.get()) is not None:
            try:
                self._process.send(*message)
            except ChildLost as error:  # `on_end` tells
                _LOG.debug("not told: %s", error)

    def _take(self, values: Values, data: bytes) -> None:
        if "found" in values:
            self._found.set_result(values["found"])
        elif "rate" in values:
            self.opened.set_result(Opened(**values))
        elif "refused" in values:
            self._fail(refusal(values))
        else:
            self._receive(values, data)

    def _end(self, sentence: str) -> None:
        self._gone = True
        self._outbox.put(None)
        self._fail(HostError(f"{sentence} It is tried again by itself."))
        self._on_end()

    def _fail(self, error: HostError) -> None:
        for future in (self._found, self.opened):
            if not future.done():
                future.set_exception(error)
