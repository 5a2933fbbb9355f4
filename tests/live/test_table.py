"""Whole evenings over a sound card: people's voices in the microphone, the host in the loudspeaker, which the microphone hears.

The evenings are short; ``benchmarks/table.py`` plays the long ones and measures. One is played always, both with ``pytest --full``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.evenings import load_live_evening, meanings, outline, typed_reference
from tests.live.playing import play_live, skip_if_too_slow
from tests.live.sound_server import SoundServer
from voice_host.program import Program

pytestmark = pytest.mark.full
"""In real time, which several tests at once disturb."""

EVENINGS = Path(__file__).parent / "evenings"
COMMON = ("--rounds", "1", "--seed", "3", "--set", "clue_seconds=8", "--set", "countdown_seconds=10")


NIGHTS = {"four": ("Ben,Cleo,Dan,Amy", 100), "six": ("Dan,Emma,Fred,Amy,Ben,Cleo", 85)}
"""Who plays, clockwise, and how many seconds a night has; a third of it is there for slow machines."""


@pytest.mark.parametrize("name", ["four", "six"])
def test_an_evening_at_a_sound_card_is_the_evening_of_its_script(
    server: SoundServer, english: Program, tmp_path: Path, name: str
) -> None:
    """Every turn, guess, foul, skip, story, vote and score is that of the script; the host does nothing because of its own voice."""
    players, night_seconds = NIGHTS[name]
    options = ("--players", players, "--set", f"night_seconds={night_seconds}", *COMMON)
    evening = load_live_evening(EVENINGS / f"{name}.txt", EVENINGS / f"{name}_cards.txt", *options)
    reference = typed_reference(evening, english)
    played = play_live(evening, server, reference, tmp_path)
    if outline(reference) != outline(played.events):
        skip_if_too_slow(played)
    assert played.acted_on_nobody() == []
    assert meanings(reference) == meanings(played.events)
    assert outline(reference) == outline(played.events)
    assert reference[-1] == played.events[-1]
    assert played.exit_code == 0, played.notices
