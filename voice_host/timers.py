"""The timers of an evening, in seconds of the evening; a value that is told the time and never asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from voice_host.games.game import StartTimer


@dataclass(frozen=True, slots=True)
class Running:
    """One running timer."""

    name: str
    seconds: float
    """What it was started with."""
    deadline: float
    """The second of the evening at which it finishes."""
    waits_for_speech: bool


@dataclass(slots=True)
class Timers:
    """All running timers; they stand still together while the evening is paused."""

    running: dict[str, Running] = field(default_factory=dict)
    frozen_at: float | None = None

    def start(self, now: float, wanted: StartTimer) -> None:
        """Start a timer, anew if it runs already; while paused it counts from the end of the pause."""
        begun = now if self.frozen_at is None else self.frozen_at
        self.running.pop(wanted.name, None)
        self.running[wanted.name] = Running(
            wanted.name, wanted.seconds, begun + wanted.seconds, wanted.waits_for_speech
        )

    def stop(self, name: str) -> bool:
        """Forget a timer; tells whether it ran."""
        return self.running.pop(name, None) is not None

    def freeze(self, now: float) -> None:
        """Let all timers stand still from now on."""
        if self.frozen_at is None:
            self.frozen_at = now

    def unfreeze(self, now: float) -> None:
        """Let all timers go on with what they had left."""
        if self.frozen_at is None:
            return
        stood = now - self.frozen_at
        self.frozen_at = None
        self.running = {name: replace(timer, deadline=timer.deadline + stood) for name, timer in self.running.items()}

    def next_due(self, speech_started: float | None) -> Running | None:
        """Return the timer that finishes first, leaving out those that wait for speech which began before their end."""
        if self.frozen_at is not None:
            return None
        free = [
            timer
            for timer in self.running.values()
            if not (timer.waits_for_speech and speech_started is not None and timer.deadline > speech_started)
        ]
        return min(free, key=lambda timer: timer.deadline, default=None)

    def remaining(self, now: float) -> float | None:
        """Return the seconds left on the longest timer, the one a player who asks for the time means; None without one."""
        longest = max(self.running.values(), key=lambda timer: timer.seconds, default=None)
        if longest is None:
            return None
        return max(0.0, longest.deadline - (now if self.frozen_at is None else self.frozen_at))

    def renew_overdue(self, now: float) -> None:
        """Give timers that should have finished long ago their whole time again (after an undo brought them back)."""
        for name, timer in self.running.items():
            if timer.deadline <= now:
                self.running[name] = replace(timer, deadline=now + timer.seconds)
