"""An evening as the fold of its facts, with undo: the last intent that changed something is dropped, the rest is applied again.

The seed and the facts are all there is: the same fold gives the evening while it is played, after an undo and after a crash.
A `History` remembers the state before each fact, so that an undo applies only what came after the dropped intent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from voice_host.games.game import WISHES, Effect, Event, Game, Intent


@dataclass(frozen=True, slots=True)
class Undone:
    """Somebody took back the last intent that had changed something."""


Fact = Event | Undone


@dataclass(frozen=True, slots=True)
class Applied:
    """One event that counts, with what it changed and asked for."""

    event: Event
    place: int
    """Which fact of the evening it was, from 0; undone ones keep their numbers, so that times can be looked up."""
    before: Any
    after: Any
    effects: tuple[Effect, ...]

    @property
    def is_undoable(self) -> bool:
        """Whether it is an intent that changed the state: refused and merely asked ones, and wishes, are not undone."""
        return isinstance(self.event, Intent) and self.event.name not in WISHES and self.after is not self.before


@dataclass(frozen=True, slots=True)
class History:
    """What has happened and counts."""

    first: Any
    """The state after `Game.start`."""
    first_effects: tuple[Effect, ...]
    applied: tuple[Applied, ...] = ()
    facts: int = 0
    """How many facts have come in, undone ones and undoings included."""

    @property
    def state(self) -> Any:
        """The state now."""
        return self.applied[-1].after if self.applied else self.first


def opened(game: Game, options: Any, seed: int) -> History:
    """Begin an evening."""
    begun = game.start(options, Random(seed))
    return History(begun.state, begun.effects)


def advanced(game: Game, history: History, event: Event) -> History:
    """Apply one more event; its effects are those of the last of ``applied``."""
    taken = _apply(game, history.state, event, history.facts)
    return replace(history, applied=(*history.applied, taken), facts=history.facts + 1)


def undone(game: Game, history: History) -> History | None:
    """Drop the last intent that changed the state and apply what followed it again; None when there is none to drop.

    What followed are times and sounds, and intents that were refused or merely asked: these stay without effect, or a refused
    word would count all of a sudden. Wishes are kept.
    """
    kept = history.applied
    for index in range(len(kept) - 1, -1, -1):
        if kept[index].is_undoable:
            state = kept[index].before
            again = []
            for taken in kept[index + 1 :]:
                if isinstance(taken.event, Intent) and taken.event.name not in WISHES:
                    continue
                applied = _apply(game, state, taken.event, taken.place)
                again.append(applied)
                state = applied.after
            return replace(history, applied=(*kept[:index], *again), facts=history.facts + 1)
    return None


def replayed(game: Game, options: Any, seed: int, facts: Iterable[Fact]) -> History:
    """Fold all facts of an evening; an undoing that finds nothing to undo changes nothing."""
    history = opened(game, options, seed)
    for fact in facts:
        if isinstance(fact, Undone):
            history = undone(game, history) or replace(history, facts=history.facts + 1)
        else:
            history = advanced(game, history, fact)
    return history


def _apply(game: Game, state: Any, event: Event, place: int) -> Applied:
    step = game.step(state, event)
    return Applied(event, place, state, step.state, step.effects)
