"""Everything that happened in an evening, on disk before it is applied; the evening is its fold.

One SQLite file an evening, in write-ahead mode with a sync at every entry: what `Journal.append` returned from survives a
kill and a power cut. A file that is not an intact journal of this program is refused and left as it is.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from voice_host.errors import HostError, UsageError
from voice_host.games.game import Intent, Paused, Played, Resumed, TimerFinished, Utterance

_APPLICATION_ID: Final = 0x56486A31
"""Marks our files in SQLite's header, at byte 68."""
_LAYOUT: Final = 2
"""SQLite's ``user_version``: raised when the tables or the entries' JSON change."""
SUFFIX: Final = ".evening"


@dataclass(frozen=True, slots=True)
class Began:
    """A game (or the lobby) was started with these options, as JSON values."""

    game: str
    options: Mapping[str, Any]
    seed: int


@dataclass(frozen=True, slots=True)
class Heard:
    """Somebody was heard, and this is what it meant: some intents, or that something was unclear, or nothing."""

    utterance: Utterance
    speaker: str | None
    intents: tuple[Intent, ...] = ()
    unclear: str | None = None
    """Which question the host may ask; None when the words meant something or were not for the host."""


@dataclass(frozen=True, slots=True)
class LineBegan:
    """A line of the script began; after a crash the script goes on behind what was journaled of it."""

    acts: int
    """How many lines that say something or wait have begun, this one included."""
    kills: int
    """How many ``@kill`` lines have been passed, this one included."""


@dataclass(frozen=True, slots=True)
class Tapped:
    """Somebody meant something without speaking: on a seat's own page, or (speaker None) on the table's."""

    intent: Intent


Entry = Began | Heard | Tapped | LineBegan | TimerFinished | Played | Paused | Resumed
"""What a journal holds: facts, in the order in which they were applied."""

_SIMPLE: Final[Mapping[str, type[Any]]] = {
    kind.__name__: kind for kind in (Began, LineBegan, TimerFinished, Played, Paused, Resumed)
}


def to_json(entry: Entry) -> str:
    """Write an entry as one line of JSON."""
    return json.dumps({"kind": type(entry).__name__, **asdict(entry)}, ensure_ascii=False)


def from_json(text: str) -> Entry:
    """Read what `to_json` wrote; raises ValueError, KeyError or TypeError for anything else."""
    body = json.loads(text)
    kind = body.pop("kind")
    if kind == "Tapped":
        return Tapped(_intent(body["intent"]))
    if kind != "Heard":
        return _SIMPLE[kind](**body)  # type: ignore[no-any-return]
    return Heard(
        utterance=_utterance(body["utterance"]),
        speaker=body["speaker"],
        intents=tuple(_intent(intent) for intent in body["intents"]),
        unclear=body["unclear"],
    )


def _utterance(body: dict[str, Any]) -> Utterance:
    return Utterance(**{**body, "hypotheses": tuple(body["hypotheses"]), "confidences": tuple(body["confidences"])})


def _intent(body: dict[str, Any]) -> Intent:
    spoken = body["utterance"]
    return Intent(
        **{
            **body,
            "readings": tuple(body["readings"]),
            "confidences": tuple(body["confidences"]),
            "utterance": None if spoken is None else _utterance(spoken),
        }
    )


class Journal:
    """The open journal of one evening; constructed by `create` or `reopen`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(cls, path: Path, *, sync: bool = True) -> Journal:
        """Make a new journal; ``sync=False`` survives a kill but not a power cut (for evenings in virtual time).

        Raises `UsageError` when the folder cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, isolation_level=None)
            # The header reaches the file itself before write-ahead mode starts, so that a kill leaves a file that is ours.
            connection.executescript(
                f"""BEGIN; PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_LAYOUT};
                CREATE TABLE entry (number INTEGER PRIMARY KEY, t REAL NOT NULL, body TEXT NOT NULL);
                CREATE TABLE mark (name TEXT PRIMARY KEY, value REAL NOT NULL); COMMIT;"""
            )
        except (OSError, sqlite3.Error) as error:
            raise UsageError(
                f"The journal {path} cannot be made ({_why(error)}); choose another folder with --journal."
            ) from error
        return cls(path, _prepared(connection, sync=sync))

    @classmethod
    def reopen(cls, path: Path, *, sync: bool = True) -> tuple[Journal, tuple[tuple[float, Entry], ...]]:
        """Open a journal and read its entries, each with its second of the evening.

        Raises `HostError` when the file is damaged, foreign or in use; it is left untouched.
        """
        entries = read_entries(path)
        try:
            return cls(path, _prepared(sqlite3.connect(path, isolation_level=None, timeout=0.5), sync=sync)), entries
        except sqlite3.Error as error:
            raise HostError(
                f"The journal {path} cannot be opened ({_why(error)}); is the same evening running elsewhere?"
            ) from error

    def append(self, t: float, entry: Entry) -> None:
        """Put an entry on disk; raises `HostError` when that is impossible, and then nothing was written."""
        self._write("INSERT INTO entry (t, body) VALUES (?, ?)", (t, to_json(entry)))

    def mark(self, name: str, value: float) -> None:
        """Keep a number beside the entries: ``clock`` is the last second that was lived, ``finished`` the end."""
        self._write("INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)", (name, value))

    def marked(self, name: str) -> float | None:
        """Return a number that `mark` kept."""
        row = self._connection.execute("SELECT value FROM mark WHERE name = ?", (name,)).fetchone()
        return None if row is None else float(row[0])

    def close(self) -> None:
        """Close the file; the write-ahead log is folded into it."""
        self._connection.close()

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        try:
            self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise HostError(
                f"The journal {self.path} cannot be written ({_why(error)}); all before this moment is kept: make room and go on with --resume."
            ) from error


