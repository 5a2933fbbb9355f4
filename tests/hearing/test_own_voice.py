"""What is heard of the host itself is dropped, even where its loudspeaker was never found in the microphone."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tests.hearing.sounds import ClipMicrophone
from voice_host import virtual_time
from voice_host.hearing.echo import Echo
from voice_host.own_voice import OwnVoice
from voice_host.speaking.tap import Taps

PROMPT = "Dan, tell us all you dreamed, and then say I wake up."
PROMPT_ENDS = 10.0


def is_host(texts: tuple[str, ...], began: float, ended: float) -> bool:
    """Ask, at second 12 of a microphone that hears no loudspeaker, in which `PROMPT` ended at second 10."""

    def said_since(second: float) -> tuple[str, ...]:
        return (PROMPT,) if second <= PROMPT_ENDS else ()

    async def ask() -> bool:
        await asyncio.sleep(12.0)
        voice = OwnVoice(Taps(), said_since, lambda heard, said: 0.0 if heard == said else 99.0)
        own = voice.taken_out_of(ClipMicrophone(np.zeros(12 * 16_000, np.float32)), "table")
        async for _ in own.microphone.blocks():
            pass
        own.microphone._canceller.echo = Echo.NONE
        return own.is_host(texts, began, ended)

    return virtual_time.run(ask(), virtual=True)


@pytest.mark.parametrize("texts", [("you dreamed",), ("But", "Bud", "I wake up."), ("B.",)])
def test_nobody_is_believed_to_say_what_the_host_is_just_saying(texts: tuple[str, ...]) -> None:
    assert is_host(texts, 9.0, 10.2)


def test_who_repeats_it_after_the_host_is_a_person() -> None:
    assert not is_host(("I wake up",), 10.8, 11.5)


def test_who_says_something_else_meanwhile_is_a_person() -> None:
    assert not is_host(("Stop", "Shop"), 9.0, 9.5)
