"""What of an evening the room gets to hear."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import numpy as np

from voice_host.evening import HOST_PROMPTS, Outcome
from voice_host.games import lobby, when_i_dream
from voice_host.games.game import Earcon, Say
from voice_host.room import URGENCIES, VoicedRoom
from voice_host.speaking.clip import Clip
from voice_host.speaking.loudspeaker import SilentLoudspeaker
from voice_host.virtual_time import run


class _Reader:
    """A scripted synthesiser: remembers its texts; a letter lasts a tenth of a second."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def synthesize(self, text: str) -> Clip:
        self.texts.append(text)
        return Clip(np.full(1600 * len(text), 0.1, np.float32), 16_000)

    def close(self) -> None:
        pass


def _said(*says: Say, names: dict[str, Clip] | None = None) -> tuple[list[str], list[str], list[bool]]:
    """Let a room perform; returns the texts spoken, the prompts reported as heard, and when it was told to be speaking."""
    reader = _Reader()
    heard: list[str] = []
    told: list[bool] = []

    async def evening() -> None:
        room = VoicedRoom(reader, SilentLoudspeaker(), lambda _sentence: None)
        room.recorded_names.update(names or {})
        room.on_speaking["table"] = lambda *, speaking: told.append(speaking)
        voice = asyncio.create_task(room.voice.run())
        for say in says:
            room.perform(Outcome({"text": say.prompt.replace("_", " ")}, say), heard.append)
            await asyncio.sleep(0)  # the first is being said when the others are asked for
        room.perform(Outcome({}, Earcon("noted")), heard.append)
        await asyncio.sleep(60)
        voice.cancel()

    run(evening(), virtual=True)
    return list(dict.fromkeys(reader.texts)), heard, told  # a text is prepared, and then said


def test_every_urgency_is_that_of_a_prompt() -> None:
    known = {**HOST_PROMPTS, **when_i_dream.PROMPTS, **lobby.PROMPTS}
    assert sorted(set(URGENCIES) - set(known)) == []


def test_by_day_everything_is_said_in_order_however_long_it_waits() -> None:
    day = [Say(prompt) for prompt in ("day_breaks", "review_begins", *["review_guess"] * 20, "ask_objections")]
    _, heard, _ = _said(*day)
    assert heard == [say.prompt for say in day]


def test_what_is_out_of_date_is_dropped_and_reported_so_that_nobody_waits_for_it() -> None:
    long = Say("night_over_and_much_more_is_said_of_it")
    _, heard, told = _said(long, Say("totals"), Say("turn"), Say("countdown"), Say("refuse_no_word"))
    assert heard == [long.prompt, "turn", "countdown", "refuse_no_word", "totals"]
    assert len(told) == 2 * 3  # began and ended


def test_a_pause_is_heard_before_all_that_waits_and_an_answer_before_a_recital() -> None:
    _, heard, _ = _said(Say("totals"), Say("totals"), Say("score_now"), Say("refuse_no_word"), Say("pause_said"))
    assert heard == ["totals", "pause_said", "refuse_no_word", "totals", "score_now"]


class _Soft(SilentLoudspeaker):
    """Remembers how it was ducked."""

    def __init__(self) -> None:
        super().__init__()
        self.ducked: list[bool] = []

    def duck(self, on: bool) -> None:  # noqa: FBT001 - the protocol's
        self.ducked.append(on)


def _spoken_to(prompt: str) -> tuple[list[bool], list[str]]:
    """Speak over a prompt, then cut it; returns how the loudspeaker was ducked, and what was reported as heard."""
    loudspeaker, heard = _Soft(), list[str]()

    async def evening() -> None:
        room = VoicedRoom(_Reader(), loudspeaker, lambda _sentence: None)
        voice = asyncio.create_task(room.voice.run())
        room.attend(spoken_to=True)  # nothing is being said yet
        for name in (prompt, "totals"):
            room.perform(Outcome({"text": name}, Say(name)), heard.append)
        await asyncio.sleep(0.2)
        assert room.said_since(0.0) == (prompt,)
        room.attend(spoken_to=True)
        room.attend(spoken_to=True)
        await asyncio.sleep(0.1)
        room.cut()
        await asyncio.sleep(0.01)
        assert heard == [prompt]
        assert room.said_since(0.0) == (prompt, "totals")
        await asyncio.sleep(60)
        voice.cancel()

    run(evening(), virtual=True)
    return loudspeaker.ducked, heard


