"""`voice-host calibrate`: measures the room, and how the loudspeaker comes back to the microphone; keeps it in the settings."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from voice_host.acoustics import (
    AFTER_SECONDS,
    BEFORE_SECONDS,
    LEVEL_DBFS,
    QUIET_DBFS,
    Echo,
    is_digital_silence,
    measure_echo,
    measuring_sound,
    noise_dbfs,
    speech_dbfs,
    spread,
    usual_echo,
)
from voice_host.devices import CALLED, Kind, SoundDevice, choose_device, sound_devices_apart
from voice_host.errors import HostError, UsageError
from voice_host.hearing.device_microphone import DeviceMicrophone
from voice_host.live import is_sound_file
from voice_host.settings import Calibration, load_settings, save_calibration
from voice_host.sounding import hear, patiently, play_and_hear
from voice_host.speaking.device_loudspeaker import DeviceLoudspeaker

_NOISE_SECONDS: Final = 3.0
_SPEECH_SECONDS: Final = 6.0
_UNSTEADY_SECONDS: Final = 0.02
_UNSTEADY_DB: Final = 3.0
_LOUD_ROOM_DBFS: Final = -45.0
_CLEAR_DB: Final = 15.0
"""What speech should be above the noise."""
_MUTED: Final = (
    "The microphone brings nothing but digital silence; unmute it, allow this terminal the microphone, "
    "or choose another with --mic."
)


@dataclass(frozen=True, slots=True)
class CalibrateRequest:
    """The words of the command line."""

    mic: str | None = None
    speaker: str | None = None
    times: int = 3
    """How often the test sound is played."""
    speech: bool = False
    json: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, and how far it can be trusted."""

    calibration: Calibration
    times: int
    """How often the test sound was played."""
    heard_times: int
    """How often it came back."""
    delay_spread_seconds: float
    """By how much their delays differ."""
    leak_spread_db: float
    """By how much their levels differ."""


def calibrate(request: CalibrateRequest) -> int:
    """Measure, keep and tell; returns the exit code, raises `HostError` with one sentence."""
    if request.times < 1:
        raise UsageError("The test sound is played once at least: --times 1.")
    devices = sound_devices_apart()
    microphone = _device(devices, request.mic, "input")
    loudspeaker = _device(devices, request.speaker, "output")
    before = load_settings().calibration(microphone.key, loudspeaker.key)
    measured = asyncio.run(_measured(microphone, loudspeaker, before, request))
    save_calibration(microphone.key, loudspeaker.key, measured.calibration)
    if request.json:
        pair = {"microphone": microphone.key, "loudspeaker": loudspeaker.key}
        trust = {
            "heard_times": measured.heard_times,
            "times": measured.times,
            "delay_spread_seconds": measured.delay_spread_seconds,
            "leak_spread_db": measured.leak_spread_db,
        }
        print(json.dumps({**pair, **asdict(measured.calibration), **trust}, ensure_ascii=False, indent=1))
    else:
        print(f"{microphone.key}  |  {loudspeaker.key}")
        print("\n".join(in_words(measured)))
        print(f"Kept in {load_settings().path}")
    return 0


def _device(devices: Sequence[SoundDevice], wish: str | None, kind: Kind) -> SoundDevice:
    if wish is not None and (wish == "none" or is_sound_file(wish)):
        flag = {"input": "mic", "output": "speaker"}[kind]
        raise UsageError(f"{wish} is no {CALLED[kind]} that can be measured; name a device with --{flag}.")
    return choose_device(devices, wish, kind)


# -------------------------------------------------------------------------------------------------------------- measuring


async def _measured(
    microphone: SoundDevice, loudspeaker: SoundDevice, before: Calibration | None, request: CalibrateRequest
) -> Measured:
    """Measure the pair; speech that was measured before counts until it is measured anew."""
    speaker = DeviceLoudspeaker(loudspeaker.key)
    try:
        _notice(f"Please be quiet. Measuring the room for {_NOISE_SECONDS:g} s ...")
        room = await patiently(lambda: hear(DeviceMicrophone(microphone.key), _NOISE_SECONDS))
        echoes = []
        for number in range(1, request.times + 1):
            _notice(f"Playing a tone and a hiss, {number} of {request.times} ...")
            echoes.append(await patiently(lambda: _echo(microphone, speaker)))
    finally:
        speaker.close()
    echo = usual_echo(echoes)
    if echo is None and is_digital_silence(room):
        raise HostError(_MUTED)
    noise = noise_dbfs(room)
    spoken = None if before is None else before.speech_dbfs
    if request.speech:
        _notice(f"Now talk as you do at the table, for {_SPEECH_SECONDS:g} s ...")
        spoken = speech_dbfs(await patiently(lambda: hear(DeviceMicrophone(microphone.key), _SPEECH_SECONDS)), noise)
    found = {} if echo is None else asdict(echo)
    return Measured(
        Calibration(noise, spoken, **found),
        len(echoes),
        sum(one is not None for one in echoes),
        *spread(echoes),
    )


