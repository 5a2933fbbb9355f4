"""Flags that can also be settings: each flag of `play` is an environment variable and a key of the settings file, too.

The settings are read off the command line's own parser, so that a new flag is a setting without another line of code.
A flag counts more than VOICE_HOST_<FLAG>, that more than the file, that more than the flag's default.
"""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from voice_host.errors import UsageError
from voice_host.numbers import WholeNumber
from voice_host.settings import RULES, Settings, load_settings, place_of

PREFIX: Final = "VOICE_HOST_"
_RULES_DEST: Final = "settings"
"""Where the command line keeps what --set says."""
_WORDS: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}
_PAGES: Final = frozenset({"screens", "lan", "port"})


@dataclass(frozen=True, slots=True)
class Setting:
    """One flag as a setting."""

    name: str
    """The key in the settings file."""
    flag: str
    meaning: str
    default: Any
    kind: type
    """bool, int, float, str, Path, or list for a flag that may be repeated."""
    choices: tuple[Any, ...] = ()
    limits: WholeNumber | None = None

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"{PREFIX}{self.flag.lstrip('-').replace('-', '_').upper()}"


@dataclass(frozen=True, slots=True)
class Configured:
    """The value of a setting, and where it comes from."""

    value: Any
    origin: str
    """``default``, ``file``, or the name of the environment variable."""


def settings_of(parser: argparse.ArgumentParser) -> dict[str, Setting]:
    """Return the settings that a command's flags are, by name."""
    found = (_setting(action) for action in parser._actions if action.option_strings and action.dest != "help")  # noqa: SLF001
    return {setting.name: setting for setting in found}


def _setting(action: argparse.Action) -> Setting:
    limits = action.type if isinstance(action.type, WholeNumber) else None
    kind = int if limits else action.type if isinstance(action.type, type) else str
    if action.nargs == 0:
        kind = bool
    elif isinstance(action.default, list):
        kind = list
    name = RULES if action.dest == _RULES_DEST else action.dest
    choices = tuple(action.choices or ())
    return Setting(name, action.option_strings[0], action.help or "", action.default, kind, choices, limits)


def make_configurable(
    parser: argparse.ArgumentParser, settings: Mapping[str, Setting], names: Iterable[str] | None = None
) -> None:
    """Let what is left away on a command's line come from these settings (None: from all of them) when it is run.

    The parser forgets its defaults, so that a flag that was given can be told from one that was not.
    """
    taken = settings if names is None else {name: settings[name] for name in names}
    defaults = {action.dest: action.default for action in parser._actions if action.option_strings}  # noqa: SLF001
    for action in parser._actions:  # noqa: SLF001
        if action.option_strings and action.dest != "help":
            action.default = argparse.SUPPRESS
    defaults.pop("help", None)
    parser.set_defaults(complete=lambda parsed: _complete(parsed, defaults, settings, taken))


def _complete(
    parsed: argparse.Namespace, defaults: Mapping[str, Any], known: Mapping[str, Setting], taken: Mapping[str, Setting]
) -> None:
    """Fill in whatever was not given as a flag; raises `UsageError` naming the variable, or the file and its line."""
    file = load_settings()
    check_names(file, known)
    given = set(vars(parsed))
    for dest, default in defaults.items():
        if dest not in given:
            setattr(parsed, dest, list(default) if isinstance(default, list) else default)
    for setting in taken.values():
        dest = _RULES_DEST if setting.name == RULES else setting.name
        if setting.name == RULES:
            house = [*rules_of(file), *_texts(setting)]
            setattr(parsed, dest, [*_of_game(house, parsed), *getattr(parsed, dest)])
        elif dest not in given and (found := configured(setting, file)).origin != "default":
            setattr(parsed, dest, found.value)
    if "script" in defaults:
        for dest in _silenced(parsed, given) - given:
            setattr(parsed, dest, defaults[dest])


def _of_game(texts: list[str], parsed: argparse.Namespace) -> list[str]:
    """Return the house's rules for the game that is played: those for others wait for their own evening."""
    from voice_host.house_rules import of_game

    return of_game(texts, parsed.game) if "game" in parsed else texts


