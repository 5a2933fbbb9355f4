"""What a page may send: read, checked against what its viewer may say now, and counted; nothing else gets in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from voice_host.screens.audience import Sayable

MOST_BYTES: Final = 4096
"""Of a text message; a dream told on a page has room."""
_MOST_LETTERS: Final = 1000
"""Of one slot."""

_LARGEST_ID: Final = 2**53
"""Whole numbers below it are exact in a browser."""

REASONS: Final[Mapping[str, str]] = {
    "malformed": "That message makes no sense; reload the page.",
    "not_now": "That cannot be said from this page now.",
    "no_such_value": "That is not one of the possible answers now.",
    "too_fast": "That was too fast; try again in a moment.",
    "not_this_page": "Only the table's page can do that.",
    "no_such_seat": "Nobody of that name has a page.",
    "no_microphone": "The host does not listen to this page's microphone now.",
}
"""Why a message was refused, each with its sentence."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Something was meant: the same as if it had been spoken."""

    intent: str
    slots: Mapping[str, str]
    id: int | None = None
    """The page's own number for the message; comes back in the answer."""


@dataclass(frozen=True, slots=True)
class NewLink:
    """The table wants a seat's link (or, with the table's name, its own) to be replaced."""

    viewer: str
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """The button for the seat's microphone was pressed or let go."""

    pressed: bool
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that changes nothing; the reason is a key of `REASONS`."""

    reason: str
    id: int | None = None


def read_message(text: str, sayable: Sayable) -> Tap | NewLink | Talk | Refused:
    """Read one text message of a page; never raises, whatever it holds."""
    body = _parsed(text)
    number = body.pop("id", None)
    if number is not None and (type(number) is not int or not 0 <= number < _LARGEST_ID):
        return Refused("malformed")
    match body:
        case {"intent": str(name), **rest} if rest.keys() <= {"slots"}:
            return _tap(name, rest.get("slots", {}), number, sayable)
        case {"command": "new_link", "viewer": str(viewer), **rest} if not rest:
            return NewLink(viewer, number)
        case {"talk": bool(pressed), **rest} if not rest:
            return Talk(pressed, number)
        case _:
            return Refused("malformed", number)


def _parsed(text: str) -> dict[str, Any]:
    """Return the fields of a message; none, which means nothing, when it is no object or too long."""
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        return {}
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _tap(name: str, slots: Any, number: int | None, sayable: Sayable) -> Tap | Refused:
    if not isinstance(slots, dict) or not all(isinstance(value, str) for value in slots.values()):
        return Refused("malformed", number)
    if name not in sayable:
        return Refused("not_now", number)
    known = sayable[name]
    cleaned: dict[str, str] = {}
    for slot, value in slots.items():
        text = " ".join(value.split())
        if slot not in known or len(text) > _MOST_LETTERS or not text.isprintable():
            return Refused("malformed", number)
        if not known[slot]["open"] and text not in known[slot]["values"]:
            return Refused("no_such_value", number)
        if text:
            cleaned[slot] = text
    return Tap(name, cleaned, number)


class Allowance:
    """So much at once, and so much a second; tells when somebody takes more."""

    def __init__(self, at_once: float, per_second: float, now: Callable[[], float]) -> None:
        self._most = self._left = at_once
        self._per_second = per_second
        self._now = now
        self._at = now()

    def take(self, amount: float = 1.0) -> bool:
        """Take some; False when that is more than is left."""
        now = self._now()
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at = now
        if amount > self._left:
            return False
        self._left -= amount
        return True
