"""The settings file: TOML at the platform's place, read strictly, written atomically with the user's comments kept.

Top-level keys are flags of `voice-host play` (`mic = "pulse"`); ``[rules]`` holds the rules of the house; a table
``[calibration."MICROPHONE | LOUDSPEAKER"]`` holds what `voice-host calibrate` measured for that pair of devices.
A flag counts more than its environment variable, that more than the file, that more than the default: `voice_host.configured`.
"""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import filelock
import platformdirs

from voice_host.disk import flush
from voice_host.errors import HostError, UsageError

CONFIG_VARIABLE: Final = "VOICE_HOST_CONFIG"
RULES: Final = "rules"
CALIBRATION: Final = "calibration"
_LOCK_SECONDS: Final = 5.0
_HEADER: Final = "Settings of voice-host. `voice-host settings` explains them all."


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured of a microphone and a loudspeaker in their room; None: could not be measured."""

    noise_dbfs: float
    """Root mean square of the quiet room."""
    speech_dbfs: float | None = None
    """Root mean square of speech, pauses left out."""
    delay_seconds: float | None = None
    """From the moment at which a sample is said to be heard to the moment at which it is said to be captured."""
    leak_db: float | None = None
    """Level in the microphone minus level of what was played; None: the microphone does not hear the loudspeaker."""
    tail_seconds: float | None = None
    """How long the leak stays more than 10 dB above the noise after the end of the sound has arrived (the delay is not counted)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the settings file says."""

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    """Key -> value as TOML has it, tables left out."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    """`pair_key` -> what was measured."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Key -> the line of the file in which it is found."""

    def calibration(self, mic_key: str, speaker_key: str) -> Calibration | None:
        """Return what was measured for these devices (`SoundDevice.key`), None when they were never calibrated."""
        return self.calibrations.get(pair_key(mic_key, speaker_key))


def pair_key(mic_key: str, speaker_key: str) -> str:
    """Return how a pair of devices is called in the file."""
    return f"{mic_key} | {speaker_key}"


def settings_path() -> Path:
    """Return where the settings are kept: what VOICE_HOST_CONFIG names, or the platform's place."""
    wished = os.environ.get(CONFIG_VARIABLE)
    return Path(wished).expanduser() if wished else Path(platformdirs.user_config_dir("voice-host")) / "settings.toml"


# -------------------------------------------------------------------------------------------------------------- reading


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings file; no file is an empty one; raises `UsageError` naming file, line and remedy."""
    path = path or settings_path()
    text = _read(path)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(_broken(path, str(error))) from error
    lines = _lines(text)
    tables = {name: _table(path, lines, name, document.pop(name, {})) for name in (RULES, CALIBRATION)}
    calibrations = {key: _calibration(path, lines, key, value) for key, value in tables[CALIBRATION].items()}
    return Settings(
        path,
        MappingProxyType(document),
        MappingProxyType(tables[RULES]),
        MappingProxyType(calibrations),
        MappingProxyType(lines),
    )


def place_of(settings: Settings, name: str) -> str:
    """Return where a key stands, as an error sentence names it."""
    line = settings.lines.get(name)
    return f"{settings.path}" + (f", line {line}" if line else "")


def _read(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(
            f"The settings file {path} cannot be read ({error.strerror}); make it readable, or name another with {CONFIG_VARIABLE}."
        ) from error
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UsageError(_broken(path, f"not UTF-8 (at line {line})")) from error


def _broken(path: Path, reason: str) -> str:
    where = re.search(r"\s*\(at line (\d+)(?:, column (\d+))?\)", reason)
    line = f"line {where[1]}" if where else "its end"
    what = (reason[: where.start()] if where else reason.removesuffix(" (at end of document)")).rstrip(".")
    return (
        f"The settings file {path} is broken at {line} ({what}); correct that line, or delete the file to start anew."
    )


def _lines(text: str) -> dict[str, int]:
    """Return the line of each key and table, by its last name, the first where it occurs twice."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r'\s*\[+\s*(?:\w+\s*\.\s*)?["\']?(.+?)["\']?\s*\]', line)
        key = re.match(r'\s*["\']?([\w-]+)["\']?\s*=', line)
        if match := header or key:
            found.setdefault(match[1], number)
    return found


def _table(path: Path, lines: Mapping[str, int], name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{name} in {path}, line {lines.get(name, 1)}, must be a table; write it as [{name}].")
    return value


def _calibration(path: Path, lines: Mapping[str, int], key: str, value: Any) -> Calibration:
    known = [one.name for one in fields(Calibration)]
    wrong = not isinstance(value, dict) or "noise_dbfs" not in value or set(value) - set(known)
    if wrong or not all(isinstance(one, int | float) and not isinstance(one, bool) for one in value.values()):
        raise UsageError(
            f"The calibration of {key!r} in {path}, line {lines.get(key, 1)}, holds something else than numbers "
            f"for {', '.join(known)}; delete it and run: voice-host calibrate."
        )
    return Calibration(**{name: float(number) for name, number in value.items()})


# -------------------------------------------------------------------------------------------------------------- writing


def save_setting(name: str, value: Any) -> None:
    """Write one setting (``rules.clue_seconds`` for one of the house's rules); None removes it, see `_change`."""
    table, _, key = name.rpartition(".")

    def change(document: Any) -> None:
        place = document if not table else document.setdefault(table, {})
        if value is None:
            place.pop(key, None)
        else:
            place[key] = value

    _change(change)


def save_calibration(mic_key: str, speaker_key: str, calibration: Calibration) -> None:
    """Write what was measured for two devices over what was measured for them before, see `_change`."""
    known = {name: round(value, 4) for name, value in asdict(calibration).items() if value is not None}

    def change(document: Any) -> None:
        document.setdefault(CALIBRATION, {})[pair_key(mic_key, speaker_key)] = known

    _change(change)


def _change(change: Callable[[Any], None]) -> None:
    """Change the file as a whole, one process at a time; what the user wrote between the settings stays.

    Raises `UsageError` when the file is broken, which then stays as it is, `HostError` when it cannot be written.
    """
    import tomlkit

    path = settings_path()
    path = path.resolve()  # a linked file (dot files in a repository) stays linked
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(path.with_name(f"{path.name}.lock"), timeout=_LOCK_SECONDS):
            load_settings(path)
            document = tomlkit.parse(_read(path))
            if not path.exists():
                document.add(tomlkit.comment(_HEADER))
            change(document)
            _replace(path, tomlkit.dumps(document))
    except (OSError, filelock.Timeout) as error:
        reason = "another voice-host holds it" if isinstance(error, filelock.Timeout) else error.strerror
        raise HostError(
            f"The settings file {path} cannot be written ({reason}); make it writable, or name another with {CONFIG_VARIABLE}."
        ) from error


def _replace(path: Path, text: str) -> None:
    """Put a text in a file's place at one stroke: whoever reads finds the old or the new one whole."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    scratch = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            scratch.chmod(path.stat().st_mode & 0o777)
        scratch.replace(path)
        flush(path.parent)
    except OSError:
        scratch.unlink(missing_ok=True)
        raise
