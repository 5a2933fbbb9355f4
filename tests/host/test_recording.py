"""Recordings: only with the flag, announced aloud, whole after a kill, listed and forgotten."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from voice_host.cli import main
from voice_host.commands.demo import DemoRequest, load_evening
from voice_host.commands.history import run_history
from voice_host.commands.play import PlayRequest, play
from voice_host.errors import HostError, UsageError
from voice_host.journal import Journal
from voice_host.program import Program
from voice_host.recording import PARTS, Recording
from voice_host.tables.robot import Line

RATE = 16_000


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a recording of two people who begin a lobby, one with a name that no list has."""
    _, clips, _ = load_evening(DemoRequest("en"))
    said = {line.text: clip for line, clip in clips.items() if isinstance(line, Line)}
    gap = np.zeros(RATE * 20, np.float32)
    pieces = (gap, said["We are four players."], gap, said["Rocket."], np.zeros(RATE * 6, np.float32))
    soundfile.write(tmp_path / "table.wav", np.concatenate(pieces), RATE)
    return tmp_path / "table.wav"


def _play(program: Program, folder: Path, table: Path, **chosen: Any) -> list[dict[str, Any]]:
    request = PlayRequest(
        "when-i-dream",
        "en",
        mic=str(table),
        speaker=str(folder / "room.wav"),
        fast=True,
        events=folder / "events.jsonl",
        journal=folder / "journal",
        **chosen,
    )
    with pytest.raises(HostError, match="ended before the evening"):
        play(request, program)
    return [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_recorded_evening_is_announced_first_and_kept_as_it_was_heard(
    english: Program, tmp_path: Path, table: Path
) -> None:
    lines = _play(english, tmp_path, table, record=True)
    said = [line["prompt"] for line in lines if line["type"] == "said"]
    assert said[:2] == ["recording_begins", "welcome"]
    (folder,) = (tmp_path / "journal").glob("*.recording")
    heard, _ = soundfile.read(folder / "table-1.flac", dtype="float32")
    brought, _ = soundfile.read(table, dtype="float32")
    assert np.abs(heard[: len(brought)] - brought).max() < 1e-3
    host, rate = soundfile.read(folder / "host-1.flac", dtype="float32")
    room, room_rate = soundfile.read(tmp_path / "room.wav", dtype="float32")
    assert abs(_first_sound(host, rate) - _first_sound(room, room_rate)) < 0.05
    assert [path.name for path in (folder / "names").iterdir()] == ["Rocket.flac"]


def _first_sound(samples: Any, rate: int) -> float:
    return float(np.flatnonzero(np.abs(samples) > 0.02)[0]) / rate


def test_a_resumed_evening_is_announced_again_and_has_the_names_that_players_said(
    english: Program, tmp_path: Path, table: Path
) -> None:
    _play(english, tmp_path, table, record=True)
    lines = _play(english, tmp_path, table, record=True, resume="")
    assert [line["prompt"] for line in lines if line["type"] == "said"].count("recording_begins") == 1
    (folder,) = (tmp_path / "journal").glob("*.recording")
    assert len((folder / PARTS).read_text(encoding="utf-8").splitlines()) == 2
    assert Recording(folder, print).names().keys() == {"Rocket"}


def test_without_the_flag_no_sound_is_kept(english: Program, tmp_path: Path, table: Path) -> None:
    lines = _play(english, tmp_path, table)
    assert all(line.get("prompt") != "recording_begins" for line in lines)
    assert [path.suffix for path in (tmp_path / "journal").iterdir()] == [".evening"]


def test_a_setting_records_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("record = true\n", encoding="utf-8")
    monkeypatch.setenv("VOICE_HOST_CONFIG", str(settings))
    assert main(["history", "--journal", str(tmp_path)]) == 2
    assert "no setting 'record'" in capsys.readouterr().err


def test_what_was_recorded_before_a_kill_can_be_heard(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        recording = Recording(tmp_path / "e.recording", print)
        recording.begin(0.0, 0.0)
        for second in range(30):
            recording.write("table", np.full(RATE, 0.25, np.float32), float(second))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    with soundfile.SoundFile(tmp_path / "e.recording" / "table-1.flac") as file:
        assert len(file.read(RATE * 25, dtype="float32")) == RATE * 25


def test_what_is_missing_between_two_sounds_is_silence(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "e.recording", print)
    recording.begin(12.0, 100.0)
    for second in (101.0, 103.0):
        recording.write("host", np.full(RATE, 0.25, np.float32), second)
    recording.close()
    sound, _ = soundfile.read(tmp_path / "e.recording" / "host-1.flac")
    assert [bool(sound[round(second * RATE)]) for second in (0.5, 1.5, 2.5, 3.5)] == [False, True, False, True]


# ---------------------------------------------------------------------------------------------------------------- history


@pytest.fixture
def evenings(english: Program, tmp_path: Path, capsys: Any) -> Path:
    """Return a folder with an evening that is over, an open one that was recorded, and a damaged one."""
    script = tmp_path / "script.txt"
    for name, text in (("over", "?: stop the game\n"), ("open", "Ben: water\n")):
        script.write_text(text, encoding="utf-8")
        play(
            PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", script=script, journal=tmp_path / name),
            english,
        )
    folder = tmp_path / "kept"
    folder.mkdir()
    for name, evening in (("over", "2026-01-01-200000-when-i-dream"), ("open", "2026-01-02-200000-when-i-dream")):
        (found,) = (tmp_path / name).glob("*.evening")
        found.rename(folder / f"{evening}.evening")
    (folder / "2026-01-03-200000-when-i-dream.evening").write_bytes(b"nonsense")
    recording = Recording(folder / "2026-01-02-200000-when-i-dream.recording", print)
    recording.begin(0.0, 0.0)
    recording.write("table", np.zeros(RATE * 2, np.float32), 0.0)
    recording.close()
    capsys.readouterr()
    return folder


def test_history_lists_the_newest_first_with_its_state(evenings: Path, capsys: Any) -> None:
    assert run_history(evenings, None, None, yes=False) == 0
    _, damaged, open_one, over = capsys.readouterr().out.splitlines()
    assert "damaged" in damaged
    assert all(
        part in open_one for part in ("2026-01-02 20:00", "when-i-dream", "Amy, Ben, Cleo, Dan", "open", "0.0 MB")
    )
    assert "over" in over.split()


def test_to_forget_deletes_journal_and_recording_of_that_evening_alone(evenings: Path) -> None:
    assert run_history(evenings, "2026-01-02-200000-when-i-dream", None, yes=True) == 0
    assert sorted(path.name[:10] for path in evenings.iterdir()) == ["2026-01-01", "2026-01-03"]
    assert run_history(evenings, "all", None, yes=True) == 0
    assert list(evenings.iterdir()) == []


def test_a_recording_can_be_forgotten_without_its_evening(evenings: Path) -> None:
    assert run_history(evenings, None, "all", yes=True) == 0
    assert sorted(path.suffix for path in evenings.iterdir()) == [".evening"] * 3


def test_nothing_is_forgotten_unasked(evenings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="--yes"):
        run_history(evenings, "all", None, yes=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: "no")
    assert run_history(evenings, "all", None, yes=False) == 0
    assert len(list(evenings.glob("*.evening"))) == 3


def test_an_evening_that_is_being_played_is_not_forgotten(evenings: Path) -> None:
    journal, _ = Journal.reopen(evenings / "2026-01-02-200000-when-i-dream.evening")
    with pytest.raises(HostError, match="being played; end it first"):
        run_history(evenings, "all", None, yes=True)
    journal.close()
    assert len(list(evenings.glob("*.evening"))) == 3


def test_an_unknown_evening_is_named(evenings: Path) -> None:
    with pytest.raises(UsageError, match=r"no evening '\.\./x'"):
        run_history(evenings, "../x", None, yes=True)
