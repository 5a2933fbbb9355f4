"""A host that says any prompts, one after another, to a simulated room, with the whole ear behind its microphone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from types import MappingProxyType
from typing import Any

import numpy as np

from tests.simulated.room import SimulatedRoom
from voice_host.evening import Evening, Outcome
from voice_host.games.game import Earcon, Effect, Event, Intent, Listening, Say, SlotValue, Step
from voice_host.hearing.ear import Ear, SecondLook
from voice_host.hearing.recognizers import Recognizer
from voice_host.hearing.sound_files import Samples
from voice_host.host import Host
from voice_host.journal import Began, Journal, Tapped
from voice_host.own_voice import OwnVoice
from voice_host.program import Program
from voice_host.room import VoicedRoom
from voice_host.settings import Calibration
from voice_host.speaking.synthesizer import Synthesizer
from voice_host.speaking.tap import Taps
from voice_host.tables.listening import listen
from voice_host.understanding import Understander

AFTER_SECONDS = 1.5
"""Silence of the host after each prompt, in which an echo of it could still be understood."""
LAST_SECONDS = 3.0
_GLANCE_SECONDS = 0.05
_NEXT = "recite_next"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One wording of a prompt, filled."""

    name: str
    slots: Mapping[str, SlotValue]
    variant: int = 0


@dataclass(frozen=True, slots=True)
class Spoken:
    """Somebody's words over a prompt."""

    samples: Samples
    after_seconds: float
    "from the moment at which the prompt begins to be heard"


@dataclass(slots=True)
class Recital:
    """What came of it; times are the loop's."""

    heard: list[Mapping[str, Any]] = field(default_factory=list)
    "the lines of all that was heard of anybody"
    began: list[float] = field(default_factory=list)
    "when each prompt was begun"
    cut: list[float] = field(default_factory=list)
    "when the host was told to be silent"
    sounded: list[float] = field(default_factory=list)
    "when each clip of the host, prompt or earcon, began to be heard"
    played: Samples = field(default_factory=lambda: np.zeros(0, np.float32))
    "what the room heard of the host, by the loop's time"

    @property
    def actions(self) -> list[Mapping[str, Any]]:
        """What was heard and meant anything."""
        return [line for line in self.heard if line["intents"]]


class _Reciter:
    """Implements the game's protocol: nothing happens but prompts and the earcon after a guess; the state counts the prompts."""

    def __init__(self, texts: Sequence[Prompt | str], listening: Listening) -> None:
        self._texts = texts
        self._listening = listening

    def start(self, _options: Any, _rng: Random) -> Step:
        return Step(0, ())

    def step(self, state: Any, event: Event) -> Step:
        match event:
            case Intent(name) if name == _NEXT and state < len(self._texts):
                return Step(state + 1, (self._effect(state),))
            case Intent("guess"):
                return Step(state, (Earcon("noted"),))
            case _:
                return Step(state, ())

    def _effect(self, number: int) -> Effect:
        said = self._texts[number]
        return Earcon(said) if isinstance(said, str) else Say(said.name, said.slots)

    def listening(self, _state: Any) -> Listening:
        return self._listening

    def view(self, state: Any, _viewer: str) -> Mapping[str, Any]:
        return {"phase": "night", "said": state}


class _Wordings:
    """The program's prompts, each in the wording that is to be recited."""

    def __init__(self, program: Program, prompts: Sequence[Prompt | str]) -> None:
        self._prompts = program.prompts
        self._wanted = [prompt for prompt in prompts if isinstance(prompt, Prompt)]

    def text(self, prompt: str, slots: Mapping[str, SlotValue], variant: int = 0) -> str:
        wanted = next((one for one in self._wanted if one.name == prompt and one.slots == slots), None)
        if wanted is not None:
            self._wanted.remove(wanted)
            variant = wanted.variant
        return self._prompts.text(prompt, slots, variant)


