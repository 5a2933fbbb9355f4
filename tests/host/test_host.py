"""The one loop: what it journals, when, and what the room gets to hear, on virtual time with a scripted room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from voice_host.commands.play import PlayRequest, first_entry
from voice_host.evening import AT_LIMIT, Adjust, Outcome
from voice_host.games.game import Earcon, Intent, Paused, Resumed, Say, TimerFinished
from voice_host.hearing.recognizers import Hypothesis
from voice_host.host import (
    DeviceBack,
    DeviceLost,
    Host,
    SourceEnded,
    SpeechBegan,
    SpeechDropped,
    SpeechRecognized,
)
from voice_host.journal import Entry, Heard, Journal, LineBegan, read_entries
from voice_host.program import Program
from voice_host.running import Kept, make_host
from voice_host.virtual_time import run


class Room:
    """Remembers what it is to hear; prompts take as long as the test says."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.heard: list[str] = []
        self.spoken_to: list[bool] = []

    def perform(self, outcome: Outcome, played: Callable[[str], None]) -> None:
        match outcome.effect:
            case Say(prompt=prompt):
                self.heard.append(prompt)
                asyncio.get_running_loop().call_later(self.seconds, played, prompt)
            case Earcon(name):
                self.heard.append(f"*{name}")
            case Adjust(setting, value):
                self.heard.append(f"{setting}={value}")

    def cut(self) -> None:
        self.heard.append("(cut)")

    def hush(self) -> None:
        self.heard.append("(hush)")

    def foretell(self, earcon: str) -> None:
        self.heard.append(f"foretold *{earcon}")

    def attend(self, *, spoken_to: bool) -> None:
        self.spoken_to.append(spoken_to)

    def value_after(self, change: str) -> str:
        return AT_LIMIT if change == "speak_slower" else "205"


class Table:
    """A host in virtual time, with its journal open to the eye."""

    def __init__(self, program: Program, folder: Path, room: Room | None) -> None:
        self.path = folder / "e.evening"
        self.room = room
        request = PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", seed=1, rounds=1)
        self.first = first_entry(request, deal="host")
        self.journal = Journal.create(self.path)
        self.lines: list[dict[str, Any]] = []
        self.host: Host = make_host(program, Kept(self.journal, (), self.first), room, [self._watch])

    def play(
        self,
        acts: Callable[[Table], Awaitable[None]],
        entries: tuple[tuple[float, Entry], ...] = (),
        clock: float | None = None,
    ) -> None:
        async def evening() -> None:
            if entries:
                self.host.resume(entries, clock)
            else:
                self.host.begin(self.first)
            playing = asyncio.create_task(self.host.run())
            await acts(self)
            self.host.inbox.put_nowait(SourceEnded(abruptly=True))
            await playing

        run(evening(), virtual=True)
        self.journal.close()

    async def say(self, text: str, seconds: float = 1.0, speaker: str | None = None) -> None:
        began = self.host.now()
        self.host.inbox.put_nowait(SpeechBegan(began))
        await asyncio.sleep(seconds)
        self.host.inbox.put_nowait(SpeechRecognized((text,), began, self.host.now(), speaker))
        await self.host.inbox.join()

    def finished(self) -> list[tuple[str, float]]:
        return [
            (line["name"], line["t"]) for line in self.lines if line["type"] == "timer" and line["event"] == "finished"
        ]

    def said(self) -> list[str]:
        return [line["prompt"] for line in self.lines if line["type"] == "said" and line["to"] == "room"]

    def _watch(self, outcome: Outcome) -> None:
        self.lines.append(dict(outcome.line))


@pytest.fixture
def table(english: Program, tmp_path: Path) -> Table:
    return Table(english, tmp_path, None)


