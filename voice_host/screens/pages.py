"""The files of the pages: read once at the start, so that no request ever names a path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent / "pages"

_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What a page may consist of."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file as it is sent."""

    body: bytes
    media_type: str


Texts = Mapping[str, Mapping[str, str]]
"""Language code to the name of a text to the text."""

TEXTS_NAME: Final = "texts.json"
"""Under this name the pages find what they say, in all languages: each reader may choose another one."""


def load_pages(texts: Texts, folder: Path = FOLDER) -> Mapping[str, PageFile]:
    """Read all files of the pages, by their names; others than those of known types are left out."""
    files = {
        path.name: PageFile(path.read_bytes(), _TYPES[path.suffix])
        for path in sorted(folder.iterdir())
        if path.suffix in _TYPES and path.is_file()
    }
    return {**files, TEXTS_NAME: PageFile(json.dumps(texts, ensure_ascii=False).encode(), "application/json")}
