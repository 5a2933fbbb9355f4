"""What of a text can be spoken: cleaned of what no voice can say, and cut into pieces that a voice says in one go."""

from __future__ import annotations

import logging
import re
import unicodedata
from typing import Final

_LOG = logging.getLogger(__name__)

PIECE_CHARACTERS: Final = 300
"""Longer pieces make the espeak driver report the end before its file is written, and a watchdog needs a bound."""

LONGEST_CHARACTERS: Final = 6000
"""About six minutes of speech; nobody listens longer, and a runaway text must not fill the memory."""


def clean(text: str) -> str:
    """Return the text on one line, without control, format, surrogate and unassigned characters (they end C strings)."""
    normal = unicodedata.normalize("NFC", text[: LONGEST_CHARACTERS * 2])
    kept = (" " if unicodedata.category(c) == "Cc" else c for c in normal if unicodedata.category(c) not in _UNSPOKEN)
    line = " ".join("".join(kept).split())
    if len(line) > LONGEST_CHARACTERS:
        _LOG.warning("a text of more than %d characters is cut short", LONGEST_CHARACTERS)
        line = line[:LONGEST_CHARACTERS]
    return line


_UNSPOKEN: Final = frozenset({"Cf", "Cs", "Co", "Cn"})


def speakable(text: str) -> bool:
    """Tell whether anything in the text has a sound: a letter or a digit of any script."""
    return any(unicodedata.category(character)[0] in "LN" for character in text)


def pieces(text: str, longest: int = PIECE_CHARACTERS) -> tuple[str, ...]:
    """Cut a clean text into pieces of at most that many characters: after sentences if possible, else between words."""
    cut: list[str] = []
    for sentence in _SENTENCE_ENDS.split(text):
        for part in _within(sentence, longest):
            if cut and len(cut[-1]) + 1 + len(part) <= longest:
                cut[-1] += " " + part
            else:
                cut.append(part)
    return tuple(piece for piece in cut if speakable(piece))


_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？；])")


def _within(sentence: str, longest: int) -> list[str]:
    """Cut one sentence at its last space before the limit, or at the limit when there is none."""
    parts = []
    while len(sentence) > longest:
        at = sentence.rfind(" ", 1, longest + 1)
        at = at if at > 0 else longest
        parts.append(sentence[:at])
        sentence = sentence[at:].lstrip()
    return [*parts, sentence]
