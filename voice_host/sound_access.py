"""Why a machine with sound hardware may show no device to this user: what the operating system can tell about it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

_CARDS: Final = Path("/dev/snd")
_ALSA_PLUGINS: Final = (
    "/usr/lib/*/alsa-lib/libasound_module_pcm_pulse.so",
    "/usr/lib*/alsa-lib/libasound_module_pcm_pulse.so",
)
WITHOUT_SOUND: Final = "without sound, play a typed evening with --script FILE, or run: voice-host demo"


JOIN_AUDIO: Final = "run: sudo usermod -aG audio $USER, then log in again"


def why_no_devices() -> str:
    """Return one sentence: there is no device, the likeliest reason, and its remedy."""
    reason, remedy = reason_and_remedy()
    return f"This machine shows no sound device: {reason}; {remedy} ({WITHOUT_SOUND})."


def locked_cards(folder: Path = _CARDS) -> tuple[Path, ...]:
    """Return the sound cards' device files that this user may not open (Linux; elsewhere none)."""
    try:
        cards = sorted(path for path in folder.iterdir() if path.name.startswith("pcm"))
    except OSError:
        return ()
    return tuple(path for path in cards if not os.access(path, os.R_OK | os.W_OK))


def missing_alsa_bridge() -> bool:
    """Tell whether a sound server runs that PortAudio cannot reach, because ALSA's plugin for it is not installed."""
    return _server_runs() and not any(next(Path("/").glob(pattern[1:]), None) for pattern in _ALSA_PLUGINS)


def bridge_command() -> str:
    """Return the command that installs ALSA's plugin for sound servers."""
    known = {
        "apt-get": "sudo apt-get install libasound2-plugins",
        "dnf": "sudo dnf install alsa-plugins-pulseaudio",
        "pacman": "sudo pacman -S alsa-plugins",
        "zypper": "sudo zypper install alsa-plugins-pulse",
        "apk": "sudo apk add alsa-plugins-pulse",
    }
    return next((command for program, command in known.items() if shutil.which(program)), known["apt-get"])


def reason_and_remedy() -> tuple[str, str]:
    """Return the likeliest reason why there is no device, and what to do about it."""
    if not sys.platform.startswith("linux"):
        allow = "allow this terminal the microphone in the system's privacy settings"
        return "the system tells of none", f"connect a microphone and a loudspeaker, and {allow}"
    if locked_cards():
        return "this user may not use the sound cards", JOIN_AUDIO
    if missing_alsa_bridge():
        return "a sound server runs, but ALSA has no way to it", f"run: {bridge_command()}"
    named = os.environ.get("PULSE_SERVER")
    if named and not _server_runs():
        return f"PULSE_SERVER is {named}, where nobody answers", "start that sound server or unset the variable"
    if not _CARDS.is_dir():
        return "no sound card is known to the system", "connect one, or start a sound server"
    return "the sound cards have neither inputs nor outputs", "connect a microphone and a loudspeaker"


def _server_runs() -> bool:
    """Tell whether the socket of a PulseAudio or PipeWire server is there (its own way to be found)."""
    named = os.environ.get("PULSE_SERVER", "")
    if named and not named.startswith(("unix:", "/")):
        return True  # a server in the network: nothing to see from here
    folder = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    sockets = [Path(named.removeprefix("unix:"))] if named else [folder / "pulse" / "native"]
    return any(socket.is_socket() for socket in sockets)
