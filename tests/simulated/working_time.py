"""An event loop on which waiting costs nothing and work costs what it takes of a processor, however busy the machine is."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from voice_host.virtual_time import JumpingSelector, VirtualTimeLoop

Result = TypeVar("Result")

_GLANCE_SECONDS = 0.002
"""How often a loop that waits for a worker looks at the clock."""


class _GlancingSelector(JumpingSelector):
    """Jumps over what would only be waited for; looks up now and then while a job is under way, whose time passes."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.jobs:
            timeout = _GLANCE_SECONDS if timeout is None else min(timeout, _GLANCE_SECONDS)
            return selectors.DefaultSelector.select(self, timeout)
        return super().select(timeout)


class WorkingTimeLoop(VirtualTimeLoop):
    """Its seconds are those that were waited for and the processor time of this process."""

    def __init__(self) -> None:
        self._began = time.process_time()
        super().__init__(_GlancingSelector())

    def time(self) -> float:
        """Return the seconds since the loop was made."""
        return super().time() + time.process_time() - self._began


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end in working time."""
    with asyncio.Runner(loop_factory=WorkingTimeLoop) as runner:
        return runner.run(main)
