"""What cannot be heard waits until it can: no line of a night is lost to a lost voice or loudspeaker."""

from __future__ import annotations

import asyncio

import pytest

from tests.speaking.test_voice import Room
from voice_host.speaking.voice import Dropped, Finished, Held, Outcome, Started, VoiceFailed, VoiceRecovered

BOTH = frozenset({"voice_lost", "loudspeaker_lost"})


def faults(room: Room) -> list[tuple[str, str]]:
    return [
        (type(event).__name__, event.reason) for event in room.events if isinstance(event, VoiceFailed | VoiceRecovered)
    ]


def test_lines_wait_for_a_lost_voice_and_earcons_do_not() -> None:
    room = Room()
    room.voice.holds = BOTH

    async def script() -> None:
        room.synthesizer.dumb = True
        first = room.voice.say("It is night.", name="night_falls")
        turn = room.voice.say("Ben.", expires_at=2.0, name="turn")
        await asyncio.sleep(0.1)
        await room.voice.earcon("bell")
        await asyncio.sleep(20.0)
        assert room.started() == ["bell"]
        room.synthesizer.dumb = False
        assert await first is Outcome.HEARD
        assert await turn is Outcome.HEARD  # the time of the fault does not count

    room.evening(script())
    assert room.started() == ["bell", "It is night.", "Ben."]
    assert faults(room) == [("VoiceFailed", "voice_lost"), ("VoiceRecovered", "voice_lost")]


def test_a_line_that_a_lost_loudspeaker_cut_is_said_again() -> None:
    room = Room()
    room.voice.holds = BOTH

    async def script() -> None:
        room.loudspeaker.unplugged = True
        first = room.voice.say("It is night.", name="night_falls")
        await asyncio.sleep(7.5)
        assert not any(isinstance(event, Finished | Dropped) for event in room.events)
        started = [event for event in room.events if isinstance(event, Started)]
        held = [event for event in room.events if isinstance(event, Held)]
        assert len(started) == len(held) > 3  # the ear is open between two trials
        room.loudspeaker.unplugged = False
        assert await first is Outcome.HEARD
        assert asyncio.get_running_loop().time() < 10

    room.evening(script())
    assert faults(room) == [("VoiceFailed", "loudspeaker_lost"), ("VoiceRecovered", "loudspeaker_lost")]
    assert len(room.loudspeaker.played) == 1


def test_a_loudspeaker_that_tells_it_is_back_is_used_at_once() -> None:
    room = Room()
    room.voice.holds = BOTH

    async def script() -> None:
        room.loudspeaker.unplugged = True
        first = room.voice.say("It is night.")
        await asyncio.sleep(0.5)
        room.loudspeaker.unplugged = False
        room.voice.loudspeaker_is_back()
        assert await first is Outcome.HEARD

    room.evening(script())
    assert room.loudspeaker.played[0][0] == pytest.approx(0.5)


def test_a_table_that_carries_on_reads_what_it_cannot_hear() -> None:
    room = Room()
    room.voice.holds = BOTH

    async def script() -> None:
        room.synthesizer.dumb = True
        first = room.voice.say("It is night.")
        await asyncio.sleep(1.0)
        room.voice.carry_on()
        await first
        await room.voice.say("Ben.")

    room.evening(script())
    assert room.started() == ["It is night.", "Ben."]
