"""A table that speaks: brings what the ear hears to the host, in seconds of the evening."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Final, Protocol, assert_never

from voice_host.errors import HostError
from voice_host.hearing.ear import Ear, EarEvent, Heard, SpeechDropped
from voice_host.hearing.ear import SpeechBegan as EarBegan
from voice_host.hearing.microphone import Block, Microphone, MicrophoneLost
from voice_host.hearing.sound_files import Samples
from voice_host.host import DeviceBack, DeviceLost, Host, SourceEnded, SpeechBegan, SpeechRecognized
from voice_host.host import SpeechDropped as HostDropped

RETRY_SECONDS: Final = 1.0
"""How often a lost microphone is looked for."""


class Whose(Protocol):
    """Whose voice an ear hears."""

    @property
    def name(self) -> str:
        """Return the ear's name."""

    def speaker(self) -> str | None:
        """Return the seat that speaks, if only one can."""

    def not_by(self) -> str | None:
        """Return the seat that certainly does not."""

    def claims(self, started: float, ended: float) -> bool:
        """Tell whether an utterance (seconds of the evening) is this ear's, where others hear it too."""

    def ended(self) -> bool:
        """Tell, at the end of the microphone, whether nobody can be heard any more."""


class WholeTable:
    """The only ear: anybody speaks."""

    name: Final = "table"

    def speaker(self) -> str | None:
        """Return None: nobody knows."""

    def not_by(self) -> str | None:
        """Return None: it may be anybody."""

    def claims(self, started: float, ended: float) -> bool:
        """Return True."""
        return started <= ended

    def ended(self) -> bool:
        """Return True."""
        return True


_WHOLE_TABLE: Final = WholeTable()


async def keep_listening(  # noqa: PLR0917
    microphone: Microphone,
    open_ear: Callable[[Microphone], Ear],
    host: Host,
    keep: Callable[[int, Samples], None],
    notice: Callable[[str], None],
    reopen: asyncio.Event,
    whose: Whose = _WHOLE_TABLE,
) -> None:
    """Listen as `listen` does; when the microphone is lost, let the host pause until it brings sound again.

    When ``reopen`` is set, the microphone is closed and opened anew.
    """
    listened: Microphone = microphone
    with contextlib.closing(microphone):
        while True:
            began = asyncio.get_running_loop().time()
            try:
                if await _listened(listen(open_ear(listened), host, keep, whose), reopen):
                    return
                microphone.close()
                listened = microphone
            except HostError as error:
                notice(str(error))
                reason = error.reason if isinstance(error, MicrophoneLost) else "microphone_lost"
                known = microphone.captured_at > began
                since = host.second_at(microphone.captured_at) if known else None
                host.inbox.put_nowait(DeviceLost(reason, since, whose.name))
                listened = await _found_again(microphone)
                host.inbox.put_nowait(DeviceBack(reason, whose.name))


async def _listened(listening: Coroutine[None, None, None], reopen: asyncio.Event) -> bool:
    """Listen to the end and return True, or until the microphone is to be opened anew and return False."""
    reopen.clear()
    tasks = asyncio.create_task(listening), asyncio.create_task(reopen.wait())
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[0].done():
            tasks[0].result()
            return True
        return False
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _found_again(microphone: Microphone) -> Microphone:
    """Try until the microphone brings a first block; what is returned brings that and those that follow."""
    while True:
        await asyncio.sleep(RETRY_SECONDS)
        blocks = microphone.blocks()
        try:
            return _Found(microphone, await anext(blocks), blocks)
        except (HostError, StopAsyncIteration):
            microphone.close()


class _Found:
    """A microphone whose first block was taken to see that it works."""

    def __init__(self, microphone: Microphone, first: Block, blocks: AsyncGenerator[Block, None]) -> None:
        self._microphone = microphone
        self._first = first
        self._blocks = blocks

    @property
    def name(self) -> str:
        return self._microphone.name

    @property
    def captured_at(self) -> float:
        return self._microphone.captured_at

    async def blocks(self) -> AsyncGenerator[Block, None]:
        async with contextlib.aclosing(self._blocks):
            yield self._first
            async for block in self._blocks:
                yield block

    def close(self) -> None:
        self._microphone.close()


async def listen(ear: Ear, host: Host, keep: Callable[[int, Samples], None], whose: Whose = _WHOLE_TABLE) -> None:
    """Hand over everything that is heard until the microphone ends; ``keep`` is given each utterance's number and sound."""
    async with contextlib.aclosing(ear.listen()) as events:
        async for event in events:
            _report(event, host.second_at(ear.opened_at), host, keep, whose)
            await host.inbox.join()
    if whose.ended():
        host.inbox.put_nowait(SourceEnded(abruptly=False))


def _report(event: EarEvent, opened: float, host: Host, keep: Callable[[int, Samples], None], whose: Whose) -> None:
    """Tell the host what the ear heard; ``opened`` is the second of the evening at which its audio began."""
    match event:
        case EarBegan(at):
            host.inbox.put_nowait(SpeechBegan(opened + at, whose.name))
        case Heard() if not whose.claims(opened + event.started, opened + event.ended):
            host.inbox.put_nowait(HostDropped(whose.name))
        case Heard():
            keep(host.evening.utterances + 1, event.samples)
            texts = tuple(hypothesis.text for hypothesis in event.hypotheses)
            started, ended = opened + event.started, opened + event.ended
            known = tuple(h.confidence for h in event.hypotheses if h.confidence is not None)
            confidences = known if len(known) == len(texts) else ()
            recognized = SpeechRecognized(
                texts, started, ended, whose.speaker(), confidences, ear=whose.name, not_by=whose.not_by()
            )
            host.inbox.put_nowait(recognized)
        case SpeechDropped():
            host.inbox.put_nowait(HostDropped(whose.name))
        case _:
            assert_never(event)
