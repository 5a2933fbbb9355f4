"""The journal: what was appended is read again; what is not an intact journal is refused and left untouched."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from voice_host.errors import HostError, UsageError
from voice_host.games.game import Intent, Paused, Played, Resumed, TimerFinished, Utterance
from voice_host.journal import Began, Entry, Heard, Journal, LineBegan, by_id, newest, read_entries

SPOKEN = Utterance(3, ("my guess is 龍", "my guest"), 1.25, 2.5, (0.5, 0.25))
ENTRIES: tuple[tuple[float, Entry], ...] = (
    (0.0, Began("when-i-dream", {"players": ["Ann", "Bob"], "rounds": None}, 7)),
    (0.5, LineBegan(1, 0)),
    (2.5, Heard(SPOKEN, None, (Intent("guess", {"word": "龍"}, None, SPOKEN, ("龍", "guest"), (0.5, 0.25)),), None)),
    (2.5, Heard(SPOKEN, "Ann", (), "guess")),
    (5.0, TimerFinished("clue")),
    (5.0, Played("turn")),
    (6.0, Paused("asked")),
    (7.0, Resumed()),
)


def _written(path: Path) -> Path:
    journal = Journal.create(path)
    for t, entry in ENTRIES:
        journal.append(t, entry)
    journal.close()
    return path


def test_what_was_appended_is_read_again(tmp_path: Path) -> None:
    journal, entries = Journal.reopen(_written(tmp_path / "a.evening"))
    assert entries == ENTRIES
    journal.append(8.0, Played("turn"))
    journal.mark("clock", 8.5)
    journal.close()
    again, entries = Journal.reopen(tmp_path / "a.evening")
    assert entries == (*ENTRIES, (8.0, Played("turn")))
    assert again.marked("clock") == 8.5
    assert again.marked("finished") is None
    again.close()


def test_entries_survive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "a.evening"
    code = (
        "import os, sys; from pathlib import Path; from voice_host.journal import Journal, LineBegan\n"
        "journal = Journal.create(Path(sys.argv[1]))\n"
        "for n in range(20): journal.append(n, LineBegan(n, 0))\n"
        "os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    assert read_entries(path) == tuple((float(n), LineBegan(n, 0)) for n in range(20))


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "text", "foreign", "entry"])
def test_a_damaged_or_foreign_journal_is_refused_and_left_untouched(tmp_path: Path, damage: str) -> None:
    path = _written(tmp_path / "a.evening")
    content = bytearray(path.read_bytes())
    if damage == "flipped":
        content[4096:4200] = b"\xff" * 104
    elif damage == "cut":
        del content[5000:]
    elif damage == "foreign":
        content[68:72] = b"\0\0\0\0"
    elif damage == "entry":
        content = content.replace(b'"TimerFinished"', b'"TimerFnished__"')
    path.write_bytes({"empty": b"", "text": b"Dear diary"}.get(damage, bytes(content)))
    before = path.read_bytes()
    with pytest.raises(HostError, match="left untouched"):
        Journal.reopen(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.evening"]


def test_one_evening_is_not_run_twice_at_a_time(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.evening")
    journal.append(0.0, LineBegan(1, 0))
    with pytest.raises(HostError, match="running elsewhere"):
        Journal.reopen(tmp_path / "a.evening")
    journal.close()


def _limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.evening"
    code = (
        "import signal, sys; from pathlib import Path; from voice_host.journal import Journal, LineBegan\n"
        "from voice_host.errors import HostError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "journal = Journal.create(Path(sys.argv[1]))\n"
        "for n in range(1000):\n"
        "    try: journal.append(n, LineBegan(n, 0))\n"
        "    except HostError as error: print(n, error); break\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=_limit_file_size,
    )
    count, _, sentence = ran.stdout.partition(" ")
    assert "cannot be written" in sentence
    assert sentence.count("\n") == 1
    assert len(read_entries(path)) == int(count) > 0


def test_evenings_are_found_by_id_or_by_being_newest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no evening to resume"):
        newest(tmp_path)
    _written(tmp_path / "a.evening")
    assert newest(tmp_path) == by_id(tmp_path, "a") == tmp_path / "a.evening"
    with pytest.raises(UsageError, match="the latest are: a"):
        by_id(tmp_path, "b")
    with pytest.raises(UsageError, match="no evening"):
        by_id(tmp_path, "../a")


def test_an_empty_journal_is_refused_and_never_the_newest(tmp_path: Path) -> None:
    _written(tmp_path / "2026-01-01-100000-when-i-dream.evening")
    Journal.create(tmp_path / "2026-01-01-100001-when-i-dream.evening").close()
    assert newest(tmp_path).name == "2026-01-01-100000-when-i-dream.evening"
    with pytest.raises(HostError, match="holds nothing yet"):
        Journal.reopen(tmp_path / "2026-01-01-100001-when-i-dream.evening")


def test_the_newest_evening_is_the_one_begun_last_that_is_not_over(tmp_path: Path) -> None:
    for name in ("100000-a", "100000-a-2", "100000-a-10", "095900-a"):
        _written(tmp_path / f"2026-01-01-{name}.evening")
    assert newest(tmp_path).name == "2026-01-01-100000-a-10.evening"
    over, _ = Journal.reopen(tmp_path / "2026-01-01-100000-a-10.evening")
    over.mark("finished", 1)
    over.close()
    assert newest(tmp_path).name == "2026-01-01-100000-a-2.evening"


def test_every_entry_is_synced_in_a_live_evening(tmp_path: Path) -> None:
    modes = []
    for sync in (True, False):
        journal = Journal.create(tmp_path / f"{sync}.evening", sync=sync)
        modes.append(journal._connection.execute("PRAGMA synchronous").fetchone()[0])
        journal.close()
    assert modes == [2, 1]  # FULL, NORMAL
