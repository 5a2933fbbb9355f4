"""Lets faults happen to a table between its cards, and waits until the table's screen shows that the game goes on."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from tests.live.evenings import LiveEvening
from tests.live.faults import FAULTS, Fault, child_of
from tests.live.screen import Screen
from tests.live.sound_server import SoundServer
from voice_host.tables.robot import Act, Bell, Line, Until

CALM_SECONDS: Final = 0.5
"""The table goes on this long after the screen shows no pause any more."""
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
    children: list[int | None] = field(default_factory=list)
    """The process ids of the child that the fault is about, before it and after."""
    _screen: Screen | None = field(default=None, repr=False)
    _host: int = 0

    def begin(self, server: SoundServer, screen: Screen, host: subprocess.Popen[bytes]) -> None:
        """Let it happen, in a thread."""
        self._host = host.pid
        self.children = [self._child()]

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
    def begun(self) -> bool:
        """True when it happens or has happened."""
        return self.began is not None

    @property
    def over(self) -> bool:
        """True when all is mended and the game goes on, or has had the time to."""
        if self.mended is None or self._screen is None:
            return False
        now = time.monotonic()
        if now - self.mended > RECOVERY_SECONDS:
            return True
        calm_since = self.resumed if self.fault.pauses else self.mended
        if calm_since is None or now - max(calm_since, self.mended) < CALM_SECONDS or self._screen.paused is not None:
            return False
        self.children = [self.children[0], self._child()]
        return True

    def _child(self) -> int | None:
        return None if self.fault.child is None else child_of(self._host, self.fault.child)


class Mishaps:
    """Faults in the order in which they happen, spread over the guesses of an evening."""

    def __init__(self, names: Sequence[str], server: SoundServer) -> None:
        self.all = [Mishap(FAULTS[name]) for name in names]
        self._server = server
        self._beginnings: dict[Until, Mishap] = {}

    def in_evening(self, evening: LiveEvening) -> LiveEvening:
        """Return the evening with its faults, as many after each guess of the first night as after the others."""
        bell = evening.acts.index(Bell())
        guesses = [place for place, act in enumerate(evening.acts[:bell]) if _is_guess(act)][: len(self.all)]
        share = -(-len(self.all) // len(guesses))
        acts: list[Act] = []
        for place, act in enumerate(evening.acts):
            first = share * guesses.index(place) if place in guesses else len(self.all)
            these = self.all[first : first + share]
            acts += [
                self._begins(mishap, partial(getattr, mishap, "begun")) for mishap in these if mishap.fault.in_answer
            ]
            acts.append(act)
            for mishap in these:
                over = partial(getattr, mishap, "over")
                acts.append(Until(over) if mishap.fault.in_answer else self._begins(mishap, over))
        return replace(evening, acts=tuple(acts))

    def begin(self, _place: int, act: Act, screen: Screen, host: subprocess.Popen[bytes]) -> None:
        """Be told each act of the table when it begins."""
        if isinstance(act, Until) and act in self._beginnings:
            self._beginnings[act].begin(self._server, screen, host)

    def _begins(self, mishap: Mishap, seen: Callable[[], bool]) -> Until:
        act = Until(seen)
        self._beginnings[act] = mishap
        return act


def _is_guess(act: Act) -> bool:
    return isinstance(act, Line) and act.text.startswith(GUESS_SIGNS)
