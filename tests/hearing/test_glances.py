"""Whoever interrupts the host has made it silent before the word is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import pytest

from tests.hearing.sounds import ClipMicrophone, Speak, one_stream, silence
from voice_host import virtual_time
from voice_host.hearing.ear import Ear, Heard, IsHost
from voice_host.hearing.microphone import Block
from voice_host.hearing.recognizers import Capabilities, Hypothesis, Recognition
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SECONDS

BEGINS = 1.0


class Paced(ClipMicrophone):
    """The scripted microphone at the loop's pace."""

    async def blocks(self) -> AsyncGenerator[Block, None]:
        for block in self._blocks:
            await asyncio.sleep(BLOCK_SECONDS)
            yield block


@dataclass
class Reader:
    """A scripted recogniser that reads "sto" in less than ``needs`` seconds of sound, and "stop" in more."""

    needs: float = 0.6
    decode_seconds: float = 0.05
    lengths: list[float] = field(default_factory=list)

    name = "reader"
    languages = ("en",)
    capabilities = Capabilities()

    def recognize(self, samples: Samples) -> Recognition:
        self.lengths.append(len(samples) / SAMPLE_RATE)
        text = "stop" if self.lengths[-1] >= self.needs else "sto"
        return Recognition((Hypothesis(text, 0.5),), self.decode_seconds)

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


def silenced_at(
    sound: Samples, reader: Reader, *, host_speaks: bool = True, is_host: IsHost | None = None
) -> tuple[list[float], list[Heard]]:
    """Return the seconds of audio at which the host was to be silent, and what was heard, of a sound that begins at `BEGINS`."""
    silenced: list[float] = []
    ear = Ear(
        Paced(one_stream(silence(BEGINS), sound, silence(1.5))),
        reader,
        is_host=is_host,
        barges_in=lambda hypotheses: hypotheses[0].text == "stop",
        be_silent=lambda: silenced.append(ear.heard_seconds),
    )
    ear.look_closely(speaking=host_speaks)

    async def listen() -> list[Heard]:
        return [event async for event in ear.listen() if isinstance(event, Heard)]

    return silenced, virtual_time.run(listen(), virtual=True)


def test_the_host_is_silent_before_the_word_is_over_and_the_word_is_heard_whole(speak: Speak) -> None:
    word = speak("stop talking now")
    silenced, heard = silenced_at(word, Reader())
    assert len(silenced) == 1
    assert BEGINS + 0.25 < silenced[0] < BEGINS + len(word) / SAMPLE_RATE
    assert len(heard) == 1
    assert len(heard[0].samples) >= len(word)


def test_while_the_host_is_silent_nothing_is_read_before_it_ends(speak: Speak) -> None:
    reader = Reader()
    silenced, heard = silenced_at(speak("stop talking now"), reader, host_speaks=False)
    assert silenced == []
    assert len(heard) == len(reader.lengths) == 1


def test_the_hosts_own_voice_does_not_silence_it(speak: Speak) -> None:
    silenced, heard = silenced_at(speak("stop talking now"), Reader(), is_host=lambda *_: True)
    assert silenced == []
    assert heard == []


def test_what_does_not_interrupt_lets_the_host_speak_on(speak: Speak) -> None:
    silenced, heard = silenced_at(speak("a table in the garden"), Reader(needs=99.0))
    assert silenced == []
    assert len(heard) == 1


@pytest.mark.parametrize(("decode_seconds", "most"), [(0.05, 20), (1.0, 2)])
def test_a_slow_recogniser_is_not_kept_busy_with_glances(speak: Speak, decode_seconds: float, most: int) -> None:
    reader = Reader(needs=99.0, decode_seconds=decode_seconds)
    silenced_at(speak("a table in the garden of my old aunt"), reader)
    glances = [seconds for seconds in reader.lengths if seconds < max(reader.lengths)]
    assert 1 <= len(glances) <= most
    assert (len(glances) > 5) == (decode_seconds < 0.25)


def test_a_glance_sees_what_was_said_so_far(speak: Speak) -> None:
    reader = Reader(needs=99.0)
    silenced_at(speak("a table in the garden"), reader)
    assert reader.lengths == sorted(reader.lengths)