def _silenced(parsed: argparse.Namespace, given: set[str]) -> set[str]:
    """Return the settings of `play` that mean nothing beside what was asked for: nobody need unset them for one evening."""
    silenced: set[str] = {"mode"} if parsed.game == "when-i-dream" else {"cards", "roles", "dreamer_mic"}
    if given & _PAGES:
        silenced.add("no_screens")
    if parsed.script is not None:
        silenced |= {"mic", "dreamer_mic", "speaker", "private_speaker", "fast"}
        if not parsed.screens:
            silenced |= {"lan", "port"}
    if any(getattr(parsed, dest) for dest in {"no_screens", "fast"} - silenced):
        silenced |= _PAGES
    return silenced


def check_names(file: Settings, known: Mapping[str, Setting]) -> None:
    """Raise `UsageError` for a key that is no setting, with the setting that was likely meant."""
    for name in file.values:
        if name not in known or name == RULES:
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"did you mean {near[0]}?" if near else "delete it; `voice-host settings` lists all."
            raise UsageError(f"There is no setting {name!r} ({place_of(file, name)}); {remedy}")


def configured(setting: Setting, file: Settings) -> Configured:
    """Return a setting's value from the environment, the file, or its default; raises `UsageError`."""
    if text := os.environ.get(setting.variable):
        return Configured(read_text(setting, text, setting.variable), setting.variable)
    if setting.name in file.values:
        return Configured(_read_value(setting, file), "file")
    return Configured(setting.default, "default")


def rules_of(file: Settings) -> list[str]:
    """Return the house's rules of the file as --set takes them; raises `UsageError` naming the line of a wrong one."""
    texts = [f"{name}={_rule_text(value)}" for name, value in file.rules.items()]
    for name, text in zip(file.rules, texts, strict=True):
        check_rule(text, place_of(file, name))
    return texts


def check_rule(text: str, place: str) -> Any:
    """Return the value of ``name=value`` as the rules take it; raises `UsageError` that names the place of a wrong one."""
    from voice_host.house_rules import parse_settings

    try:
        return next(iter(parse_settings([text]).values()))
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error


def read_text(setting: Setting, text: str, place: str) -> Any:
    """Read a setting's value from text, as an environment variable has it; raises `UsageError` naming the place."""
    text = text.strip()
    if setting.kind is list:
        return [part.strip() for part in text.split(";") if part.strip()]
    if setting.kind is bool:
        if text.casefold() in _WORDS:
            return _WORDS[text.casefold()]
        raise _wrong(setting, text, place)
    try:
        value = Path(text).expanduser() if setting.kind is Path else setting.kind(text)
    except ValueError as error:
        raise _wrong(setting, text, place) from error
    return _chosen(setting, value, place)


def _texts(setting: Setting) -> list[str]:
    """Return the rules that the environment names."""
    texts: Sequence[str] = read_text(setting, os.environ.get(setting.variable, ""), setting.variable)
    for text in texts:
        check_rule(text, setting.variable)
    return list(texts)


def _read_value(setting: Setting, file: Settings) -> Any:
    """Return a setting's value from the file; its relative paths begin at the file's folder."""
    value, place = file.values[setting.name], place_of(file, setting.name)
    if setting.kind is list:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return value
        raise _wrong(setting, value, place)
    if setting.kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if setting.kind is Path and isinstance(value, str):
        value = file.path.parent / Path(value).expanduser()
    if not isinstance(value, setting.kind) or (isinstance(value, bool) and setting.kind is not bool):
        raise _wrong(setting, value, place)
    return _chosen(setting, value, place)


def _chosen(setting: Setting, value: Any, place: str) -> Any:
    outside = setting.limits is not None and not setting.limits.has(value)
    if outside or (setting.choices and value not in setting.choices):
        raise _wrong(setting, value, place)
    return value


def _wrong(setting: Setting, value: Any, place: str) -> UsageError:
    hints = {bool: "true or false", int: "a whole number", float: "a number", list: "a list of texts", Path: "a path"}
    wanted = str(setting.limits or "") or ", ".join(map(str, setting.choices)) or hints.get(setting.kind, "a text")
    return UsageError(f"{setting.name} cannot be {value!r} ({place}); it takes: {wanted}.")


def _rule_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
