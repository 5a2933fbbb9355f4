"""The one loop of an evening: it hears, keeps the time, journals, applies, and lets the room hear the outcome.

Theory of operation
-------------------
Everything that happens arrives in one inbox and is worked off in one task, so there is one order of facts. What began first
is applied first: timers that are due come before an item of the same second, and a timer that waits for speech is held back
while somebody who began before its end is still speaking or being understood. Each fact is on disk before it is applied.

The second of the evening is the loop's time less the time at which second 0 was; nothing else asks a clock.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, assert_never

from voice_host.endings import Endings, Understanding
from voice_host.evening import ALLOWED_IN_PAUSE, BARGE_INS, CUTTING, VOICE_CHANGES, Evening, Outcome
from voice_host.games.game import (
    ASKED,
    SOMEBODY_ELSE,
    Intent,
    Listening,
    Paused,
    Played,
    Resumed,
    Seat,
    TimerFinished,
    Utterance,
)
from voice_host.hearing.recognizers import Hypothesis
from voice_host.journal import Began, Entry, Heard, Journal, LineBegan, Tapped

log = logging.getLogger(__name__)

DEAF: Final = frozenset({"microphone_lost", "microphone_silent"})
"""The faults after which, as after a machine's sleep, a microphone is opened anew, and speech that had begun is not reported any more."""

_CLOCK_STEP: Final = 1e-6
"""Seconds within which two moments are the same: the rounding of the evening's clock."""


# ------------------------------------------------------------------------------------------------------ what can arrive


@dataclass(frozen=True, slots=True)
class SpeechBegan:
    """Somebody began to speak; an end or a drop of the same speech follows."""

    at: float
    ear: str = "table"
    """What each of several ears hears comes in order; the ears know nothing of each other."""


@dataclass(frozen=True, slots=True)
class SpeechRecognized:
    """What somebody said, as the recogniser wrote it (or as it was typed)."""

    hypotheses: tuple[str, ...]
    started: float
    ended: float
    speaker: str | None = None
    confidences: tuple[float, ...] = ()
    ear: str = "table"
    not_by: str | None = None
    """The seat that certainly did not speak, because its own microphone would have told."""


@dataclass(frozen=True, slots=True)
class SpeechDropped:
    """What had begun was no speech after all, or another ear tells it."""

    ear: str = "table"


@dataclass(frozen=True, slots=True)
class PromptPlayed:
    """The room heard a prompt to its end, or as far as it was let."""

    prompt: str


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """Something that the evening needs does not work; the reason is the name of the prompt that says so."""

    reason: str
    since: float | None = None
    """The second of the evening at which it began, if that is known better than by when this was told."""
    ear: str = "table"
    """Which of several ears, where it is one."""


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """What was lost for that reason works again."""

    reason: str
    ear: str = "table"


@dataclass(frozen=True, slots=True)
class SourceEnded:
    """The script or the recording is over: nobody will say anything any more."""

    abruptly: bool
    """True: the evening stops here; False: what is running runs to its end."""


Arrival = (
    SpeechBegan
    | SpeechRecognized
    | SpeechDropped
    | Tapped
    | PromptPlayed
    | DeviceLost
    | DeviceBack
    | LineBegan
    | SourceEnded
)


class Room(Protocol):
    """Lets the room hear; without a loudspeaker prompts take no time."""

    def perform(self, outcome: Outcome, played: Callable[[str], None]) -> None:
        """Start to say a prompt or to play an earcon; ``played`` is called with the prompt's name when it was heard."""

    def value_after(self, change: str) -> str:
        """Return what a setting of the host's voice becomes by an intent of `VOICE_CHANGES`, or `AT_LIMIT`."""

    def cut(self) -> None:
        """Be silent at once: what is being said is not said to its end, and what waits comes after it."""

    def hush(self) -> None:
        """Be silent at once, also with what waits, until `attend` tells that nobody speaks any more."""

    def foretell(self, earcon: str) -> None:
        """Let an earcon be heard that is about to be asked for, and not again then."""

    def attend(self, *, spoken_to: bool) -> None:
        """Be told whether somebody speaks; what the host is saying then is said more softly."""


class Inbox(asyncio.Queue[Arrival | None]):
    """What has arrived and is not worked off yet; tells of a fault before its turn, because that stops the clock."""

    def __init__(self) -> None:
        super().__init__()
        self._faults: deque[DeviceLost] = deque()

    @property
    def faults(self) -> tuple[DeviceLost, ...]:
        """The faults that wait."""
        return tuple(self._faults)

    def _put(self, item: Arrival | None) -> None:
        if isinstance(item, DeviceLost):
            self._faults.append(item)
        super()._put(item)

    def _get(self) -> Arrival | None:
        item = super()._get()
        if isinstance(item, DeviceLost):
            self._faults.popleft()
        return item


