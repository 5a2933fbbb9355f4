"""`voice-host devices` with a sound server, without one, and without PortAudio; and what `play` says there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.devices.machines import Machine


def test_devices_are_listed_with_what_is_chosen(sound_server: Machine, no_settings: Path) -> None:
    no_settings.write_text('mic = "pulse"\n', encoding="utf-8")
    ran = sound_server.run("devices", VOICE_HOST_SPEAKER="pulse, ALSA")
    assert (ran.returncode, ran.stderr) == (0, "")
    microphones, _, loudspeakers = ran.stdout.partition("Loudspeakers\n")
    assert microphones.startswith("Microphones\n")
    (line,) = [line for line in microphones.splitlines() if line.startswith("  pulse, ALSA")]
    assert "chosen by the settings" in line
    (line,) = [line for line in loudspeakers.splitlines() if line.startswith("  pulse, ALSA")]
    assert "chosen by VOICE_HOST_SPEAKER" in line
    assert "the system's default" in ran.stdout


def test_programs_get_json(sound_server: Machine, no_settings: Path) -> None:
    no_settings.write_text('mic = "gramophone"\n', encoding="utf-8")
    ran = sound_server.run("devices", "--json")
    devices = {device["key"]: device for device in json.loads(ran.stdout)["devices"]}
    pulse = devices["pulse, ALSA"]
    assert (pulse["name"], pulse["host_api"], pulse["default_rate"] > 0) == ("pulse", "ALSA", True)
    assert pulse["input_channels"] > 0
    assert [key for key, device in devices.items() if device["is_chosen_input"]] == []
    assert len([key for key, device in devices.items() if device["is_chosen_output"]]) == 1
    assert "There is no microphone 'gramophone'" in sound_server.run("devices").stdout


def test_a_machine_without_devices_is_told_so_with_what_can_be_played_all_the_same(bare_machine: Machine) -> None:
    ran = bare_machine.run("devices")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "--script FILE" in ran.stderr
    assert "voice-host demo" in ran.stderr
    ran = bare_machine.run("devices", "--json")
    assert (ran.returncode, json.loads(ran.stdout)) == (3, {"devices": []})


@pytest.mark.parametrize("machine", ["bare_machine", "machine_without_portaudio"])
def test_a_newcomers_first_evening_without_sound_is_refused_with_two_that_work(
    machine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    ran = request.getfixturevalue(machine).run(
        "play", "when-i-dream", "--players", "Amy,Ben,Cleo,Dan", "--journal", str(tmp_path / "evenings")
    )
    assert ran.returncode == 3
    assert ran.stderr.count("\n") == 1
    assert "--script" in ran.stderr
    assert "demo" in ran.stderr
    assert not (tmp_path / "evenings").exists()


def test_missing_portaudio_is_told_with_the_command_that_installs_it(machine_without_portaudio: Machine) -> None:
    ran = machine_without_portaudio.run("devices")
    assert ran.returncode == 3
    assert "PortAudio is not installed; run: sudo " in ran.stderr
