"""``voice-host history``: which evenings are kept, with their recordings, and how to forget them."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from voice_host import recording
from voice_host.errors import HostError, UsageError
from voice_host.journal import SUFFIX, Began, by_id, evenings_folder, is_finished, read_entries
from voice_host.screens.links import LINKS_SUFFIX

ALL: Final = "all"
_COLUMNS: Final = ("id", "began", "game", "players", "state", "journal", "recording")


@dataclass(frozen=True, slots=True)
class Kept:
    """One evening as it is listed."""

    id: str
    game: str
    players: tuple[str, ...]
    state: str
    """``over``, ``open`` (to be resumed) or ``damaged``."""
    size: int
    """Bytes of the journal."""
    recorded: int
    """Bytes of the recording; 0 without one."""

    @property
    def began(self) -> str:
        """The day and the minute."""
        return f"{self.id[:10]} {self.id[11:13]}:{self.id[13:15]}"

    def row(self) -> tuple[str, ...]:
        """Return it as a line of the table."""
        sizes = (_megabytes(self.size), _megabytes(self.recorded) if self.recorded else "-")
        return (self.id, self.began, self.game, ", ".join(self.players) or "-", self.state, *sizes)


def run_history(journal: Path | None, forget: str | None, forget_recordings: str | None, *, yes: bool) -> int:
    """List the evenings, or forget some; returns the exit code, raises `HostError` with one sentence."""
    folder = evenings_folder(journal)
    if forget is not None and forget_recordings is not None:
        raise UsageError("--forget deletes recordings, too; leave --forget-recordings away.")
    if forget is not None:
        return _forget(_chosen(folder, forget), "with its recording", _delete, yes=yes)
    if forget_recordings is not None:
        paths = [path for path in _chosen(folder, forget_recordings) if recording.recording_of(path).is_dir()]
        return _forget(paths, "only its recording", _delete_recording, yes=yes)
    evenings = kept_evenings(folder)
    if not evenings:
        print(f"No evening is kept in {folder}.")
        return 0
    rows = [_COLUMNS, *(evening.row() for evening in evenings)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def kept_evenings(folder: Path) -> list[Kept]:
    """Return all evenings of a folder, the newest first."""
    return [_kept(path) for path in _evenings(folder)]


def _evenings(folder: Path) -> list[Path]:
    """Return all journals, and what is left of evenings whose journal is gone, the newest first."""
    left = {path.with_suffix(SUFFIX) for path in folder.glob(f"*{recording.SUFFIX}")}
    return sorted({*folder.glob(f"*{SUFFIX}"), *left}, reverse=True)


def _chosen(folder: Path, evening: str) -> list[Path]:
    if evening == ALL:
        return _evenings(folder)
    left = folder / f"{evening}{SUFFIX}"
    return [left] if left.parent == folder and recording.recording_of(left).is_dir() else [by_id(folder, evening)]


def _kept(path: Path) -> Kept:
    evening = path.name.removesuffix(SUFFIX)
    size = sum(file.stat().st_size for file in _files(path))
    recorded = recording.size_of(recording.recording_of(path))
    if not path.is_file():
        return Kept(evening, "?", (), "journal gone", 0, recorded)
    try:
        began = [entry for _, entry in read_entries(path) if isinstance(entry, Began)]
        options = began[-1].options
        game, players = str(options.get("game", began[-1].game)), tuple(map(str, options.get("players", ())))
    except (HostError, IndexError):
        return Kept(evening, "?", (), "damaged", size, recorded)
    return Kept(evening, game, players, "over" if is_finished(path) else "open", size, recorded)


def _forget(paths: Sequence[Path], what: str, delete: Callable[[Path], None], *, yes: bool) -> int:
    if not paths:
        print("There is nothing to forget.")
        return 0
    for path in paths:
        _check_unused(path)
    names = ", ".join(path.name.removesuffix(SUFFIX) for path in paths)
    if not yes and not _agreed(f"Forget {names}, {what}, for good? [y/N] "):
        print("Nothing was forgotten.")
        return 0
    for path in paths:
        delete(path)
        print(f"Forgotten: {path.name.removesuffix(SUFFIX)}.")
    return 0


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError("Nobody can be asked here whether to forget for good; say so with --yes.")
    return input(question).strip().casefold() in {"y", "yes"}


def _check_unused(path: Path) -> None:
    """Raise `HostError` while the evening is being played; what is no journal of ours is used by nobody."""
    if not path.is_file():
        return
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0.2, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise HostError(f"The evening {path.name.removesuffix(SUFFIX)} is being played; end it first.") from error
    except sqlite3.DatabaseError:
        return


def _delete(path: Path) -> None:
    _delete_recording(path)
    try:
        for file in _files(path):
            file.unlink(missing_ok=True)
    except OSError as error:
        raise HostError(f"The journal {path} cannot be deleted ({error.strerror}); delete it yourself.") from error


def _delete_recording(path: Path) -> None:
    recording.forget(recording.recording_of(path))


def _files(path: Path) -> list[Path]:
    files = (path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm"))
    return [file for file in (*files, path.with_suffix(LINKS_SUFFIX)) if file.exists()]


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
