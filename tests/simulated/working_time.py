"""An event loop on which waiting costs nothing and work costs what it takes of a processor, however busy the machine is."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

_GLANCE_SECONDS = 0.002
"""How often a loop that waits for a worker looks at the clock."""


class _Selector(selectors.DefaultSelector):
    """Jumps over what would only be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0
        self.jobs = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.jobs:
            return super().select(_GLANCE_SECONDS if timeout is None else min(timeout, _GLANCE_SECONDS))
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.jumped += timeout
        return ready


class WorkingTimeLoop(asyncio.SelectorEventLoop):
    """Its seconds are those that were waited for and the processor time of this process."""

    def __init__(self) -> None:
        self._jumping = _Selector()
        self._began = time.process_time()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the seconds since the loop was made."""
        return self._jumping.jumped + time.process_time() - self._began

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Arguments]], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        """Run a blocking call in a worker thread, while time passes."""
        future = super().run_in_executor(executor, func, *args)
        self._jumping.jobs += 1
        future.add_done_callback(self._job_done)
        return future

    def _job_done(self, _future: asyncio.Future[Any]) -> None:
        self._jumping.jobs -= 1


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end in working time."""
    with asyncio.Runner(loop_factory=WorkingTimeLoop) as runner:
        return runner.run(main)
