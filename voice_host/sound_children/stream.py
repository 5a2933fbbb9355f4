"""A sound device inside a child process: found by its name, opened at a rate and with channels that it takes, and watched.

The process is new, so PortAudio's list of devices is fresh. Everything that goes wrong ends the process: the parent notices,
and starts another one, which looks at the world anew.

    from the parent   {"open": true}                  open the device
    to the parent     {"found": key}                  it was found
                      {"rate", "channels", "place"}   it is open and runs; where the sound server has put it, if there is one
                      {"muted": flag}                 somebody has switched it off or on, at the sound server
                      {"refused": kind, "sentence"}   it cannot be had
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, NoReturn

from voice_host.child_process import Parent, Values
from voice_host.devices import CALLED, Kind, SoundDevice, find_device, load_portaudio
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.sound_children.pulse import Place, PulseWatch

CHECK_SECONDS: Final = 0.2
"""How often a stream is to be looked at."""

_OTHER_RATES: Final = (48_000, 44_100, 16_000)
_LEAST_LATENCY_SECONDS: Final = {"input": 0.06, "output": 0.08}
"""Less is heard to crackle when the recogniser takes the processor, and costs more of it: a buffer of a quarter as long is
handled four times as often. More would be felt when the host is interrupted."""

_STALLED_CHECKS: Final = 6
"""A stream that has brought or taken nothing for so many checks has stalled, which PortAudio does not tell."""

_YOUNG_CHECKS: Final = 15
"""The same while a stream is young: sound servers that were asleep let it wait for up to two seconds."""

_GROWN_UP_CHECKS: Final = 25
"""After how many checks a stream is not young any more; how many its first buffer may take."""

_STREAM_ENDED: Final = 3
_STREAM_ASTRAY: Final = 4
"""The exit codes of a child whose stream has ended, or was moved to where it has no business."""

_PLACE_SECONDS: Final = 1.0
"""How long the sound server is asked where the stream is."""

_WISHES: Final = {"input": "PULSE_SOURCE", "output": "PULSE_SINK"}
"""The variables that name a source or a sink of PulseAudio's."""

_MONITOR: Final = ".monitor"
"""How PulseAudio calls the source in which a loudspeaker's own sound is heard."""

_PR_SET_PDEATHSIG: Final = 1
"""Linux, prctl(2): the signal that this process gets when the thread that started it ends."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which device a child is to own, as it goes over the command line."""

    name: str | None
    """All or part of its name or key; None for the system's default."""
    place: str | None = None
    """Where the sound server had put its stream when it was opened first."""

    def argument(self) -> str:
        """Return it as one argument."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, argument: str) -> Wanted:
        """Return what `argument` was made of."""
        return cls(**json.loads(argument))


class SoundStream:
    """A stream on the device that is meant; ``callback`` is PortAudio's and calls `beat` for each buffer."""

    def __init__(self, parent: Parent, wanted: Wanted, kind: Kind, callback: Callable[..., None]) -> None:
        """Find the device and wait until the parent wants it opened; ends this process when there is none."""
        _die_with_parent()
        self._parent = parent
        self._home = wanted.place
        self._place: str | None = None
        self._kind: Kind = kind
        self._callback = callback
        self._beats = self._checked_beats = 0
        self._first_beat = threading.Event()
        self._checks = self._idle_checks = 0
        self._stream: Any = None
        try:
            self._portaudio = load_portaudio()
            self._device = find_device(wanted.name, kind)
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
        """Let it run, and tell when its first buffer went through; ends this process when it does not."""
        try:
            self._stream.start()
        except self._portaudio.PortAudioError as error:
            self._refuse(self._closed(error))
        for _ in range(_GROWN_UP_CHECKS):
            if self._first_beat.wait(CHECK_SECONDS):
                break
        else:
            os._exit(_STREAM_ENDED)
        PulseWatch(self._kind, self._moved).known.wait(_PLACE_SECONDS)
        self._parent.send({"rate": self.rate, "channels": self.channels, "place": self._place})

    def beat(self) -> float:
        """Note that the stream runs; returns the time."""
        self._beats += 1
        self._first_beat.set()
        return time.monotonic()

    def check(self) -> None:
        """End this process when the stream has stalled or ended, which its device did; to be called each `CHECK_SECONDS`.

        Checks are counted, not seconds: while this process itself is given no time, the device is not blamed.
        """
        self._idle_checks = self._idle_checks + 1 if self._beats == self._checked_beats else 0
        self._checked_beats = self._beats
        self._checks += 1
        limit = _YOUNG_CHECKS if self._checks < _GROWN_UP_CHECKS else _STALLED_CHECKS
        if self._idle_checks >= limit or not self._stream.active:
            os._exit(_STREAM_ENDED)  # libraries would wait for servers that are gone

    def _moved(self, place: Place) -> None:
        """Note where the sound server has put the stream; ends this process when that is not what was wanted."""
        wish = os.environ.get(_WISHES[self._kind])
        hears_itself = place.name.endswith(_MONITOR) and self._home not in {None, place.name}
        if (wish is not None and place.name != wish) or (self._kind == "input" and hears_itself):
            os._exit(_STREAM_ASTRAY)
        self._place = place.name
        self._home = self._home or place.name
        self._parent.send({"muted": place.muted})

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
                    latency=self._latency(),
                    callback=self._callback,
                )
            except self._portaudio.PortAudioError as error:
                refused = error
            else:
                return rate, channels
        return self._refuse(self._closed(refused))

    def _latency(self) -> float:
        """Return how many seconds the device is to hold: what its driver recommends for steady sound, or more."""
        recommended = self._portaudio.query_devices(self._device.index)[f"default_high_{self._kind}_latency"]
        return max(float(recommended), _LEAST_LATENCY_SECONDS[self._kind])

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
