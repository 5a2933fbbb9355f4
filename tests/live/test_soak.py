"""Evening after evening in one process: nothing is left behind, and nothing is said but what the script asks.

``benchmarks/soak.py`` listens for two hours.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.evenings import load_live_evening, outline, said, typed_reference
from tests.live.soaking import footprint, play_virtual
from voice_host.program import Program

pytestmark = pytest.mark.real_time
"""In real time, which several tests at once disturb."""

EVENINGS = Path(__file__).parent / "evenings"
OPTIONS = ("--players", "Dan,Amy,Ben,Cleo", "--rounds", "1", "--seed", "3")
SETTINGS = ("--set", "night_seconds=60", "--set", "clue_seconds=50")


def test_evenings_leave_nothing_behind_and_say_nothing_else(english: Program, tmp_path: Path) -> None:
    evening = load_live_evening(EVENINGS / "faults.txt", EVENINGS / "faults_cards.txt", *OPTIONS, *SETTINGS)
    reference = typed_reference(evening, english)
    play_virtual(evening, reference, english, tmp_path)  # loads what is loaded once
    before = footprint()
    for _ in range(2):
        events = play_virtual(evening, reference, english, tmp_path)
        assert outline(reference) == outline(events)
        assert said(reference) == said(events)
    after = footprint(len(before.threads))
    assert after.threads == before.threads
    assert after.children == before.children
    assert after.files <= before.files
    assert not after.megabytes > before.megabytes + 20
