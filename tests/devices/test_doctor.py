"""`voice-host doctor` on machines that lack one thing after the other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.devices.machines import Machine
from voice_host.checks import machine as checks
from voice_host.checks.finding import Finding
from voice_host.checks.speech import check_speech
from voice_host.cli import _parser
from voice_host.configured import Setting


def findings(ran: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    told = json.loads(ran.stdout)
    assert told["ready"] is (ran.returncode == 0)
    return {finding["name"]: finding for finding in told["findings"]}


def states(found: dict[str, dict[str, Any]], *names: str) -> list[str]:
    return [found[name]["state"] for name in names]


@pytest.fixture
def known() -> dict[str, Setting]:
    known: dict[str, Setting] = _parser().parse_args(["doctor"]).known
    return known


def test_a_bare_machine_is_told_what_is_missing_and_what_can_be_played(bare_machine: Machine) -> None:
    ran = bare_machine.run("doctor")
    assert (ran.returncode, "Traceback" in ran.stderr) == (3, False)
    assert "MISSING  devices" in ran.stdout
    assert "ok       voice en" in ran.stdout
    assert "ok       recogniser en" in ran.stdout
    last = ran.stdout.splitlines()[-1]
    assert last.startswith("1 thing is missing.")
    assert "--script" in last
    assert "voice-host demo" in last


def test_missing_portaudio_is_one_line_with_the_command(machine_without_portaudio: Machine) -> None:
    ran = machine_without_portaudio.run("doctor", "--json")
    found = findings(ran)
    assert (ran.returncode, found["PortAudio"]["state"]) == (3, "missing")
    assert "portaudio" in found["PortAudio"]["remedy"]
    assert "devices" not in found


@pytest.mark.real_time
def test_where_all_is_there_the_microphone_hears_the_loudspeaker(sound_server: Machine) -> None:
    with sound_server.leaking(-15), sound_server.noise(-60):
        ran = sound_server.run("doctor", "--json", "--mic", "pulse", "--speaker", "pulse, ALSA")
    found = findings(ran)
    assert ran.returncode == 0
    assert {finding["state"] for finding in found.values()} <= {"ok", "note"}
    assert states(found, "microphone", "loudspeaker", "room", "tone heard") == ["ok"] * 4
    assert "pulse, ALSA is chosen" in found["microphone"]["said"]


@pytest.mark.real_time
def test_a_loudspeaker_that_nobody_hears_is_noted_and_a_microphone_that_is_asleep_between_sounds_is_fine(
    sound_server: Machine,
) -> None:
    with sound_server.noise(-50):
        found = findings(sound_server.run("doctor", "--json"))
    assert states(found, "room", "tone") == ["ok", "note"]
    assert "could not be heard" in found["tone"]["said"]
    assert "headphones" in found["tone"]["remedy"]
    with sound_server.leaking(-10):
        found = findings(sound_server.run("doctor", "--json"))
    assert states(found, "room", "tone heard") == ["ok", "ok"]


@pytest.mark.real_time
def test_a_muted_microphone_is_missing_with_what_unmutes_it(sound_server: Machine) -> None:
    ran = sound_server.run("doctor", "--json")
    found = findings(ran)
    assert (ran.returncode, found["room"]["state"]) == (3, "missing")
    assert "digital silence" in found["room"]["said"]
    assert "unmute" in found["room"]["remedy"]


@pytest.mark.real_time
def test_a_microphone_that_is_not_there_is_missing_and_the_loudspeaker_is_played_all_the_same(
    sound_server: Machine,
) -> None:
    ran = sound_server.run("doctor", "--json", VOICE_HOST_MIC="gramophone")
    found = findings(ran)
    assert (ran.returncode, found["microphone"]["state"], found["loudspeaker"]["state"]) == (3, "missing", "ok")
    assert "'gramophone'" in found["microphone"]["said"]
    assert found["tone"]["said"] == "was played; no microphone listened"


# ------------------------------------------------------------------------------------------------------- without a sound


def test_a_broken_settings_file_is_one_line_and_the_rest_is_looked_at(bare_machine: Machine, no_settings: Path) -> None:
    no_settings.write_text('mic = "a\n', encoding="utf-8")
    found = findings(bare_machine.run("doctor", "--json"))
    assert found["settings"]["state"] == "missing"
    assert "line 1" in found["settings"]["said"]
    assert found["recogniser en"]["state"] == "ok"


def test_a_wrong_variable_is_missing_too(known: dict[str, Setting], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICE_HOST_SEED", "many")
    (found,) = checks.check_settings(known)
    assert (found.state, "VOICE_HOST_SEED" in found.said) == ("missing", True)


def test_evenings_that_cannot_be_kept_are_missing_and_nothing_is_left_behind(tmp_path: Path) -> None:
    assert [finding.state for finding in checks.check_disk(tmp_path / "not" / "yet")] == ["ok", "ok"]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("", encoding="utf-8")
    (found,) = checks.check_disk(tmp_path / "file" / "evenings")
    assert (found.state, "voice-host settings set journal" in str(found.remedy)) == ("missing", True)


def test_a_full_disk_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_NEEDED_MB", 10**12)
    assert [finding.state for finding in checks.check_disk(tmp_path)] == ["ok", "missing"]


@pytest.mark.parametrize(
    ("requirement", "met"),
    [("numpy>=1.26", True), ("numpy>=999", False), ("pytest==0.1", False), ("nothing-of-the-kind", False), ("numpy", True)],
)  # fmt: skip
def test_a_package_that_is_too_old_or_not_there_is_named(requirement: str, met: bool) -> None:  # noqa: FBT001
    assert (checks._problem(requirement) is None) is met


def test_python_and_packages_are_looked_at() -> None:
    found = list(checks.check_python())
    assert found[0] == Finding("Python", "ok", f"{sys.version.split()[0]} ({sys.executable})")
    assert found[1].state in {"ok", "note"}


def test_an_engine_or_a_language_that_there_is_not_is_missing() -> None:
    found = list(check_speech("en", "gramophone"))
    assert [finding.name for finding in found if finding.state == "missing"] == ["recogniser en"]
    assert "choose one of: moonshine" in found[-1].said
    found = list(check_speech("xx", None))
    assert [finding.name for finding in found if finding.state == "missing"] == ["language"]
