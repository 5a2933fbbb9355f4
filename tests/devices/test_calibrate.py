"""`voice-host calibrate` on a sound server whose loudspeaker leaks into the microphone by a known amount."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.devices.machines import Machine
from voice_host.commands.calibrate import Measured, in_words
from voice_host.settings import Calibration, load_settings

PAIR = ("pulse, ALSA", "pulse, ALSA")


def steadily_measured(machine: Machine) -> dict[str, Any]:
    """Calibrate until two results agree and the program itself says that no gap came in between: a busy machine may take a while."""
    before = None
    for _ in range(5):
        ran = machine.run("calibrate", "--json", "--mic", "pulse", "--speaker", "pulse")
        told: dict[str, Any] = json.loads(ran.stdout or "{}")
        if ran.returncode == 0 and told["heard_times"] == told["times"] and told["leak_spread_db"] < 1:
            if before is not None and abs(before - told["leak_db"]) < 0.5:
                return told
            before = told["leak_db"]
    pytest.skip(f"this machine is too busy to play without gaps: {ran.stderr.splitlines()[-1:]}")


@pytest.mark.real_time
def test_the_leak_is_that_of_the_room_and_is_kept_for_the_pair(sound_server: Machine, no_settings: Path) -> None:
    with sound_server.leaking(-20), sound_server.noise(-62):
        told = steadily_measured(sound_server)
    assert (told["microphone"], told["loudspeaker"]) == PAIR
    assert told["leak_db"] == pytest.approx(-20, abs=1.0)
    assert told["noise_dbfs"] == pytest.approx(-65.0, abs=4.0)  # half of the noise's band is above the measured one
    assert -0.1 < told["delay_seconds"] < 0.6
    kept = load_settings(no_settings).calibration(*PAIR)
    assert kept is not None
    assert kept.leak_db == pytest.approx(told["leak_db"], abs=0.001)
    assert kept.delay_seconds == pytest.approx(told["delay_seconds"], abs=0.001)


@pytest.mark.real_time
def test_what_is_not_heard_is_said_and_speech_is_measured_when_wished(sound_server: Machine, no_settings: Path) -> None:
    with sound_server.noise(-55):
        ran = sound_server.run(
            "calibrate", "--speech", "--times", "1", VOICE_HOST_MIC="pulse", VOICE_HOST_SPEAKER="pulse"
        )
    assert ran.returncode == 0, ran.stderr
    assert "does not hear the loudspeaker" in ran.stdout
    assert "headphones" in ran.stdout
    kept = load_settings(no_settings).calibration(*PAIR)
    assert kept is not None
    assert (kept.leak_db, kept.delay_seconds, kept.speech_dbfs) == (None, None, None)


@pytest.mark.real_time
def test_a_muted_microphone_keeps_nothing(sound_server: Machine, no_settings: Path) -> None:
    ran = sound_server.run("calibrate", "--times", "1", "--mic", "pulse", "--speaker", "pulse")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "unmute" in ran.stderr
    assert not no_settings.exists()


def test_without_devices_it_is_refused(bare_machine: Machine) -> None:
    assert bare_machine.run("calibrate").returncode == 3


def test_a_file_is_no_microphone(sound_server: Machine) -> None:
    ran = sound_server.run("calibrate", "--mic", "evening.wav")
    assert (ran.returncode, "evening.wav" in ran.stderr) == (2, True)


# ------------------------------------------------------------------------------------------------------------ plain words


def words(calibration: Calibration, heard_times: int = 3, spreads: tuple[float, float] = (0.0, 0.0)) -> str:
    return "\n".join(in_words(Measured(calibration, 3, heard_times, *spreads)))


def test_a_good_table_is_told_in_plain_words() -> None:
    assert words(Calibration(-60, -30, 0.065, -20, 0.25)).splitlines() == [
        "The room is quiet enough (-60 dBFS).",
        "Your speech is at -30 dBFS, 30 dB over the room.",
        "The microphone hears the loudspeaker at -20 dB after 65 ms; the room goes on for 250 ms after it.",
        "You can interrupt the host while it speaks.",
    ]


@pytest.mark.parametrize(
    ("calibration", "advice"),
    [
        (Calibration(-30), "turn music down"),
        (Calibration(-50, -40), "come nearer"),
        (Calibration(-60, -45, 0.06, -10, 0.0), "15 dB louder than you"),
        (Calibration(-60, None, 0.06, 3, 0.0), "move them apart"),
        (Calibration(-120, None, 0.06, -10, 0.0), "digitally silent"),
    ],
)
def test_what_can_be_better_is_advised(calibration: Calibration, advice: str) -> None:
    assert advice in words(calibration)


def test_delays_that_differ_and_sounds_that_were_missed_are_admitted() -> None:
    assert "differed by 45 ms" in words(Calibration(-60, None, 0.06, -20, 0.0), spreads=(0.045, 0.5))
    assert "differed by 5 dB" in words(Calibration(-60, None, 0.06, -20, 0.0), spreads=(0.001, 5.0))
    assert "in 1 of 3 times it did" in words(Calibration(-60), heard_times=1)