def read_entries(path: Path) -> tuple[tuple[float, Entry], ...]:
    """Read all entries of a journal without touching it; raises `HostError` when it is empty, damaged or not ours."""
    _check_header(path)
    try:
        with _copy_of(path) as connection:
            verdict = connection.execute("PRAGMA quick_check").fetchone()[0]
            rows = connection.execute("SELECT number, t, body FROM entry ORDER BY number").fetchall()
        intact = verdict == "ok" and [row[0] for row in rows] == list(range(1, len(rows) + 1))
        entries = tuple((t, from_json(body)) for _, t, body in rows)
    except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path) from error
    if not intact:
        raise _damaged(path)
    if not entries:
        raise HostError(f"The journal {path} holds nothing yet; start a new evening without --resume.")
    return entries


@contextlib.contextmanager
def _copy_of(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy: reading in place would replay the write-ahead log into the file, and even a damaged one stays as it is."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / path.name
        for suffix in ("", "-wal"):
            source = path.with_name(path.name + suffix)
            if source.exists():
                shutil.copyfile(source, copy.with_name(copy.name + suffix))
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            yield connection


def evenings_folder(chosen: Path | None) -> Path:
    """Return where evenings are kept: the chosen folder, or the platform's place."""
    return chosen or Path(platformdirs.user_state_dir("voice-host")) / "evenings"


def newest(folder: Path) -> Path:
    """Return the evening that was begun last and is not over, else the last one; raises `UsageError` when there is none."""
    found = sorted((path for path in folder.glob(f"*{SUFFIX}") if _holds_an_evening(path)), key=_begun)
    if not found:
        raise UsageError(f"There is no evening to resume in {folder}; start one without --resume.")
    open_ones = [path for path in found if not is_finished(path)]
    return (open_ones or found)[-1]


def _begun(path: Path) -> tuple[str, int]:
    """Order evenings by their ids: the second in which they began, then the number within that second."""
    found = re.fullmatch(r"(.*?)(?:-(\d+))?", path.name.removesuffix(SUFFIX))
    stem, number = found.groups() if found else (path.name, None)
    return (stem, int(number or 1))


def _holds_an_evening(path: Path) -> bool:
    try:
        with _copy_of(path) as connection:
            return connection.execute("SELECT 1 FROM entry").fetchone() is not None
    except sqlite3.Error:
        return True  # whoever opens it is told what is wrong with it


def is_finished(path: Path) -> bool:
    """Tell whether the evening came to its end; an unreadable one did not."""
    try:
        with _copy_of(path) as connection:
            return connection.execute("SELECT 1 FROM mark WHERE name = 'finished'").fetchone() is not None
    except sqlite3.Error:
        return False


def by_id(folder: Path, evening: str) -> Path:
    """Return the journal of the evening with that id; raises `UsageError` naming the ids there are."""
    path = folder / f"{evening}{SUFFIX}"
    if path.parent != folder or not path.is_file():
        ids = sorted((path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}")), reverse=True)
        raise UsageError(
            f"There is no evening {evening!r} in {folder}; the latest are: {', '.join(ids[:5]) or 'none at all'}."
        )
    return path


def _check_header(path: Path) -> None:
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise HostError(
            f"The journal {path} cannot be read ({_why(error)}); check its name and permissions."
        ) from error
    ours = (
        len(header) == 100
        and header[:16] == b"SQLite format 3\0"
        and struct.unpack(">I", header[68:72])[0] == _APPLICATION_ID
    )
    if not ours:
        raise HostError(
            f"{path} is not a journal of this program and was left untouched; start a new evening without --resume."
        )
    if (layout := struct.unpack(">I", header[60:64])[0]) != _LAYOUT:
        raise HostError(
            f"The journal {path} was written by another version (layout {layout}, this one reads {_LAYOUT}); it was left untouched."
        )


def _prepared(connection: sqlite3.Connection, *, sync: bool) -> sqlite3.Connection:
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {'FULL' if sync else 'NORMAL'}")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("COMMIT")
    return connection


def _damaged(path: Path) -> HostError:
    return HostError(f"The journal {path} is damaged and was left untouched; start a new evening without --resume.")


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
