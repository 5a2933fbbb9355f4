"""A table of recorded people as a microphone: each line is spoken when the host has been silent for a moment.

The host gets sound and nothing else: no text, no speaker. The robot table, like people, hears the host speak and hears the bell.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, assert_never

import numpy as np
from numpy.typing import NDArray

from voice_host.errors import UsageError
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS

POLITE_SECONDS: Final = 0.4
"""People speak when the host has been silent for this long."""
REACTION_SECONDS: Final = 1.0
"""People wait this long after a word of their own for the host to take it up."""
PATIENCE_SECONDS: Final = 180.0
"""A bell that has not rung by then will not: the host and the table misunderstood each other, and people go on."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: a person says something."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Hush:
    """The table is silent for a while after the host has finished speaking."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Bell:
    """The table waits until the host has rung the end of the night."""


@dataclass(frozen=True, slots=True)
class HostSpoke:
    """The table waits until the host has said something: of itself, or in answer to what was said last."""

    patience_seconds: float = PATIENCE_SECONDS
    """After this long people go on all the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Until:
    """The table waits for something that it sees."""

    seen: Callable[[], bool]


Act = Line | Hush | Bell | HostSpoke | Until


def parse_acts(text: str, source: str) -> tuple[Act, ...]:
    """Parse an evening (``Amy: words``, ``@wait SECONDS``, ``@bell``, ``@host``, ``# comment``); `UsageError` names a senseless line."""
    acts: list[Act] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line == "@bell":
            acts.append(Bell())
        elif line == "@host":
            acts.append(HostSpoke())
        elif found := re.fullmatch(r"@wait (\d+(?:\.\d+)?)", line):
            acts.append(Hush(float(found[1])))
        elif found := re.fullmatch(r"([^:@]+):\s*(\S.*)", line):
            acts.append(Line(found[1].strip(), found[2]))
        else:
            raise UsageError(
                f"{source}, line {number}: {line!r} makes no sense; write 'Amy: words', '@wait SECONDS', '@host' or '@bell'."
            )
    return tuple(acts)


class HostHeard(Protocol):
    """What a person at the table hears of the host."""

    def silent_seconds(self) -> float:
        """Return for how long the host has been silent; 0 while it speaks or is about to."""

    def bells(self) -> int:
        """Return how often the bell has rung."""


class RobotTable:
    """Implements the microphone's protocol; the recording ends some seconds after the last line."""

    name: Final = "recorded table"

    def __init__(
        self,
        acts: Sequence[Act],
        clips: Mapping[Line, Samples],
        host: HostHeard,
        *,
        closing_seconds: float = 60.0,
        polite_seconds: float = POLITE_SECONDS,
        begins: Callable[[int, Act], None] = lambda _number, _act: None,
    ) -> None:
        """``begins`` is told each act with its place when it begins, a line when its sound does."""
        self._acts = acts
        self._clips = clips
        self._host = host
        self._closing_seconds = closing_seconds
        self.captured_at = 0.0
        """The loop's time at the end of the last block."""
        self._polite_seconds = polite_seconds
        self._begins = begins
        self._reaction_seconds = REACTION_SECONDS
        self._bells_used = 0
        self._closed = False

    async def blocks(self) -> AsyncGenerator[Samples, None]:
        """Bring every block of 32 ms at its end, counted from the first call."""
        opened = asyncio.get_running_loop().time()
        number = 0
        silence = np.zeros(BLOCK_SAMPLES, np.float32)
        before: Act | None = None
        for place, act in enumerate((*self._acts, Hush(self._closing_seconds))):
            # Who has just heard the host out has nothing more to wait for.
            self._reaction_seconds = 0.0 if isinstance(before, HostSpoke) else REACTION_SECONDS
            before = act
            spoken = 0
            if not isinstance(act, Line):
                self._begins(place, act)
            while not self._closed:
                number += 1
                await self._captured(opened + number * BLOCK_SECONDS)
                yield silence
                spoken += 1
                if self._may_go_on(act, spoken * BLOCK_SAMPLES / SAMPLE_RATE):
                    break
            if isinstance(act, Line):
                self._begins(place, act)
                for block in _blocks(self._clips[act]):
                    number += 1
                    await self._captured(opened + number * BLOCK_SECONDS)
                    yield block

    def close(self) -> None:
        """End the recording."""
        self._closed = True

    async def _captured(self, at: float) -> None:
        """Wait for the end of a block."""
        await asyncio.sleep(max(0.0, at - asyncio.get_running_loop().time()))
        self.captured_at = at

    def _may_go_on(self, act: Act, waited: float) -> bool:
        """Tell whether the table has been silent long enough before this act."""
        match act:
            case Line():
                return waited >= self._reaction_seconds and self._host.silent_seconds() >= self._polite_seconds
            case Hush(seconds):
                return min(waited, self._host.silent_seconds()) >= seconds
            case Bell():
                rung = self._host.bells() > self._bells_used
                self._bells_used = self._host.bells()
                return rung or waited >= PATIENCE_SECONDS
            case HostSpoke(patience_seconds):
                silent = self._host.silent_seconds()
                return self._polite_seconds <= silent < waited or waited >= patience_seconds
            case Until(seen):
                return seen()
            case _:
                assert_never(act)


def _blocks(clip: Samples) -> NDArray[np.float32]:
    """Cut a clip into blocks, the last one filled up with silence."""
    return np.pad(clip, (0, -len(clip) % BLOCK_SAMPLES)).reshape(-1, BLOCK_SAMPLES)
