"""What a look through a deck finds: the line, what is meant, why, and the remedy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault of a deck."""

    line: int
    words: tuple[str, ...]
    why: str
    remedy: str

    def __str__(self) -> str:
        """Return the sentence for the user."""
        named = " / ".join(self.words)
        return f"line {self.line}: {f'{named}: ' if named else ''}{self.why}; {self.remedy}."
