"""What one viewer may know of an evening's lines; pure.

Theory of operation
-------------------
A page is sent nothing that its viewer may not know: not hidden by style, *not sent*. What lies on the table reaches a page only
as the game's own view for that viewer. Captions pass through `caption_for`, which knows every kind of line by name and drops
whatever it does not know. A caption never holds the recogniser's other readings, and a flag (which may say that the hidden word
was heard) goes to the table's page alone. Whoever is blindfolded gets the own words and the host's: what others say is heard in the room,
and it may be the hidden word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

TABLE: Final = "table"
"""The viewer that is the shared screen, which the dreamer cannot see."""
ROOM: Final = "room"
"""The addressee of what everybody may hear."""

Line = Mapping[str, Any]
Caption = Mapping[str, Any]
Sayable = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Intent name to its slots, each ``{"values": [...], "open": bool}``; an open slot takes any words and lists none."""


def caption_for(line: Line, viewer: str, *, blindfolded: bool = False) -> Caption | None:
    """Return what a viewer may read of a line of the evening, or None when it is not for that viewer (or for no reader)."""
    if blindfolded and line["type"] in {"heard", "tapped"} and line["speaker"] != viewer:
        return None
    return _readable(line, viewer)


def _readable(line: Line, viewer: str) -> Caption | None:
    match line["type"]:
        case "heard":
            meant = [intent["name"] for intent in line["intents"]]
            return _caption(line, "heard", speaker=line["speaker"], text=line["text"], meant=meant)
        case "tapped":
            intent = line["intent"]
            return _caption(line, "tapped", speaker=line["speaker"], intent=intent["name"], slots=dict(intent["slots"]))
        case "said":
            return _said(line, viewer)
        case "earcon":
            return _caption(line, "sound", name=line["name"])
        case "flag" if viewer == TABLE:
            return _caption(line, "flag", reason=line["reason"], slots=dict(line["slots"]))
        case _:
            return None


def _said(line: Line, viewer: str) -> Caption | None:
    if line["to"] in {ROOM, viewer}:
        return _caption(line, "said", prompt=line["prompt"], text=line["text"], private=line["to"] != ROOM)
    if viewer == TABLE:  # that something was said to somebody is no secret, what it was is one
        return _caption(line, "said", to=line["to"], text=None, private=True)
    return None


def _caption(line: Line, kind: str, **fields: Any) -> Caption:
    return {"t": line["t"], "kind": kind, **fields}
