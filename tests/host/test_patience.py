"""How long the host waits for the rest of what is being said."""

from __future__ import annotations

from pathlib import Path

import pytest

from voice_host.commands.play import PlayRequest, first_entry
from voice_host.endings import INCOMPLETE_SECONDS, TALK_SECONDS
from voice_host.games.game import Played, TimerFinished
from voice_host.host import Host
from voice_host.journal import Journal
from voice_host.program import Program
from voice_host.running import Kept, make_host


@pytest.fixture
def host(english: Program, tmp_path: Path) -> Host:
    """Return a host in the middle of a night."""
    first = first_entry(PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", seed=1), deal="host")
    host = make_host(english, Kept(Journal.create(tmp_path / "e.evening"), (), first), None, ())
    host.evening.apply(0.0, first)
    while host.evening.unplayed:
        host.evening.apply(0.0, Played(host.evening.unplayed[0].line["prompt"]))
    return host


@pytest.mark.parametrize(
    ("texts", "seconds"),
    [
        (("My guess is dragon",), 0.0),
        (("I give up",), 0.0),
        (("water",), 0.0),
        (("My guess is",), INCOMPLETE_SECONDS),
        (("is it a",), TALK_SECONDS),
        (("well I was thinking about the weather in the mountains and",), TALK_SECONDS),
        ((), None),
    ],
)
def test_a_complete_phrase_is_not_waited_for_and_an_incomplete_one_is(
    host: Host, texts: tuple[str, ...], seconds: float | None
) -> None:
    assert host.endings.patience(texts) == seconds


def test_a_story_may_pause_but_its_end_is_taken_at_once(host: Host) -> None:
    host.evening.apply(120.0, TimerFinished("night"))
    host.evening.apply(130.0, TimerFinished("last_guess"))
    assert host.evening.view()["phase"] == "story"
    assert host.endings.patience(("I was riding on an elephant",)) == TALK_SECONDS
    assert host.endings.patience(("Then I woke up",)) == 0.0


def test_looking_at_what_is_said_changes_nothing(host: Host) -> None:
    before = host.evening.state
    host.endings.patience(("my guess is dragon",))
    assert host.evening.state is before
