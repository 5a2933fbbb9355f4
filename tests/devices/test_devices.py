"""Which sound device a name means, and what is said where there is none."""

from __future__ import annotations

import pytest

from voice_host.devices import SoundDevice, choose_device
from voice_host.errors import MissingError, UsageError


def device(
    name: str, host_api: str, index: int, inputs: int = 2, outputs: int = 2, *, default: bool = False
) -> SoundDevice:
    return SoundDevice(name, host_api, index, inputs, outputs, 48000, default, default)


WINDOWS = (
    device("Microphone (USB Audio)", "MME", 0, outputs=0),
    device("Microphone (USB Audio)", "Windows WASAPI", 1, outputs=0, default=True),
    device("Speakers (USB Audio)", "Windows WASAPI", 2, inputs=0, default=True),
    device("Line In", "Windows WASAPI", 3, outputs=0),
)
LINUX = (
    device("HDA Intel: ALC257 Analog (hw:0,0)", "ALSA", 0),
    device("USB PnP: Audio (hw:1,0)", "ALSA", 1),
    device("USB PnP: Audio (hw:2,0)", "ALSA", 2),
    device("pulse", "ALSA", 3, 32, 32),
    device("default", "ALSA", 4, 32, 32, default=True),
)


def test_a_name_on_two_host_apis_is_told_apart_by_the_host_api() -> None:
    assert choose_device(WINDOWS, "Microphone (USB Audio), MME", "input").index == 0
    assert choose_device(WINDOWS, "microphone (usb audio), windows wasapi", "input").index == 1
    with pytest.raises(UsageError, match=r"Several microphones .*'Microphone \(USB Audio\), MME'; .*WASAPI'"):
        choose_device(WINDOWS, "Microphone (USB Audio)", "input")


def test_a_unique_part_is_enough_and_the_direction_counts() -> None:
    assert choose_device(WINDOWS, "line", "input").index == 3
    assert choose_device(WINDOWS, "usb", "output").index == 2
    with pytest.raises(UsageError, match=r"no loudspeaker 'Line In'; choose one of: 'Speakers"):
        choose_device(WINDOWS, "Line In", "output")
    with pytest.raises(UsageError, match="no microphone ''"):
        choose_device(WINDOWS, "", "input")


def test_a_whole_name_beats_a_part_of_another() -> None:
    both = (device("pulse monitor", "ALSA", 0), device("pulse", "ALSA", 1))
    assert choose_device(both, "pulse", "input").index == 1
    assert choose_device(both, "pulse, ALSA", "input").index == 1


def test_nobody_chooses_the_systems_default_is_taken_and_without_one_the_first() -> None:
    assert choose_device(LINUX, None, "input").name == "default"
    assert choose_device(LINUX[:2], None, "input").index == 0


def test_a_card_that_was_renumbered_by_plugging_is_found_again() -> None:
    assert choose_device(LINUX, "HDA Intel: ALC257 Analog (hw:7,0), ALSA", "output").index == 0
    assert choose_device(LINUX, "HDA Intel: ALC257 Analog", "output").index == 0
    assert choose_device(LINUX, "USB PnP: Audio (hw:2,0), ALSA", "input").index == 2
    with pytest.raises(UsageError, match="Several microphones"):
        choose_device(LINUX, "USB PnP: Audio (hw:5,0), ALSA", "input")


def test_a_machine_without_devices_hears_what_can_be_played_all_the_same() -> None:
    for kind in ("input", "output"):
        with pytest.raises(MissingError, match=r"--script FILE.*voice-host demo"):
            choose_device((), None, kind)
    with pytest.raises(MissingError, match=r"no loudspeaker.*--speaker none"):
        choose_device(WINDOWS[:1], "Speakers", "output")
