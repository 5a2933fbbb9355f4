"""`voice-host models list|install|verify`: which models there are and are here, getting one, and whether they are whole."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from voice_host.errors import HostError, MissingError, UsageError
from voice_host.models import (
    Model,
    best_for,
    locate,
    models_folder,
    parts_present,
    place_of,
    ranked,
    read_catalog,
    unlisted,
    verify,
)
from voice_host.models_install import Origin, install

ACTIONS: Final = ("list", "install", "verify")
_WIDTH: Final = 100
"""Columns of the table's indented lines."""


def run_models(
    action: str,
    names: Sequence[str] = (),
    *,
    files: Sequence[Path] = (),
    url: str | None = None,
    sha256: str | None = None,
) -> int:
    """Carry out one action for models named by their names or languages; return the exit code.

    ``files``, ``url`` and ``sha256`` belong to ``install``. Raises `UsageError`, `HostError` or `MissingError` with the
    one sentence for the user; ``verify`` returns 1 when a model is damaged or, being named, not there.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no models {action}; choose one of: {', '.join(ACTIONS)}.")
    origin = Origin(tuple(files), url, sha256)
    if action == "install":
        return _install(names, origin)
    if origin != Origin():
        raise UsageError(f"--from, --url and --sha256 belong to models install, not to models {action}.")
    return _list(names) if action == "list" else _verify(names)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


# ---------------------------------------------------------------------------------------------------------------- names


def _languages() -> tuple[str, ...]:
    """Return the languages for which the catalogue has a model."""
    return tuple(dict.fromkeys(language for model in read_catalog() for language in model.languages))


def _language(given: str) -> str | None:
    """Return the catalogue's language that a code such as ``zh`` or ``zh-Hant`` means, or None."""
    for language in _languages():
        if given.lower() in (language.lower(), language.lower().partition("-")[0]):
            return language
    return None


def _meant(given: str, *, best: bool) -> tuple[Model, ...]:
    """Return the model of that name, or the language's models or best one; raises `UsageError` naming what there is."""
    for model in read_catalog():
        if model.name == given:
            return (model,)
    language = _language(given)
    if language is None:
        names = ", ".join(model.name for model in read_catalog())
        raise UsageError(f"There is no model and no language {given!r}; choose one of: {names}; or en, zh-Hant, ko.")
    return ranked(language)[:1] if best else ranked(language)


# ----------------------------------------------------------------------------------------------------------------- list


def _list(names: Sequence[str]) -> int:
    """Print every model, or those of the named languages, and what plays each language."""
    models = dict.fromkeys(model.name for given in names for model in _meant(given, best=False))
    for model in read_catalog():
        if not models or model.name in models:
            _say(_entry(model))
    for language in _languages():
        for path in unlisted(language):
            _say(f"* {path.name}\n    {language} · vosk · in {path}, not in the catalogue; play with --engine vosk")
    _say("")
    for language in _languages():
        found = best_for(language)
        played = f"{found.model.name} ({found.model.engine})" if found else f"nothing yet: models install {language}"
        _say(f"{language:8} is played with {played}")
    _say(f"\nInstalled models go to {models_folder()}")
    return 0


def _entry(model: Model) -> str:
    """Return the lines for one model."""
    place = locate(model)
    heard = [f"{language}{f' {share} %' if share else ''}" for language, share in model.languages.items()]
    if place is not None:
        state = f"installed in {place}"
    elif parts_present(model):
        state = "installed in its packages"
    else:
        state = f"not installed; run: voice-host models install {model.name}"
    fetch = f"{model.archive.size / 1e6:.0f} MB to fetch, " if model.archive is not None else ""
    facts = f"{', '.join(heard) or 'any language'} · {model.engine} · {fetch}{model.size / 1e6:.0f} MB on disk"
    lines = [facts, f"quality: {model.quality}", f"licence: {model.license}", state]
    mark = "*" if place_of(model) is not None else " "
    wrapped = [textwrap.fill(line, _WIDTH, subsequent_indent="      ", break_long_words=False) for line in lines]
    return f"{mark} {model.name}\n" + "\n".join(f"    {line}" for line in wrapped)


# -------------------------------------------------------------------------------------------------------------- install


def _install(names: Sequence[str], origin: Origin) -> int:
    """Install each named model unless a whole one is there."""
    if not names:
        raise UsageError("Say which model or language to install, for example: voice-host models install ko.")
    models = {model.name: model for given in names for model in _meant(given, best=True)}
    if len(models) > 1 and origin != Origin():
        raise UsageError("With --from, --url or --sha256 name one model at a time.")
    for path in origin.files:
        if not path.is_file():
            raise UsageError(f"There is no file {path}; --from takes a file on this machine.")
    for model in models.values():
        place = locate(model)
        if place is not None and not verify(model, place):
            _say(f"{model.name} is installed already, in {place}")
            continue
        _say(f"Installing {model.name}: {model.size / 1e6:.0f} MB on disk, licence {model.license}")
        _say(f"{model.name} is installed in {install(model, origin)}")
    return 0


# --------------------------------------------------------------------------------------------------------------- verify


def _verify(names: Sequence[str]) -> int:
    """Check every byte of the named models, or of all that are installed."""
    named = {model.name: model for given in names for model in _meant(given, best=False)}
    asked = set(names)
    models = [
        model for model in (named.values() if names else read_catalog()) if model.name in asked or place_of(model)
    ]
    if not models:
        raise MissingError("No model is installed here; run: voice-host models install en")
    bad = []
    for model in models:
        faults = verify(model)
        if faults:
            bad.append(model.name)
        whole = f"whole, in {locate(model) or 'its packages'}"
        _say(f"{model.name}: {'; '.join(faults) or whole}")
    if bad:
        raise HostError(
            f"Of {len(models)} models {len(bad)} cannot be used; run: voice-host models install {' '.join(bad)}"
        )
    return 0
