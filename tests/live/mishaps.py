"""Lets faults happen to a table between its cards, and waits until the table's screen shows that the game goes on."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tests.live.evenings import LiveEvening
from tests.live.faults import FAULTS, Fault
from tests.live.screen import Screen
from tests.live.sound_server import SoundServer
from voice_host.tables.robot import Act, Line, Until

NOTICE_SECONDS: Final = 3.0
"""The table looks at the screen this long after all is mended: a fault has been noticed by then."""
RECOVERY_SECONDS: Final = 60.0
"""After this long the table goes on, whatever the screen shows."""
GUESS_SIGNS: Final = ("My guess is", "Is it")


@dataclass
class Mishap:
    """One fault that happens to this table, and what the screen showed of it."""

    fault: Fault
    began: float | None = None
    """Seconds of the clock (`time.monotonic`)."""
    noticed: float | None = None
    """When the screen first showed a pause."""
    reason: str | None = None
    """Why the evening was paused."""
    mended: float | None = None
    resumed: float | None = None
    """When the pause ended; None while there is or was none."""
    _screen: Screen | None = field(default=None, repr=False)

    def begin(self, server: SoundServer, screen: Screen, host: subprocess.Popen[bytes]) -> None:
        """Let it happen, in a thread."""

        def happen() -> None:
            self.fault.pass_over(server, host.pid)
            self.mended = time.monotonic()

        def watch() -> None:
            while not self.over:
                now = time.monotonic()
                if screen.paused is not None and self.noticed is None:
                    self.noticed, self.reason = now, screen.paused
                if screen.paused is None and self.noticed is not None and self.resumed is None:
                    self.resumed = now
                time.sleep(0.02)

        self.began = time.monotonic()
        self._screen = screen
        for target in (happen, watch):
            threading.Thread(target=target, name=self.fault.name, daemon=True).start()

    @property
    def over(self) -> bool:
        """True when all is mended and the game goes on, or has had the time to."""
        if self.mended is None or self._screen is None:
            return False
        since = time.monotonic() - self.mended
        return since > RECOVERY_SECONDS or (since > NOTICE_SECONDS and self._screen.paused is None)


class Mishaps:
    """Faults in the order in which they happen, one after each of the first guesses of an evening."""

    def __init__(self, names: Sequence[str], server: SoundServer) -> None:
        self.all = [Mishap(FAULTS[name]) for name in names]
        self._server = server
        self._acts = {Until(lambda mishap=mishap: mishap.over): mishap for mishap in self.all}  # type: ignore[misc]

    def in_evening(self, evening: LiveEvening) -> LiveEvening:
        """Return the evening with its faults; raises `ValueError` when there are more faults than guesses."""
        acts: list[Act] = []
        waiting = list(self._acts)
        for act in evening.acts:
            acts.append(act)
            if waiting and isinstance(act, Line) and act.text.startswith(GUESS_SIGNS):
                acts.append(waiting.pop(0))
        if waiting:
            raise ValueError("there are more faults than guesses")
        return replace(evening, acts=tuple(acts))

    def begin(self, _place: int, act: Act, screen: Screen, host: subprocess.Popen[bytes]) -> None:
        """Be told each act of the table when it begins."""
        if isinstance(act, Until):
            self._acts[act].begin(self._server, screen, host)
