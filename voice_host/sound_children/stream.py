"""A sound device inside a child process: found by its name, opened at a rate and with channels that it takes, and watched.

The process is new, so PortAudio's list of devices is fresh. Everything that goes wrong ends the process: the parent notices,
and starts another one, which looks at the world anew.

    from the parent   {"open": true}                  open the device
    to the parent     {"found": key}                  it was found
                      {"rate", "channels"}            it is open and runs
                      {"refused": kind, "sentence"}   it cannot be had
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from voice_host.child_process import Parent, Values
from voice_host.devices import CALLED, Kind, SoundDevice, find_device, load_portaudio
from voice_host.errors import HostError, MissingError, UsageError

CHECK_SECONDS: Final = 0.2
"""How often a stream is to be looked at."""

_OTHER_RATES: Final = (48_000, 44_100, 16_000)
_STALL_SECONDS: Final = 1.0
"""A stream that has brought or taken nothing for so long has stalled, which PortAudio does not tell."""

_STREAM_ENDED: Final = 3
"""The exit code of a child whose stream has ended."""

_PR_SET_PDEATHSIG: Final = 1
"""Linux, prctl(2): the signal that this process gets when the thread that started it ends."""


class SoundStream:
    """A stream on the device that is meant; ``callback`` is PortAudio's and calls `beat` for each buffer."""

    def __init__(self, parent: Parent, name: str | None, kind: Kind, callback: Callable[..., None]) -> None:
        """Find the device and wait until the parent wants it opened; ends this process when there is none."""
        _die_with_parent()
        self._parent = parent
        self._kind: Kind = kind
        self._callback = callback
        self._last_beat = 0.0
        self._stream: Any = None
        try:
            self._portaudio = load_portaudio()
            self._device = find_device(name, kind)
        except HostError as error:
            self._refuse(error)
        parent.send({"found": self._device.key})
        while "open" not in parent.receive()[0]:
            pass
        self.rate, self.channels = self._opened()

    @property
    def latency_seconds(self) -> float:
        """How long the device holds what it takes or brings, as PortAudio tells it."""
        return float(self._stream.latency)

    def start(self) -> None:
        """Let it run; ends this process when it does not."""
        self.beat()
        try:
            self._stream.start()
        except self._portaudio.PortAudioError as error:
            self._refuse(self._closed(error))
        self._parent.send({"rate": self.rate, "channels": self.channels})

    def beat(self) -> float:
        """Note that the stream runs; returns the time."""
        self._last_beat = time.monotonic()
        return self._last_beat

    def check(self) -> None:
        """End this process when the stream has stalled or ended, which its device did."""
        if not self._stream.active or time.monotonic() - self._last_beat > _STALL_SECONDS:
            os._exit(_STREAM_ENDED)  # libraries would wait for servers that are gone

    def _opened(self) -> tuple[int, int]:
        """Open the stream; returns its rate and channels."""
        open_stream = self._portaudio.InputStream if self._kind == "input" else self._portaudio.OutputStream
        refused: Exception | None = None
        for rate, channels in ways(self._device, self._kind):
            try:
                self._stream = open_stream(
                    samplerate=rate,
                    device=self._device.index,
                    channels=channels,
                    dtype="float32",
                    latency="high",  # "low" is heard to crackle when the recogniser takes the processor
                    callback=self._callback,
                )
            except self._portaudio.PortAudioError as error:
                refused = error
            else:
                return rate, channels
        return self._refuse(self._closed(refused))

    def _closed(self, error: Exception | None) -> MissingError:
        """Return the sentence on a device that is there and cannot be opened."""
        reason = str(error.args[0] if error is not None and error.args else error)
        remedy = "see whether another program holds it or forbids it, or choose another one"
        return MissingError(f"The {CALLED[self._kind]} {self._device.key} cannot be opened ({reason}); {remedy}.")

    def _refuse(self, error: HostError) -> NoReturn:
        """Tell the parent what to raise, and end."""
        kind = next((known for known in (MissingError, UsageError) if isinstance(error, known)), HostError)
        self._parent.send({"refused": kind.__name__, "sentence": str(error)})
        os._exit(0)


def ways(device: SoundDevice, kind: Kind) -> Iterator[tuple[int, int]]:
    """Yield the rates and channels to be tried, best first.

    Two channels come first: with one, some systems capture only the left side, or sound only there.
    """
    most = device.channels(kind)
    for rate in dict.fromkeys((device.default_rate, *_OTHER_RATES)):
        for channels in dict.fromkeys((min(2, most), 1, most)):
            yield rate, channels


def refusal(values: Values) -> HostError:
    """Return the error that a child told, in the parent."""
    kinds: dict[str, type[HostError]] = {known.__name__: known for known in (MissingError, UsageError, HostError)}
    return kinds[values["refused"]](values["sentence"])


def _die_with_parent() -> None:
    """Ask the kernel to be killed with the parent, which helps also while this process hangs or is stopped.

    The kernel means the thread that started us: both our parents start us in a thread that outlives us.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
