"""The robot table at a sound card: speaks into the air before the virtual microphone, and hears the host from the loudspeaker's sound alone."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tests.live.recording import Recording
from tests.live.sound_server import AIR, LOUDSPEAKER, MICROPHONE, SoundServer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.speaking.clip import resample
from voice_host.speaking.earcons import earcon
from voice_host.tables.robot import Act, Line, RobotTable

ROOM_TONE_DBFS: Final = -66.0
"""The noise of a quiet room at the microphone: no real one is digitally silent."""
CLOSING_SECONDS: Final = 90.0
"""So long people stay after their last line; a host that has not finished by then will not."""
POLITE_SECONDS: Final = 0.9
"""At a sound card the host pauses between its sentences, and a busy machine makes it pause longer."""

_BELL_SECONDS: Final = 0.35
_BELL_LIKENESS: Final = 0.6
"""A gap in the sound of a busy machine makes a bell less like itself; speech has a fifth of it at most."""
_LISTEN_SECONDS: Final = 0.2
_CLIP_LIKENESS: Final = 0.4
_BUFFERED_SECONDS: Final = 4.0
"""A starved sound card plays what it is given at most this much later."""
_PIPE_BYTES: Final = 8_192
"""A quarter of a second: what a sound card that is behind does not take is lost, not late."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line of the table, with the seconds of the clock (`time.monotonic`) between which the microphone's sink played it."""

    place: int
    """Of the act in the evening."""
    line: Line
    began: float
    ended: float


class HostInTheRoom:
    """What people hear of the host: when it was last heard, and its bells, from the sound of the loudspeaker's sink."""

    def __init__(self, room: Recording, paused: Callable[[], bool]) -> None:
        self._room = room
        self._paused = paused
        bell = resample(earcon("bell"), SAMPLE_RATE).samples[: round(_BELL_SECONDS * SAMPLE_RATE)]
        self._bell: Samples = bell / np.float32(np.linalg.norm(bell))
        self._count = 0
        self._rang = float("-inf")
        self._looked = float("-inf")

    def silent_seconds(self) -> float:
        """Return for how long the loudspeaker has been silent; 0 while the screen shows a pause that nobody asked for."""
        return 0.0 if self._paused() else time.monotonic() - self._room.last_loud

    def bells(self) -> int:
        """Return how often the bell was heard."""
        now = time.monotonic()
        if now - self._looked >= _LISTEN_SECONDS:
            self._looked = now
            if now - self._rang > 5.0 and likeness(self._room.samples(1.5), self._bell) > _BELL_LIKENESS:
                self._count += 1
                self._rang = now
        return self._count


def likeness(room: Samples, unit: Samples) -> float:
    """Return the highest normalised cross-correlation of a sound (of length 1) with any place of the room's sound."""
    if len(room) <= len(unit):
        return 0.0
    return float(np.max(likenesses(room, unit)))


def likenesses(room: Samples, unit: Samples) -> Samples:
    """Return the normalised cross-correlation of a sound (of length 1) with each place of the room's sound."""
    size = 1 << (len(room) + len(unit)).bit_length()
    products = np.fft.irfft(np.fft.rfft(room, size) * np.conj(np.fft.rfft(unit, size)), size)
    products = products[: len(room) - len(unit) + 1]
    sums = np.concatenate([[0.0], np.cumsum(room.astype(np.float64) ** 2)])
    energy = sums[len(unit) :] - sums[: len(sums) - len(unit)]
    found: Samples = (products / np.sqrt(np.maximum(energy, 1e-4))).astype(np.float32)
    return found


def found_in(recording: Recording, clip: Samples, given: float) -> float | None:
    """Return the second of the clock at which a clip that was given to the sound card began there; None where it is not found."""
    first = recording.sample_at(given - 0.2)
    sound = recording.samples()[first : first + len(clip) + round(_BUFFERED_SECONDS * SAMPLE_RATE)]
    if len(sound) <= len(clip):
        return None
    alike = likenesses(sound, clip / np.float32(np.linalg.norm(clip)))
    return recording.second_of(first + int(np.argmax(alike))) if alike.max() > _CLIP_LIKENESS else None


class CardTable:
    """Plays a whole evening in real time; everything that was said and heard is kept for whoever measures."""

    def __init__(self, server: SoundServer) -> None:
        self._environment = {**os.environ, **server.environment}
        self.room = Recording(f"{LOUDSPEAKER}.monitor", server.environment)
        self.microphone = Recording(MICROPHONE, server.environment)
        self.spoken: list[SpokenLine] = []
        self._card: subprocess.Popen[bytes] | None = None
        self._noise = np.random.default_rng(0)

    def close(self) -> None:
        """Let the sound card go."""
        self.room.close()
        self.microphone.close()
        if self._card is not None:
            self._card.kill()
            self._card.wait()

    def play(
        self,
        acts: Sequence[Act],
        clips: Mapping[Line, Samples],
        over: Callable[[], bool],
        begins: Callable[[int, Act], None] = lambda _place, _act: None,
        paused: Callable[[], bool] = lambda: False,
    ) -> None:
        """Play all acts, and room tone until ``over()``; ``begins`` is told each act when it begins.

        While ``paused()`` people wait, as they do when the host tells them of a fault.
        """

        def note(place: int, act: Act) -> None:
            begins(place, act)
            if isinstance(act, Line):
                now = time.monotonic()
                self.spoken.append(SpokenLine(place, act, now, now + len(clips[act]) / SAMPLE_RATE))

        async def talk() -> None:
            host = HostInTheRoom(self.room, paused)
            robot = RobotTable(
                acts, clips, host, closing_seconds=CLOSING_SECONDS, polite_seconds=POLITE_SECONDS, begins=note
            )
            async with contextlib.aclosing(robot.blocks()) as blocks:
                async for block in blocks:
                    if over():
                        return
                    self._sound(block)

        asyncio.run(talk())

    def located(self, clips: Mapping[Line, Samples]) -> list[SpokenLine]:
        """Return what was spoken with the times at which the sink played it, or was given it where that is not found."""
        lines: list[SpokenLine] = []
        for one in self.spoken:
            began = found_in(self.microphone, clips[one.line], one.began)
            lines.append(one if began is None else replace(one, began=began, ended=began + one.ended - one.began))
        return lines

    def _sound(self, block: Samples) -> None:
        """Give a block and the room tone to the sound card; what a dead server does not take is lost, as in a room."""
        tone = self._noise.normal(0.0, 10 ** (ROOM_TONE_DBFS / 20), len(block))
        data = np.round(np.clip(block + tone, -1, 1) * 32767).astype("<i2").tobytes()
        if self._card is None or self._card.poll() is not None:
            self._card = self._open_card()
        assert self._card.stdin is not None
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.write(self._card.stdin.fileno(), data)

    def _open_card(self) -> subprocess.Popen[bytes]:
        command = ["pacat", "--playback", "-d", AIR, f"--rate={SAMPLE_RATE}", "--channels=1"]
        command += ["--format=s16le", "--raw", "--latency-msec=80"]
        card = subprocess.Popen(command, env=self._environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert card.stdin is not None
        fcntl.fcntl(card.stdin, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        os.set_blocking(card.stdin.fileno(), False)  # a hung server must not hang the table
        return card
