"""Where the folders that travel with the program are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from voice_host.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder ``grammars``, ``models``, ``pictures`` or ``voices`` of this installation."""
    packaged = _PACKAGE / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def languages() -> tuple[str, ...]:
    """Return the language codes that have a folder under ``grammars``."""
    return tuple(sorted(path.name for path in folder("grammars").iterdir() if (path / "prompts.ftl").is_file()))


def language_folder(language: str) -> Path:
    """Return ``grammars/<language>``; raises `UsageError` naming the languages there are."""
    if language not in languages():
        raise UsageError(f"There is no language {language!r}; choose one of: {', '.join(languages())}.")
    return folder("grammars") / language