def test_speech_that_began_before_a_giver_was_to_be_skipped_is_heard_first(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(4.5)
        await table.say("water", seconds=2.0)
        await asyncio.sleep(1.0)

    table.play(acts)
    assert table.finished() == []
    assert any(line["type"] == "heard" for line in table.lines)


def test_who_has_silenced_a_prompt_is_understood_as_over_it_though_it_is_over_by_then(
    english: Program, tmp_path: Path
) -> None:
    """In silence "time" is a clue, over a prompt a question."""
    intents: list[list[str]] = []

    async def acts(table: Table) -> None:
        await asyncio.sleep(60.0)
        assert not table.host.evening.unplayed
        for interrupts in (True, False):
            began = table.host.now()
            table.host.inbox.put_nowait(SpeechBegan(began))
            await asyncio.sleep(0.3)
            if interrupts:
                table.host.be_silent()
            table.host.inbox.put_nowait(SpeechRecognized(("time",), began, table.host.now()))
            await table.host.inbox.join()
            heard = [line for line in table.lines if line["type"] == "heard"]
            intents.append([intent["name"] for intent in heard[-1]["intents"]])
            await asyncio.sleep(5.0)

    room = Room()
    Table(english, tmp_path, room).play(acts)
    assert intents[0] == ["barge_in_time"]
    assert "barge_in_time" not in intents[1]
    assert "(hush)" in room.heard


@pytest.mark.parametrize(
    ("text", "foretold"),
    [
        ("my guess is dragon", True),
        ("I give up", True),
        ("undo", False),
        ("dragon", False),
        ("the weather is fine", False),
    ],
)
def test_an_answer_that_begins_with_an_earcon_is_begun_while_the_utterance_is_weighed_again(
    english: Program,
    tmp_path: Path,
    text: str,
    foretold: bool,  # noqa: FBT001
) -> None:
    room = Room()

    async def acts(table: Table) -> None:
        await asyncio.sleep(4.0)
        before = table.host.evening.state
        table.host.foresee((Hypothesis(text, 0.9),))
        assert table.host.evening.state is before
        assert ("foretold *noted" in room.heard) == foretold
        await table.say(text, speaker=None)
        assert ("*noted" in room.heard) == foretold

    Table(english, tmp_path, room).play(acts)


def test_in_a_pause_nothing_is_foretold(english: Program, tmp_path: Path) -> None:
    room = Room()

    async def acts(table: Table) -> None:
        await asyncio.sleep(4.0)
        await table.say("pause")
        table.host.foresee((Hypothesis("my guess is dragon", 0.9),))

    Table(english, tmp_path, room).play(acts)
    assert not any("foretold" in heard for heard in room.heard)


def test_speech_that_was_none_holds_nobody_back_any_longer(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(4.5)
        table.host.inbox.put_nowait(SpeechBegan(table.host.now()))
        await asyncio.sleep(2.0)
        table.host.inbox.put_nowait(SpeechDropped())
        await asyncio.sleep(0.5)

    table.play(acts)
    assert table.finished() == [("clue", 5.0)] or table.finished()[0][0] == "clue"


def test_the_bell_waits_for_nobody(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(119.5)
        await table.say("my guess is a very late thing", seconds=3.0)

    table.play(acts)
    assert ("night", 120.0) in table.finished()


def test_a_fact_is_on_disk_before_it_is_applied(table: Table) -> None:
    on_disk: list[int] = []
    applied = type(table.host.evening).apply

    def apply(evening: Any, t: float, entry: Entry) -> Any:
        on_disk.append(len(read_entries(table.path)))
        return applied(evening, t, entry)

    async def acts(table: Table) -> None:
        await table.say("water")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(table.host.evening), "apply", apply)
        table.play(acts)
    assert on_disk == list(range(1, len(on_disk) + 1))


def test_a_lost_microphone_pauses_the_clock_and_its_return_resumes_it(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(3.0)
        table.host.inbox.put_nowait(DeviceLost("microphone_lost"))
        await asyncio.sleep(60.0)
        table.host.inbox.put_nowait(DeviceBack("microphone_lost"))
        await asyncio.sleep(118.0)

    table.play(acts)
    assert [entry for _, entry in read_entries(table.path) if isinstance(entry, Paused | Resumed)] == [
        Paused("microphone_lost"),
        Resumed(),
    ]
    assert ("night", 180.0) in table.finished()
    assert "microphone_lost" in table.said()


def test_a_device_that_comes_back_does_not_end_the_pause_of_a_player(table: Table) -> None:
    async def acts(table: Table) -> None:
        await table.say("pause the game")
        table.host.inbox.put_nowait(DeviceLost("microphone_lost"))
        table.host.inbox.put_nowait(DeviceBack("microphone_lost"))
        await table.host.inbox.join()

    table.play(acts)
    assert table.host.evening.paused == "asked"


def test_a_resumed_evening_goes_on_at_its_clock_and_says_only_what_was_not_heard(
    english: Program, tmp_path: Path
) -> None:
    async def until_the_night(_table: Table) -> None:
        await asyncio.sleep(12.0)

    before = Table(english, tmp_path, Room(seconds=5.0))
    before.play(until_the_night)
    entries = read_entries(before.path)
    (tmp_path / "again").mkdir()
    after = Table(english, tmp_path / "again", Room(seconds=5.0))
    seen: list[float] = []

    async def look(table: Table) -> None:
        seen.append(table.host.now())
        await asyncio.sleep(6.0)

    unheard = [outcome.line["prompt"] for outcome in before.host.evening.unplayed]
    after.play(look, entries, clock=11.5)
    assert seen == [11.5]
    assert after.room is not None
    assert after.room.heard[: len(unheard)] == unheard
    assert "evening_begins" not in after.room.heard


def test_the_script_position_and_what_was_heard_are_kept(table: Table) -> None:
    async def acts(table: Table) -> None:
        table.host.inbox.put_nowait(LineBegan(1, 0))
        await table.say("I guess dragon", speaker="Amy")

    table.play(acts)
    entries = [entry for _, entry in read_entries(table.path)]
    assert LineBegan(1, 0) in entries
    (heard,) = (entry for entry in entries if isinstance(entry, Heard))
    assert (heard.speaker, [intent.name for intent in heard.intents]) == ("Amy", ["guess"])
    assert not any(isinstance(entry, TimerFinished) for entry in entries)
    assert isinstance(heard.intents[0], Intent)


def test_a_new_evening_says_everything_once(english: Program, tmp_path: Path) -> None:
    async def acts(_table: Table) -> None:
        await asyncio.sleep(20.0)

    room = Room(seconds=2.0)
    table = Table(english, tmp_path, room)
    table.play(acts)
    prompts = [prompt for prompt in room.heard if not prompt.startswith("*")]
    assert prompts.count("evening_begins") == prompts.count("night_falls") == 1
    said = [line["prompt"] for line in table.lines if line["type"] == "said"]
    assert sorted(prompts) == sorted(said)


def test_speech_that_was_cut_off_by_a_lost_microphone_in_a_pause_holds_nobody_back(table: Table) -> None:
    async def acts(table: Table) -> None:
        await table.say("pause the game")
        table.host.inbox.put_nowait(SpeechBegan(table.host.now()))
        table.host.inbox.put_nowait(DeviceLost("microphone_lost"))
        table.host.inbox.put_nowait(DeviceBack("microphone_lost"))
        await table.host.inbox.join()
        await table.say("resume the game")
        await asyncio.sleep(6.0)

    table.play(acts)
    assert "clue" in [name for name, _ in table.finished()]


def test_a_wish_how_to_sound_is_told_by_the_room_journaled_applied_and_said(english: Program, tmp_path: Path) -> None:
    table = Table(english, tmp_path, Room(0.1))

    async def acts(table: Table) -> None:
        await table.say("speak a bit faster")
        await table.say("talk slower please")
        await asyncio.sleep(1.0)

    table.play(acts)
    assert table.room is not None
    assert [heard for heard in table.room.heard if heard.startswith(("voice", "rate"))] == [
        "rate=205",
        "voice_faster",
        "voice_slowest",
    ]
    meant = [entry.intents[0] for _, entry in read_entries(table.path) if isinstance(entry, Heard)]
    assert [(intent.name, intent.slots["value"]) for intent in meant] == [
        ("speak_faster", "205"),
        ("speak_slower", AT_LIMIT),
    ]
    again = Table(english, tmp_path / "again", Room(0.1))
    assert [line["prompt"] for line in table.lines if line["type"] == "said"][-1] == "voice_slowest"
    again.journal.close()


def test_without_a_voice_a_wish_how_to_sound_is_answered_all_the_same(table: Table) -> None:
    async def acts(table: Table) -> None:
        await table.say("speak louder")

    table.play(acts)
    assert table.said()[-1] == "voice_louder"


def test_a_dream_whose_telling_begins_before_the_last_guess_is_over_is_told(table: Table) -> None:
    async def acts(table: Table) -> None:
        await asyncio.sleep(1.0)
        await table.say("I guess " + table.host.evening.view("table")["word"], speaker="Amy")
        await asyncio.sleep(table.host.time_of(129.0) - asyncio.get_running_loop().time())
        assert table.host.evening.view()["phase"] == "last_guess"
        guessed = table.host.evening.view()["yellow"][0]
        await table.say(f"I was walking and then I saw a {guessed}", seconds=3.0, speaker="Amy")

    table.play(acts)
    assert table.host.evening.view()["phase"] == "story"
    assert table.host.evening.view()["told"] == table.host.evening.view()["yellow"]
