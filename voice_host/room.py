"""The room that hears the host: gives an evening's outcomes to the voice, and reports what was heard to its end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Final, assert_never

from voice_host.evening import Outcome
from voice_host.games.game import ROOM, Earcon, Say
from voice_host.speaking.clip import Clip
from voice_host.speaking.loudspeaker import Loudspeaker
from voice_host.speaking.synthesizer import Synthesizer
from voice_host.speaking.voice import (
    Dropped,
    Finished,
    Priority,
    Segment,
    Started,
    Voice,
    VoiceEvent,
    VoiceFailed,
    VoiceRecovered,
)

STALE_TURN_SECONDS: Final = 2.0
"""Whose turn it is, said later than this, would be the turn before."""


class VoicedRoom:
    """Implements the host's `Room` over the one speech queue; owns nothing but the queue."""

    def __init__(self, synthesizer: Synthesizer, loudspeaker: Loudspeaker, notice: Callable[[str], None]) -> None:
        self.voice = Voice(synthesizer, loudspeaker, self._listen)
        self._notice = notice
        self._played: Callable[[str], None] | None = None
        self._bells = 0
        self.on_speaking: Callable[..., None] | None = None
        """Called with ``speaking=True`` when the host begins to speak and with False when it ends."""
        self.recorded_names: dict[str, Clip] = {}
        """Players whose names are best said by themselves."""

    def perform(self, outcome: Outcome, played: Callable[[str], None]) -> None:
        """Queue a prompt or an earcon for the room; what is for one seat only is not for the room's ears."""
        self._played = played
        match outcome.effect:
            case Say(prompt=prompt, to=to) if to == ROOM:
                stale = asyncio.get_running_loop().time() + STALE_TURN_SECONDS if prompt == "turn" else None
                text = outcome.line["text"]
                self.voice.say(self._segments(text), Priority.GAME, stale, name=prompt, text=text)
            case Earcon(name):
                self.voice.earcon(name, Priority.URGENT if name in {"bell", "pause"} else Priority.GAME)
            case _:
                pass

    def silent_seconds(self) -> float:
        """Return for how long the room has not heard the host; 0 while it speaks or is about to."""
        since = self.voice.quiet_since
        if since is None or not self.voice.idle:
            return 0.0
        return asyncio.get_running_loop().time() - since

    def bells(self) -> int:
        """Return how often the end of a night has been rung."""
        return self._bells

    def _segments(self, text: str) -> tuple[Segment, ...]:
        """Let players say their own names where a recording of them is better than the text."""
        segments: list[Segment] = [text]
        for name, clip in self.recorded_names.items():
            segments = [piece for segment in segments for piece in _split(segment, name, clip)]
        return tuple(segments)

    def _listen(self, event: VoiceEvent) -> None:
        match event:
            case Started(line) if line.sound_only:
                self._bells += line.name == "bell"
            case Started():
                self._tell(speaking=True)
            case Finished(line) if not line.sound_only:
                self._tell(speaking=False)
                self._report(line.name)
            case Dropped(line) if not line.sound_only:
                self._report(line.name)  # nobody will hear it any more: whoever waited for it may go on
            case Finished() | Dropped():
                pass
            case VoiceFailed(sentence):
                self._notice(sentence)
            case VoiceRecovered():
                self._notice("The host can be heard again.")
            case _:
                assert_never(event)

    def _report(self, prompt: str) -> None:
        if self._played is not None:
            self._played(prompt)

    def _tell(self, *, speaking: bool) -> None:
        if self.on_speaking is not None:
            self.on_speaking(speaking=speaking)


def _split(segment: Segment, name: str, clip: Clip) -> list[Segment]:
    if not isinstance(segment, str):
        return [segment]
    pieces: list[Segment] = []
    for number, text in enumerate(re.split(rf"\b{re.escape(name)}\b", segment)):
        pieces.extend([clip] if number else [])
        pieces.extend([text] if any(letter.isalnum() for letter in text) else [])
    return pieces