def test_the_host_speaks_softly_while_somebody_speaks_over_a_prompt_and_is_silent_at_once_when_asked() -> None:
    assert _spoken_to("night_over") == ([True, False], ["night_over", "totals"])


def test_what_is_urgent_is_said_as_loudly_as_ever() -> None:
    assert _spoken_to("last_guess") == ([], ["last_guess", "totals"])


def test_what_is_for_one_seat_is_not_for_the_room() -> None:
    texts, heard, _ = _said(Say("your_role", {"role": "fairy"}, to="Ben"), Say("night_over"))
    assert (texts, heard) == (["night over"], ["night_over"])


def test_the_ear_is_told_when_the_host_speaks_but_not_when_an_earcon_sounds() -> None:
    _, _, speaking = _said(Say("night_over"), Say("dream_told"))
    assert speaking == [True, False, True, False]


def test_a_player_with_a_recorded_name_says_it() -> None:
    names = {"Zorblax": Clip(np.ones(1600, np.float32), 16_000)}
    texts, _, _ = _said(Say("and_now_Zorblax_dreams"), Say("Zorblaxia"), names=names)
    assert texts == ["and now ", " dreams", "Zorblaxia"]


def test_a_tick_is_heard_once_over_what_is_being_said_at_its_foretold_moment() -> None:
    class Ear(SilentLoudspeaker):
        """Remembers when something was overlaid."""

        heard: ClassVar[list[tuple[float, bool]]] = []

        async def overlay(self, clip: Clip, at: float | None = None) -> None:
            self.heard.append((at or asyncio.get_running_loop().time(), self.playing))
            await super().overlay(clip, at)

    async def evening() -> float:
        room = VoicedRoom(_Reader(), Ear(), lambda _sentence: None)
        voice = asyncio.create_task(room.voice.run())
        room.perform(Outcome({"text": "a long sentence of the host"}, Say("welcome")), lambda _prompt: None)
        await asyncio.sleep(0.7)
        asked = asyncio.get_running_loop().time()
        room.perform(Outcome({"t": 115.0}, Earcon("tick")), lambda _prompt: None)
        room.foretell_tick(116.0, asked + 1.0)
        room.foretell_tick(116.0, asked + 1.0)
        room.perform(Outcome({"t": 116.0}, Earcon("tick")), lambda _prompt: None)
        await asyncio.sleep(5)
        voice.cancel()
        return asked

    asked = run(evening(), virtual=True)
    assert [(at - asked, playing) for at, playing in Ear.heard] == [(0.0, True), (1.0, True)]


class _Listed(SilentLoudspeaker):
    """Remembers when it began to play what."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[tuple[float, float]] = []

    async def play(self, clip: Clip) -> None:
        self.begun.append((asyncio.get_running_loop().time(), clip.seconds))
        await super().play(clip)


def test_an_earcon_that_was_foretold_is_heard_then_and_only_then_and_the_next_one_as_usual() -> None:
    loudspeaker = _Listed()

    async def evening() -> None:
        room = VoicedRoom(_Reader(), loudspeaker, lambda _sentence: None)
        voice = asyncio.create_task(room.voice.run())
        await asyncio.sleep(1.0)
        room.foretell("noted")
        await asyncio.sleep(1.0)
        room.perform(Outcome({}, Earcon("noted")), lambda _prompt: None)
        await asyncio.sleep(1.0)
        room.perform(Outcome({}, Earcon("noted")), lambda _prompt: None)
        await asyncio.sleep(1.0)
        room.foretell("noted")  # and then nobody asks for it
        await asyncio.sleep(10.0)
        room.perform(Outcome({}, Earcon("noted")), lambda _prompt: None)
        await asyncio.sleep(1.0)
        voice.cancel()

    run(evening(), virtual=True)
    assert [round(at) for at, _ in loudspeaker.begun] == [1, 3, 4, 14]
