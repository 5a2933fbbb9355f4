"""``voice-host history show|replay|export``: what an evening was, read from its journal."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from voice_host.errors import HostError, UsageError
from voice_host.journal import SUFFIX, by_id, evenings_folder
from voice_host.outputs import Captions, final_table
from voice_host.past_evenings import WORD_COLUMNS, PastEvening, read_evening, replayed

ALL: Final = "all"
ACTIONS: Final = ("list", "show", "replay", "export")


@dataclass(frozen=True, slots=True)
class ReadingRequest:
    """The words of the command line."""

    action: str
    evening: str | None
    journal: Path | None = None
    speed: float = 1.0
    json: str | None = None
    csv: str | None = None


def read_history(request: ReadingRequest, sleep: Callable[[float], None] = time.sleep) -> int:
    """Show, replay or export; returns the exit code, raises `HostError` with one sentence."""
    folder = evenings_folder(request.journal)
    if request.evening is None:
        raise UsageError(f"Say which evening: voice-host history {request.action} ID; voice-host history lists them.")
    if request.action != "export" and (request.json or request.csv):
        raise UsageError("--json and --csv belong to voice-host history export.")
    if request.action == "export":
        return _export(request, folder)
    past = read_evening(by_id(folder, request.evening))
    return _show(past) if request.action == "show" else _replay(past, request.speed, sleep)


def _show(past: PastEvening) -> int:
    state = "over" if past.over else "not over yet"
    print(f"{past.id}: {past.game}, {', '.join(past.players) or 'nobody yet'} ({state})")
    for number, night in sorted(past.nights.items()):
        print(f"\nNight {number}, {night['dreamer']} dreamt")
        rows = [(str(card["number"]), card["word"], card["heard"] or "-", card["verdict"]) for card in night["cards"]]
        for row in _aligned([("card", "word", "heard", "verdict"), *rows]):
            print(f"  {row}")
        for penalty in night["penalty_cards"]:
            print(f"  penalty card of {penalty['player']}: {penalty['word']}")
        if "roles" in night:
            print(f"  roles: {', '.join(f'{seat} {role}' for seat, role in night['roles'].items())}")
        if "points" in night:
            print(f"  points: {', '.join(f'{seat} {points}' for seat, points in night['points'].items())}")
    if past.scores:
        print(f"\n{final_table(past.scores, tuple(past.winners))}")
    return 0


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _replay(past: PastEvening, speed: float, sleep: Callable[[float], None]) -> int:
    if not 0 < speed < float("inf"):
        raise UsageError("--speed takes how many times as fast as it was: 1, 0.5, 20.")
    captions, now = Captions(sys.stdout), 0.0
    for outcome in replayed(past):
        sleep(max(0.0, outcome.line["t"] - now) / speed)
        now = outcome.line["t"]
        captions(outcome)
    return 0


def _export(request: ReadingRequest, folder: Path) -> int:
    if (request.json is None) == (request.csv is None):
        raise UsageError("Name one file: --json FILE or --csv FILE; - is the output of the program.")
    whole = request.evening == ALL
    paths = sorted(folder.glob(f"*{SUFFIX}")) if whole else [by_id(folder, str(request.evening))]
    evenings = []
    for path in paths:
        try:
            evenings.append(read_evening(path))
        except HostError as error:
            if not whole:
                raise
            print(f"Left out: {error}", file=sys.stderr)
    if request.json is not None:
        content = [past.as_json() for past in evenings]
        _write(request.json, json.dumps(content if whole else content[0], ensure_ascii=False, indent=1) + "\n")
    else:
        _write(str(request.csv), _csv(evenings))
    return 0


def _csv(evenings: Sequence[PastEvening]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(WORD_COLUMNS)
    for past in evenings:
        writer.writerows(past.word_rows())
    return text.getvalue()


def _write(name: str, text: str) -> None:
    if name == "-":
        with contextlib.suppress(AttributeError):
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The export {name} cannot be written ({error.strerror}); choose another file.") from error
