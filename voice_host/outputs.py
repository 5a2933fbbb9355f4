"""Where an evening's lines go besides the loudspeaker: the events file and the captions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from voice_host.errors import HostError, UsageError
from voice_host.evening import Outcome
from voice_host.games.game import ROOM, TABLE


class EventsFile:
    """Writes one JSON object a line, in order; a resumed evening writes it anew from its first line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("w", encoding="utf-8")
        except OSError as error:
            raise UsageError(
                f"The events file {path} cannot be written ({error.strerror}); choose another one."
            ) from error

    def __call__(self, outcome: Outcome) -> None:
        """Write the line of an outcome."""
        self.write(outcome.line)

    def write(self, line: Mapping[str, Any]) -> None:
        """Write one line; raises `HostError` when there is no room."""
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise HostError(
                f"The events file {self._path} cannot be written ({error.strerror}); make room and go on with --resume."
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Captions:
    """Prints what was heard and said as it happens, and what the table's screen would show of the cards."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream: IO[str] | None = stream
        self._word: str | None = None

    def __call__(self, outcome: Outcome) -> None:
        """Print a line for whatever a reader wants to know."""
        line = outcome.line
        text = _CAPTIONS[line["type"]](line) if line["type"] in _CAPTIONS else self._screen(line)
        if text is not None and self._stream is not None:
            try:
                print(f"{_clock(line['t'])}  {text}", file=self._stream, flush=True)
            except OSError:
                self._stream = None  # nobody reads any more; the evening goes on all the same

    def _screen(self, line: Mapping[str, Any]) -> str | None:
        if line["type"] != "view" or line["viewer"] != TABLE:
            return None
        word = line["view"].get("word")
        if word == self._word:
            return None
        self._word = word
        return None if word is None else f"[card]   {word}"


def final_table(scores: Mapping[str, int], winners: tuple[str, ...]) -> str:
    """Lay out the final scores, best first."""
    width = max((len(name) for name in scores), default=0)
    rows = sorted(scores.items(), key=lambda item: -item[1])
    return "\n".join(f"  {name:<{width}}  {points:>3}{'   winner' if name in winners else ''}" for name, points in rows)


def _clock(t: float) -> str:
    return f"{int(t // 60):3d}:{t % 60:04.1f}"


def _heard(line: Mapping[str, Any]) -> str:
    meant = ", ".join(" ".join([intent["name"], *map(str, intent["slots"].values())]) for intent in line["intents"])
    return f"{line['speaker'] or '?'}: {line['text']}" + (f"   ({meant})" if meant else "")


def _tapped(line: Mapping[str, Any]) -> str:
    meant = " ".join([line["intent"]["name"], *map(str, line["intent"]["slots"].values())])
    return f"{line['speaker'] or 'The table'} taps: {meant}"


_CAPTIONS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "heard": _heard,
    "tapped": _tapped,
    "said": lambda line: f"HOST: {line['text']}" if line["to"] == ROOM else f"HOST to {line['to']}, in private",
    "earcon": lambda line: f"♪ {line['name']}",
    "flag": lambda line: f"[flag]   {line['reason']} {' '.join(map(str, line['slots'].values()))}",
}
