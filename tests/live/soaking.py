"""Evenings one after the other in one process, as fast as the machine allows, and what each leaves behind."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tests.live.evenings import Event, LiveEvening, as_request, read_events, with_answers
from voice_host.commands.play import PlayRequest, first_entry
from voice_host.journal import Journal
from voice_host.live import Session
from voice_host.program import Program
from voice_host.running import Kept
from voice_host.speaking.loudspeaker import SilentLoudspeaker
from voice_host.tables.robot import Act, RobotTable

_ENDING_SECONDS: Final = 10.0


@dataclass(frozen=True)
class Footprint:
    """What this process holds."""

    megabytes: float
    """Resident memory, that of its children not counted; NaN where the system does not tell."""
    threads: tuple[str, ...]
    files: int
    """Open files; 0 where the system does not tell."""
    children: int
    children_megabytes: float
    """Resident memory of the recogniser's and the voice's processes."""


def footprint(threads: int | None = None) -> Footprint:
    """Return what this process holds once its ended threads are gone, or after some seconds (``threads``: how many stay)."""
    gc.collect()
    deadline = time.monotonic() + _ENDING_SECONDS
    while threads is not None and threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.05)
    files = Path("/proc/self/fd")
    children = _children()
    return Footprint(
        megabytes=_resident_megabytes("self"),
        threads=tuple(sorted(thread.name for thread in threading.enumerate())),
        files=len(list(files.iterdir())) if files.is_dir() else 0,
        children=len(children),
        children_megabytes=sum(_resident_megabytes(child) for child in children),
    )


def _resident_megabytes(process: str) -> float:
    status = Path("/proc", process, "status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.is_file() else []
    found = [line for line in lines if line.startswith("VmRSS:")]
    return int(found[0].split()[1]) / 1024 if found else float("nan")


def _children() -> list[str]:
    found: list[str] = []
    for task in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += task.read_text(encoding="utf-8").split()
    return found


def play_virtual(
    evening: LiveEvening,
    reference: Sequence[Event],
    program: Program,
    scratch: Path,
    begins: Callable[[int, Act], None] = lambda _place, _act: None,
) -> list[Event]:
    """Play an evening's sound through the whole host in virtual time; returns its events.

    ``begins`` is told each act with its place in ``with_answers(evening.acts, reference)``.
    """
    request = replace(PlayRequest("when-i-dream", "en", cards=evening.cards), **as_request(evening.options))
    acts = with_answers(evening.acts, reference)
    events = scratch / "soak.jsonl"
    (scratch / "soak.evening").unlink(missing_ok=True)
    journal = Journal.create(scratch / "soak.evening", sync=False)
    nowhere = io.StringIO()
    try:
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            Session("en", None, SilentLoudspeaker()).play(
                program,
                Kept(journal, (), first_entry(request, deal="table")),
                lambda room: RobotTable(acts, evening.clips, room, begins=begins),
                virtual=True,
                events=events,
            )
    finally:
        journal.close()
    return read_events(events)
