"""Draw docs/evening.svg, the README's picture, from the captions of a demo: `voice-host demo | python tools/draw_evening.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

FIRST: Final = "[card]"
LINES: Final = 31
LINE_HEIGHT: Final = 22
WIDTH: Final = 860
INK: Final = {"HOST": "#ffd479", "?": "#e6edf3", "♪": "#7ee0c3", "[card]": "#8b98a9", "[flag]": "#8b98a9"}


def main() -> int:
    """Draw the captions from the first card on; returns the exit code."""
    captions = [line.rstrip("\n") for line in sys.stdin if line[:1] == " "]
    start = next((number for number, line in enumerate(captions) if FIRST in line), None)
    if start is None:
        print("There is no evening in what was piped in.", file=sys.stderr)
        return 1
    shown = captions[max(0, start - 1) : start - 1 + LINES]
    Path("docs/evening.svg").write_text(draw(shown), encoding="utf-8")
    return 0


def draw(captions: list[str]) -> str:
    """Return the lines as a picture: times, then who says what, each kind in its own ink and with its own sign."""
    height = LINE_HEIGHT * (len(captions) + 2)
    rows = "\n".join(_row(number, line) for number, line in enumerate(captions, start=1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        ' aria-label="Captions of an evening">\n'
        f'<rect width="{WIDTH}" height="{height}" rx="14" fill="#16202c"/>\n'
        f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15">\n{rows}\n</g>\n</svg>\n'
    )


def _row(number: int, line: str) -> str:
    time, text = line[:8].strip(), line[8:].strip()
    ink = next((colour for sign, colour in INK.items() if text.startswith(sign)), "#e6edf3")
    y = LINE_HEIGHT * (number + 0.5)
    return (
        f'<text x="24" y="{y}" fill="#9aa7b8">{escape(time)}</text>'
        f'<text x="100" y="{y}" fill="{ink}">{escape(text)}</text>'
    )


if __name__ == "__main__":
    sys.exit(main())
