"""The rules of the games, pure: what a table may do and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from voice_host.games import dixit_odyssey, when_i_dream
from voice_host.games.game import Game

GAMES: Final[Mapping[str, Game]] = {"when-i-dream": when_i_dream, "dixit-odyssey": dixit_odyssey}
"""Every game by the name the command line knows it by."""
