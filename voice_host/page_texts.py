"""The words of the pages and of the terminal's table, in every language: a page may read another one than the table plays in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import yaml

from voice_host.errors import UsageError
from voice_host.resources import folder

FILE: Final = "pages.yaml"


def load_page_texts() -> Mapping[str, Mapping[str, str]]:
    """Return language code to name to text, ``{slots}`` unfilled; raises `UsageError` naming a file that is broken."""
    return {path.parent.name: _read(path.parent.name) for path in sorted(folder("grammars").glob(f"*/{FILE}"))}


def _read(language: str) -> Mapping[str, str]:
    path = folder("grammars") / language / FILE
    try:
        texts = yaml.safe_load(path.read_text(encoding="utf-8"))
        return {str(name): str(text) for name, text in texts.items()}
    except (OSError, ValueError, AttributeError, yaml.YAMLError) as error:
        raise UsageError(f"The words of the pages in {path} are broken ({error}); install voice-host anew.") from error
