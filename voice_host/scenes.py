"""The deck of scenes: one sentence a card, which can be read, heard, and seen as a picture of the same name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from voice_host.decks import read_table
from voice_host.errors import UsageError
from voice_host.games.dixit_odyssey.deck import Scene
from voice_host.resources import folder, language_folder

COLUMNS: Final = ("id", "sentence")
"""The header of ``scenes.tsv``, tab separated; the ids are the same in every language, as the pictures are."""

_ID: Final = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True, slots=True)
class SceneRow:
    """One line of a table of scenes."""

    line: int
    """Counts from 1, the header included."""
    scene: Scene


def load_scenes(language: str) -> tuple[Scene, ...]:
    """Return the deck of a language in the order of its lines; raises `UsageError` with line and remedy."""
    path = scenes_path(language)
    return tuple(row.scene for row in parse_scenes(read_table(path, COLUMNS), str(path)))


def scenes_path(language: str) -> Path:
    """Return where the scenes of a language are; raises `UsageError` when there is no such language."""
    return language_folder(language) / "scenes.tsv"


def picture_path(scene_id: str) -> Path:
    """Return where the picture of a scene is: an SVG of its own, without scripts or references to elsewhere."""
    return _pictures() / f"{scene_id}.svg"


def pictured_scenes() -> frozenset[str]:
    """Return the ids of the scenes that have a picture."""
    return frozenset(path.stem for path in _pictures().glob("*.svg"))


def _pictures() -> Path:
    """Return the folder of all pictures."""
    return folder("pictures") / "scenes"


def parse_scenes(text: str, source: str) -> tuple[SceneRow, ...]:
    """Return the lines of a table; raises `UsageError` naming `source` and the line that is no scene."""
    lines = text.removeprefix("\ufeff").splitlines()
    header = tuple(lines[0].split("\t")) if lines else ()
    if header != COLUMNS:
        raise UsageError(
            f"{source}, line 1: the header must name the columns {', '.join(COLUMNS)}, separated by a tab."
        )
    rows: list[SceneRow] = []
    taken: dict[str, int] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        scene = _scene(line.split("\t"), f"{source}, line {number}")
        if scene.id in taken:
            raise UsageError(
                f"{source}, line {number}: the id {scene.id!r} is taken by line {taken[scene.id]}; choose another."
            )
        taken[scene.id] = number
        rows.append(SceneRow(number, scene))
    if not rows:
        raise UsageError(f"{source}, line 1: there is no scene in this deck; write one a line below the header.")
    return tuple(rows)


def _scene(cells: Sequence[str], where: str) -> Scene:
    """Return one line's scene; `where` begins the sentence of an error."""
    if len(cells) != len(COLUMNS):
        raise UsageError(
            f"{where}: {len(cells)} cells instead of {len(COLUMNS)}; separate {' and '.join(COLUMNS)} by one tab."
        )
    id_, sentence = cells
    if not _ID.fullmatch(id_):
        raise UsageError(f"{where}: the id {id_!r} must be words of small ASCII letters, joined by hyphens.")
    if not sentence.strip():
        raise UsageError(f"{where}: the sentence is empty; write what is to be seen.")
    return Scene(id_, sentence)
