"""Whole evenings, compared line by line with what they were when somebody last read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.playthrough import FOLDER, notation_of, renewed
from voice_host.games import GAMES

PATHS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_evening_goes_as_written(path: Path) -> None:
    expected = path.read_text(encoding="utf-8")
    actual = renewed(expected, notation_of(path))
    assert actual == expected, "renew with: python -m tests.games.playthrough"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_playthrough(game: str) -> None:
    assert [path for path in PATHS if path.stem.startswith(game)] != []
