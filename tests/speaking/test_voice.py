"""The speech queue: order, priorities, lateness, interruption, and an evening that goes on without a voice."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice_host.errors import UsageError
from voice_host.speaking.clip import Clip, silence
from voice_host.speaking.earcons import earcon
from voice_host.speaking.loudspeaker import LoudspeakerLost, SilentLoudspeaker
from voice_host.speaking.synthesizer import VoiceLost
from voice_host.speaking.voice import (
    Dropped,
    Finished,
    Outcome,
    Started,
    Voice,
    VoiceEvent,
    VoiceFailed,
    VoiceRecovered,
)
from voice_host.virtual_time import run

RATE = 1000


def recording(seconds: float) -> Clip:
    return Clip(np.full(round(seconds * RATE), 0.5, np.float32), RATE)


@dataclass
class ScriptedSynthesizer:
    """Speaks a text for as many tenths of a second as it has letters, after ``delay`` seconds; can be struck dumb."""

    delay: float = 0.0
    dumb: bool = False
    asked: list[str] = field(default_factory=list)

    async def synthesize(self, text: str) -> Clip:
        self.asked.append(text)
        await asyncio.sleep(self.delay)
        if self.dumb:
            raise VoiceLost("There is no voice; install one.")
        return recording(len(text) / 10)

    def close(self) -> None:
        pass


@dataclass
class WatchedLoudspeaker(SilentLoudspeaker):
    """Takes each clip's time and remembers what it played; can be unplugged."""

    unplugged: bool = False
    played: list[tuple[float, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    async def play(self, clip: Clip) -> None:
        if self.unplugged:
            raise LoudspeakerLost("The loudspeaker is gone; plug it in again.")
        begin = asyncio.get_running_loop().time()
        await super().play(clip)
        self.played.append((begin, asyncio.get_running_loop().time(), clip.seconds))


@dataclass
class Room:
    """A voice, all that it told, and helpers to read it."""

    synthesizer: ScriptedSynthesizer = field(default_factory=ScriptedSynthesizer)
    loudspeaker: WatchedLoudspeaker = field(default_factory=WatchedLoudspeaker)
    events: list[VoiceEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.voice = Voice(self.synthesizer, self.loudspeaker, self.events.append, retry_seconds=10.0)

    def started(self) -> list[str]:
        return [event.line.text or event.line.name for event in self.events if isinstance(event, Started)]

    def evening(self, script: Coroutine[Any, Any, None]) -> None:
        async def whole() -> None:
            running = asyncio.create_task(self.voice.run())
            try:
                await script
            finally:
                running.cancel()
                await asyncio.wait([running])

        run(whole(), virtual=True)


def test_lines_are_said_in_order_one_after_the_other() -> None:
    room = Room()

    async def script() -> None:
        first = room.voice.say("It is night.", name="night_falls")
        room.voice.earcon("noted")
        last = room.voice.say(["Your turn,", recording(0.5)], name="turn", text="Your turn, Ben")
        assert await first is Outcome.HEARD
        assert asyncio.get_running_loop().time() == pytest.approx(1.2)
        assert await last is Outcome.HEARD

    room.evening(script())
    assert room.started() == ["It is night.", "noted", "Your turn, Ben"]
    finished = [event for event in room.events if isinstance(event, Finished)]
    assert [event.line.name for event in finished] == ["night_falls", "noted", "turn"]
    assert not any(event.interrupted for event in finished)
    begins = [event.at for event in room.events if isinstance(event, Started)]
    assert begins == pytest.approx([0, 1.2, 1.2 + earcon("noted").seconds])


def test_the_more_urgent_line_comes_first_but_never_over_another() -> None:
    room = Room()

    async def script() -> None:
        room.voice.say("one", 0)
        await asyncio.sleep(0.1)
        room.voice.say("two", 0)
        room.voice.say("three", 20)
        room.voice.say("four", 20)
        await room.voice.say("five", 0)

    room.evening(script())
    assert room.started() == ["one", "three", "four", "two", "five"]


def test_a_line_whose_time_is_over_is_dropped_not_said_late() -> None:
    room = Room()

    async def script() -> None:
        room.voice.say("ten letters")
        late = room.voice.say("ten seconds", expires_at=1.0)
        in_time = room.voice.say("end", expires_at=1.2)
        assert await late is Outcome.DROPPED
        assert await in_time is Outcome.HEARD

    room.evening(script())
    assert room.started() == ["ten letters", "end"]
    assert [event.line.text for event in room.events if isinstance(event, Dropped)] == ["ten seconds"]


def test_a_line_that_became_late_while_it_was_synthesised_is_dropped() -> None:
    room = Room(ScriptedSynthesizer(delay=2.0))

    async def script() -> None:
        assert await room.voice.say("now", expires_at=1.0) is Outcome.DROPPED

    room.evening(script())
    assert room.started() == []


def test_an_interruption_cuts_at_once_and_drops_what_waits() -> None:
    room = Room()

    async def script() -> None:
        long = room.voice.say("a long, long story")
        waiting = room.voice.say("and more")
        await asyncio.sleep(0.5)
        assert room.voice.speaking
        assert room.voice.quiet_since is None
        room.voice.interrupt()
        assert await long is Outcome.CUT
        assert await waiting is Outcome.DROPPED
        assert asyncio.get_running_loop().time() == pytest.approx(0.5)
        assert not room.voice.speaking
        assert room.voice.quiet_since == pytest.approx(0.5)
        assert await room.voice.say("next") is Outcome.HEARD

    room.evening(script())
    cut = [event.interrupted for event in room.events if isinstance(event, Finished)]
    assert cut == [True, False]


def test_a_hush_cuts_at_once_and_keeps_what_waits_until_it_ends() -> None:
    room = Room()

    async def script() -> None:
        long = room.voice.say("a long, long story")
        waiting = room.voice.say("and more")
        await asyncio.sleep(0.5)
        room.voice.hush(3.0)
        assert await long is Outcome.CUT
        await asyncio.sleep(1.0)
        assert not room.voice.speaking
        room.voice.end_hush()
        assert await waiting is Outcome.HEARD
        assert asyncio.get_running_loop().time() == pytest.approx(0.5 + 1.0 + 0.8)

    room.evening(script())


def test_a_hush_that_nobody_ends_does_not_last() -> None:
    room = Room()

    async def script() -> None:
        room.voice.hush(3.0)
        assert await room.voice.say("once more") is Outcome.HEARD
        assert asyncio.get_running_loop().time() == pytest.approx(3.0 + 0.9)

    room.evening(script())


def test_an_interruption_spares_what_is_more_urgent() -> None:
    room = Room()

    async def script() -> None:
        urgent = room.voice.say("pause", 20)
        chat = room.voice.say("by the way", 0)
        await asyncio.sleep(0.1)
        room.voice.interrupt(below=10)
        assert await urgent is Outcome.HEARD
        assert await chat is Outcome.DROPPED

    room.evening(script())


def test_an_interrupted_line_that_is_still_being_synthesised_is_never_heard() -> None:
    room = Room(ScriptedSynthesizer(delay=1.0))

    async def script() -> None:
        line = room.voice.say("hello")
        await asyncio.sleep(0.5)
        room.voice.interrupt()
        assert await line is Outcome.DROPPED

    room.evening(script())
    assert room.loudspeaker.played == []


def test_a_line_may_be_asked_for_from_within_the_listener() -> None:
    """The host reacts to a finished prompt with the next one."""
    events: list[VoiceEvent] = []

    def listener(event: VoiceEvent) -> None:
        events.append(event)
        if isinstance(event, Finished) and event.line.number < 3:
            voice.say("again")

    voice = Voice(ScriptedSynthesizer(), SilentLoudspeaker(), listener)

    async def script() -> None:
        running = asyncio.create_task(voice.run())
        voice.say("first")
        await asyncio.sleep(10)
        assert voice.idle
        running.cancel()

    run(script(), virtual=True)
    assert [event.line.text for event in events if isinstance(event, Finished)] == ["first", "again", "again"]


def test_without_a_voice_each_line_is_shown_with_an_earcon_and_the_fault_is_told_once() -> None:
    room = Room(ScriptedSynthesizer(dumb=True))

    async def script() -> None:
        for _ in range(3):
            assert await room.voice.say("It is night.", name="night_falls") is Outcome.HEARD
        assert room.voice.voice_lost
        assert len(room.synthesizer.asked) <= 2  # lines do not wait for a voice that is known to be lost

    room.evening(script())
    assert room.started() == ["It is night."] * 3
    assert [seconds for _, _, seconds in room.loudspeaker.played] == [earcon("attention").seconds] * 3
    assert [event.sentence for event in room.events if isinstance(event, VoiceFailed)] == [
        "There is no voice; install one."
    ]


def test_a_lost_voice_is_found_again_by_itself() -> None:
    room = Room(ScriptedSynthesizer(dumb=True))

    async def script() -> None:
        await room.voice.say("It is night.")
        await asyncio.sleep(25)
        room.synthesizer.dumb = False
        await asyncio.sleep(10)
        assert not room.voice.voice_lost
        await room.voice.say("It is day.")

    room.evening(script())
    assert [type(event) for event in room.events if isinstance(event, VoiceFailed | VoiceRecovered)] == [
        VoiceFailed,
        VoiceRecovered,
    ]
    assert room.loudspeaker.played[-1][2] == pytest.approx(1.0)


def test_a_lost_loudspeaker_is_told_once_and_found_again() -> None:
    room = Room()

    async def script() -> None:
        room.loudspeaker.unplugged = True
        assert await room.voice.say("one") is Outcome.HEARD  # as a caption
        assert await room.voice.say("two") is Outcome.HEARD
        room.loudspeaker.unplugged = False
        await room.voice.say("three")

    room.evening(script())
    assert [type(event).__name__ for event in room.events if isinstance(event, VoiceFailed | VoiceRecovered)] == [
        "VoiceFailed",
        "VoiceRecovered",
    ]


def test_prepared_texts_start_without_delay_and_an_empty_text_is_harmless() -> None:
    class Caching(ScriptedSynthesizer):
        async def synthesize(self, text: str) -> Clip:
            self.delay = 0.0 if text in self.asked else 1.0
            return await super().synthesize(text) if text else silence(0)

    room = Room(Caching())

    async def script() -> None:
        room.voice.prepare(["Dragon noted.", "Dragon noted.", ""])
        await asyncio.sleep(5)
        begin = asyncio.get_running_loop().time()
        await room.voice.say("Dragon noted.")
        assert asyncio.get_running_loop().time() - begin == pytest.approx(1.3)
        assert await room.voice.say("") is Outcome.HEARD

    room.evening(script())


def test_an_unknown_earcon_is_refused_when_it_is_asked_for() -> None:
    room = Room()

    async def script() -> None:
        with pytest.raises(UsageError):
            room.voice.earcon("gong")

    room.evening(script())


def test_nobody_waits_for_ever_when_the_voice_ends() -> None:
    room = Room()

    async def script() -> None:
        running = asyncio.create_task(room.voice.run())
        line, waiting = room.voice.say("a long story"), room.voice.say("and more")
        await asyncio.sleep(0.1)
        running.cancel()
        results = await asyncio.gather(line, waiting, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        assert not room.voice.speaking

    run(script(), virtual=True)


def test_a_broken_synthesizer_ends_the_host_loudly() -> None:
    class Broken(ScriptedSynthesizer):
        async def synthesize(self, text: str) -> Clip:
            raise ZeroDivisionError(text)

    async def script() -> None:
        voice = Voice(Broken(), SilentLoudspeaker(), lambda _event: None)
        voice.say("hello")
        with pytest.raises(ExceptionGroup):
            await voice.run()

    run(script(), virtual=True)


@dataclass(frozen=True)
class Ask:
    """One thing that is asked of the voice, and what happens before it."""

    wait: float
    letters: int
    priority: int
    patience: float | None
    interrupt_below: int | str | None
    """"no": nothing is interrupted."""


asks = st.builds(
    Ask,
    st.sampled_from([0.0, 0.05, 0.3, 2.0]),
    st.integers(0, 20),
    st.integers(0, 2),
    st.none() | st.sampled_from([0.0, 0.5, 3.0]),
    st.sampled_from(["no", "no", "no", "no", 1, 2, None]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(asks, max_size=25), st.sampled_from([0.0, 0.01, 0.4]))
def test_whatever_is_asked_nothing_overlaps_nothing_is_late_and_each_line_ends_once(
    script: list[Ask], delay: float
) -> None:
    room = Room(ScriptedSynthesizer(delay=delay))
    outcomes: list[Outcome] = []

    async def ask_all() -> None:
        loop = asyncio.get_running_loop()
        lines = []
        for number, ask in enumerate(script):
            await asyncio.sleep(ask.wait)
            if not isinstance(ask.interrupt_below, str):
                room.voice.interrupt(ask.interrupt_below)
            expires_at = None if ask.patience is None else loop.time() + ask.patience
            lines.append(room.voice.say("x" * ask.letters, ask.priority, expires_at, name=str(number)))
        outcomes.extend(await asyncio.gather(*lines))

    room.evening(ask_all())
    assert len(outcomes) == len(script)
    ends: dict[int, Outcome] = {}
    waiting_since: dict[int, float] = {}
    open_line = None
    at = 0.0
    for event in room.events:
        assert not isinstance(event, VoiceFailed | VoiceRecovered)
        assert event.at >= at
        at = event.at
        number = int(event.line.name)
        assert number not in ends
        match event:
            case Started():
                assert open_line is None
                open_line = number
                assert event.line.expires_at is None or at <= event.line.expires_at
                waiting_since[number] = at
            case Finished():
                assert open_line == number
                open_line = None
                ends[number] = Outcome.CUT if event.interrupted else Outcome.HEARD
                if not event.interrupted:
                    assert at - waiting_since[number] == pytest.approx(script[number].letters / 10)
            case Dropped():
                ends[number] = Outcome.DROPPED
    assert [ends[number] for number in range(len(script))] == outcomes
    for (_, end, _), (begin, _, _) in zip(room.loudspeaker.played, room.loudspeaker.played[1:], strict=False):
        assert begin >= end


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=20))
def test_of_what_waits_the_most_urgent_and_then_the_oldest_is_said(priorities: list[int]) -> None:
    room = Room()

    async def script() -> None:
        lines = [room.voice.say("x", priority, name=str(number)) for number, priority in enumerate(priorities)]
        await asyncio.gather(*lines)

    room.evening(script())
    said = [int(event.line.name) for event in room.events if isinstance(event, Started)]
    assert said == sorted(range(len(priorities)), key=lambda number: (-priorities[number], number))
