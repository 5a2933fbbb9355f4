"""Several faults at once, their seconds, what is said of them, and what becomes of what was said meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.host.test_host import Room, Table
from voice_host.faults import BACK, FAULTS
from voice_host.games.game import Paused, Resumed
from voice_host.host import DeviceBack, DeviceLost, SpeechBegan, SpeechRecognized
from voice_host.journal import Entry, Heard, read_entries
from voice_host.program import Program


@pytest.fixture
def table(english: Program, tmp_path: Path) -> Table:
    return Table(english, tmp_path, None)


def lose(table: Table, reason: str, since: float | None = None) -> None:
    table.host.inbox.put_nowait(DeviceLost(reason, since))


def mend(table: Table, reason: str) -> None:
    table.host.inbox.put_nowait(DeviceBack(reason))


def pauses(table: Table) -> list[tuple[float, Entry]]:
    return [(t, entry) for t, entry in read_entries(table.path) if isinstance(entry, Paused | Resumed)]


@pytest.mark.parametrize("reason", FAULTS)
def test_each_fault_stops_the_clock_at_its_second_and_is_said(table: Table, reason: str) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(4.0)
        lose(table, reason, since=2.5)
        await asyncio.sleep(60.0)
        mend(table, reason)
        await asyncio.sleep(120.0)

    table.play(acts)
    assert pauses(table) == [(2.5, Paused(reason)), (64.0, Resumed())]
    assert ("night", 181.5) in table.finished()
    assert table.said().count(reason) == 1
    assert BACK.get(reason, "resume_said") in table.said()


def test_the_evening_goes_on_when_all_faults_are_mended(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(2.0)
        lose(table, "microphone_lost")
        lose(table, "loudspeaker_lost")
        lose(table, "loudspeaker_lost")
        await asyncio.sleep(10.0)
        mend(table, "loudspeaker_lost")
        await asyncio.sleep(10.0)
        assert table.host.evening.paused == "microphone_lost"
        mend(table, "microphone_lost")
        await asyncio.sleep(1.0)
        assert table.host.evening.paused is None

    table.play(acts)
    assert [entry for _, entry in pauses(table)].count(Resumed()) == 1
    assert table.said().count("loudspeaker_lost") == table.said().count("microphone_lost") == 1


def test_no_timer_finishes_after_the_fault_that_is_being_told(table: Table) -> None:
    """As in a process that was stopped over the end of the night: it wakes up with timers that are due."""

    async def acts(table: Table) -> None:
        await asyncio.sleep(119.0)
        told: list[str] = []

        def look() -> None:
            if table.host.now() > 119.6 and not told:
                told.append("machine_slow")
                lose(table, "machine_slow", since=119.5)

        table.host.look_at_machine = look
        await asyncio.sleep(3.0)
        assert table.host.evening.paused == "machine_slow"
        await asyncio.sleep(10.0)
        mend(table, "machine_slow")
        await asyncio.sleep(0.6)

    table.play(acts)
    (paused, _), (resumed, _) = pauses(table)
    assert paused == 119.5
    assert [t for name, t in table.finished() if name == "night"] == [pytest.approx(resumed + 0.5)]


def test_a_loose_cable_does_not_nag(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(2.0)
        for _ in range(5):
            lose(table, "microphone_lost")
            await asyncio.sleep(1.0)
            mend(table, "microphone_lost")
            await asyncio.sleep(1.0)

    table.play(acts)
    assert len(pauses(table)) == 10
    assert table.said().count("microphone_lost") == 1
    assert table.said().count("resume_said") == 1


def test_a_table_may_resume_without_what_is_missing(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(2.0)
        lose(table, "loudspeaker_lost")
        await asyncio.sleep(10.0)
        await table.say("resume the game")
        assert table.host.evening.paused is None
        lose(table, "loudspeaker_lost")
        lose(table, "recognizer_lost")
        await asyncio.sleep(1.0)
        assert table.host.evening.paused == "recognizer_lost"
        mend(table, "recognizer_lost")  # which is all that the table still waited for
        await asyncio.sleep(1.0)
        assert table.host.evening.paused is None

    table.play(acts)


def test_a_pause_that_was_asked_for_in_a_fault_outlasts_it(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(2.0)
        lose(table, "loudspeaker_lost")
        await asyncio.sleep(1.0)
        await table.say("pause the game")
        mend(table, "loudspeaker_lost")
        await asyncio.sleep(5.0)
        assert table.host.evening.paused == "asked"
        await table.say("resume the game")
        assert table.host.evening.paused is None

    table.play(acts)


def test_a_guess_that_was_said_before_the_fault_counts_after_it(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(2.0)
        table.host.inbox.put_nowait(SpeechBegan(2.0))
        await asyncio.sleep(1.5)
        lose(table, "machine_slow", since=3.0)
        await asyncio.sleep(2.0)
        table.host.inbox.put_nowait(SpeechRecognized(("I guess dragon",), 2.0, 3.0, "Amy"))
        await asyncio.sleep(2.0)
        mend(table, "machine_slow")
        await asyncio.sleep(1.0)

    table.play(acts)
    kinds = [type(entry) for _, entry in read_entries(table.path) if isinstance(entry, Paused | Resumed | Heard)]
    assert kinds == [Paused, Resumed, Heard]
    assert "guess_noted" in table.said()
    assert "refuse_paused" not in table.said()


def test_a_story_that_is_told_during_a_fault_counts_after_it(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(1.0)
        word = table.host.evening.view("Ben")["word"]
        await table.say(f"I guess {word}", speaker="Amy")
        await asyncio.sleep(125.0)
        await table.say("I give up", speaker="Amy")
        assert table.host.evening.view()["phase"] == "story"
        lose(table, "machine_slow")
        await asyncio.sleep(1.0)
        await table.say(f"then I met a {word}")
        await table.say("how much time is left")
        assert table.host.evening.view()["told"] == []
        assert table.said()[-1] == "no_time"
        mend(table, "machine_slow")
        await asyncio.sleep(1.0)
        assert table.host.evening.view()["told"] == [word]
        lose(table, "machine_slow")
        await table.say("I wake up")
        assert table.host.evening.view()["phase"] == "story"
        await table.say("resume")
        await asyncio.sleep(0.0)
        assert table.host.evening.view()["phase"] != "story"

    table.play(acts)
    assert "refuse_paused" not in table.said()


def test_a_guess_that_is_made_during_a_fault_has_to_be_made_again(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(2.0)
        lose(table, "machine_slow")
        await asyncio.sleep(1.0)
        await table.say("I guess dragon", speaker="Amy")
        mend(table, "machine_slow")
        await asyncio.sleep(1.0)

    table.play(acts)
    assert "guess_noted" not in table.said()
    assert "refuse_paused" in table.said()


def test_a_process_that_died_in_a_fault_goes_on_at_once_with_the_devices_it_has(
    english: Program, tmp_path: Path
) -> None:
    async def until_the_fault(table: Table) -> None:
        await asyncio.sleep(30.0)
        lose(table, "microphone_lost")
        await asyncio.sleep(5.0)

    before = Table(english, tmp_path, None)
    before.play(until_the_fault)
    (tmp_path / "again").mkdir()
    after = Table(english, tmp_path / "again", Room())

    async def the_rest(_table: Table) -> None:
        await asyncio.sleep(100.0)

    after.play(the_rest, read_entries(before.path), clock=34.0)
    assert pauses(after) == [(34.0, Resumed())]
    assert ("night", 124.0) in after.finished()
