"""Checks of the machine: Python and packages, the settings file, disk space, the folder of evenings."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import platformdirs

from voice_host.checks.finding import Finding
from voice_host.configured import Setting, check_names, configured, rules_of
from voice_host.errors import UsageError
from voice_host.settings import load_settings

_OLDEST_PYTHON: Final = (3, 11)
_PACKAGE: Final = "voice-host"
_NEEDED_MB: Final = 100
"""Room for evenings (some hundred kB each) and for the cache of what the host says."""


def check_python() -> Iterator[Finding]:
    """Look at Python's version and at the packages the program wants."""
    version = platform.python_version()
    if sys.version_info < _OLDEST_PYTHON:
        yield Finding("Python", "missing", f"{version} is too old", "install Python 3.11 or newer")
    else:
        yield Finding("Python", "ok", f"{version} ({sys.executable})")
    try:
        wanted = [text for text in importlib.metadata.requires(_PACKAGE) or () if "extra ==" not in text]
    except importlib.metadata.PackageNotFoundError:
        yield Finding("packages", "note", "the program runs from its source, uninstalled", "python -m pip install .")
        return
    lacking = [problem for text in wanted if (problem := _problem(text)) is not None]
    if lacking:
        names = " ".join(f"'{text}'" for text, _ in lacking)
        said = "; ".join(said for _, said in lacking)
        yield Finding("packages", "missing", said, f"{sys.executable} -m pip install {names}")
    else:
        yield Finding("packages", "ok", f"all {len(wanted)} are here")


def _problem(requirement: str) -> tuple[str, str] | None:
    """Return a requirement and what is wrong with it, or None when it is met (as far as numbers tell)."""
    parsed = re.match(r"([\w.-]+)\s*(==|>=)?\s*([\d.]+)?", requirement)
    if parsed is None:
        return None
    name, sign, wanted = parsed.groups()
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return requirement, f"{name} is not installed"
    if wanted and ((sign == "==" and found != wanted) or (sign == ">=" and _numbers(found) < _numbers(wanted))):
        return requirement, f"{name} {found} is not {sign}{wanted}"
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def check_settings(known: Mapping[str, Setting]) -> Iterator[Finding]:
    """Look at the settings file and at the variables as a start of `play` would."""
    try:
        file = load_settings()
        check_names(file, known)
        rules_of(file)
        chosen = [name for name, setting in known.items() if configured(setting, file).origin != "default"]
    except UsageError as error:
        yield Finding("settings", "missing", str(error), "voice-host settings explains them all")
        return
    where = str(file.path) if file.path.exists() else f"{file.path} is not there, and need not be"
    yield Finding("settings", "ok", where + (f"; chosen: {', '.join(chosen)}" if chosen else ""))


def evenings_folder(journal: Path | None) -> Path:
    """Return where evenings are kept."""
    return journal or Path(platformdirs.user_state_dir("voice-host")) / "evenings"


def check_disk(journal: Path | None) -> Iterator[Finding]:
    """Look whether evenings can be kept where they are to be kept, by writing there."""
    folder = evenings_folder(journal)
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    other = "choose another folder: voice-host settings set journal FOLDER"
    try:
        with tempfile.NamedTemporaryFile(dir=existing) as file:
            file.write(os.urandom(1024))
            file.flush()
    except OSError as error:
        yield Finding("evenings", "missing", f"{folder} cannot be written ({error.strerror})", other)
        return
    yield Finding("evenings", "ok", f"are kept in {folder}")
    free = shutil.disk_usage(existing).free // 1_000_000
    if free < _NEEDED_MB:
        yield Finding(
            "disk", "missing", f"{free} MB are free there, {_NEEDED_MB} MB are needed", f"free some, or {other}"
        )
    else:
        yield Finding("disk", "ok", f"{free / 1000:.1f} GB are free there")
