"""The pages' flags of `play`: what makes no sense is refused in one sentence, a port that is taken is named."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.screens.evening_with_pages import EveningWithPages
from voice_host.commands.play import PlayRequest, play
from voice_host.errors import UsageError
from voice_host.program import Program
from voice_host.screens.server import Wanted

SCRIPT = Path("evening.txt")


@pytest.mark.parametrize(
    ("flags", "remedy"),
    [
        ({"lan": True, "no_screens": True}, "--lan and --no-screens"),
        ({"port": 8080, "script": SCRIPT}, "--screens"),
        ({"screens": True, "fast": True, "mic": "evening.wav"}, "--fast"),
        ({"dreamer_mic": "page", "no_screens": True}, "--dreamer-mic page"),
    ],
)
def test_what_makes_no_sense_is_refused(english: Program, flags: dict[str, Any], remedy: str) -> None:
    with pytest.raises(UsageError, match=remedy):
        play(PlayRequest(game="when-i-dream", lang="en", players="Amy,Ben,Cleo,Dan", **flags), english)


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_does_not_exist_is_refused(english: Program, tmp_path: Path, port: int) -> None:
    with pytest.raises(UsageError, match=str(port)), EveningWithPages(english, tmp_path, wanted=Wanted(port=port)):
        pass


def test_a_port_that_is_taken_is_refused_with_a_remedy(english: Program, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        wanted = Wanted(port=other.getsockname()[1])
        with pytest.raises(UsageError, match="--port"), EveningWithPages(english, tmp_path, wanted=wanted):
            pass
