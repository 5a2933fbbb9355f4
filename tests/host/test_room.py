"""What of an evening the room gets to hear."""

from __future__ import annotations

import asyncio

import numpy as np

from voice_host.evening import Outcome
from voice_host.games.game import Earcon, Say
from voice_host.room import VoicedRoom
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
        room.on_speaking = lambda *, speaking: told.append(speaking)
        voice = asyncio.create_task(room.voice.run())
        for say in says:
            room.perform(Outcome({"text": say.prompt.replace("_", " ")}, say), heard.append)
        room.perform(Outcome({}, Earcon("noted")), heard.append)
        await asyncio.sleep(60)
        voice.cancel()

    run(evening(), virtual=True)
    return list(dict.fromkeys(reader.texts)), heard, told  # a text is prepared, and then said


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
