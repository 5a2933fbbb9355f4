"""A seat that is spoken to alone: what it hears, what the room does not, and what the dreamer never does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from voice_host.commands.play import PlayRequest, first_entry, play
from voice_host.errors import UsageError
from voice_host.evening import Outcome
from voice_host.host import Host
from voice_host.journal import Journal
from voice_host.private_ear import PrivateEar, PrivateSpeakers, parse_private_speakers
from voice_host.program import Program
from voice_host.room import VoicedRoom
from voice_host.running import Kept, begin, make_host, run_evening
from voice_host.speaking.loudspeaker import FileLoudspeaker
from voice_host.speaking.synthesizer import ChildSynthesizer
from voice_host.tables.script import Spoken
from voice_host.tables.typed import type_script
from voice_host.virtual_time import run

PLAYERS = "Amy,Ben,Cleo,Dan"


class _Spoken:
    """A queue that keeps what it is asked to say."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, *_: Any, **__: Any) -> None:
        self.said.append(text)

    def interrupt(self, **_: Any) -> None:
        """Nothing is being said."""


def _ear(seat: str) -> tuple[PrivateEar, list[str]]:
    queue = _Spoken()
    texts = {"the_word_is": "The word is {word}", "your_turn": "Your turn"}
    return PrivateEar(seat, queue, texts), queue.said  # type: ignore[arg-type]


def _view(viewer: str, **view: Any) -> Outcome:
    return Outcome({"type": "view", "viewer": viewer, "view": {"dreamer": "Amy", "paused": None, "turn": None, **view}})


def test_a_giver_is_told_its_role_each_word_once_and_its_turn() -> None:
    ear, said = _ear("ben")
    ear.watch(Outcome({"type": "said", "to": "Ben", "text": "You are a fairy.", "prompt": "your_role"}))
    ear.watch(Outcome({"type": "said", "to": "Cleo", "text": "You are a sandman.", "prompt": "your_role"}))
    ear.watch(Outcome({"type": "said", "to": "room", "text": "Night falls.", "prompt": "night_falls"}))
    ear.watch(_view("Ben", word="dragon", turn="Ben"))
    ear.watch(_view("Cleo", word="dragon", turn="Cleo"))
    ear.watch(_view("Ben", word="dragon", turn="Cleo"))
    ear.watch(_view("Ben", word="dragon", turn="Cleo", paused="asked"))
    ear.watch(_view("Ben", word="castle", turn="Ben"))
    assert said == ["You are a fairy.", "The word is dragon", "Your turn", "The word is castle", "Your turn"]


def test_the_dreamer_is_told_no_word_whatever_the_view_holds() -> None:
    ear, said = _ear("Amy")
    ear.watch(_view("Amy", word="dragon", turn="Amy"))
    ear.watch(_view("Ben", word="dragon", turn="Ben"))
    assert said == []


def test_a_resumed_evening_tells_only_what_shows_now() -> None:
    ear, said = _ear("Ben")
    ear.muted = True
    for word in ("dragon", "castle"):
        ear.watch(_view("Ben", word=word, turn="Ben"))
    ear.listen_again()
    assert said == ["The word is castle", "Your turn"]


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (("Zoe=a.wav",), "Zoe of --private-speaker is not at the table; the players are Amy, Ben"),
        (("Ben",), "SEAT=DEVICE"),
        (("Ben=none",), "SEAT=DEVICE"),
        (("Ben=room.wav",), "nobody else hears"),
        (("Ben=a.wav", "Amy=a.wav"), "nobody else hears"),
        (("Ben=a.wav", "ben=b.wav"), "one device"),
    ],
)
def test_a_seat_or_device_that_cannot_be_is_refused(texts: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse_private_speakers(texts, ("Amy", "Ben"), "room.wav")


def test_a_typed_evening_has_no_private_speaker(tmp_path: Path) -> None:
    request = PlayRequest("when-i-dream", "en", script=tmp_path / "none.txt", private_speaker=("Ben=a.wav",))
    with pytest.raises(UsageError, match="leave --private-speaker away"):
        play(request)


def _evening(program: Program, folder: Path, seats: tuple[str, ...]) -> dict[str, np.ndarray[Any, Any]]:
    """Play some of a night; returns what each seat and the room heard, on one timeline."""
    folder.mkdir()
    request = PlayRequest("when-i-dream", "en", PLAYERS, 1, 1, roles=("Ben=fairy,Cleo=boogeyman,Dan=sandman",))
    first = first_entry(request, deal="host")
    kept = Kept(Journal.create(folder / "test.evening", sync=False), (), first)
    cache = folder / "speech"

    async def evening() -> None:
        room_voice = ChildSynthesizer("en", cache_folder=cache)
        loudspeaker = FileLoudspeaker(folder / "room.wav")
        room = VoicedRoom(room_voice, loudspeaker, print)
        host: Host = make_host(program, kept, room, [])
        speakers = {seat: FileLoudspeaker(folder / f"{seat}.wav") for seat in seats}
        private = PrivateSpeakers(speakers, ChildSynthesizer("en", cache_folder=cache), "en")
        ears = private.attend(host, print, resumed=False)
        begin(host, kept)

        async def table() -> None:
            await asyncio.sleep(25)
            await type_script((Spoken(1, "Ben", "claws"), Spoken(2, "Amy", "my guess is banana")), host)

        try:
            await run_evening(host, kept, table(), room.voice.run(), *PrivateSpeakers.tasks(ears))
        finally:
            loudspeaker.close()
            room_voice.close()
            private.close()

    try:
        run(evening(), virtual=True)
    finally:
        kept.journal.close()
    return {name: soundfile.read(folder / f"{name}.wav")[0] for name in ("room", *seats)}


def test_the_room_hears_nothing_of_it_and_the_dreamers_device_says_no_word(english: Program, tmp_path: Path) -> None:
    without = _evening(english, tmp_path / "without", ())["room"]
    heard = _evening(english, tmp_path / "with", ("Ben", "Amy"))
    length = min(len(without), len(heard["room"]))
    assert np.abs(without[:length] - heard["room"][:length]).max() < 0.001
    assert np.abs(heard["Ben"]).max() > 0.05
    assert len(heard["Amy"]) == 0 or np.abs(heard["Amy"]).max() == 0
