"""A room with a loudspeaker, a microphone that hears it, and people who speak; on any loop's time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from itertools import count

import numpy as np

from voice_host.hearing.microphone import Block
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES
from voice_host.speaking.clip import Clip, resample
from voice_host.speaking.loudspeaker import Turn, sleep_until
from voice_host.speaking.mixer import Mixer
from voice_host.speaking.tap import Tap

HELD_SECONDS = 0.1
"""What a sound card holds of what it is given: so much is still heard after everything was stopped."""
CAPTURE_SECONDS = 0.03
"""From a sound to the moment at which the program is given it, beside the block that it fills."""
PIECE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Acoustics:
    """How a room and its devices sound."""

    name: str
    tail_seconds: float
    "in which the room's answer falls by 60 dB"
    leak_db: float
    "level of the loudspeaker in the microphone less that of what is played"
    delay_seconds: float = 0.02
    "from the moment at which a sound is said to be heard to the moment at which the microphone brings it"
    direct_db: float = 0.0
    "level of the direct sound less that of the reverberation: the nearer, the more"
    overdrive: float = 0.0
    "how far the loudspeaker is driven beyond what it can: 0 not at all, 2 it rattles"
    noise_dbfs: float = -60.0
    seed: int = 1

    def answer(self) -> Samples:
        """Return how the room answers a click, with an energy of the leak's level."""
        frames = round(self.tail_seconds * SAMPLE_RATE)
        dice = np.random.default_rng(self.seed)
        answer = dice.normal(size=frames) * 10 ** (-3 * np.arange(frames) / frames)
        early = round(0.005 * SAMPLE_RATE)
        answer[:early] *= dice.random(early) < 0.1  # first the walls one by one, then all of them
        answer[0] = 0.0
        answer[0] = np.sqrt(np.square(answer).sum()) * 10 ** (self.direct_db / 20)
        energy = np.sqrt(np.square(answer).sum())
        loud: Samples = (answer / energy * 10 ** (self.leak_db / 20)).astype(np.float32)
        return loud


