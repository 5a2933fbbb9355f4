"""What one viewer's pages show now, numbered, so that a page that was away is told exactly what it missed.

Theory of operation
-------------------
A feed is a handful of named values and a ring of captions. Each change raises its number. A page remembers the number up to
which it is right; `Feed.since` makes one message that brings it up to date, however far behind it is: the values that have
changed since, as they are now, and the captions since. So nothing is ever queued for a page, and a slow one costs nothing.
A page that missed more captions than the ring holds, or that knew another run of the server, gets everything anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

KEPT_CAPTIONS: Final = 200
SHOWN_CAPTIONS: Final = 60
"""How many captions a page gets that comes new."""

Message = dict[str, Any]


class Feed:
    """Everything that the pages of one viewer are told."""

    def __init__(self, viewer: str, run: str, constants: Mapping[str, Any], now: Callable[[], float]) -> None:
        self.viewer = viewer
        self.number = 0
        self.values: dict[str, Any] = {}
        """What is shown now, by name."""
        self.listeners: set[Callable[[], None]] = set()
        """Called after each change; must return at once."""
        self._run = run
        self._constants = constants
        self._now = now
        self._changed: dict[str, int] = {}
        self._captions: deque[tuple[int, Mapping[str, Any]]] = deque(maxlen=KEPT_CAPTIONS)
        self._forgotten = 0

    def change(self, values: Mapping[str, Any], captions: Sequence[Mapping[str, Any]] = ()) -> None:
        """Take the values as they are now and the captions that have come; tell the pages if anything is new."""
        new = {name: value for name, value in values.items() if name not in self.values or self.values[name] != value}
        if not new and not captions:
            return
        self.number += 1
        self.values.update(new)
        self._changed.update(dict.fromkeys(new, self.number))
        for caption in captions:
            if len(self._captions) == KEPT_CAPTIONS:
                self._forgotten = self._captions[0][0]
            self._captions.append((self.number, caption))
        for listener in tuple(self.listeners):
            listener()

    def since(self, number: int | None, run: str | None) -> Message | None:
        """Return the message that brings a page up to date which is right up to that number; None when it is."""
        if number is None or run != self._run or not self._forgotten <= number <= self.number:
            return self._snapshot()
        if number == self.number:
            return None
        changed = {name: self.values[name] for name, at in self._changed.items() if at > number}
        captions = [caption for at, caption in self._captions if at > number]
        return self._stamped({"type": "update", "n": self.number, **changed, "captions": captions})

    def beat(self) -> Message:
        """Return what is sent now and then: that the host lives, and the time left, so that no page's clock drifts."""
        return self._stamped({"type": "beat", "n": self.number, "timers": self.values.get("timers", [])})

    def _snapshot(self) -> Message:
        captions = [caption for _, caption in self._captions][-SHOWN_CAPTIONS:]
        head = {"type": "snapshot", "n": self.number, "run": self._run, "viewer": self.viewer}
        return self._stamped({**head, **self._constants, **self.values, "captions": captions})

    def _stamped(self, message: Message) -> Message:
        """Say of each timer what it has left at this moment: the page counts on by itself."""
        if "timers" in message:
            now = self._now()
            message["timers"] = [_left(timer, now) for timer in message["timers"]]
        return message


def _left(timer: Mapping[str, Any], now: float) -> Mapping[str, Any]:
    stands = timer["stands_at"]
    left = max(0.0, timer["ends"] - (now if stands is None else stands))
    return {"name": timer["name"], "seconds": timer["seconds"], "left": round(left, 2), "running": stands is None}
