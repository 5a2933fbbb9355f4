"""Checks of sound: PortAudio, the devices, whether the microphone hears anything, and whether it hears the loudspeaker."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from voice_host.acoustics import (
    BEFORE_SECONDS,
    LONGEST_DELAY_SECONDS,
    RATE,
    Samples,
    find_tone,
    is_digital_silence,
    noise_dbfs,
    rising_tone,
)
from voice_host.checks.finding import Finding
from voice_host.devices import (
    CALLED,
    Kind,
    SoundDevice,
    choose_device,
    load_portaudio,
    portaudio_command,
    sound_devices_apart,
)
from voice_host.errors import HostError, MissingError
from voice_host.live import is_sound_file
from voice_host.sound_access import (
    JOIN_AUDIO,
    WITHOUT_SOUND,
    bridge_command,
    locked_cards,
    missing_alsa_bridge,
    reason_and_remedy,
)
from voice_host.sounding import hear, patiently, play_and_hear
from voice_host.speaking.clip import Clip

LISTENING_SECONDS: Final = 2.0
_SOUND: Final = "room"
_TONE: Final = "tone heard"
_DEAF_DBFS: Final = -90.0
"""Quieter than any open microphone in any room."""
_UNMUTE: Final = "unmute it (a switch on it, the system's sound settings)" + (
    ", and allow this terminal the microphone: System Settings, Privacy & Security, Microphone"
    if sys.platform == "darwin"
    else ""
)
_LOUDER: Final = "turn it up, and see that it is the one you mean (with headphones this is as it should be)"


def check_sound(mic: str | None, speaker: str | None, notice: Callable[[str], None]) -> Iterator[Finding]:
    """Look at the way to sound and at both devices as far as the way goes; whoever waits is told by ``notice``."""
    try:
        portaudio = load_portaudio()
    except MissingError:
        yield Finding("PortAudio", "missing", "is not installed", f"{portaudio_command()}; {WITHOUT_SOUND}")
        return
    except HostError as error:
        yield Finding("PortAudio", "missing", str(error), WITHOUT_SOUND)
        return
    yield Finding("PortAudio", "ok", str(portaudio.get_portaudio_version()[1]).partition(",")[0])
    try:
        devices = sound_devices_apart()
    except HostError as error:
        yield Finding("devices", "missing", str(error), WITHOUT_SOUND)
        return
    yield from _permissions(found_any=bool(devices))
    if not devices:
        reason, remedy = reason_and_remedy()
        yield Finding("devices", "missing", f"there are none: {reason}", f"{remedy}; {WITHOUT_SOUND}")
        return
    seen, microphone = _chosen(devices, mic, "input")
    yield seen
    heard: Finding | None = None
    if microphone is not None:
        notice(f"Listening for {LISTENING_SECONDS:g} s; say something ...")
        heard = _listen(microphone)
    seen, loudspeaker = _chosen(devices, speaker, "output")
    played: Finding | None = None
    if loudspeaker is not None:
        notice("Playing a rising tone ...")
        played = _play(microphone if heard is None or heard.name == _SOUND else None, loudspeaker)
    if heard is not None:
        yield _with_the_tone(heard, played)
    yield seen
    if played is not None:
        yield played


def _permissions(*, found_any: bool) -> Iterator[Finding]:
    """Look for what keeps this user from the sound hardware that is there (Linux)."""
    if cards := locked_cards():
        said = f"this user may not use {cards[0]}" + (", but other ways to sound are open" if found_any else "")
        yield Finding("permission", "note" if found_any else "missing", said, JOIN_AUDIO)
    if missing_alsa_bridge():
        yield Finding("sound server", "note", "one runs, but ALSA has no way to it", bridge_command())


def _chosen(devices: Sequence[SoundDevice], wish: str | None, kind: Kind) -> tuple[Finding, SoundDevice | None]:
    """Return the device that a wish means, and what there is to say about it."""
    name = CALLED[kind]
    if wish is not None and (wish == "none" or is_sound_file(wish)):
        return Finding(name, "ok", f"{wish} is chosen, which is no device"), None
    try:
        device = choose_device(devices, wish, kind)
    except HostError as error:
        return Finding(name, "missing", str(error), "voice-host devices lists them"), None
    chosen = "is chosen" if wish is not None else "is the system's default"
    return Finding(name, "ok", f"{device.key} {chosen} ({device.default_rate} Hz)"), device


def _listen(microphone: SoundDevice) -> Finding:
    """Hear the room for a moment, and judge what came."""
    from voice_host.hearing.device_microphone import DeviceMicrophone

    async def listen() -> Samples:
        return await hear(DeviceMicrophone(microphone.key), LISTENING_SECONDS)

    try:
        samples = asyncio.run(patiently(listen))
    except HostError as error:
        return Finding("listening", "missing", str(error), "voice-host devices lists others")
    level = noise_dbfs(samples)
    if is_digital_silence(samples):
        return Finding(_SOUND, "missing", "the microphone brings nothing but digital silence", _UNMUTE)
    if level < _DEAF_DBFS:
        return Finding(_SOUND, "missing", f"the microphone hears next to nothing ({level:.0f} dBFS)", _UNMUTE)
    return Finding(_SOUND, "ok", f"the room is at {level:.0f} dBFS")


def _play(microphone: SoundDevice | None, loudspeaker: SoundDevice) -> Finding:
    """Play the tone, and look for it in what the microphone hears."""
    from voice_host.hearing.device_microphone import DeviceMicrophone
    from voice_host.speaking.device_loudspeaker import DeviceLoudspeaker

    async def play() -> tuple[float, float] | None:
        speaker = DeviceLoudspeaker(loudspeaker.key)
        try:
            if microphone is None:
                await speaker.play(Clip(rising_tone(), RATE))
                return None
            listening = DeviceMicrophone(microphone.key)
            take, played_at = await play_and_hear(
                listening, speaker, rising_tone(), BEFORE_SECONDS, LONGEST_DELAY_SECONDS + 0.2
            )
            return find_tone(take, played_at)
        finally:
            speaker.close()

    try:
        found = asyncio.run(patiently(play))
    except HostError as error:
        return Finding("tone", "missing", str(error), "voice-host devices lists others")
    if found is not None:
        delay, gain = found
        return Finding(
            _TONE, "ok", f"the microphone hears the loudspeaker ({gain:.0f} dB, after {1000 * delay:.0f} ms)"
        )
    said = "was played; no microphone listened" if microphone is None else "the loudspeaker could not be heard"
    return Finding("tone", "note", said, _LOUDER)


def _with_the_tone(heard: Finding, played: Finding | None) -> Finding:
    """Return what is to be said of the microphone once it is known whether it heard the tone."""
    if heard.state == "missing" and played is not None and played.name == _TONE:
        return Finding(heard.name, "ok", "the microphone is digitally silent between sounds, and hears the loudspeaker")
    return heard
