"""The machine's sound devices: which there are, and which one a name means.

A device is known by its name and its host API (`SoundDevice.key`), never by PortAudio's index, which changes whenever
something is plugged in. PortAudio reads the list once, when it is loaded or started anew.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from voice_host.errors import HostError, MissingError, UsageError

Kind = Literal["input", "output"]

CALLED: Final = {"input": "microphone", "output": "loudspeaker"}
_WITHOUT: Final = {
    "input": "use `--mic FILE.wav`, play a typed evening with `--script FILE`, or run `voice-host demo`",
    "output": "choose `--speaker FILE.wav` or `--speaker none`, play a typed evening with `--script FILE`, "
    "or run `voice-host demo`",
}
"""What can be done without a device of that kind."""

_HARDWARE: Final = re.compile(r"\s*\((?:plug)?hw:\d+(?:,\d+)*\)")
"""ALSA's numbers in a device's name, which change with the order of plugging in."""

_INSTALLERS: Final = (
    ("apt-get", "sudo apt-get install libportaudio2"),
    ("dnf", "sudo dnf install portaudio"),
    ("pacman", "sudo pacman -S portaudio"),
    ("zypper", "sudo zypper install libportaudio2"),
    ("apk", "sudo apk add portaudio"),
)


@dataclass(frozen=True, slots=True)
class SoundDevice:
    """A sound device as PortAudio tells it."""

    name: str
    host_api: str
    """The way to the device: ALSA, Core Audio, Windows WASAPI, ..."""
    index: int
    """PortAudio's number, good until PortAudio is started anew."""
    input_channels: int
    output_channels: int
    default_rate: int
    """Samples per second."""
    is_default_input: bool = False
    is_default_output: bool = False

    @property
    def key(self) -> str:
        """What tells the device from all others, and what settings store: its name and its host API."""
        return f"{self.name}, {self.host_api}"

    def channels(self, kind: Kind) -> int:
        """Return how many channels it has in that direction."""
        return self.input_channels if kind == "input" else self.output_channels

    def is_default(self, kind: Kind) -> bool:
        """Tell whether the system takes it where nobody chooses."""
        return self.is_default_input if kind == "input" else self.is_default_output


