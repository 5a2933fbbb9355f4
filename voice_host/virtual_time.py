"""An event loop whose clock jumps: waiting costs nothing, work in worker threads takes no time at all.

A typed evening and a recorded one run on this loop unchanged. Its `time` stands still while anything is ready to run or a
job given to `run_in_executor` is under way (a recogniser, a synthesiser), and otherwise jumps to the next timer.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


class JumpingSelector(selectors.DefaultSelector):
    """Waits for real events only when there is real work to wait for; else lets the clock jump."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        self.jobs = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready files; with nothing ready and no job under way, jump instead of waiting."""
        if self.jobs:
            return super().select(None if timeout is None or timeout > 0 else timeout)
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.seconds += timeout
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """A selector event loop on virtual seconds that start at 0."""

    def __init__(self, selector: JumpingSelector | None = None) -> None:
        self._jumping = selector or JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the virtual seconds since the loop was made."""
        return self._jumping.seconds

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Arguments]], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        """Run a blocking call in a worker thread; the clock stands until it is done."""
        future = super().run_in_executor(executor, func, *args)
        self._jumping.jobs += 1
        future.add_done_callback(self._job_done)
        return future

    def _job_done(self, _future: asyncio.Future[Any]) -> None:
        self._jumping.jobs -= 1


def run(main: Coroutine[Any, Any, Result], *, virtual: bool) -> Result:
    """Run a coroutine to its end, in virtual or in real time."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop if virtual else None) as runner:
        return runner.run(main)
