"""`voice-host devices`: which microphones and loudspeakers there are, and which of them the host takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from voice_host.configured import Configured
from voice_host.devices import CALLED, Kind, SoundDevice, choose_device, sound_devices_apart
from voice_host.errors import HostError, MissingError
from voice_host.live import is_sound_file
from voice_host.sound_access import why_no_devices

FLAGS: Final[Mapping[Kind, str]] = {"input": "mic", "output": "speaker"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What the settings wish for one direction, and the device that this is."""

    kind: Kind
    wish: Configured
    device: SoundDevice | None = None
    problem: str | None = None
    """Why the wish cannot be met, as one sentence."""


def run_devices(wishes: Mapping[Kind, Configured], *, as_json: bool) -> int:
    """List the devices with what the system and the settings choose; raises `MissingError` with a remedy when there are none."""
    devices = sound_devices_apart()
    if as_json:
        choices = _choices(devices, wishes)
        print(json.dumps({"devices": [_record(device, choices) for device in devices]}, ensure_ascii=False, indent=1))
    if not devices:
        raise MissingError(why_no_devices())
    if not as_json:
        _print(devices, _choices(devices, wishes))
    return 0


def choose(devices: Sequence[SoundDevice], kind: Kind, wish: Configured) -> Choice:
    """Return which device a wish means; a file or "none" is a wish without a device."""
    name = wish.value
    if name is not None and (name == "none" or is_sound_file(name)):
        return Choice(kind, wish)
    try:
        return Choice(kind, wish, choose_device(devices, name, kind))
    except HostError as error:
        return Choice(kind, wish, problem=str(error))


def _choices(devices: Sequence[SoundDevice], wishes: Mapping[Kind, Configured]) -> dict[Kind, Choice]:
    return {kind: choose(devices, kind, wish) for kind, wish in wishes.items()}


def _record(device: SoundDevice, choices: Mapping[Kind, Choice]) -> dict[str, object]:
    return {
        "key": device.key,
        "name": device.name,
        "host_api": device.host_api,
        "default_rate": device.default_rate,
        **{f"{kind}_channels": device.channels(kind) for kind in choices},
        **{f"is_default_{kind}": device.is_default(kind) for kind in choices},
        **{f"is_chosen_{kind}": choice.device == device for kind, choice in choices.items()},
    }


def _print(devices: Sequence[SoundDevice], choices: Mapping[Kind, Choice]) -> None:
    width = max(len(device.key) for device in devices)
    for kind, choice in choices.items():
        print(f"{CALLED[kind].capitalize()}s")
        able = [device for device in devices if device.channels(kind)]
        for device in able:
            marks = [
                *(["the system's default"] if device.is_default(kind) else []),
                *(["chosen" + _origin(choice.wish)] if device == choice.device else []),
            ]
            channels = f"{device.channels(kind)} channel{'s' if device.channels(kind) > 1 else ''}"
            line = f"  {device.key:<{width}}  {channels:>11}  {device.default_rate:>6} Hz  {', '.join(marks)}"
            print(line.rstrip())
        if choice.problem is not None:
            print(f"  {choice.problem}")
        elif choice.device is None:
            print(f"  {FLAGS[kind]} is {choice.wish.value!r}{_origin(choice.wish)}, which is no device.")
    keys = {kind: choice.device.key for kind, choice in choices.items() if choice.device is not None}
    if keys:
        kind, key = next(iter(keys.items()))
        print(
            f'Take another for one evening with --{FLAGS[kind]} "NAME", for all with: voice-host settings set {FLAGS[kind]} "{key}"'
        )


def _origin(wish: Configured) -> str:
    return "" if wish.origin == "default" else f" by {'the settings' if wish.origin == 'file' else wish.origin}"
