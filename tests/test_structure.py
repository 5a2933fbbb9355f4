"""Who may know whom: the rooms' imports, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import voice_host

PACKAGE = Path(voice_host.__file__).parent

MAY_IMPORT = {
    "matching": (),
    "games": ("voice_host.matching",),
    "dialogue": ("voice_host.games.game", "voice_host.matching"),
    "sound_children": ("voice_host.child_process", "voice_host.devices", "voice_host.errors"),
    "hearing": (
        "voice_host.child_process",
        "voice_host.devices",
        "voice_host.errors",
        "voice_host.models",
        "voice_host.models_install",
        "voice_host.sound_children",
    ),
    "screens": ("voice_host.errors",),
    "speaking": ("voice_host.child_process", "voice_host.devices", "voice_host.errors", "voice_host.sound_children"),
}
"""What of ours each room may import beside itself."""

PURE = ("games", "matching", "dialogue")
IMPURE_MODULES = frozenset(
    {"asyncio", "datetime", "io", "os", "pathlib", "platformdirs", "random", "secrets", "shutil", "socket", "sqlite3"}
    | {"subprocess", "sys", "tempfile", "threading", "time"}
)
"""What a pure room has no use for; `random.Random` is allowed as the type of chance that is handed in."""


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_may_know(room: str) -> None:
    allowed = (f"voice_host.{room}", *MAY_IMPORT[room])
    strangers = {
        f"{path.name}: {name}"
        for path in (PACKAGE / room).rglob("*.py")
        for name in _imports(path)
        if name.startswith("voice_host") and not any(f"{name}.".startswith(f"{one}.") for one in allowed)
    }
    assert strangers == set()


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_touches_neither_clock_nor_chance_nor_disk(room: str) -> None:
    impure = {
        f"{path.name}: {name}"
        for path in (PACKAGE / room).rglob("*.py")
        for name in _imports(path)
        if name.split(".")[0] in IMPURE_MODULES and name != "random.Random"
    }
    assert impure == set()


def test_there_are_rooms_to_check() -> None:
    assert all(any((PACKAGE / room).rglob("*.py")) for room in MAY_IMPORT)