async def _echo(microphone: SoundDevice, speaker: DeviceLoudspeaker) -> Echo | None:
    """Play the test sound once; the microphone is opened anew each time, as it is for each evening."""
    listening = DeviceMicrophone(microphone.key)
    take, played_at = await play_and_hear(listening, speaker, measuring_sound(), BEFORE_SECONDS, AFTER_SECONDS)
    return measure_echo(take, played_at)


def _notice(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


# ------------------------------------------------------------------------------------------------------------ plain words


def in_words(measured: Measured) -> Iterator[str]:
    """Yield what was measured, line by line, with advice where something can be better."""
    found = measured.calibration
    yield _noise_in_words(found.noise_dbfs)
    yield _speech_in_words(found)
    if found.leak_db is None or found.delay_seconds is None or found.tail_seconds is None:
        some = f" (in {measured.heard_times} of {measured.times} times it did)" if measured.heard_times else ""
        yield (
            f"The microphone does not hear the loudspeaker{some}: with headphones this is right, and the host can listen while "
            "it speaks; otherwise turn the loudspeaker up and calibrate again."
        )
        return
    yield (
        f"The microphone hears the loudspeaker at {found.leak_db:.0f} dB after {1000 * found.delay_seconds:.0f} ms; "
        f"{_tail_in_words(found.tail_seconds)}"
    )
    if measured.delay_spread_seconds > _UNSTEADY_SECONDS:
        yield (
            f"The delay differed by {1000 * measured.delay_spread_seconds:.0f} ms between {measured.heard_times} times: devices on "
            "one sound card, or with a cable instead of Bluetooth, are steadier."
        )
    if measured.leak_spread_db > _UNSTEADY_DB:
        yield (
            f"The level differed by {measured.leak_spread_db:.0f} dB: somebody made noise, or this machine was too busy to play "
            "without gaps; calibrate again."
        )
    yield _leak_in_words(found)


def _noise_in_words(noise: float) -> str:
    if noise > _LOUD_ROOM_DBFS:
        return (
            f"The room is loud ({noise:.0f} dBFS): turn music down, or the microphone's gain, or move it nearer to you."
        )
    if noise <= QUIET_DBFS:
        return "The microphone is digitally silent when nothing sounds: a virtual one, or one with a noise gate."
    return f"The room is quiet enough ({noise:.0f} dBFS)."


def _speech_in_words(found: Calibration) -> str:
    if found.speech_dbfs is None:
        return "Your speech was not measured (with --speech it is)."
    over = found.speech_dbfs - found.noise_dbfs
    if over < _CLEAR_DB:
        return f"Your speech is at {found.speech_dbfs:.0f} dBFS, only {over:.0f} dB over the room: come nearer to the microphone."
    return f"Your speech is at {found.speech_dbfs:.0f} dBFS, {over:.0f} dB over the room."


def _tail_in_words(tail: float) -> str:
    return (
        f"the room goes on for {1000 * tail:.0f} ms after it." if tail >= 0.02 else "nothing is left of it after that."
    )


def _leak_in_words(found: Calibration) -> str:
    """Say whether the host's own voice drowns the table."""
    leak = found.leak_db or 0.0
    host = LEVEL_DBFS + leak
    if found.speech_dbfs is not None and host > found.speech_dbfs:
        return (
            f"The host is {host - found.speech_dbfs:.0f} dB louder than you at the microphone: turn the loudspeaker down or move "
            'it away from the microphone, else "stop" is not heard while it speaks.'
        )
    if leak > 0:
        return "The loudspeaker is very loud in the microphone: turn it down, or move them apart."
    return "You can interrupt the host while it speaks."
