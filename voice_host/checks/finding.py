"""What a check found out, as a line for the reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "missing"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    """What was looked at, in a word or two."""
    state: State
    """``missing``: no evening without it; ``note``: an evening works, but better with the remedy."""
    said: str
    """What there is, or what is wrong."""
    remedy: str | None = None
    """What to do about it."""
