"""The links to the pages: an unguessable token for the table and for each seat, kept beside the evening's journal.

Whoever has a link sees what its viewer sees, so the file is the user's alone, and no token is ever logged.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from voice_host.errors import UsageError
from voice_host.screens.audience import TABLE

LINKS_SUFFIX: Final = ".links"
"""Of the file beside an evening's journal that holds the tokens of its pages."""
_TOKEN_BYTES: Final = 16


class Links:
    """The tokens of one evening; a resumed evening has the ones it had."""

    def __init__(self, path: Path, notice: Callable[[str], None]) -> None:
        """Read what is kept there, if anything; a file that cannot be understood is replaced, with a notice."""
        self._path = path
        self.port: int | None = None
        """The port on which the pages knew the host; None before the first evening's start."""
        self._tokens: dict[str, str] = {}
        if path.exists():
            try:
                self._take(json.loads(path.read_text(encoding="utf-8")))
            except (OSError, ValueError, KeyError, TypeError):
                notice(f"The links in {path} cannot be read; all pages get new ones.")
        self.token_of(TABLE)

    def token_of(self, viewer: str) -> str:
        """Return the token of the table or of a seat, made when it is first asked for."""
        if viewer not in self._tokens:
            self.renew(viewer)
        return self._tokens[viewer]

    def renew(self, viewer: str) -> None:
        """Give a viewer a new token; the one it had opens nothing any more."""
        self._tokens[viewer] = secrets.token_urlsafe(_TOKEN_BYTES)
        self._keep()

    def forget(self, viewer: str) -> None:
        """Let a viewer's token open nothing any more."""
        if self._tokens.pop(viewer, None) is not None:
            self._keep()

    def keep_port(self, port: int) -> None:
        """Remember the port, so that pages find a resumed evening where it was."""
        self.port = port
        self._keep()

    def viewer_of(self, token: str) -> str | None:
        """Return whose token it is; takes the same time whichever characters of a wrong one are right."""
        given = token.encode("utf-8", "surrogatepass")
        found = None
        for viewer, known in self._tokens.items():
            if secrets.compare_digest(known.encode(), given):
                found = viewer
        return found

    def _take(self, kept: Any) -> None:
        tokens = {str(viewer): str(token) for viewer, token in kept["tokens"].items()}
        if any(len(token) < _TOKEN_BYTES for token in tokens.values()):
            raise ValueError("a token is too short")
        port = int(kept["port"]) if kept["port"] is not None else None
        self._tokens, self.port = tokens, port

    def _keep(self) -> None:
        """Write all anew beside the old file and put it in its place: a crash leaves one of the two."""
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            with contextlib.suppress(FileNotFoundError):
                new.unlink()
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"port": self.port, "tokens": self._tokens}, file, ensure_ascii=False)
            new.replace(self._path)
        except OSError as error:
            raise UsageError(
                f"The links of the pages cannot be kept in {self._path} ({error.strerror}); choose another folder with --journal, or --no-screens."
            ) from error
