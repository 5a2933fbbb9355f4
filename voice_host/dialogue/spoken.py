"""What was said as words: normalised for matching, with the way back to what the recogniser wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*'?")
_SENTENCE_END: Final = re.compile(r"[.?!;。？！…]")
_PAUSE: Final = re.compile(r"[,:，、：]")
_TITLES: Final = frozenset({"mr", "mrs", "dr", "st"})


@dataclass(frozen=True, slots=True)
class Token:
    """One word of an utterance."""

    word: str
    """Case folded, without punctuation."""
    start: int
    """Offsets into the text as written."""
    end: int
    closes: bool = False
    """True: a sentence ends after it."""
    pauses: bool = False
    """True: a comma or the like stands after it."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A stretch of words of one hypothesis."""

    written: str
    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """Return the words, each followed by one blank, as templates match them."""
        return "".join(f"{token.word} " for token in self.tokens)

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words."""
        return tuple(token.word for token in self.tokens)

    def part(self, first: int, last: int | None = None) -> Spoken:
        """Return the words from index ``first`` up to but without ``last``."""
        return Spoken(self.written, self.tokens[first:last])

    def original(self) -> str:
        """Return the stretch as the recogniser wrote it, without punctuation around it."""
        return self.written[self.tokens[0].start : self.tokens[-1].end] if self.tokens else ""

    def sentences(self) -> tuple[Spoken, ...]:
        """Return the stretch cut where the recogniser ended sentences."""
        ends = [i + 1 for i, token in enumerate(self.tokens) if token.closes and i + 1 < len(self.tokens)]
        return tuple(self.part(a, b) for a, b in zip([0, *ends], [*ends, None], strict=True))

    def index_at(self, offset: int) -> int:
        """Return the index of the word that begins at or after an offset into `text`."""
        return self.text[:offset].count(" ") + (1 if offset and self.text[offset - 1] != " " else 0)


def spoken(written: str) -> Spoken:
    """Take an utterance apart into words; any text whatever gives a value."""
    plain = written.replace("’", "'").replace("‘", "'")
    tokens: list[Token] = []
    found = list(_WORD.finditer(plain))
    for number, match in enumerate(found):
        until = found[number + 1].start() if number + 1 < len(found) else len(plain)
        word = unicodedata.normalize("NFKC", match.group()).casefold().strip("'") or "'"
        closes = bool(_SENTENCE_END.search(plain, match.end(), until)) and word not in _TITLES
        pauses = bool(_PAUSE.search(plain, match.end(), until))
        tokens.append(Token(word.replace(" ", ""), match.start(), match.end(), closes, pauses))
    return Spoken(written, tuple(tokens))


def normal(text: str) -> str:
    """Return a phrase as words with one blank between them."""
    return " ".join(spoken(text).words)


def without_edges(stretch: Spoken, skipped: Sequence[tuple[str, ...]]) -> Spoken:
    """Return the stretch without the skipped phrases at its beginning and end."""
    words = stretch.words
    first, last = 0, len(words)
    changed = True
    while changed and first < last:
        changed = False
        for phrase in skipped:
            size = len(phrase)
            if size and words[first : first + size] == phrase and first + size <= last:
                first, changed = first + size, True
            elif size and words[last - size : last] == phrase and last - size >= first:
                last, changed = last - size, True
    return stretch.part(first, last) if first < last else stretch.part(0, 0)
