"""Notices that this machine slept, or was too slow to keep the time of an evening.

Theory of operation: the watch ticks on the loop. A tick that comes a second late says that the loop stood still since the tick before;
the host asks for a look before it lets any timer finish, so that none does for that time. A clock that goes on while the machine
sleeps tells sleep from slowness. Sound or utterances that wait for too long are slowness, too.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Final

from voice_host.host import DeviceBack, DeviceLost, Host

TICK_SECONDS: Final = 0.25
LATE_SECONDS: Final = 1.0
"""A loop that is so late has lost the table's time."""
CALM_SECONDS: Final = 1.0
"""How long everything must be in time before the clock goes on."""
_CALM_LATE_SECONDS: Final = 0.3

_SLEPT_SECONDS: Final = 0.5
_SLEPT_BY_CALENDAR_SECONDS: Final = 10.0
"""Elsewhere than on Linux only the calendar's clock goes on, which is also set now and then."""


def sleeping_clock() -> float:
    """Return seconds that grow only while the machine sleeps (and, elsewhere than on Linux, when its calendar is set)."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.time() - time.monotonic()


class MachineWatch:
    """Puts what happens to the machine into the host's inbox; belongs to the loop."""

    def __init__(
        self,
        host: Host,
        *,
        behind_seconds: Callable[[], float] = lambda: 0.0,
        woken: Callable[[], None] = lambda: None,
        starved: Callable[[], None] = lambda: None,
        slept_seconds: Callable[[], float] = sleeping_clock,
    ) -> None:
        """Watch from now on; ``behind_seconds`` tells by how much hearing is late, ``woken`` is called after a sleep, ``starved`` when the machine was too slow and when it no longer is."""
        self._host = host
        self._behind_seconds = behind_seconds
        self._woken = woken
        self._starved = starved
        self._slept_seconds = slept_seconds
        self._slept = slept_seconds()
        self._ticked_at = asyncio.get_running_loop().time()
        self._calm_since = self._ticked_at
        self._lost: list[str] = []

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.look()

    def look(self) -> None:
        """See whether the time since the last look was lost, and whether all is well again."""
        now, slept = asyncio.get_running_loop().time(), self._slept_seconds()
        late = now - self._ticked_at - TICK_SECONDS
        since = self._host.second_at(self._ticked_at + min(TICK_SECONDS, now - self._ticked_at))
        least = _SLEPT_SECONDS if sys.platform == "linux" else _SLEPT_BY_CALENDAR_SECONDS
        if slept - self._slept > least:
            self._lose("machine_slept", since)
            self._woken()
        elif late > LATE_SECONDS or self._behind_seconds() > LATE_SECONDS:
            if "machine_slow" not in self._lost:
                self._starved()
            self._lose("machine_slow", since)
        self._slept, self._ticked_at = slept, now
        if late > _CALM_LATE_SECONDS or self._behind_seconds() > _CALM_LATE_SECONDS:
            self._calm_since = now
        elif now - self._calm_since >= CALM_SECONDS:
            if "machine_slow" in self._lost:
                self._starved()
            while self._lost:
                self._host.inbox.put_nowait(DeviceBack(self._lost.pop(0)))

    def _lose(self, reason: str, since: float) -> None:
        self._calm_since = asyncio.get_running_loop().time()
        if reason not in self._lost:
            self._lost.append(reason)
            self._host.inbox.put_nowait(DeviceLost(reason, since))
