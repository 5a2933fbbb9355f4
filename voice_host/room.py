"""The room that hears the host: gives an evening's outcomes to the voice, and reports what was heard to its end.

Which prompt comes before which, and when a prompt is too late to be of use, stands in one table: `URGENCIES`.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from voice_host.evening import AT_LIMIT, VOICE_CHANGES, Adjust, Outcome
from voice_host.faults import BACK, FAULTS
from voice_host.games.game import ROOM, Earcon, Say
from voice_host.manner import Manner
from voice_host.speaking.clip import Clip
from voice_host.speaking.loudspeaker import Loudspeaker
from voice_host.speaking.synthesizer import Synthesizer
from voice_host.speaking.voice import (
    Dropped,
    Finished,
    Held,
    Priority,
    Segment,
    Started,
    Voice,
    VoiceEvent,
    VoiceFailed,
    VoiceRecovered,
)


@dataclass(frozen=True, slots=True)
class Urgency:
    """When a prompt is said, among others that wait."""

    priority: Priority = Priority.GAME
    """The highest is said first; prompts of the same priority are said in the order in which they were asked for."""
    seconds: float | None = None
    """A prompt that cannot begin within this time is dropped, as it is no longer true or no longer of use; None: never."""


_AT_ONCE: Final = Urgency(Priority.URGENT)
_IN_ORDER: Final = Urgency()

URGENCIES: Final[Mapping[str, Urgency]] = {
    # The clock stands, goes on or is at its end: nothing is more important, and it stays true.
    **dict.fromkeys(("pause_said", "resume_said", "last_guess", "recording_begins", *FAULTS, *BACK.values()), _AT_ONCE),
    # The time that is left is another one in a moment.
    "countdown": Urgency(Priority.TIMELY, 1.5),
    "time_left": Urgency(Priority.ANSWER, 2.0),
    # Whose turn it is, said later than this, would be the turn before.
    "turn": Urgency(Priority.GAME, 2.0),
    "turn_waits": Urgency(Priority.GAME, 1.0),
    "whose_turn": Urgency(Priority.ANSWER, 2.0),
    # The echo of a guess belongs to the guess; what was noted is read by day, too.
    **dict.fromkeys(("guess_noted", "guess_corrected", "card_given_up"), Urgency(Priority.GAME, 4.0)),
    # What the dreamer has to know of the card: true until the next one.
    **dict.fromkeys(("clue_tapped", "foul_called", "foul_withdrawn"), Urgency(Priority.GAME, 6.0)),
    # An answer belongs to its question; nobody knows later what it answered.
    **dict.fromkeys(("undone", "nothing_to_undo", "not_paused", "no_time"), Urgency(Priority.ANSWER, 5.0)),
    **dict.fromkeys(("turns_told", "turns_told_all", "turns_not_told"), Urgency(Priority.ANSWER, 5.0)),
    **dict.fromkeys(("turns_not_told_all", "reprompt_1", "reprompt_2"), Urgency(Priority.ANSWER, 5.0)),
    # How the host sounds now: the sooner it is heard, the sooner it is right.
    **dict.fromkeys((prompt for _, *said in VOICE_CHANGES.values() for prompt in said), Urgency(Priority.ANSWER, 5.0)),
}
"""Prompt to its urgency; what is not listed is said in order, however late: all of the day, scores, the evening's frame."""

_HUSHED_SECONDS: Final = 3.0
"""How long whoever has interrupted the host may speak before it speaks over them."""

_EARLY_SECONDS: Final = 3.0
"""How long before it is asked for an earcon may have been sounded."""

_SAID_LATELY: Final = 8
"""Prompts that are remembered as said."""

_REFUSED: Final = Urgency(Priority.ANSWER, 5.0)
"""The same for each ``refuse_...``."""


def urgency(prompt: str) -> Urgency:
    """Return when a prompt is said."""
    return URGENCIES.get(prompt, _REFUSED if prompt.startswith("refuse_") else _IN_ORDER)


