"""The rules of the house: the settings of each game's options, as the command line and the settings file write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, get_args, get_origin, get_type_hints

from voice_host.errors import UsageError
from voice_host.games import dixit_odyssey, when_i_dream

DREAM: Final = "when-i-dream"
ODYSSEY: Final = "dixit-odyssey"

_OPTIONS: Final[Mapping[str, type]] = {DREAM: when_i_dream.Options, ODYSSEY: dixit_odyssey.Options}
_GIVEN_OTHERWISE: Final = frozenset({"players", "cards", "measures", "upcoming", "rigged_roles", "rounds", "told"}) | {
    *("mode", "scenes", "code_words"),
}
"""Options with a flag or a source of their own; all others are settings."""
_DEPENDING: Final = {"deal": "table, or host with --lan, --private-speaker or --script"}
"""Settings whose default depends on how the program is called."""


def settings_help(game: str | None = None) -> Sequence[tuple[str, str]]:
    """Return each setting of a game (None: of all games) with its default, as the command line takes it."""
    return [
        (name, _DEPENDING.get(name, _written(default)))
        for one in _games(game)
        for name, default in _settings(one).items()
    ]


def parse_settings(texts: Sequence[str], game: str | None = None) -> dict[str, Any]:
    """Read ``name=value`` pairs of a game (None: of any); raises `UsageError` naming the settings or the values there are."""
    chosen: dict[str, Any] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        owner = next((one for one in _games(game) if name in _settings(one)), None)
        if not sign or owner is None:
            known = ", ".join(one for one, _ in settings_help(game))
            raise UsageError(f"There is no setting {text!r}; write NAME=VALUE with one of: {known}.")
        chosen[name] = _value(name, get_type_hints(_OPTIONS[owner])[name], value)
    return chosen


def of_game(texts: Sequence[str], game: str) -> list[str]:
    """Return those of ``name=value`` pairs that are settings of a game: the house may have rules for others, too."""
    return [text for text in texts if text.partition("=")[0].strip() in _settings(game)]


def _games(game: str | None) -> tuple[str, ...]:
    return tuple(_OPTIONS) if game is None else (game,)


def _settings(game: str) -> dict[str, Any]:
    return {field.name: field.default for field in fields(_OPTIONS[game]) if field.name not in _GIVEN_OTHERWISE}


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _value(name: str, kind: Any, text: str) -> Any:
    """Read one setting's value as its type; lists come as JSON can hold them."""
    try:
        if kind is bool:
            return {"yes": True, "no": False}[text.casefold()]
        if get_origin(kind) is tuple:
            return [int(part) for part in text.split(",") if part.strip()]
        if kind in {int, float}:
            number = kind(text)
            if number - number == 0:  # neither infinite nor not a number
                return number
        elif text in get_args(kind):
            return text
    except (KeyError, ValueError):
        pass
    hints = {bool: "yes or no", int: "a whole number", float: "a number"}
    wanted = hints.get(
        kind, ", ".join(get_args(kind)) if get_origin(kind) is not tuple else "whole numbers as 60,30,10"
    )
    raise UsageError(f"{name}={text} cannot be used; {name} takes: {wanted}.")
