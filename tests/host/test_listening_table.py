"""A microphone that is lost in the middle of a night and found again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from voice_host.commands.play import PlayRequest, first_entry
from voice_host.errors import HostError, MissingError
from voice_host.games.game import Paused, Resumed, TimerFinished
from voice_host.hearing.ear import Ear
from voice_host.hearing.microphone import Block, MicrophoneLost
from voice_host.hearing.recognizers import Capabilities, Recognition
from voice_host.hearing.sound_files import Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS
from voice_host.journal import Journal, read_entries
from voice_host.program import Program
from voice_host.running import Kept, make_host
from voice_host.tables.listening import keep_listening
from voice_host.virtual_time import run


class Cable:
    """A scripted microphone: each time its blocks are asked for it brings silence for the next of its pieces.

    A number is so many seconds until it is unplugged, an error is what a look for it finds.
    """

    name = "cable"

    def __init__(self, *pieces: float | HostError) -> None:
        self._pieces = list(pieces)
        self.captured_at = 0.0
        self.closed = 0

    async def blocks(self) -> AsyncGenerator[Block, None]:
        piece = self._pieces.pop(0)
        if isinstance(piece, HostError):
            raise piece
        for _ in range(round(piece / BLOCK_SECONDS)):
            await asyncio.sleep(BLOCK_SECONDS)
            self.captured_at = asyncio.get_running_loop().time()
            yield np.zeros(BLOCK_SAMPLES, np.float32)
        await asyncio.sleep(1.2)
        raise MicrophoneLost("The microphone cable brings no sound any more; plug it in again.", "microphone_lost")

    def close(self) -> None:
        self.closed += 1


class _Deaf:
    """A recogniser that is never asked."""

    name = "deaf"
    languages = ("en",)
    capabilities = Capabilities()

    def recognize(self, samples: Samples) -> Recognition:
        raise AssertionError(len(samples))

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


def _listened(
    program: Program, folder: Path, cable: Cable, seconds: float, reopen_at: float | None = None
) -> tuple[Any, list[str]]:
    """Listen for so many seconds; returns the journal's facts with their seconds, and what was noticed."""
    first = first_entry(PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", seed=1), deal="host")
    journal = Journal.create(folder / "e.evening")
    host = make_host(program, Kept(journal, (), first), None, ())
    notices: list[str] = []

    async def evening() -> None:
        host.begin(first)
        reopen = asyncio.Event()
        if reopen_at is not None:
            asyncio.get_running_loop().call_later(reopen_at, reopen.set)
        listening = asyncio.create_task(
            keep_listening(cable, lambda found: Ear(found, _Deaf()), host, lambda _n, _s: None, notices.append, reopen)
        )
        playing = asyncio.create_task(host.run())
        await asyncio.sleep(seconds)
        for task in (listening, playing):
            task.cancel()
        await asyncio.gather(listening, playing, return_exceptions=True)

    run(evening(), virtual=True)
    journal.close()
    return [(t, entry) for t, entry in read_entries(folder / "e.evening")], notices


def test_the_clock_stands_from_the_loss_until_sound_comes_again(english: Program, tmp_path: Path) -> None:
    """The second of the loss is that of the last sound, not that at which it was noticed."""
    cable = Cable(32.0, MissingError("no device"), MissingError("no device"), 300.0)
    facts, notices = _listened(english, tmp_path, cable, 130.0)
    (paused,) = [t for t, entry in facts if isinstance(entry, Paused)]
    (resumed,) = [t for t, entry in facts if isinstance(entry, Resumed)]
    assert 31.9 <= paused <= 32.1
    assert 36.2 <= resumed <= 36.4  # noticed after 1.2 s, looked for thrice in as many seconds
    bells = [t for t, entry in facts if isinstance(entry, TimerFinished) and entry.name == "night"]
    assert bells == [pytest.approx(120 + resumed - paused, abs=0.001)]
    assert notices == ["The microphone cable brings no sound any more; plug it in again."]
    assert cable.closed == 3  # at each look in vain, and in the end


def test_a_microphone_is_opened_anew_when_it_is_asked_for(english: Program, tmp_path: Path) -> None:
    cable = Cable(300.0, 300.0)
    facts, notices = _listened(english, tmp_path, cable, 20.0, reopen_at=10.0)
    assert not any(isinstance(entry, Paused) for _, entry in facts)
    assert cable._pieces == []
    assert notices == []