Watcher = Callable[[Outcome], None]
"""Is told every line of the evening: the events file, the captions, a screen."""


class Host:
    """Runs one evening from its journal on; `run` returns when the game is over or nobody will speak any more."""

    def __init__(
        self,
        *,
        evening: Evening,
        journal: Journal,
        understand: Understanding,
        room: Room | None,
        watchers: Sequence[Watcher],
        follow_up: Callable[[Evening], Began | None],
    ) -> None:
        self.evening = evening
        self.inbox = Inbox()
        self.look_at_machine: Callable[[], None] = lambda: None
        """Called before timers finish, to tell in the inbox if the machine slept or was too slow."""
        self.voiced = room is not None
        """False: prompts take no time and nothing is to be heard (typed evenings)."""
        self._journal = journal
        self._understand = understand
        self.endings = Endings(understand, self._listening)
        """Tells an ear when somebody has finished."""
        self._room = room
        self._watchers = list(watchers)
        self._follow_up = follow_up
        self._origin = 0.0
        self._open_speeches: dict[str, list[float]] = {}
        """For each ear, when the speech began that is not recognised yet."""
        self._faults: dict[tuple[str, str], bool] = {}
        """What does not work now (reason and ear), and whether the evening waits for it: not when the table resumed without it."""
        self._kept_back: list[SpeechRecognized] = []
        """What was said before a fault, or in one that cost nobody any time, and is understood after it."""
        self._unheard: tuple[Outcome, ...] = ()
        self._interrupted = False
        """Whether somebody speaks who has made the host silent."""
        self._over = False
        self._source_ended = False

    def announce(self, prompt: str) -> None:
        """Say something that is no part of the evening."""
        self._publish((self.evening.announcement(prompt),), aloud=True)

    def watch(self, watcher: Watcher) -> None:
        """Let one more watcher be told every line from now on."""
        self._watchers.append(watcher)

    # ------------------------------------------------------------------------------------------------------------ time

    def now(self) -> float:
        """Return the second of the evening."""
        return round(asyncio.get_running_loop().time() - self._origin, 6)

    def second_at(self, loop_time: float) -> float:
        """Return the second of the evening at a time of the loop."""
        return round(loop_time - self._origin, 6)

    def time_of(self, second: float) -> float:
        """Return the loop's time at a second of the evening."""
        return second + self._origin

    def _set_clock(self, second: float) -> None:
        self._origin = asyncio.get_running_loop().time() - second

    def be_silent(self) -> None:
        """Be told by an ear that somebody interrupts: what the utterance means is told when it has ended."""
        self._interrupted = True
        if self._room is not None:
            self._room.hush()

    def foresee(self, hypotheses: tuple[Hypothesis, ...]) -> None:
        """Let the room hear at once that something was taken, by the first readings of an utterance that is being weighed again.

        The game is only asked what it would do: its answer to a guess sounds the same whatever was guessed.
        """
        if self._room is None or self._waits_for_device():
            return
        texts = tuple(one.text for one in hypotheses)
        known = tuple(one.confidence for one in hypotheses if one.confidence is not None)
        confidences = known if len(known) == len(texts) else ()
        now = self.now()
        utterance = Utterance(self.evening.utterances + 1, texts, now, now, confidences)
        intents, _ = self._understand(utterance, None, self._listening())
        earcon = self.evening.first_earcon(intents)
        if earcon is not None:
            self._room.foretell(earcon)

    def _listening(self) -> Listening:
        """Return what may be said now; whoever has interrupted a prompt may still mean it when the host is silent."""
        listening = self.evening.listening()
        if not self._interrupted:
            return listening
        return replace(listening, intents={**listening.intents, **{name: {} for name in BARGE_INS}})

    # ------------------------------------------------------------------------------------------------------------- run

    def begin(self, began: Began) -> None:
        """Start a new evening at second 0."""
        self._set_clock(0.0)
        self._record(0.0, began)

    def resume(self, entries: Sequence[tuple[float, Entry]], clock: float | None) -> None:
        """Apply a journal again without saying it again, and go on at the last second that was lived."""
        for t, entry in entries:
            self._publish(self.evening.apply(t, entry), aloud=False)
        self._set_clock(max(self.evening.now, clock or 0.0))
        self._unheard = tuple(self.evening.unplayed)

    async def run(self) -> None:
        """Work off the inbox until the game is over, or until the source has ended and no timer can change anything."""
        self._say_what_was_not_heard()
        if self._waits_for_device():  # the pause of a process that was killed in it; this one has its devices
            self._record(self.now(), Resumed())
        while not self._is_over():
            arrival = await self._next_arrival()
            self.look_at_machine()
            self._finish_due(self._clock_runs_until(arrival))
            if arrival is not None:
                self._handle(arrival)
                self._finish_due(self._clock_runs_until(None))
                self.inbox.task_done()
                if isinstance(arrival, Tapped):
                    await asyncio.sleep(0)  # many fingers at once make nobody else wait for all of them

    def _clock_runs_until(self, arrival: Arrival | None) -> float:
        """Return the second up to which timers may finish: that of a fault, when one is being told."""
        faults = (*([arrival] if isinstance(arrival, DeviceLost) else []), *self.inbox.faults)
        began = [
            fault.since for fault in faults if fault.since is not None and (fault.reason, fault.ear) not in self._faults
        ]
        return min([self.now(), *began])

    def _is_over(self) -> bool:
        if self._over or (self.evening.over and not self.evening.unplayed):
            return True
        waiting = self.evening.timers.running or self.evening.unplayed or not self.inbox.empty()
        waiting = waiting or self._speech_started is not None
        return self._source_ended and not waiting

    async def _next_arrival(self) -> Arrival | None:
        """Wait for the inbox or for the next timer, whichever comes first; None for the timer."""
        due = self.evening.timers.next_due(self._speech_started)
        if due is None:
            return await self.inbox.get()
        if not self.inbox.empty():
            return self.inbox.get_nowait()
        try:
            async with asyncio.timeout_at(due.deadline + self._origin):
                return await self.inbox.get()
        except TimeoutError:
            return None

    @property
    def _speech_started(self) -> float | None:
        return min((began[0] for began in self._open_speeches.values() if began), default=None)

    def _finish_due(self, now: float) -> None:
        while (due := self.evening.timers.next_due(self._speech_started)) and due.deadline <= now + _CLOCK_STEP:
            self._record(max(due.deadline, self.evening.now), TimerFinished(due.name))

    def _handle(self, arrival: Arrival) -> None:
        match arrival:
            case SpeechBegan() | SpeechRecognized() | SpeechDropped():
                self._follow_speech(arrival)
            case PromptPlayed(prompt):
                self._record(self.now(), Played(prompt))
            case DeviceLost():
                self._lose(arrival)
            case DeviceBack(reason, ear):
                self._have_back(reason, ear)
            case Tapped(intent):
                self._record(self.now(), Tapped(self._with_value(intent)))
            case LineBegan():
                self._record(self.now(), arrival)
            case SourceEnded(abruptly):
                self._over = abruptly
                self._source_ended = True
            case _:
                assert_never(arrival)

    def _lose(self, fault: DeviceLost) -> None:
        """Stop the clock at the second at which the fault began, unless something has happened since."""
        # What was begun will never be reported ended, in a pause or not.
        if fault.reason == "machine_slept":
            self._open_speeches.clear()
        elif fault.reason in DEAF:
            self._open_speeches.pop(fault.ear, None)
        if (fault.reason, fault.ear) in self._faults:
            return
        self._faults[fault.reason, fault.ear] = True
        now = self.now()
        since = now if fault.since is None else min(fault.since, now)
        self._record(max(since, self.evening.now), Paused(fault.reason))

    def _have_back(self, reason: str, ear: str) -> None:
        """Let the clock go on when nothing is missing any more that the table waits for."""
        self._faults.pop((reason, ear), None)
        if not self._waits_for_device():
            return
        left = [other for (other, _), awaited in self._faults.items() if awaited]
        if not left:
            self._record(self.now(), Resumed())
        elif self.evening.paused == reason:
            self._record(self.now(), Paused(left[0]))

    def _waits_for_device(self) -> bool:
        return self.evening.paused not in {None, ASKED}

    def _follow_speech(self, arrival: SpeechBegan | SpeechRecognized | SpeechDropped) -> None:
        match arrival:
            case SpeechBegan(at, ear):
                self._open_speeches.setdefault(ear, []).append(at)
            case SpeechRecognized(ear=ear):
                self._heard(arrival)
                self._close_speech(ear)
            case SpeechDropped(ear):
                self._close_speech(ear)
            case _:
                assert_never(arrival)
        spoken_to = any(self._open_speeches.values())
        self._interrupted = self._interrupted and spoken_to
        if self._room is not None:
            self._room.attend(spoken_to=spoken_to)

    def _close_speech(self, ear: str) -> None:
        """Take away the ear's oldest open speech; there is none when a fault has cut it off."""
        begun = self._open_speeches.get(ear)
        if begun:
            begun.pop(0)

    def _heard(self, speech: SpeechRecognized) -> None:
        if self._waits_for_device() and self._can_wait(speech):
            self._kept_back.append(speech)
            return
        number = self.evening.utterances + 1
        utterance = Utterance(
            number, speech.hypotheses, round(speech.started, 3), round(speech.ended, 3), speech.confidences
        )
        listening = self._listening()
        intents, unclear = self._understand(utterance, speech.speaker, listening)
        if not intents and self._is_past_a_boundary(speech):
            # What meant nothing where it began may mean something where it ended: a dream told before the last guess was over.
            self._close_speech(speech.ear)
            self._finish_due(self.now())
            listening = self._listening()
            intents, unclear = self._understand(utterance, speech.speaker, listening)
            self._open_speeches.setdefault(speech.ear, []).insert(0, speech.started)
        intents = tuple(self._with_value(_by_another(intent, speech.not_by, listening)) for intent in intents)
        # What was said is the players' own and stays out of the log.
        log.info("utterance %d means %s", number, [intent.name for intent in intents] or unclear or "nothing")
        if self._room is not None and any(intent.name in CUTTING for intent in intents):
            self._room.cut()
        self._record(self.now(), Heard(utterance, speech.speaker, intents, unclear))

    def _is_past_a_boundary(self, speech: SpeechRecognized) -> bool:
        """Tell whether a timer ran out while this was said and waited for nothing else."""
        due = self.evening.timers.next_due(None)
        return due is not None and speech.started < due.deadline < speech.ended and due.deadline <= self.now()

    def _can_wait(self, speech: SpeechRecognized) -> bool:
        """Tell whether what was said in a fault counts after it.

        So it is when it began before the fault, and where no time runs for whose loss it would make up: a dreamer who tells the
        story does not have to tell it again. What is to be done about the pause itself is done at once.
        """
        timers = self.evening.timers
        if timers.frozen_at is not None and speech.started < timers.frozen_at:
            return True
        said = Utterance(0, speech.hypotheses, speech.started, speech.ended, speech.confidences)
        intents, _ = self._understand(said, speech.speaker, self._listening())
        return not timers.running and not any(intent.name in ALLOWED_IN_PAUSE for intent in intents)

    def _with_value(self, intent: Intent) -> Intent:
        """Add what the room alone knows, so that the journal tells how the voice was changed."""
        if self._room is None or intent.name not in VOICE_CHANGES:
            return intent
        return replace(intent, slots={**intent.slots, "value": self._room.value_after(intent.name)})

    # --------------------------------------------------------------------------------------------------------- outcomes

    def _record(self, t: float, entry: Entry) -> None:
        """Put a fact on disk, then apply it, then let the world know, then what follows from it at once."""
        self._journal.append(t, entry)
        self._publish(self.evening.apply(t, entry), aloud=True)
        self._go_on()
        if self.evening.paused is None:
            self._faults = dict.fromkeys(self._faults, False)
            while self._kept_back and self.evening.paused is None:
                self._heard(self._kept_back.pop(0))

    def _publish(self, outcomes: Sequence[Outcome], *, aloud: bool) -> None:
        for outcome in outcomes:
            for watch in self._watchers:
                watch(outcome)
            if aloud and self._room is not None and outcome.effect is not None:
                self._room.perform(outcome, self._report_played)

    def _report_played(self, prompt: str) -> None:
        self.inbox.put_nowait(PromptPlayed(prompt))

    def _go_on(self) -> None:
        """Without a loudspeaker prompts count as heard at once; a finished lobby is followed by its game."""
        if not self.voiced and self.evening.unplayed:
            self._record(self.evening.now, Played(self.evening.unplayed[0].line["prompt"]))
        elif (following := self._follow_up(self.evening)) is not None:
            self._record(self.evening.now, following)

    def _say_what_was_not_heard(self) -> None:
        """Say again what the room had not heard to its end when the process died."""
        if self._room is not None:
            for outcome in self._unheard:
                self._room.perform(outcome, self._report_played)
        self._go_on()


def _by_another(intent: Intent, seat: Seat | None, listening: Listening) -> Intent:
    """Mark what one seat alone may mean, where that seat has certainly not spoken: the game then knows whom to refuse."""
    is_its_own = seat is not None and listening.only_of.get(intent.name) == (seat,)
    return replace(intent, speaker=SOMEBODY_ELSE) if is_its_own else intent
