"""A table that speaks: brings what the ear hears to the host, in seconds of the evening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from voice_host.hearing.ear import Ear, Heard, SpeechDropped
from voice_host.hearing.ear import SpeechBegan as EarBegan
from voice_host.hearing.sound_files import Samples
from voice_host.host import Host, SourceEnded, SpeechBegan, SpeechRecognized
from voice_host.host import SpeechDropped as HostDropped

ECHO_TAIL_SECONDS: Final = 0.3
"""How long a room still sounds after the host."""

_UNTIL_TOLD: Final = 3600.0


async def listen(ear: Ear, host: Host, keep: Callable[[int, Samples], None]) -> None:
    """Hand over everything that is heard until the microphone ends; ``keep`` is given each utterance's number and sound."""
    opened = host.now()
    async for event in ear.listen():
        match event:
            case EarBegan(at):
                host.inbox.put_nowait(SpeechBegan(opened + at))
            case Heard():
                keep(host.evening.utterances + 1, event.samples)
                texts = tuple(hypothesis.text for hypothesis in event.hypotheses)
                started, ended = opened + event.started, opened + event.ended
                known = tuple(h.confidence for h in event.hypotheses if h.confidence is not None)
                confidences = known if len(known) == len(texts) else ()
                host.inbox.put_nowait(SpeechRecognized(texts, started, ended, confidences=confidences))
            case SpeechDropped():
                host.inbox.put_nowait(HostDropped())
            case _:
                assert_never(event)
        await host.inbox.join()
    host.inbox.put_nowait(SourceEnded(abruptly=False))


class HalfDuplex:
    """Closes the ear while the host speaks, where the microphone hears the loudspeaker; follows what plays, counts nothing."""

    def __init__(self, ear: Ear) -> None:
        self._ear = ear

    def __call__(self, *, speaking: bool) -> None:
        """Be told that the host begins or ends to speak."""
        self._ear.ignore_until(self._ear.heard_seconds + (_UNTIL_TOLD if speaking else ECHO_TAIL_SECONDS))
