"""What is typed at the terminal, key by key, while the table is shown above it."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Final

_ENTER: Final = frozenset("\r\n")
_BACKSPACE: Final = frozenset("\x7f\x08")
_CLEAR: Final = frozenset("\x15\x1b")
_MOST_LETTERS: Final = 200


@dataclass(slots=True)
class LineEditor:
    """Collects letters until Enter; Backspace takes one away, Escape or Ctrl+U all."""

    entered: Callable[[str], None]
    text: str = ""
    _escape: str = field(default="", repr=False)

    def type(self, letters: str) -> None:
        """Take what was typed; the sequences of arrows and other keys mean nothing."""
        for letter in letters:
            if self._escape:
                self._continue_escape(letter)
            elif letter == "\x1b":
                self._escape, self.text = letter, ""
            elif letter in _ENTER:
                line, self.text = self.text.strip(), ""
                if line:
                    self.entered(line)
            elif letter in _BACKSPACE:
                self.text = self.text[:-1]
            elif letter in _CLEAR:
                self.text = ""
            elif letter.isprintable() and len(self.text) < _MOST_LETTERS:
                self.text += letter

    def _continue_escape(self, letter: str) -> None:
        """Pass over ``ESC [ ... letter``, as arrows send it; anything else ends the escape and counts."""
        if (self._escape == "\x1b" and letter in "[O") or (
            len(self._escape) > 1 and not letter.isalpha() and letter != "~"
        ):
            self._escape += letter
        else:
            lone = self._escape == "\x1b"
            self._escape = ""
            if lone:
                self.type(letter)


@contextlib.contextmanager
def keys(typed: Callable[[str], None], stream: IO[str] | None = None) -> Iterator[bool]:
    """Let every key reach ``typed`` at once, on the running loop; yields False where the input is no terminal."""
    stream = stream or sys.stdin
    try:
        import termios
        import tty
    except ImportError:  # no terminal of this kind: the table is shown, nothing can be typed
        yield False
        return
    if not stream.isatty():
        yield False
        return
    descriptor = stream.fileno()
    before = termios.tcgetattr(descriptor)
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    loop = asyncio.get_running_loop()

    def read() -> None:
        try:
            data = os.read(descriptor, 1024)
        except OSError:
            data = b""
        if not data:  # the terminal has gone
            loop.remove_reader(descriptor)
        typed(decode(data))

    tty.setcbreak(descriptor)  # Ctrl+C still stops the program
    loop.add_reader(descriptor, read)
    try:
        yield True
    finally:
        loop.remove_reader(descriptor)
        with contextlib.suppress(termios.error):  # the terminal has gone
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
