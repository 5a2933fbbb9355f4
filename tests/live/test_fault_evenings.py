"""Real faults in the middle of a night: each is noticed and said, the clock stands, and the evening ends with the right score.

A clue that falls into a fault is lost, as it is at a table, where it is said again; guesses come after all is mended.

``benchmarks/table.py`` measures how soon each is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.live.evenings import Event, load_live_evening, typed_reference
from tests.live.faults import ALL_IN_ONE_NIGHT
from tests.live.mishaps import Mishaps
from tests.live.playing import Played, play_live, skip_if_too_slow
from tests.live.sound_server import SoundServer
from voice_host.program import Program

EVENINGS = Path(__file__).parent / "evenings"
OPTIONS = ("--players", "Dan,Amy,Ben,Cleo", "--rounds", "1", "--seed", "3")
SETTINGS = ("night_seconds=60", "clue_seconds=50", "countdown_seconds=10")

NIGHTS: Final = {"all": ALL_IN_ONE_NIGHT, "busy": ("machine busy",)}

EARS: Final = frozenset({"microphone_lost", "loudspeaker_lost"})
REASONS: Final = {
    "microphone unplugged": {"microphone_lost"},
    "capture stopped": {"microphone_lost"},
    "capture killed": {"microphone_lost"},
    "loudspeaker unplugged": {"loudspeaker_lost"},
    "playback killed": {"loudspeaker_lost"},
    "playback stopped": {"loudspeaker_lost"},
    "recogniser killed": {"recognizer_lost"},
    "recogniser stopped": {"recognizer_lost"},
    "microphone silent": {"microphone_silent"},
    "server hung": EARS,
    "server killed and restarted": EARS,
    "host starved": {"machine_slow"},
    "host stopped": {"machine_slow"},
}
"""As what each is to be told; the others are not to be noticed at all."""

NOTICED_SECONDS: Final = 4.0
"""Twice what is promised, for busy machines."""


@pytest.mark.parametrize(
    "night", [pytest.param("all", marks=pytest.mark.real_time), pytest.param("busy", marks=pytest.mark.full)]
)
def test_the_evening_ends_with_the_right_score_whatever_happens_to_it(
    server: SoundServer, english: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, night: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # nothing was ever said: the voice is needed
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    evening = load_live_evening(EVENINGS / "mishaps.txt", EVENINGS / "mishaps_cards.txt", *OPTIONS, *settings)
    reference = typed_reference(evening, english)
    mishaps = Mishaps(NIGHTS[night], server)
    played = play_live(mishaps.in_evening(evening), server, reference, tmp_path, begins=mishaps.begin)
    if night == "busy" and reference[-1] != played.events[-1]:
        skip_if_too_slow(played)
    assert played.exit_code == 0, played.notices
    assert played.acted_on_nobody() == []
    assert reference[-1] == played.events[-1], mishaps.all
    assert unnoticed(mishaps) == []
    assert {one.reason for one in mishaps.all if one.fault.pauses} <= said(played)
    assert time_of_night(played) == pytest.approx(60.0, abs=0.01)


def unnoticed(mishaps: Mishaps) -> list[str]:
    """Return what was not shown as it should be, not soon enough, or left a child as it was."""
    found: list[str] = []
    for one in mishaps.all:
        name = one.fault.name
        after = None if one.noticed is None or one.began is None else one.noticed - one.began
        if one.fault.pauses and one.reason not in REASONS[name]:
            found.append(f"{name} was told as {one.reason}")
        if one.fault.pauses and (after is None or after > one.fault.blind_seconds + NOTICED_SECONDS):
            found.append(f"{name} was told after {after} s")
        if one.fault.child is not None and (None in one.children or len(set(one.children)) < 2):
            found.append(f"{name} left {one.children}")
    return found


def said(played: Played) -> set[str]:
    """Return the prompts that the room was to hear."""
    return {event["prompt"] for event in played.events if event["type"] == "said" and event["to"] == "room"}


def time_of_night(played: Played) -> float:
    """Return the seconds of the night in which the clock did not stand."""
    events = [event for event in played.events if event["type"] == "timer" and event["name"] == "night"]
    began, ended = events[0]["t"], events[-1]["t"]
    return float(ended - began - sum(until - since for since, until in pauses(played.events) if since < ended))


def pauses(events: Sequence[Event]) -> list[tuple[float, float]]:
    """Return from when to when the table's screen showed a pause."""
    found: list[tuple[float, float]] = []
    since = None
    for event in events:
        if event["type"] == "view" and event["viewer"] == "table":
            if event["view"]["paused"] is not None and since is None:
                since = event["t"]
            elif event["view"]["paused"] is None and since is not None:
                found.append((since, event["t"]))
                since = None
    return found