def load_portaudio() -> Any:
    """Return the module `sounddevice`; raises `MissingError` with this system's command where PortAudio is missing."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise MissingError(
            f"PortAudio is not installed; run: {portaudio_command()} "
            "(without sound: a typed evening with --script FILE, or voice-host demo)."
        ) from error
    except Exception as error:  # PortAudio's own, whose class could not be imported either
        raise HostError(
            f"The sound system cannot be reached ({_reason(error)}); start it again and try once more."
        ) from error
    return sounddevice


def portaudio_command() -> str:
    """Return the command that installs PortAudio on this system."""
    if sys.platform in {"darwin", "win32"}:  # there the package brings it
        return "python -m pip install --force-reinstall sounddevice"
    return next((command for program, command in _INSTALLERS if shutil.which(program)), _INSTALLERS[0][1])


def sound_devices(*, fresh: bool = False) -> tuple[SoundDevice, ...]:
    """Return all devices as PortAudio found them when it was loaded into this process.

    ``fresh`` starts PortAudio anew, so that what was plugged in since is seen too; it ends every stream of this process.
    Raises `MissingError` where PortAudio is missing.
    """
    portaudio = load_portaudio()
    try:
        if fresh:
            portaudio._terminate()  # noqa: SLF001 - the one way to have the list read again
            portaudio._initialize()  # noqa: SLF001
        systems = portaudio.query_hostapis()
        found = portaudio.query_devices()
        defaults = tuple(portaudio.default.device)
    except portaudio.PortAudioError as error:
        raise HostError(
            f"The sound system does not answer ({_reason(error)}); start it again and try once more."
        ) from error
    return tuple(
        SoundDevice(
            name=str(device["name"]),
            host_api=str(systems[device["hostapi"]]["name"]),
            index=int(device["index"]),
            input_channels=int(device["max_input_channels"]),
            output_channels=int(device["max_output_channels"]),
            default_rate=int(device["default_samplerate"]),
            is_default_input=device["index"] == defaults[0],
            is_default_output=device["index"] == defaults[1],
        )
        for device in found
    )


def sound_devices_apart(seconds: float = 10.0) -> tuple[SoundDevice, ...]:
    """Return all devices, read by a process of its own: always fresh, and a sound system that hangs cannot hang us.

    Raises `MissingError` where PortAudio is missing, `HostError` when there is no answer after that many seconds.
    """
    hangs = f"The sound system has not answered for {seconds:g} s; start it again, or unplug what was plugged in last."
    try:
        ran = subprocess.run(
            [sys.executable, "-P", "-m", "voice_host.devices"],
            capture_output=True,
            check=False,
            timeout=seconds,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
    except subprocess.TimeoutExpired as error:
        raise HostError(hangs) from error
    try:
        told = json.loads(ran.stdout)
    except ValueError as error:
        raise HostError(
            f"The sound system crashed while it was asked for its devices (exit code {ran.returncode}); start it again."
        ) from error
    if "devices" in told:
        return tuple(SoundDevice(**values) for values in told["devices"])
    raise (MissingError if told["exit_code"] == MissingError.exit_code else HostError)(told["error"])


def find_device(wanted: str | None, kind: Kind, *, fresh: bool = False) -> SoundDevice:
    """Return the one device that is called so (None: the system's default); see `choose_device` and `sound_devices`."""
    return choose_device(sound_devices(fresh=fresh), wanted, kind)


def choose_device(devices: Sequence[SoundDevice], wanted: str | None, kind: Kind) -> SoundDevice:
    """Return the device with the wanted key, name, or part of either.

    Raises `MissingError` when there is none of that kind, `UsageError` listing keys when none or several are called so.
    """
    able = [device for device in devices if device.channels(kind) > 0]
    if not able:
        raise MissingError(f"This machine has no {CALLED[kind]}; connect one, {_WITHOUT[kind]}.")
    if wanted is None:
        return next((device for device in able if device.is_default(kind)), able[0])
    found = _called(able, wanted)
    if not found:
        raise UsageError(f"There is no {CALLED[kind]} {wanted!r}; choose one of: {_keys(able)}.")
    if len({device.key for device in found}) > 1:
        raise UsageError(f"Several {CALLED[kind]}s are called {wanted!r}; choose one of: {_keys(found)}.")
    return found[0]  # devices of the same key cannot be told apart by anybody


def _called(devices: Sequence[SoundDevice], wanted: str) -> list[SoundDevice]:
    """Return the devices that the name fits best: by key, by name, by either without ALSA's numbers, then by a part."""
    wish, bare_wish = wanted.strip().casefold(), _HARDWARE.sub("", wanted.strip()).casefold()
    fits: tuple[Callable[[SoundDevice], bool], ...] = (
        lambda device: device.key.casefold() == wish,
        lambda device: device.name.casefold() == wish,
        lambda device: bare_wish in {_bare(device.key), _bare(device.name)},
        lambda device: wish in device.key.casefold(),
    )
    for fit in fits if wish else ():
        if found := [device for device in devices if fit(device)]:
            return found
    return []


def _bare(name: str) -> str:
    return _HARDWARE.sub("", name).casefold()


def _keys(devices: Sequence[SoundDevice]) -> str:
    return "; ".join(dict.fromkeys(f"{device.key!r}" for device in devices))


def _reason(error: Exception) -> str:
    return str(error.args[0] if error.args else error)


def _tell() -> None:
    """Print the devices, or why they cannot be listed, as JSON."""
    try:
        told: dict[str, Any] = {"devices": [asdict(device) for device in sound_devices()]}
    except HostError as error:
        told = {"error": str(error), "exit_code": error.exit_code}
    print(json.dumps(told, ensure_ascii=False))  # noqa: T201 - this is what the process is for


if __name__ == "__main__":
    _tell()
