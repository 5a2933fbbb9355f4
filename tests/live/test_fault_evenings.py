"""Real faults in the middle of a night: the evening goes on by itself and ends with the right score.

All of `FAULTS` happen in ``benchmarks/table.py``; here are those that take different ways through the host.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.evenings import load_live_evening, outline, typed_reference
from tests.live.mishaps import Mishaps
from tests.live.playing import play_live
from tests.live.sound_server import SoundServer
from voice_host.program import Program

EVENINGS = Path(__file__).parent / "evenings"
OPTIONS = ("--players", "Dan,Amy,Ben,Cleo", "--rounds", "1", "--seed", "3")
SETTINGS = ("night_seconds=130", "clue_seconds=90", "countdown_seconds=10", "pause_replaces_card=no")

NIGHTS = {
    "devices": ("microphone unplugged", "loudspeaker unplugged", "server killed and restarted", "server hung"),
    "processes": ("capture killed", "playback stopped", "voice killed", "recogniser stopped", "host stopped"),
}


@pytest.mark.xfail(
    reason="a line of the day was lost in the one whole night of faults that was played; see benchmarks/table.md",
    strict=False,
)
@pytest.mark.parametrize("night", NIGHTS)
def test_the_evening_ends_with_the_right_score_whatever_happens_to_it(
    server: SoundServer, english: Program, tmp_path: Path, night: str
) -> None:
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    evening = load_live_evening(EVENINGS / "faults.txt", EVENINGS / "faults_cards.txt", *OPTIONS, *settings)
    reference = typed_reference(evening, english)
    mishaps = Mishaps(NIGHTS[night], server)
    played = play_live(mishaps.in_evening(evening), server, reference, tmp_path, begins=mishaps.begin)
    assert played.exit_code == 0, played.notices
    assert reference[-1] == played.events[-1], mishaps.all
    assert outline(reference) == outline(played.events), mishaps.all
