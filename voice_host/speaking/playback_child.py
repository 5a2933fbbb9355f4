"""The child process that plays.

Theory of operation
-------------------
PortAudio's callback takes its frames from a mixer, which knows the frame of each sound; a clock knows when each frame is
heard. The main thread reads what the parent wants, a second thread tells what became of it. The stream runs all evening,
so that sounds begin at once and a lost device is noticed in silence, too.

    from the parent   {"play": number, "at": time or null} and samples    mix a sound in
                      {"stop": number}                                    fade it out
                      {"volume": gain, "ducked": flag, "tapped": flag}    tell what is heard, if tapped
    to the parent     {"finished": number, "heard_until": time}           a sound was played, or faded out
                      {"heard_at": time} and samples                      what is heard, at the device's rate
                      {"silence": true}                                   nothing is heard from now on

Times are those of the machine's monotonic clock, which all its processes share; samples are float32. The messages at the
beginning are those of `voice_host.sound_children.stream`.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from voice_host.child_process import Parent, Values
from voice_host.sound_children.frame_clock import FrameClock
from voice_host.sound_children.stream import CHECK_SECONDS, SoundStream, Wanted
from voice_host.speaking.mixer import Mixer

_HEARD_SECONDS: Final = 0.02
"""How much of what is heard is told in one piece, so that a listener costs little."""


class Player:
    """The device's stream, the mixer behind it, and what there is to be told."""

    def __init__(self, parent: Parent, wanted: Wanted) -> None:
        self._parent = parent
        self._lock = threading.Lock()  # PortAudio's thread renders, the main thread adds
        self._outbox: deque[tuple[Values, bytes]] = deque()
        self._something = threading.Event()
        self._tapped = False
        self._in_stretch = False
        self._heard: list[NDArray[np.float32]] = []
        self._heard_frames = 0
        self._heard_first = 0
        self._stream = SoundStream(parent, wanted, "output", self._fill)
        self._mixer = Mixer(self._stream.rate)
        self._clock = FrameClock(self._stream.rate)
        self._stream.start()

    def obey(self, values: Values, data: bytes) -> None:
        """Carry out what the parent wants."""
        with self._lock:
            if "play" in values:
                at = values["at"]
                samples = np.frombuffer(data, np.float32)
                self._mixer.add(values["play"], samples, None if at is None else self._clock.frame_at(at))
            elif "stop" in values:
                self._mixer.stop(values["stop"])
            elif "volume" in values:
                self._mixer.set_volume(values["volume"])
                self._mixer.duck(on=values["ducked"])
                self._tapped = values["tapped"]

    def tell(self) -> None:
        """Tell the parent what there is to be told, as long as the stream runs."""
        while True:
            self._something.wait(CHECK_SECONDS)
            self._something.clear()
            self._stream.check()
            while self._outbox:
                self._parent.send(*self._outbox.popleft())

    def _fill(self, out: NDArray[np.float32], frames: int, times: Any, _status: Any) -> None:
        """Hand PortAudio its next frames; called in its thread."""
        now = self._stream.beat()
        delay = times.outputBufferDacTime - times.currentTime
        if not 0 < delay < 10:  # some systems do not tell
            delay = self._stream.latency_seconds
        with self._lock:
            first = self._mixer.frame
            self._clock.observe(first, now + delay)
            active = self._mixer.sounding
            samples, ended = self._mixer.render(frames)
            out[:] = samples[:, np.newaxis]
            self._hear(samples, first, active=active or bool(ended))
            for number, last in ended:
                self._outbox.append(({"finished": number, "heard_until": self._clock.time_of(last)}, b""))
        if self._outbox:
            self._something.set()

    def _hear(self, samples: NDArray[np.float32], first: int, *, active: bool) -> None:
        """Collect what is heard for the parent, in pieces that are not too small; a stretch ends with the last sound."""
        if self._tapped and active:
            if not self._heard:
                self._heard_first = first
            self._heard.append(samples)
            self._heard_frames += len(samples)
            self._in_stretch = True
        ends = self._in_stretch and not (self._tapped and self._mixer.sounding)
        if self._heard and (ends or self._heard_frames >= _HEARD_SECONDS * self._mixer.sample_rate):
            at = self._clock.time_of(self._heard_first)
            self._outbox.append(({"heard_at": at}, np.concatenate(self._heard).tobytes()))
            self._heard, self._heard_frames = [], 0
        if ends:
            self._outbox.append(({"silence": True}, b""))
            self._in_stretch = False


def main(parent: Parent, wanted: str) -> None:
    """Play what the parent wants until it is gone."""
    player = Player(parent, Wanted.of(wanted))
    threading.Thread(target=player.tell, name="telling", daemon=True).start()
    while True:
        player.obey(*parent.receive())
