"""The vector pieces of which the scenes are composed: Microsoft's Fluent emoji, flat, as a package of the npm registry brings them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from voice_host.errors import UsageError

PACKAGE: Final = "@iconify-json/fluent-emoji-flat"
VERSION: Final = "1.2.6"
SIDE: Final = 32
"""The width and height of a piece in its own units."""

FOOT: Final = 14
"""So far below its centre a piece stands on the ground, in its own units: each has a margin of two."""

_IDS: Final = re.compile(r'\b(id="|href="#|url\(#)([\w-]+)')
_PAINT: Final = re.compile(r'\b(fill|stroke)="(?!none)[^"]*"')


@dataclass(frozen=True, slots=True)
class Pieces:
    """The bodies of all pieces by their names: SVG elements in a box of `SIDE` by `SIDE`."""

    bodies: Mapping[str, str]

    def body(self, name: str, tint: str | None = None) -> str:
        """Return a piece, as a silhouette of one colour where a `tint` is given; raises `KeyError` for an unknown one."""
        body = _IDS.sub(lambda found: f"{found[1]}{name}-{found[2]}", self.bodies[name])
        return body if tint is None else _PAINT.sub(rf'\1="{tint}"', body)


def read_pieces(icons: Path) -> Pieces:
    """Return the pieces of the package's ``icons.json``."""
    table = json.loads(icons.read_text(encoding="utf-8"))
    return Pieces({name: icon["body"] for name, icon in table["icons"].items()})


def fetch_pieces(scratch: Path) -> Pieces:
    """Download the package by npm into an empty folder and return its pieces; raises `UsageError` when npm cannot."""
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError(f"There is no npm here; install it, or name the icons.json of {PACKAGE} with --pieces.")
    command = [npm, "pack", "--silent", f"{PACKAGE}@{VERSION}"]
    ended = subprocess.run(command, cwd=scratch, stdout=subprocess.DEVNULL, check=False)  # noqa: S603 - our own words
    if ended.returncode:
        raise UsageError(f"npm could not download {PACKAGE} {VERSION}; see above, and look at the network.")
    (archive,) = scratch.glob("*.tgz")
    with tarfile.open(archive) as package:
        package.extract("package/icons.json", scratch, filter="data")
    return read_pieces(scratch / "package" / "icons.json")