class VoicedRoom:
    """Implements the host's `Room` over the one speech queue; owns nothing but the queue."""

    def __init__(
        self,
        synthesizer: Synthesizer,
        loudspeaker: Loudspeaker,
        notice: Callable[[str], None],
        manner: Manner | None = None,
    ) -> None:
        self.voice = Voice(synthesizer, loudspeaker, self._listen)
        self._loudspeaker = loudspeaker
        self._softened = False
        self._notice = notice
        self._manner = manner
        self._played: Callable[[str], None] | None = None
        self._bells = 0
        self._foretold: set[float] = set()
        self._early: dict[str, float] = {}
        "earcons that were sounded before they were asked for, and until when that counts"
        self.on_speaking: dict[str, Callable[..., None]] = {}
        """By ear: called with ``speaking=True`` when the host begins to speak and with False when it ends."""
        self.on_fault: Callable[..., None] | None = None
        """Called with ``voice_lost`` or ``loudspeaker_lost`` and ``lost=True`` when the host cannot be heard, with False when it can."""
        self._said: deque[tuple[str, float]] = deque(maxlen=_SAID_LATELY)
        self.recorded_names: dict[str, Clip] = {}
        """Players whose names are best said by themselves."""

    def perform(self, outcome: Outcome, played: Callable[[str], None]) -> None:
        """Queue a prompt or an earcon for the room; what is for one seat only is not for the room's ears."""
        self._played = played
        match outcome.effect:
            case Say(prompt=prompt) if prompt in BACK:
                # Nobody can hear that nothing can be heard: it is shown, and said to be over when it is.
                asyncio.get_running_loop().call_soon(self._report, prompt)
            case Say(prompt=prompt, to=to) if to == ROOM:
                if prompt in {"resume_said", *BACK.values()}:
                    self.voice.carry_on()
                wanted = urgency(prompt)
                text = outcome.line["text"]
                stale = None if wanted.seconds is None else self._in(wanted.seconds)
                self.voice.say(self._segments(text), wanted.priority, stale, name=prompt, text=text)
            case Earcon("tick"):
                if round(outcome.line.get("t", 0.0), 3) not in self._foretold:
                    self.voice.overlay("tick")
            case Earcon(name):
                if not self._was_foretold(name):
                    self._sound(name)
            case Adjust(setting, value) if self._manner is not None:
                self._manner.adjust(setting, value)
            case _:
                pass

    def foretell(self, earcon: str) -> None:
        """Let an earcon be heard now that is about to be asked for, and not again when it is."""
        self._early[earcon] = self._in(_EARLY_SECONDS)
        self._sound(earcon)

    def _was_foretold(self, earcon: str) -> bool:
        return self._early.pop(earcon, -1.0) >= self._in(0.0)

    def _sound(self, earcon: str) -> None:
        urgent = earcon in {"bell", "pause", "resume"}
        self.voice.earcon(earcon, Priority.URGENT if urgent else Priority.GAME)

    def foretell_tick(self, second: float, at: float) -> None:
        """Let the tick of that second of the evening be heard at that time of the loop, and not again when it is asked for."""
        if round(second, 3) not in self._foretold:
            self._foretold.add(round(second, 3))
            self.voice.overlay("tick", at)

    def value_after(self, change: str) -> str:
        """Return what a change of the voice comes to, or that it goes no further."""
        return AT_LIMIT if self._manner is None else self._manner.value_after(change)

    @staticmethod
    def _in(seconds: float) -> float:
        return asyncio.get_running_loop().time() + seconds

    def cut(self) -> None:
        """Be silent at once; answers are said next, then what waits."""
        self.voice.cut()

    def hush(self) -> None:
        """Be silent at once, also with what waits, until nobody speaks any more."""
        self.voice.hush(_HUSHED_SECONDS)

    def attend(self, *, spoken_to: bool) -> None:
        """Speak more softly while somebody speaks over a prompt, unless it is urgent; what begins later is said as usual."""
        if not spoken_to:
            self.voice.end_hush()
        priority = self.voice.priority
        self._soften(softly=spoken_to and priority is not None and priority < Priority.URGENT)

    def _soften(self, *, softly: bool) -> None:
        if softly != self._softened and (self.voice.speaking or not softly):
            self._softened = softly
            self._loudspeaker.duck(softly)

    def silent_seconds(self) -> float:
        """Return for how long the room has not heard the host; 0 while it speaks or is about to."""
        since = self.voice.quiet_since
        if since is None or not self.voice.idle:
            return 0.0
        return asyncio.get_running_loop().time() - since

    def bells(self) -> int:
        """Return how often the end of a night has been rung."""
        return self._bells

    def said_since(self, second: float) -> tuple[str, ...]:
        """Return what the host says now, and what it has said to the end since this time of the loop; oldest first."""
        now = self.voice.saying
        return (*(text for text, until in self._said if until >= second), *([now] if now else []))

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
            case Finished(line, at) if not line.sound_only:
                self._tell(speaking=False)
                self._said.append((line.text, at))
                self._soften(softly=False)
                self._report(line.name)
            case Dropped(line) if not line.sound_only:
                self._report(line.name)  # nobody will hear it any more: whoever waited for it may go on
            case Held():
                self._tell(speaking=False)
            case Finished() | Dropped():
                pass
            case VoiceFailed(sentence, reason=reason):
                self._notice(sentence)
                self._tell_fault(reason, lost=True)
            case VoiceRecovered(reason=reason):
                self._notice("The host can be heard again.")
                self._tell_fault(reason, lost=False)
            case _:
                assert_never(event)

    def _report(self, prompt: str) -> None:
        if self._played is not None:
            self._played(prompt)

    def _tell_fault(self, reason: str, *, lost: bool) -> None:
        if self.on_fault is not None:
            self.on_fault(reason, lost=lost)

    def _tell(self, *, speaking: bool) -> None:
        for tell in self.on_speaking.values():
            tell(speaking=speaking)


def _split(segment: Segment, name: str, clip: Clip) -> list[Segment]:
    if not isinstance(segment, str):
        return [segment]
    pieces: list[Segment] = []
    for number, text in enumerate(re.split(rf"\b{re.escape(name)}\b", segment)):
        pieces.extend([clip] if number else [])
        pieces.extend([text] if any(letter.isalnum() for letter in text) else [])
    return pieces
