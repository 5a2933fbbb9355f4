"""`voice-host settings`: explains every setting and where its value comes from; sets and unsets them."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from voice_host.configured import PREFIX, Setting, check_names, check_rule, configured, read_text, rules_of
from voice_host.errors import UsageError
from voice_host.settings import CONFIG_VARIABLE, RULES, Settings, load_settings, save_setting, settings_path

_WIDTH: Final = 100
_COMMAND_LINE: Final = "on the command line"


def run_settings(action: str | None, known: Mapping[str, Setting], *, name: str = "", value: str = "") -> int:
    """Carry out ``set``, ``unset``, ``path`` or (None) explain; returns the exit code, raises `UsageError`."""
    if action == "path":
        print(settings_path())
    elif action == "set":
        _set(known, name, value)
    elif action == "unset":
        _unset(known, name)
    else:
        _explain(known)
    return 0


# ------------------------------------------------------------------------------------------------------------- explaining


def _explain(known: Mapping[str, Setting]) -> None:
    file = load_settings()
    print(f"The settings file is {file.path}" + ("" if file.path.exists() else ", which is not there yet") + ".")
    print("A flag counts more than its variable, that more than the file, that more than the default.\n")
    for setting in known.values():
        if setting.name != RULES:
            _explain_one(setting, file)
    _explain_rules(known[RULES], file)
    _explain_calibrations(file)
    check_names(file, known)


def _explain_one(setting: Setting, file: Settings) -> None:
    found = configured(setting, file)
    where = {"default": "the default", "file": "from the file"}.get(found.origin, f"from {found.origin}")
    print(f"{setting.name} = {_written(found.value)}   ({where}; {setting.flag}, {setting.variable})")
    print(textwrap.fill(setting.meaning, _WIDTH, initial_indent="    ", subsequent_indent="    "))


def _explain_rules(setting: Setting, file: Settings) -> None:
    from voice_host.house_rules import settings_help

    chosen = [text.partition("=") for text in rules_of(file)]
    values = {name: (value, "from the file") for name, _, value in chosen}
    for text in read_text(setting, os.environ.get(setting.variable, ""), setting.variable):
        check_rule(text, setting.variable)
        name, _, value = (part.strip() for part in text.partition("="))
        values[name] = (value, f"from {setting.variable}")
    print(f"\n[rules]   the rules of the house ({setting.flag} NAME=VALUE; {setting.variable}=NAME=VALUE;NAME=VALUE)")
    for name, default in settings_help():
        value, where = values.get(name, (default, "the default"))
        print(f"    {name} = {value}   ({where})")


def _explain_calibrations(file: Settings) -> None:
    print("\n[calibration]   what voice-host calibrate measured, for each pair of microphone and loudspeaker")
    for pair, calibration in file.calibrations.items():
        leak = "does not hear it" if calibration.leak_db is None else f"hears it at {calibration.leak_db:.0f} dB"
        print(f"    {pair}: noise {calibration.noise_dbfs:.0f} dBFS, the microphone {leak}")
    if not file.calibrations:
        print("    none yet; run: voice-host calibrate")


def _written(value: Any) -> str:
    if value is None or value == []:
        return "(not set)"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "; ".join(value) if isinstance(value, list) else str(value)


# ---------------------------------------------------------------------------------------------------------------- changing


def _set(known: Mapping[str, Setting], name: str, text: str) -> None:
    """Check a value as its variable would be checked, and write it."""
    setting = known.get(_key(name))
    if setting is None:
        rule = _rule(known, name)
        value = check_rule(f"{rule}={text}", _COMMAND_LINE.capitalize())
        save_setting(f"{RULES}.{rule}", value)
        print(f"rules.{rule} = {text}")
        return
    if setting.name == RULES:
        raise UsageError("Set one rule at a time: voice-host settings set rules.clue_seconds 8.")
    value = read_text(setting, text, _COMMAND_LINE)
    # A path that was typed here begins here, one in the file begins at the file's folder.
    save_setting(setting.name, str(value.absolute()) if isinstance(value, Path) else value)
    print(f"{setting.name} = {_written(value)}")
    if os.environ.get(setting.variable):
        print(f"{setting.variable} is set, too, and counts more.")


def _unset(known: Mapping[str, Setting], name: str) -> None:
    file = load_settings()
    key = name if name in file.values else _key(name)
    rule = key.removeprefix(f"{RULES}.")
    if key in file.values:
        save_setting(key, None)
    elif rule in file.rules:
        save_setting(f"{RULES}.{rule}", None)
    else:
        if key not in known:
            _rule(known, name)
        print(f"{name} was not set.")
        return
    print(f"{name} is no longer set.")


def _key(name: str) -> str:
    """Return a name as the file has it, whether it was written as a key, a flag or a variable."""
    return name.removeprefix(PREFIX).lstrip("-").replace("-", "_").lower()


def _rule(known: Mapping[str, Setting], name: str) -> str:
    from voice_host.house_rules import settings_help

    rule = _key(name).removeprefix(f"{RULES}.")
    rules = [one for one, _ in settings_help()]
    if rule in rules:
        return rule
    names = ", ".join([*(one for one in known if one != RULES), *(f"{RULES}.{one}" for one in rules)])
    hint = f" ({CONFIG_VARIABLE} is a variable only)" if _key(name) == "config" else ""
    raise UsageError(f"There is no setting {name!r}{hint}; choose one of: {names}.")