class SimulatedRoom:
    """Implements the loudspeaker's protocol; `microphone` hears it, the people, and a little noise."""

    def __init__(self, acoustics: Acoustics, seconds: float) -> None:
        """Be a room for so long, from the loop's second 0 on."""
        self.tap: Tap | None = None
        self.volume = 1.0
        self.microphone = SimulatedMicrophone(self)
        self.played = np.zeros(round(seconds * SAMPLE_RATE) + SAMPLE_RATE, np.float32)
        "what is heard of the loudspeaker, by the loop's time"
        self.people = np.zeros_like(self.played)
        self.people_until = 0.0
        self.begun: list[float] = []
        "when each clip of `play` begins to be heard"
        self._later_seconds = 0.0
        self._acoustics = acoustics
        self._answer = acoustics.answer()
        self._size = 1 << (2 * len(self._answer) + BLOCK_SAMPLES).bit_length()
        self._spectrum = np.fft.rfft(self._answer, self._size)
        self._noise = np.random.default_rng(acoustics.seed).normal(0, 10 ** (acoustics.noise_dbfs / 20), SAMPLE_RATE)
        self._mixer = Mixer(SAMPLE_RATE)
        self._numbers = count(1)
        self._turn = Turn()
        self._seconds = seconds

    async def run(self) -> None:
        """Let the sound card take what it plays, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            until = round((loop.time() + HELD_SECONDS) * SAMPLE_RATE)
            while self._mixer.frame < until:
                self._render(min(until - self._mixer.frame, round(PIECE_SECONDS * SAMPLE_RATE)))
            await asyncio.sleep(PIECE_SECONDS)

    def _render(self, frames: int) -> None:
        begin, active = self._mixer.frame, self._mixer.active
        self._mixer.set_volume(self.volume)
        samples, _ = self._mixer.render(frames)
        space = self.played[begin : begin + frames]
        space += samples[: len(space)]
        if active and self.tap is not None:
            self.tap(samples, begin / SAMPLE_RATE)

    def say(self, samples: Samples, at: float) -> None:
        """Let somebody speak at a time of the loop that has not come yet."""
        start = round(at * SAMPLE_RATE)
        self.people_until = max(self.people_until, at + len(samples) / SAMPLE_RATE)
        space = self.people[start : start + len(samples)]
        space += samples[: len(space)]

    def restart_device(self, later_seconds: float) -> None:
        """Let the loudspeaker be heard that much later from now on than it is said to be."""
        self._later_seconds = later_seconds

    def heard(self, first: int) -> Block:
        """Return what the microphone hears in a block that begins with that sample."""
        block = self.people[first : first + BLOCK_SAMPLES] + self._noise.take(
            np.arange(first, first + BLOCK_SAMPLES), mode="wrap"
        )
        late = round((self._acoustics.delay_seconds + self._later_seconds) * SAMPLE_RATE)
        begin = first - late - len(self._answer) + 1
        source = self.played[max(0, begin) : max(0, first - late + BLOCK_SAMPLES)]
        if source.any():
            source = np.pad(source, (len(self._answer) - 1 + BLOCK_SAMPLES - len(source), 0))
            if self._acoustics.overdrive:
                drive = np.float32(self._acoustics.overdrive)
                source = np.tanh(drive * source) / drive
            echo = np.fft.irfft(np.fft.rfft(source, self._size) * self._spectrum, self._size)
            block = block + echo[len(self._answer) - 1 : len(self._answer) - 1 + BLOCK_SAMPLES]
        return block.astype(np.float32)

    # --------------------------------------------------------------------------------------------------- the loudspeaker

    @property
    def playing(self) -> bool:
        """True while a clip plays."""
        return self._turn.playing

    async def play(self, clip: Clip) -> None:
        """Return when the clip was heard, or was cut."""
        with self._turn as turn:
            self.begun.append(self._mixer.frame / SAMPLE_RATE)
            number, ends = self._add(clip, None)
            await turn.wait_until(ends)
            self._mixer.stop(number)

    async def overlay(self, clip: Clip, at: float | None = None) -> None:
        """Let a clip be heard beside what plays."""
        with self._turn.overlaid(at):
            await sleep_until(self._add(clip, at)[1])

    def _add(self, clip: Clip, at: float | None) -> tuple[int, float]:
        number, samples = next(self._numbers), resample(clip, SAMPLE_RATE).samples
        begin = self._mixer.frame if at is None else max(self._mixer.frame, round(at * SAMPLE_RATE))
        self._mixer.add(number, samples, begin)
        return number, (begin + len(samples)) / SAMPLE_RATE

    def stop(self) -> None:
        """Cut what plays; what the sound card holds is still heard."""
        self._turn.cut.set()

    def duck(self, on: bool) -> None:  # noqa: FBT001 - the protocol's
        """Lower everything by 15 dB, or bring it back."""
        self._mixer.duck(on=on)

    def close(self) -> None:
        """Do nothing."""


class SimulatedMicrophone:
    """Implements the microphone's protocol in a `SimulatedRoom`."""

    name = "simulated"

    def __init__(self, room: SimulatedRoom) -> None:
        self.captured_at = 0.0
        self._room = room

    async def blocks(self) -> AsyncGenerator[Block, None]:
        """Bring each block when its sound has come through the sound card."""
        loop = asyncio.get_running_loop()
        first = round(loop.time() * SAMPLE_RATE)
        while first + BLOCK_SAMPLES <= len(self._room.played):
            ended = (first + BLOCK_SAMPLES) / SAMPLE_RATE
            await asyncio.sleep(max(0.0, ended + CAPTURE_SECONDS - loop.time()))
            self.captured_at = ended
            yield self._room.heard(first)
            first += BLOCK_SAMPLES

    def close(self) -> None:
        """Do nothing."""
