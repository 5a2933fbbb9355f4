"""A table that speaks: brings what the ear hears to the host, in seconds of the evening."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, Protocol, assert_never

from voice_host.errors import HostError
from voice_host.hearing.ear import Ear, Heard, SpeechDropped
from voice_host.hearing.ear import SpeechBegan as EarBegan
from voice_host.hearing.microphone import Microphone
from voice_host.hearing.sound_files import Samples
from voice_host.host import DeviceBack, DeviceLost, Host, SourceEnded, SpeechBegan, SpeechRecognized
from voice_host.host import SpeechDropped as HostDropped

ECHO_TAIL_SECONDS: Final = 0.3
"""How long a room still sounds after the host."""

_UNTIL_TOLD: Final = 3600.0

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
    open_again: Callable[[], Microphone],
    open_ear: Callable[[Microphone], Ear],
    host: Host,
    keep: Callable[[int, Samples], None],
    notice: Callable[[str], None],
    whose: Whose = _WHOLE_TABLE,
) -> None:
    """Listen as `listen` does; when the microphone is lost, let the host pause until it is found again by its name."""
    while True:
        try:
            with contextlib.closing(microphone):
                await listen(open_ear(microphone), host, keep, whose)
        except HostError as error:
            notice(str(error))
            host.inbox.put_nowait(DeviceLost("microphone_lost"))
            microphone = await _found_again(open_again)
            host.inbox.put_nowait(DeviceBack("microphone_lost"))
        else:
            return


async def _found_again(open_again: Callable[[], Microphone]) -> Microphone:
    """Try until a microphone of that name brings a first block."""
    while True:
        await asyncio.sleep(RETRY_SECONDS)
        try:
            with contextlib.closing(open_again()) as microphone:
                async with contextlib.aclosing(microphone.blocks()) as blocks:
                    await anext(blocks)
            return open_again()
        except (HostError, StopAsyncIteration):
            continue


async def listen(ear: Ear, host: Host, keep: Callable[[int, Samples], None], whose: Whose = _WHOLE_TABLE) -> None:
    """Hand over everything that is heard until the microphone ends; ``keep`` is given each utterance's number and sound."""
    opened = host.now()
    async for event in ear.listen():
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
        await host.inbox.join()
    if whose.ended():
        host.inbox.put_nowait(SourceEnded(abruptly=False))


class HalfDuplex:
    """Closes the ear while the host speaks, where the microphone hears the loudspeaker; follows what plays, counts nothing."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def __call__(self, *, speaking: bool) -> None:
        """Be told that the host begins or ends to speak."""
        self._ear.ignore_until(self._ear.heard_seconds + (_UNTIL_TOLD if speaking else ECHO_TAIL_SECONDS))
