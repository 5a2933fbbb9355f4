"""What every game is made of: a value, four pure functions, facts that come in and requests that go out.

Theory of operation
-------------------
A game is a module with ``start``, ``step``, ``listening`` and ``view`` (the `Game` protocol). It knows neither clock nor
loudspeaker: facts reach it as *events* in the past tense, what it wants of the world leaves it as *effects*. ``step`` never
mutates; a forbidden intent returns the identical state and one `Refuse`. Chance enters through ``start`` alone, so the
fold of the journaled events over ``start`` is the evening, today and after a crash.

Seats are the players' names, as the players say them; `ROOM` addresses everybody who can hear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Protocol

Seat = str
SlotValue = str | int | tuple[str, ...]

ROOM: Final = "room"
"""The addressee of what everybody may hear."""

TABLE: Final = "table"
"""The viewer that stands for the shared screen, which the dreamer cannot see."""


SOMEBODY_ELSE: Final = "?"
"""The speaker of what one seat alone may mean, when another one has said it and nobody knows who."""

ASKED: Final = "asked"
"""The reason of a pause that a player asked for; all others are faults."""

NO_NAMES: Final = frozenset({ROOM, TABLE})
"""What nobody may be called, in small letters: these addressees would get the secrets of a seat of that name."""


WISHES: Final = frozenset({"tell_turns", "stop_telling_turns"})
"""Intents that say how the host shall speak to somebody: they change nothing that was played, and an undo passes them over."""


# --------------------------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class Utterance:
    """One stretch of speech as the recogniser wrote it, found without knowing any secret."""

    number: int
    """Counts from 1 through the evening; log lines and captions refer to it."""
    hypotheses: tuple[str, ...]
    """The n-best texts, best first; a typed line has exactly one."""
    started: float
    """Second of the evening at which the speech began."""
    ended: float
    """Second of the evening at which the speech ended."""
    confidences: tuple[float, ...] = ()
    """The probability of each hypothesis, 0..1; empty where the engine cannot tell."""


@dataclass(frozen=True, slots=True)
class Intent:
    """Somebody meant something: the same fact whether it was spoken, typed or tapped."""

    name: str
    slots: Mapping[str, str] = field(default_factory=dict)
    """Slot name to the best reading of its value."""
    speaker: Seat | None = None
    """The seat that spoke, or None when nobody knows."""
    utterance: Utterance | None = None
    """The speech it was understood from; None for a tap or a key."""
    readings: tuple[str, ...] = ()
    """All readings of the open slot (a guess, a clue, a story), best first, when the recogniser gave several."""
    confidences: tuple[float, ...] = ()
    """The probability of each reading, 0..1; empty where the engine cannot tell."""


@dataclass(frozen=True, slots=True)
class TimerFinished:
    """A timer that the game started ran to its end."""

    name: str


@dataclass(frozen=True, slots=True)
class Played:
    """The room has heard the prompt to its end (at once, where there is no loudspeaker)."""

    prompt: str


@dataclass(frozen=True, slots=True)
class Paused:
    """The host stopped the clock; every timer stands still until `Resumed`."""

    reason: str
    """`ASKED` by a player, or the fault that made it necessary (``microphone_lost`` ...)."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The host's clock runs again; all timers go on with the time they had left."""


Event = Intent | TimerFinished | Played | Paused | Resumed


# ------------------------------------------------------------------------------------------------------------- requests


@dataclass(frozen=True, slots=True)
class Say:
    """Please say the prompt of that name, filled with the slots."""

    prompt: str
    slots: Mapping[str, SlotValue] = field(default_factory=dict)
    """A tuple is a list that the language joins ("Ann, Bob and Cy")."""
    to: Seat = ROOM
    """`ROOM`, or the one seat that may know."""


@dataclass(frozen=True, slots=True)
class Earcon:
    """Please play the short sound of that name to the room."""

    name: str


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Please tell me when that much time is over; a running timer of the same name starts anew."""

    name: str
    seconds: float
    waits_for_speech: bool = False
    """True: speech that began before the end is heard out (and applied) before the timer is reported finished."""


@dataclass(frozen=True, slots=True)
class StopTimer:
    """Please forget the timer; harmless when it does not run."""

    name: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """The rules forbid what was meant; nothing has changed. The reason names a prompt ``refuse_<reason>``."""

    reason: str
    slots: Mapping[str, SlotValue] = field(default_factory=dict)
    to: Seat = ROOM
    """`ROOM`, or the one seat that may hear why: a refusal can tell what somebody holds."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Please show this on the table's screen and never say it: it may tell what the dreamer must not know."""

    reason: str
    slots: Mapping[str, SlotValue] = field(default_factory=dict)


Effect = Say | Earcon | StartTimer | StopTimer | Refuse | Flag


@dataclass(frozen=True, slots=True)
class Step:
    """The outcome of one event: the state after it, and what the game asks of the world, in order."""

    state: Any
    effects: tuple[Effect, ...] = ()


# ------------------------------------------------------------------------------------------------------- what may be said


@dataclass(frozen=True, slots=True)
class Slot:
    """The values a slot of an intent may take now."""

    values: tuple[str, ...] = ()
    """The likely values, for the recogniser's vocabulary; all possible ones when the slot is not open."""
    open: bool = False
    """True: any words may fill the slot, the values are only the likeliest."""
    least_likeness: float = 0.0
    """How alike (0..1) what was heard must be to a value, where a wrong one would do more harm than none."""


@dataclass(frozen=True, slots=True)
class Listening:
    """What may be said now, for the recogniser's vocabulary and for the interpreter."""

    intents: Mapping[str, Mapping[str, Slot]]
    """Intent name to its slots; an intent that is not listed is out of place now."""
    bare_word: Mapping[Seat | None, str] = field(default_factory=dict)
    """Which intent a short bare noun phrase means, by speaker (None: speaker unknown). No entry: it means nothing."""
    any_speech: str | None = None
    """The intent that takes whatever else is said, whole, in its slot ``text`` (a story); None outside stories."""
    only_of: Mapping[str, tuple[Seat, ...]] = field(default_factory=dict)
    """Intent name to the seats whose it is: only their pages offer it, and whoever else says so is refused. No entry: everybody's. Never depends on a secret."""
    read_aloud: Mapping[str, str] = field(default_factory=dict)
    """Intent name to the prompt by which the host says it, with the intent's slots, when it was tapped: all are to hear it."""
    secret: frozenset[str] = frozenset()
    """Intents whose slots concern nobody else when they are tapped: only their names are told."""


class Game(Protocol):
    """A module of four pure functions; ``mypy`` checks that each module in `GAMES` is one."""

    def start(self, options: Any, rng: Random, /) -> Step:
        """Deal; the only place where chance enters."""

    def step(self, state: Any, event: Event, /) -> Step:
        """Apply one fact; a forbidden intent returns the identical state and a `Refuse`."""

    def listening(self, state: Any, /) -> Listening:
        """Tell what may be said now."""

    def view(self, state: Any, viewer: Seat, /) -> Mapping[str, Any]:
        """Tell what one viewer (a seat, or `TABLE`) may see, as JSON values; the only place secrets are dropped."""


def says(effects: Sequence[Effect], to: Seat = ROOM) -> tuple[Say, ...]:
    """Return the prompts among the effects that are addressed to one seat or to the room."""
    return tuple(effect for effect in effects if isinstance(effect, Say) and effect.to == to)
