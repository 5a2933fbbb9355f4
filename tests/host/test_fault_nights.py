"""A recorded night in which the real children are killed and stopped, asleep and at work: it ends with the right score."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile as sf

from tests.host.test_recorded_evening import _events, _until_night_end, _zones
from voice_host.commands.demo import DemoRequest, load_evening
from voice_host.commands.play import PlayRequest, first_entry
from voice_host.games.game import Paused, Resumed
from voice_host.hearing.microphone import Block, FileMicrophone, Microphone
from voice_host.hearing.voice_activity import BLOCK_SECONDS
from voice_host.journal import Journal, read_entries
from voice_host.live import Session
from voice_host.program import Program
from voice_host.running import Kept
from voice_host.speaking.loudspeaker import SilentLoudspeaker
from voice_host.tables.robot import RobotTable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process ids as on Linux and macOS")


class Saboteur:
    """A microphone that does something to the host after each so many seconds of sound."""

    def __init__(self, microphone: Microphone, every_seconds: float, strike: Callable[[], None]) -> None:
        self._microphone = microphone
        self._every = round(every_seconds / BLOCK_SECONDS)
        self._strike = strike

    @property
    def name(self) -> str:
        return self._microphone.name

    @property
    def captured_at(self) -> float:
        return self._microphone.captured_at

    async def blocks(self) -> AsyncGenerator[Block, None]:
        number = 0
        async for block in self._microphone.blocks():
            number += 1
            if number % self._every == 0:
                self._strike()
            yield block

    def close(self) -> None:
        self._microphone.close()


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_night_ends_with_the_right_score_whatever_happens_to_the_children(
    english: Program, tmp_path: Path, number: signal.Signals
) -> None:
    """Every 31 seconds, that is in words and between them, both children are struck."""
    acts, clips, cards = load_evening(DemoRequest("en"))
    request = PlayRequest("when-i-dream", "en", seed=3, rounds=1, cards=cards)
    journal = Journal.create(tmp_path / "night.evening", sync=False)
    session = Session("en", None, SilentLoudspeaker())
    struck: list[int] = []

    def strike() -> None:
        for pid in (session.recognizer.child_pid, session.synthesizer.child_pid):
            if pid is not None:
                os.kill(pid, number)
                struck.append(pid)

    try:
        session.play(
            english,
            Kept(journal, (), first_entry(request, deal="table")),
            lambda room: Saboteur(RobotTable(_until_night_end(acts), clips, room), 31.0, strike),
            virtual=True,
            events=tmp_path / "night.jsonl",
        )
    finally:
        journal.close()
    events: list[Any] = _events(tmp_path / "night.jsonl")
    assert len(set(struck)) > 3
    assert _zones(events) == ({"elephant", "pirate", "castle", "umbrella"}, {"volcano", "telescope"})
    assert events[-1]["scores"] == {"Amy": 6, "Ben": 4, "Cleo": 1, "Dan": 2}
    for pid in struck:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


class _EnoughError(Exception):
    """Ends an evening that would last for minutes of real time."""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_in_real_time_the_clock_stands_while_another_recogniser_is_loaded(
    english: Program, tmp_path: Path, number: signal.Signals
) -> None:
    sf.write(tmp_path / "silence.wav", np.zeros(60 * 16_000, np.float32), 16_000)
    request = PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", seed=1, rounds=1)
    journal = Journal.create(tmp_path / "night.evening", sync=False)
    session = Session("en", None, SilentLoudspeaker())
    struck: list[int] = []

    def strike() -> None:
        pid = session.recognizer.child_pid
        if pid is not None and not struck:
            os.kill(pid, number)
            struck.append(pid)
        elif pid not in {None, *struck} and session.recognizer.recognize(np.zeros(16_000, np.float32)) is not None:
            raise _EnoughError

    with pytest.raises(ExceptionGroup) as ended:
        session.play(
            english,
            Kept(journal, (), first_entry(request, deal="host")),
            lambda _room: Saboteur(FileMicrophone(tmp_path / "silence.wav"), 3.0, strike),
            virtual=False,
        )
    journal.close()
    assert ended.group_contains(_EnoughError)
    faults = [
        (t, entry) for t, entry in read_entries(tmp_path / "night.evening") if isinstance(entry, Paused | Resumed)
    ]
    (paused,) = [t for t, entry in faults if entry == Paused("recognizer_lost")]
    assert paused >= 2.5
    assert isinstance(faults[-1][1], Resumed)
