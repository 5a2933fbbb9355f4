"""The host's one voice: a queue in which lines wait their turn, so that nothing overlaps and nothing is said too late.

Theory of operation
-------------------
`Voice.say` puts a line into the queue and returns at once; `Voice.run`, a task of the host's, takes the line of the highest
priority (the oldest of these), has it synthesised whole, tells the listener `Started`, plays it as one clip, and tells `Finished`.
A line whose time to be said is over before it starts is `Dropped`. Texts that wait are synthesised while another line plays.

What cannot be heard is told once, as `VoiceFailed`, and is tried again in the background until `VoiceRecovered`. A voice that
``holds`` for that reason keeps its lines until then, also the one that was interrupted by the fault, or until it is told to `carry_on`. Else a line
is `Started` and `Finished` like any other (the host shows it as a caption), and the earcon ``attention`` sounds instead.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Final

from voice_host.errors import HostError
from voice_host.speaking.clip import Clip, concatenate, silence
from voice_host.speaking.earcons import earcon as earcon_clip
from voice_host.speaking.loudspeaker import Loudspeaker
from voice_host.speaking.synthesizer import Synthesizer, VoiceLost

_LOG = logging.getLogger(__name__)

Segment = str | Clip
"""A text that is synthesised, or a recording (a player's own name)."""

RETRY_SECONDS: Final = 2.0
_LOUDSPEAKER_RETRY_SECONDS: Final = 1.0
_SEGMENT_PAUSE_SECONDS: Final = 0.06


class Priority(IntEnum):
    """How urgent a line is; any integer will do, these are the usual ones."""

    GAME = 10
    """What the rules want said, in order."""
    ANSWER = 12
    """What somebody has asked for: before the next sentence of a long recital."""
    TIMELY = 15
    """What is true only now."""
    URGENT = 20
    """Pause, faults, the bell."""


class Outcome(Enum):
    """What became of a line."""

    HEARD = "heard"
    CUT = "cut"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One thing to be said or sounded in one go."""

    number: int
    """Counts from 1 in the order of asking."""
    segments: tuple[Segment, ...]
    name: str
    """The prompt's or the earcon's name, for whoever waits for it."""
    text: str
    """The caption; empty for an earcon."""
    priority: int
    expires_at: float | None
    """Loop time after which the line must not begin any more; None: always in time."""
    sound_only: bool
    """True for an earcon."""


@dataclass(frozen=True, slots=True)
class Started:
    """The room begins to hear the line at this loop time."""

    line: Line
    at: float


@dataclass(frozen=True, slots=True)
class Finished:
    """The room has heard the line, or its first part when it was interrupted."""

    line: Line
    at: float
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """The line was never begun: out of date, or swept away by `Voice.interrupt`."""

    line: Line
    at: float


@dataclass(frozen=True, slots=True)
class VoiceFailed:
    """The synthesizer or the loudspeaker was lost; the sentence names the remedy, and it is said once."""

    sentence: str
    at: float
    reason: str = "voice_lost"
    """``voice_lost`` or ``loudspeaker_lost``."""


@dataclass(frozen=True, slots=True)
class VoiceRecovered:
    """What was lost works again."""

    at: float
    reason: str = "voice_lost"


@dataclass(frozen=True, slots=True)
class Held:
    """The line had started and was not heard; it starts again when it can be."""

    line: Line
    at: float


VoiceEvent = Started | Finished | Dropped | Held | VoiceFailed | VoiceRecovered


@dataclass(slots=True, eq=False)
class _Waiting:
    line: Line
    outcome: asyncio.Future[Outcome]


class Voice:
    """One speech queue over one synthesizer and one loudspeaker; ``listener`` is called for each fact, in order, on the loop."""

    def __init__(
        self,
        synthesizer: Synthesizer,
        loudspeaker: Loudspeaker,
        listener: Callable[[VoiceEvent], None],
        *,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._synthesizer = synthesizer
        self._loudspeaker = loudspeaker
        self._listener = listener
        self._retry_seconds = retry_seconds
        self._numbers = 0
        self._queue: list[_Waiting] = []
        self._current: _Waiting | None = None
        self._cut = False
        self._overlaid: set[asyncio.Task[None]] = set()
        self._more = asyncio.Event()
        self._to_prepare: dict[str, None] = {}
        self._prepare_more = asyncio.Event()
        self._lost_text: str | None = None
        self._deaf = False
        self.holds: frozenset[str] = frozenset()
        """The reasons, of those of `VoiceFailed`, for which lines wait until they can be heard."""
        self._held_since: float | None = None
        self._trial = False
        self._quiet_since: float | None = float("-inf")
        self._hushed_until: float | None = None

    # ------------------------------------------------------------------------------------------------ what is asked

    def say(
        self,
        segments: str | Sequence[Segment],
        priority: int = Priority.GAME,
        expires_at: float | None = None,
        *,
        name: str = "",
        text: str | None = None,
    ) -> Awaitable[Outcome]:
        """Queue a line of texts and recordings; the caption ``text`` is by default the texts. Awaiting is optional."""
        segments = (segments,) if isinstance(segments, str) else tuple(segments)
        texts = [segment for segment in segments if isinstance(segment, str)]
        self.prepare(texts)
        return self._enqueue(
            segments, name, " ".join(texts) if text is None else text, priority, expires_at, sound_only=False
        )

    def earcon(self, name: str, priority: int = Priority.GAME, expires_at: float | None = None) -> Awaitable[Outcome]:
        """Queue an earcon; raises `UsageError` when there is none of that name."""
        return self._enqueue((earcon_clip(name),), name, "", priority, expires_at, sound_only=True)

    def overlay(self, name: str, at: float | None = None) -> None:
        """Sound an earcon at that time of the loop, or now, beside whatever is being said, and out of the queue; raises `UsageError` for an unknown name."""
        sounding = asyncio.create_task(self._overlay(earcon_clip(name), at), name=f"earcon {name}")
        self._overlaid.add(sounding)
        sounding.add_done_callback(self._overlaid.discard)

    def prepare(self, texts: Iterable[str]) -> None:
        """Synthesise texts in the background, so that they start without delay when they are said."""
        self._to_prepare.update(dict.fromkeys(texts))
        self._prepare_more.set()

    def interrupt(self, below: int | None = None) -> None:
        """Cut what is being said and drop what waits; with ``below`` only what has a lower priority than that."""
        kept = [waiting for waiting in self._queue if below is not None and waiting.line.priority >= below]
        dropped = [waiting for waiting in self._queue if waiting not in kept]
        self._queue = kept
        if self._current is not None and (below is None or self._current.line.priority < below):
            self._cut = True
            self._loudspeaker.stop()
        for waiting in dropped:
            self._drop(waiting)

    def cut(self) -> None:
        """Cut what is being said or synthesised; what waits is said next."""
        if self._current is not None:
            self._cut = True
            self._loudspeaker.stop()

    def hush(self, seconds: float) -> None:
        """Cut what is being said, and let what waits wait until `end_hush`, but no longer than that."""
        loop = asyncio.get_running_loop()
        self._hushed_until = loop.time() + seconds
        loop.call_at(self._hushed_until, self._more.set)
        self.cut()

    def end_hush(self) -> None:
        """Let what waits be said; harmless without a hush."""
        if self._hushed_until is not None:
            self._hushed_until = None
            self._more.set()

    @property
    def speaking(self) -> bool:
        """True while the room hears the host: computed from what plays, never counted."""
        return self._loudspeaker.playing

    @property
    def quiet_since(self) -> float | None:
        """Loop time at which the last sound ended (minus infinity before the first); None while something sounds."""
        return None if self._loudspeaker.playing else self._quiet_since

    @property
    def saying(self) -> str:
        """The caption of the line that is being said or synthesised; empty for an earcon and in silence."""
        return "" if self._current is None else self._current.line.text

    @property
    def priority(self) -> int | None:
        """The priority of the line that is being said or synthesised; None in silence."""
        return None if self._current is None else self._current.line.priority

    @property
    def idle(self) -> bool:
        """True when nothing is being said or waits to be."""
        return self._current is None and not self._queue

    @property
    def voice_lost(self) -> bool:
        """True while lines are only shown because there is no voice."""
        return self._lost_text is not None

    def carry_on(self) -> None:
        """Let lines pass that cannot be heard, until the next fault; harmless without one."""
        self._release()

    def loudspeaker_is_back(self) -> None:
        """Be told that the loudspeaker can be heard again; harmless when it never was lost."""
        self._undeafen()

    # ------------------------------------------------------------------------------------------------ what is done

    async def run(self) -> None:
        """Say what is queued until cancelled; belongs into the host's task group, and ends only by an error."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._speak(), name="speaking")
                tasks.create_task(self._prepare(), name="preparing speech")
        finally:
            self._loudspeaker.stop()
            for sounding in self._overlaid:
                sounding.cancel()
            for waiting in [*([self._current] if self._current else []), *self._queue]:
                waiting.outcome.cancel()
            self._queue.clear()

    def _enqueue(
        self,
        segments: tuple[Segment, ...],
        name: str,
        text: str,
        priority: int,
        expires_at: float | None,
        *,
        sound_only: bool,
    ) -> Awaitable[Outcome]:
        self._numbers += 1
        line = Line(self._numbers, segments, name, text, priority, expires_at, sound_only)
        waiting = _Waiting(line, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._more.set()
        return waiting.outcome

    async def _speak(self) -> None:
        while True:
            while (waiting := self._next()) is None:
                self._more.clear()
                await self._more_or_trial()
            self._current, self._cut = waiting, False
            await self._say(waiting)
            self._current = None

    async def _more_or_trial(self) -> None:
        """Wait for a line, or for the moment to try a lost loudspeaker again."""
        try:
            async with asyncio.timeout(_LOUDSPEAKER_RETRY_SECONDS if self._deaf and self._queue else None):
                await self._more.wait()
        except TimeoutError:
            self._trial = True

    def _next(self) -> _Waiting | None:
        """Take the most urgent, oldest line that is still in time out of the queue, dropping those that are not.

        While lines are held, it is one that can be heard, or the trial of a lost loudspeaker.
        """
        now = asyncio.get_running_loop().time()
        if self._hushed_until is not None and now < self._hushed_until:
            return None
        if self._held_since is not None:
            trial, self._trial = self._trial, False
            audible = [waiting for waiting in self._queue if trial or (waiting.line.sound_only and not self._deaf)]
            first = min(audible, key=lambda waiting: (not waiting.line.sound_only, waiting.line.number), default=None)
            if first is not None:
                self._queue.remove(first)
            return first
        late = [waiting for waiting in self._queue if _out_of_date(waiting.line, now)]
        self._queue = [waiting for waiting in self._queue if waiting not in late]
        for waiting in late:
            self._drop(waiting)
        if not self._queue:
            return None
        first = max(self._queue, key=lambda waiting: (waiting.line.priority, -waiting.line.number))
        self._queue.remove(first)
        return first

    async def _say(self, waiting: _Waiting) -> None:
        """Synthesise and play one line; what became late or was cut while it was synthesised is dropped."""
        line = waiting.line
        loop = asyncio.get_running_loop()
        clip = await self._synthesized(line)
        if clip is None:
            self._hold(waiting)
            return
        if self._cut or (self._held_since is None and _out_of_date(line, loop.time())):
            self._drop(waiting)
            return
        self._listener(Started(line, loop.time()))
        heard = self._cut or await self._play(clip)  # the listener may interrupt
        if not heard and not self._cut and self._held_since is not None:
            self._hold(waiting)
            self._listener(Held(line, loop.time()))
            return
        self._quiet_since = loop.time()
        if not waiting.outcome.done():
            waiting.outcome.set_result(Outcome.CUT if self._cut else Outcome.HEARD)
        self._listener(Finished(line, loop.time(), self._cut))

    async def _play(self, clip: Clip) -> bool:
        """Play, and tell whether that could be heard; the captions tell what was to be."""
        try:
            await self._loudspeaker.play(clip)
        except HostError as error:
            if not self._deaf:
                self._deaf = True
                self._begin_to_hold("loudspeaker_lost")
                self._listener(VoiceFailed(str(error), asyncio.get_running_loop().time(), "loudspeaker_lost"))
            return False
        if not self._cut:
            self._undeafen()
        return True

    async def _overlay(self, clip: Clip, at: float | None) -> None:
        try:
            await self._loudspeaker.overlay(clip, at)
        except HostError as error:
            _LOG.info("an earcon was not heard: %s", error)  # the next line tells it to whoever waits for one

    def _undeafen(self) -> None:
        if self._deaf:
            self._deaf = False
            self._release_if_heard()
            self._listener(VoiceRecovered(asyncio.get_running_loop().time(), "loudspeaker_lost"))

    def _begin_to_hold(self, reason: str) -> None:
        if reason in self.holds and self._held_since is None:
            self._held_since = asyncio.get_running_loop().time()

    def _hold(self, waiting: _Waiting) -> None:
        """Put a line that was not heard back into its place."""
        self._queue.append(waiting)

    def _release_if_heard(self) -> None:
        if not self._deaf and self._lost_text is None:
            self._release()

    def _release(self) -> None:
        """Say what was held; no line became late by that."""
        if self._held_since is None:
            return
        seconds, self._held_since = asyncio.get_running_loop().time() - self._held_since, None
        for waiting in self._queue:
            if waiting.line.expires_at is not None:
                waiting.line = replace(waiting.line, expires_at=waiting.line.expires_at + seconds)
        self._more.set()

    async def _synthesized(self, line: Line) -> Clip | None:
        """Return the whole line as one clip; when there is no voice, the earcon ``attention``, or None where lines are held."""
        if line.sound_only:
            return concatenate(segment for segment in line.segments if isinstance(segment, Clip))
        clips: list[Clip] = []
        for segment in line.segments:
            if isinstance(segment, str):
                clip = await self._spoken(segment)
                if clip is None:
                    return None if self._held_since is not None else earcon_clip("attention")
            else:
                clip = segment
            clips.extend([silence(_SEGMENT_PAUSE_SECONDS, clip.sample_rate), clip] if clips else [clip])
        return concatenate(clips)

    async def _spoken(self, text: str) -> Clip | None:
        if self._lost_text is not None:
            return None
        try:
            return await self._synthesizer.synthesize(text)
        except VoiceLost as error:
            self._lose(text, error)
            return None

    def _lose(self, text: str, error: VoiceLost) -> None:
        if self._lost_text is None:
            self._lost_text = text
            self._begin_to_hold("voice_lost")
            self._prepare_more.set()
            _LOG.warning("no voice: %s", error)
            self._listener(VoiceFailed(str(error), asyncio.get_running_loop().time()))

    async def _prepare(self) -> None:
        """Synthesise what is announced, one text at a time, so that an urgent one waits for one at most; retry what was lost."""
        while True:
            if self._lost_text is not None:
                await self._try_again(self._lost_text)
            elif self._to_prepare:
                text = next(iter(self._to_prepare))
                del self._to_prepare[text]
                try:
                    await self._synthesizer.synthesize(text)
                except VoiceLost as error:
                    self._lose(text, error)
            else:
                self._prepare_more.clear()
                await self._prepare_more.wait()

    async def _try_again(self, text: str) -> None:
        await asyncio.sleep(self._retry_seconds)
        try:
            await self._synthesizer.synthesize(text)
        except VoiceLost as error:
            _LOG.info("still no voice: %s", error)
            return
        self._lost_text = None
        self._release_if_heard()
        self._listener(VoiceRecovered(asyncio.get_running_loop().time()))

    def _drop(self, waiting: _Waiting) -> None:
        if not waiting.outcome.done():
            waiting.outcome.set_result(Outcome.DROPPED)
        self._listener(Dropped(waiting.line, asyncio.get_running_loop().time()))


def _out_of_date(line: Line, now: float) -> bool:
    return line.expires_at is not None and now > line.expires_at