class _Room(VoicedRoom):
    """The voiced room, noting when it is told to be silent."""

    def __init__(self, synthesizer: Synthesizer, loudspeaker: SimulatedRoom, cut_at: list[float]) -> None:
        super().__init__(synthesizer, loudspeaker, print)
        self._cut_at = cut_at

    def cut(self) -> None:
        self._cut_at.append(asyncio.get_running_loop().time())
        super().cut()

    def hush(self) -> None:
        self._cut_at.append(asyncio.get_running_loop().time())
        super().hush()


@dataclass(frozen=True, slots=True)
class Table:
    """What a recital needs."""

    program: Program
    recognizer: Recognizer
    synthesizer: Synthesizer
    listening: Listening
    scratch: Path
    "a folder for the journal"
    second_look: SecondLook | None = None
    calibration: Calibration | None = None
    foretold: bool = True
    "whether a guess is acknowledged before it was weighed again, as it is in an evening"


async def recite(
    table: Table,
    room: SimulatedRoom,
    prompts: Sequence[Prompt | str],
    over: Mapping[int, Spoken] = MappingProxyType({}),
    before: Callable[[int], None] = lambda _place: None,
) -> Recital:
    """Say the prompts (a text is the name of an earcon), with people speaking ``over`` some of them, by their places.

    ``before`` is told the place of each when it is about to be said.
    """
    recital = Recital(played=room.played, sounded=room.begun)
    voiced = _Room(table.synthesizer, room, recital.cut)
    reciter = _Reciter(prompts, table.listening)
    journal = Journal.create(Path(mkdtemp(dir=table.scratch)) / "recital.evening", sync=False)

    def watch(outcome: Outcome) -> None:
        if outcome.line["type"] == "heard":
            recital.heard.append({**outcome.line, "t": host.time_of(outcome.line["t"])})

    host = Host(
        evening=Evening(lambda _began: (reciter, None), _Wordings(table.program, prompts)),
        journal=journal,
        understand=Understander(table.program),
        room=voiced,
        watchers=[watch],
        follow_up=lambda _evening: None,
    )
    taps = Taps()
    room.tap = taps
    own = OwnVoice(taps, voiced.said_since, table.program.measures.distance, lambda _name: table.calibration)
    listening = own.taken_out_of(room.microphone, "table")
    ear = Ear(
        listening.microphone,
        table.recognizer,
        detector=listening.detector,
        patience=host.endings.patience,
        second_look=table.second_look,
        is_host=listening.is_host,
        barges_in=host.endings.barges_in,
        be_silent=host.be_silent,
        foresee=host.foresee if table.foretold else None,
    )
    voiced.on_speaking["table"] = ear.look_closely
    host.begin(Began("recital", {}, 0))

    async def driving() -> None:
        await asyncio.sleep(1.0)
        for place in range(len(prompts)):
            before(place)
            begun = len(room.begun)
            host.inbox.put_nowait(Tapped(Intent(_NEXT)))
            await _until(partial(_more_begun, room, begun))
            recital.began.append(room.begun[begun])
            if place in over:
                room.say(over[place].samples, room.begun[begun] + over[place].after_seconds)
            await _silence(voiced, room)
            if host.evening.paused:
                host.inbox.put_nowait(Tapped(Intent("resume")))
                await _silence(voiced, room)

    async with asyncio.TaskGroup() as tasks:
        others = [
            tasks.create_task(one) for one in (room.run(), voiced.voice.run(), host.run(), listen(ear, host, _nothing))
        ]
        await driving()
        await asyncio.sleep(LAST_SECONDS)
        for other in others:
            other.cancel()
    journal.close()
    return recital


async def _silence(voiced: VoicedRoom, room: SimulatedRoom) -> None:
    """Wait until the host has been silent for a while, and nobody speaks."""
    loop = asyncio.get_running_loop()
    await _until(lambda: voiced.silent_seconds() >= AFTER_SECONDS and loop.time() >= room.people_until + AFTER_SECONDS)


def _more_begun(room: SimulatedRoom, than: int) -> bool:
    return len(room.begun) > than


async def _until(come: Callable[[], bool]) -> None:
    while not come():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(_GLANCE_SECONDS)


def _nothing(_utterance: int, _samples: Samples) -> None:
    pass
