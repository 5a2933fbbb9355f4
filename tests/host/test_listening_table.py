"""A microphone that is lost in the middle of a night and found again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np

from voice_host.commands.play import PlayRequest, first_entry
from voice_host.errors import HostError, MissingError
from voice_host.hearing.ear import Ear
from voice_host.hearing.microphone import Block, Microphone
from voice_host.hearing.recognizers import Capabilities, Recognition
from voice_host.hearing.sound_files import Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS
from voice_host.journal import Journal, read_entries
from voice_host.program import Program
from voice_host.running import Kept, make_host
from voice_host.tables.listening import keep_listening
from voice_host.virtual_time import run


class Cable:
    """A scripted microphone that brings silence until it is unplugged, or to its end."""

    name = "cable"
    captured_at = 0.0

    def __init__(self, seconds: float, *, unplugged: bool) -> None:
        self._count = round(seconds / BLOCK_SECONDS)
        self._unplugged = unplugged
        self.closed = False

    async def blocks(self) -> AsyncGenerator[Block, None]:
        for _ in range(self._count):
            await asyncio.sleep(BLOCK_SECONDS)
            yield np.zeros(BLOCK_SAMPLES, np.float32)
        if self._unplugged:
            raise HostError("The microphone cable brings no sound any more; plug it in again.")

    def close(self) -> None:
        self.closed = True


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


def test_the_clock_stands_from_the_loss_until_sound_comes_again(english: Program, tmp_path: Path) -> None:
    first = first_entry(PlayRequest("when-i-dream", "en", players="Amy,Ben,Cleo,Dan", seed=1), deal="host")
    journal = Journal.create(tmp_path / "e.evening")
    host = make_host(english, Kept(journal, (), first), None, ())
    lost = Cable(30.0, unplugged=True)
    tries: list[Microphone | HostError] = [
        MissingError("no device"),
        MissingError("no device"),
        Cable(1, unplugged=False),
        Cable(300, unplugged=False),
    ]
    notices: list[str] = []
    used: list[Cable] = []
    closed: list[bool] = []

    def open_again() -> Microphone:
        found = tries.pop(0)
        if isinstance(found, HostError):
            raise found
        used.append(found)  # type: ignore[arg-type]
        return found

    async def evening() -> None:
        host.begin(first)
        listening = asyncio.create_task(
            keep_listening(
                lost, open_again, lambda found: Ear(found, _Deaf()), host, lambda _n, _s: None, notices.append
            )
        )
        playing = asyncio.create_task(host.run())
        await asyncio.sleep(200.0)
        closed.extend(found.closed for found in used)
        for task in (listening, playing):
            task.cancel()

    run(evening(), virtual=True)
    journal.close()
    facts = [(round(t, 1), type(entry).__name__) for t, entry in read_entries(tmp_path / "e.evening")]
    (paused,) = [t for t, kind in facts if kind == "Paused"]
    (resumed,) = [t for t, kind in facts if kind == "Resumed"]
    assert 30.0 <= paused <= 30.1
    assert 33.0 <= resumed <= 33.2
    bells = [t for t, kind in facts if kind == "TimerFinished" and t > 120]
    assert any(abs(t - (120 + resumed - paused)) < 0.11 for t in bells)
    assert lost.closed
    assert closed == [True, False]  # the trial, and the one that is listened to
    assert notices == ["The microphone cable brings no sound any more; plug it in again."]
