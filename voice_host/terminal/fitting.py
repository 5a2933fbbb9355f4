"""Parts of a screen, fitted into a window of any height: the most important ones stay whole, the captions take the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment, Segments
from rich.text import Text

_CAPTIONS_IMPORTANCE: Final = 76
_FEWEST_CAPTION_LINES: Final = 4
"""The frame, and two lines in it."""
_SHORTEST_CLIP: Final = 3
"""A part of which fewer lines would be seen is left away."""

_Lines = list[list[Segment]]


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is shown in its place, if there is room."""

    shown: RenderableType
    importance: int
    """The highest ones get their lines first."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Parts from above to below, captions under them, and what stands at the foot."""

    parts: Sequence[Part]
    captions: Sequence[Text]
    title: str
    """Of the captions."""
    foot: Sequence[Part]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Bring exactly the lines for which there is room."""
        inner = options.update(height=None)
        whole = [console.render_lines(part.shown, inner, pad=False) for part in (*self.parts, *self.foot)]
        room = options.height or options.max_height
        kept, left = self._fit(whole, room)
        captions = self._caption_lines(console, inner, left)
        above, below = kept[: len(self.parts)], kept[len(self.parts) :]
        for line in [line for lines in (*above, captions, *below) for line in lines][:room]:
            yield Segments(line)
            yield Segment.line()

    def _fit(self, whole: list[_Lines], room: int) -> tuple[list[_Lines], int]:
        """Return what is kept of each part, and the lines that are left for the captions."""
        parts = [*self.parts, *self.foot]
        kept: list[_Lines] = [[] for _ in parts]
        reserved = _FEWEST_CAPTION_LINES
        for place in sorted(range(len(parts)), key=lambda place: -parts[place].importance):
            free = room - (reserved if parts[place].importance < _CAPTIONS_IMPORTANCE else 0)
            lines = whole[place]
            if len(lines) <= free:
                kept[place] = lines
            elif free >= _SHORTEST_CLIP:
                kept[place] = lines[:free]
            room -= len(kept[place])
        return kept, room

    def _caption_lines(self, console: Console, options: ConsoleOptions, room: int) -> _Lines:
        """Fill the lines with the latest captions."""
        if room < _SHORTEST_CLIP:
            return []
        narrow = options.update(width=max(1, options.max_width - 4))
        lines = console.render_lines(Group(*self.captions), narrow) if self.captions else []
        latest = [Segments(line, new_lines=False) for line in lines[-(room - 2) :]]
        held = [piece for line in latest for piece in (line, Segments([Segment.line()]))]
        return console.render_lines(Panel(Group(*held), title=self.title, box=box.ROUNDED), options, pad=False)[:room]
