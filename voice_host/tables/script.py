"""A typed evening: who says what, when the table is silent, and where the process dies.

Lines: ``Amy: I guess dragon`` (speaker known), ``?: dragon`` (speaker unknown), ``@wait 5.0``, ``@kill``, ``# comment``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from voice_host.errors import UsageError

UTTERANCE_SECONDS: Final = 1.0
"""How long a typed utterance takes in virtual time."""

_SPOKEN = re.compile(r"(?P<speaker>[^:：]+)[:：]\s*(?P<text>.*\S)\s*$")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Somebody says something."""

    line: int
    speaker: str | None
    """A seat, or None for ``?``."""
    text: str


@dataclass(frozen=True, slots=True)
class Silence:
    """Nobody says anything for a while."""

    line: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Kill:
    """The process dies here, as by SIGKILL."""

    line: int


ScriptLine = Spoken | Silence | Kill


def read_script(path: Path, players: Collection[str] | None) -> tuple[ScriptLine, ...]:
    """Read a script; with ``players`` given, any other speaker is refused.

    Raises `UsageError` with the number of the first line that makes no sense.
    """
    return parse_script(read_text(path, "script"), str(path), players)


def read_text(path: Path, what: str) -> str:
    """Read a UTF-8 file that the user named; raises `UsageError` when there is none or it is no text."""
    if path.exists() and not path.is_file():
        raise UsageError(f"The {what} {path} is no file; name a text file.")
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"The {what} {path} cannot be read ({error.strerror}); check the name.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The {what} {path} is not UTF-8 text; save it as UTF-8.") from error


def parse_script(text: str, source: str, players: Collection[str] | None) -> tuple[ScriptLine, ...]:
    """Parse the text of a script."""
    lines: list[ScriptLine] = []
    seats = None if players is None else list(players)
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("@"):
            lines.append(_directive(line, number, source))
            continue
        spoken = _spoken(line, number, source, seats)
        lines.append(spoken)
        if seats is not None:  # whoever was talked of before may have joined since
            seats += [word.strip(".,!?'") for word in spoken.text.split() if word[:1].isupper()]
    return tuple(lines)


def _directive(line: str, number: int, source: str) -> ScriptLine:
    match line.split():
        case ["@kill"]:
            return Kill(number)
        case ["@wait", amount]:
            try:
                seconds = float(amount)
            except ValueError:
                seconds = math.nan
            if 0 <= seconds < math.inf:
                return Silence(number, seconds)
    raise UsageError(f"{source}, line {number}: {line!r} makes no sense; write '@wait SECONDS' or '@kill'.")


def _spoken(line: str, number: int, source: str, players: Collection[str] | None) -> Spoken:
    found = _SPOKEN.match(line)
    if found is None:
        raise UsageError(f"{source}, line {number}: {line!r} makes no sense; write 'NAME: words' or '?: words'.")
    speaker, text = found["speaker"].strip(), found["text"]
    if speaker == "?":
        return Spoken(number, None, text)
    if players is not None:
        known = {name.casefold(): name for name in reversed(tuple(players))}
        if speaker.casefold() not in known:
            raise UsageError(
                f"{source}, line {number}: nobody at the table is called {speaker!r}; there are {', '.join(players)}, and '?' for an unknown speaker."
            )
        speaker = known[speaker.casefold()]
    return Spoken(number, speaker, text)
