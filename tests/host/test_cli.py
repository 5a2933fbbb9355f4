"""The command line as a user meets it: one sentence, the right exit code, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.host.evenings import SHORT_NIGHT
from voice_host.cli import main


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["bogus"],
        ["play", "chess"],
        ["play", "when-i-dream", "--nonsense"],
        ["play", "when-i-dream", "--seed", "abc"],
        ["judge", "clips.tsv"],
        ["play", "when-i-dream", "--players", "Amy,Ben"],
        ["play", "when-i-dream", "--script", "s.txt", "--mic", "m.wav"],
        ["demo", "--lang", "xx"],
        ["phrases", "--lang", "xx"],
        ["lint", "--lang", "xx"],
        ["models", "install", "nothing-like-it"],
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("voice-host: ")
    assert said.count("\n") == 1


def test_the_rules_of_the_house_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "when-i-dream", "--set", "help"]) == 0
    assert "clue_seconds=5.0" in capsys.readouterr().out.splitlines()


def test_what_can_be_said_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phrases", "--lang", "en"]) == 0
    assert "pause the game" in capsys.readouterr().out


@pytest.fixture
def typed(tmp_path: Path) -> list[str]:
    (tmp_path / "script.txt").write_text(SHORT_NIGHT, encoding="utf-8")
    options = (
        f"--players Amy,Ben,Cleo,Dan --seed 7 --rounds 1 --script {tmp_path}/script.txt --journal {tmp_path}/journal"
    )
    return [sys.executable, "-m", "voice_host", "play", "when-i-dream", *options.split()]


def test_an_ascii_console_gets_question_marks_and_the_whole_evening(typed: list[str]) -> None:
    ran = subprocess.run(
        typed, check=False, capture_output=True, text=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "? bell" in ran.stdout
    assert "winner" in ran.stdout


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_does_not_end_the_evening(typed: list[str], tmp_path: Path, unbuffered: str) -> None:
    events = tmp_path / "events.jsonl"
    with subprocess.Popen(
        [*typed, "--events", str(events)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, b"")
    assert '"final"' in events.read_text(encoding="utf-8").splitlines()[-1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_for_the_captions_is_no_traceback(typed: list[str], unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            typed,
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert "Traceback" not in ran.stderr
    assert ran.stderr.count("\n") <= 1


def test_a_refused_start_keeps_the_evening_before_it_to_be_resumed(typed: list[str], tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(SHORT_NIGHT.replace("@wait 5.0", "@kill"), encoding="utf-8")
    assert subprocess.run(typed, check=False, capture_output=True).returncode == -9
    refused = [*typed, "--events", str(tmp_path / "nowhere" / "events.jsonl")]
    assert subprocess.run(refused, check=False, capture_output=True).returncode == 2
    assert len(list((tmp_path / "journal").glob("*.evening"))) == 1
    resumed = subprocess.run([*typed, "--resume"], check=False, capture_output=True, text=True)
    assert "I guess dragon" in resumed.stdout
