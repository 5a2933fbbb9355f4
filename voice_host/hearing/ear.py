"""From a microphone to what was heard: endpointing as the audio comes, recognition in a worker, all in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from voice_host.hearing.endpointer import (
    Endpointer,
    EndpointerSettings,
    SpeechEnded,
    SpeechEvent,
    SpeechPaused,
    SpeechStarted,
)
from voice_host.hearing.glances import BargesIn, Glances
from voice_host.hearing.microphone import Microphone
from voice_host.hearing.recognizers.recognizer import Hypothesis, Recognition, Recognizer
from voice_host.hearing.sound_files import Samples
from voice_host.hearing.streamed import Stream, streams
from voice_host.hearing.voice_activity import BLOCK_SECONDS, SileroVoiceActivity, VoiceActivity

_WAITING: Final = 32
"""Utterances that may wait for the recogniser; beyond that the microphone has to wait, and counts what it loses."""

_PATIENCE_SECONDS: Final = 3.0
"""How long the recognition of the shortest utterance may take before hearing is late."""

_QUICK_SECONDS: Final = 0.3
"""A recogniser that is not slower begins at the first sign of a pause, which is mostly inside a phrase: a slow one would lag behind."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SpeechBegan:
    """Somebody began to speak; a `Heard` or a `SpeechDropped` follows."""

    at: float
    "seconds of audio since the microphone opened"


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """An utterance with at least one hypothesis."""

    hypotheses: tuple[Hypothesis, ...]
    "best first"
    started: float
    "seconds of audio since the microphone opened, at the first voice"
    ended: float
    "seconds of audio since the microphone opened, at the end of the last voice"
    samples: Samples
    "mono, 16 kHz, with a little audio before and after the speech"
    decode_seconds: float
    "time of the machine"


@dataclass(frozen=True, slots=True)
class SpeechDropped:
    """What had begun was no speech; nobody is speaking any more."""

    started: float
    "seconds of audio since the microphone opened"
    ended: float
    "seconds of audio since the microphone opened"


EarEvent = SpeechBegan | Heard | SpeechDropped
Patience = Callable[[tuple[str, ...]], float | None]
"""Told the hypotheses of speech that pauses: how many seconds of silence end it; None where nothing can be said of it."""

IsHost = Callable[[tuple[str, ...], float, float], bool]
"""Told the hypotheses and the seconds of audio of an utterance: tells whether it was the host's own voice."""

Foresee = Callable[[tuple[Hypothesis, ...]], None]
"""Told the first readings of an utterance, which may yet be others, but are not the host's."""

SecondLook = Callable[[Samples, Recognition], Recognition]
"""Given the sound and what was recognised, returns a better recognition."""

_Pending = SpeechStarted | tuple[int, SpeechEnded, asyncio.Future[Recognition]] | None


@dataclass(slots=True, eq=False)
class _Look:
    """A recognition of speech that pauses, which is that of the utterance if nothing more comes."""

    so_far: SpeechEnded
    first: asyncio.Future[Recognition]
    "what the recogniser wrote, which tells whether the phrase is complete"
    recognition: asyncio.Future[Recognition]
    "the same after the second look"
    closely: bool = False
    "so early that it counts only when the speech `barges_in`; without a second look"
    answered: bool = False

    def is_of(self, ended: SpeechEnded) -> bool:
        return (self.so_far.first_sample, self.so_far.ended) == (ended.first_sample, ended.ended)


class Ear:
    """Listens to one microphone with one recogniser; all its methods belong to the event loop's thread."""

    def __init__(
        self,
        microphone: Microphone,
        recognizer: Recognizer,
        settings: EndpointerSettings | None = None,
        detector: VoiceActivity | None = None,
        *,
        patience: Patience | None = None,
        second_look: SecondLook | None = None,
        is_host: IsHost | None = None,
        barges_in: BargesIn | None = None,
        be_silent: Callable[[], None] | None = None,
        foresee: Foresee | None = None,
    ) -> None:
        """Take the devices, which stay the caller's to close.

        With ``patience`` complete phrases end sooner; ``second_look`` weighs again, in the worker, what was recognised;
        what ``is_host`` knows as the host's own voice is dropped; what ``barges_in`` knows ends at once while `look_closely` is on,
        and as soon as it can be read, before it has ended, ``be_silent`` is called. ``foresee`` is told what was written of an
        utterance that is over, while it is weighed again.
        """
        self._microphone = microphone
        self._recognizer = recognizer
        self._endpointer = Endpointer(settings or EndpointerSettings(), detector or SileroVoiceActivity())
        self._patience = patience
        self._second_look = second_look
        self._is_host = is_host
        self._barges_in = barges_in
        self._foresee = foresee
        self._glances: Glances | None = None
        if barges_in is not None and be_silent is not None and not streams(recognizer):
            self._glances = Glances(recognizer, barges_in, self._is_hosts, be_silent)
        self._host_speaks = False
        self._look: _Look | None = None
        self._decode_seconds = 0.0
        self._stream: Stream | None = None
        self._utterances = 0
        self._opened_at = 0.0
        self._taken_late = 0.0
        self._unanswered: deque[tuple[float, float]] = deque()
        "when each utterance that nobody was told of yet ended, in the loop's time, and how long its recognition may take"

    @property
    def heard_seconds(self) -> float:
        """Return the seconds of audio taken from the microphone so far."""
        return self._endpointer.heard_seconds

    @property
    def speaking(self) -> bool:
        """Tell whether somebody is speaking now."""
        return self._endpointer.speaking

    @property
    def speech_started(self) -> float | None:
        """Return the second of audio at which the speech that goes on now began, or None."""
        return self._endpointer.speech_started

    @property
    def opened_at(self) -> float:
        """Return the loop's time at which the second 0 of the audio was captured, by the microphone's latest word."""
        return self._opened_at

    def behind_seconds(self) -> float:
        """Return by how many seconds hearing is late: sound that waits to be taken, or an utterance that waits for its meaning.

        An utterance is late only after `_PATIENCE_SECONDS` and as long again as it lasted.
        """
        waiting = 0.0
        if self._unanswered:
            ended_at, allowed = self._unanswered[0]
            waiting = asyncio.get_running_loop().time() - ended_at - allowed
        return max(waiting, self._taken_late)

    def look_closely(self, *, speaking: bool) -> None:
        """Be told that the host begins or ends to speak: whoever stops it must not have to wait."""
        self._host_speaks = speaking
        self._endpointer.look_closely(closely=speaking and self._barges_in is not None)

    def ignore_until(self, second: float) -> None:
        """Be deaf up to this second of audio (the host itself speaks); a later call moves the second either way."""
        self._endpointer.ignore_until(second)

    async def listen(self) -> AsyncGenerator[EarEvent, None]:
        """Yield what is heard, strictly in order, until the microphone ends; what fails in a device is raised here.

        To stop earlier, close the generator (``contextlib.aclosing``).
        """
        pending: asyncio.Queue[_Pending] = asyncio.Queue(_WAITING)
        worker = ThreadPoolExecutor(1, thread_name_prefix="recognizer")
        self._stream = Stream(self._recognizer, worker) if streams(self._recognizer) else None
        following = asyncio.create_task(self._follow(pending, worker))
        try:
            while (item := await pending.get()) is not None:
                event = self._unless_host(await _event(item))
                if not isinstance(event, SpeechBegan):
                    self._unanswered.popleft()
                yield event
            await following
        finally:
            # A listener that goes away early must not wait for a decoder; the thread ends with its utterance.
            worker.shutdown(wait=False, cancel_futures=True)
            if not following.done():
                following.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await following

    def _unless_host(self, event: EarEvent) -> EarEvent:
        """Return the event, or that nothing was said where the host heard itself."""
        if not isinstance(event, Heard) or not self._is_hosts(event.hypotheses, event.started, event.ended):
            return event
        _log.info("what was heard from %.2f s to %.2f s is the host itself", event.started, event.ended)
        return SpeechDropped(event.started, event.ended)

    def _is_hosts(self, hypotheses: tuple[Hypothesis, ...], started: float, ended: float) -> bool:
        """Tell whether it was the host's own voice that was read so between two seconds of audio."""
        if self._is_host is None:
            return False
        return self._is_host(tuple(hypothesis.text for hypothesis in hypotheses), started, ended)

    async def _follow(self, pending: asyncio.Queue[_Pending], worker: ThreadPoolExecutor) -> None:
        """Move the microphone's blocks through the endpointer and hand utterances to the worker; None says the end."""
        try:
            async with contextlib.aclosing(self._microphone.blocks()) as blocks:
                async for block in blocks:
                    self._note_time()
                    self._answer_look()
                    if self._glances is not None:
                        self._glances.follow(self._endpointer, worker, over_host=self._host_speaks)
                    await self._hand_over(self._endpointer.feed(block), pending, worker)
                    if self._stream is not None:
                        self._stream.go_on(self._endpointer)
            await self._hand_over(self._endpointer.finish(), pending, worker)
        except Exception:
            await pending.put(None)  # the listener stops waiting and finds the exception in this task
            raise
        await pending.put(None)

    def _note_time(self) -> None:
        """Follow the microphone's clock, when it has one."""
        captured_at = self._microphone.captured_at
        self._opened_at = captured_at - self._endpointer.heard_seconds - BLOCK_SECONDS
        self._taken_late = asyncio.get_running_loop().time() - captured_at

    async def _hand_over(
        self, events: tuple[SpeechEvent, ...], pending: asyncio.Queue[_Pending], worker: ThreadPoolExecutor
    ) -> None:
        """Queue the endpointer's events; recognition of an ended utterance starts at once."""
        for event in events:
            if isinstance(event, SpeechStarted):
                if self._stream is not None:
                    self._stream.begin()
                await pending.put(event)
                continue
            if isinstance(event, SpeechPaused):
                self._look_at(event, worker)
                continue
            self._utterances += 1
            _log.info("utterance %d endpointed: %.2f s to %.2f s", self._utterances, event.started, event.ended)
            allowed = _PATIENCE_SECONDS + event.ended - event.started
            self._unanswered.append((asyncio.get_running_loop().time(), allowed))
            first, recognition = self._recognition(event, worker)
            if self._foresee is not None and first is not recognition and len(self._unanswered) == 1:
                first.add_done_callback(partial(self._tell_first, event))
            await pending.put((self._utterances, event, recognition))

    def _look_at(self, paused: SpeechPaused, worker: ThreadPoolExecutor) -> None:
        """Begin to recognise what was said so far, if anybody could tell whether it is complete."""
        known = self._look is not None and not self._look.closely and self._look.is_of(paused.so_far)
        if self._patience is None or known:
            return
        if paused.briefly and (self._stream is not None or self._decode_seconds > _QUICK_SECONDS):
            return
        self._forget_look()
        futures = self._recognized(paused.so_far.samples, worker, again=not paused.closely)
        self._look = _Look(paused.so_far, *futures, paused.closely)

    def _answer_look(self) -> None:
        """When what was said so far is known, let the endpointer wait as long as it makes sense."""
        look = self._look
        if look is None or look.answered or not look.first.done() or self._patience is None:
            return
        look.answered = True
        if look.first.exception() is None:  # else whoever awaits the utterance is told
            self._decode_seconds = look.first.result().decode_seconds
            hypotheses = look.first.result().hypotheses
            texts = tuple(hypothesis.text for hypothesis in hypotheses)
            if self._host_speaks and self._barges_in is not None and self._barges_in(hypotheses):
                look.closely = False
                self._endpointer.end()
                return
            seconds = None if look.closely else self._patience(texts)
            if seconds is not None:
                self._endpointer.wait(seconds)

    def _tell_first(self, ended: SpeechEnded, first: asyncio.Future[Recognition]) -> None:
        """Tell what was written, as long as nobody was told more."""
        if self._foresee is None or first.cancelled() or first.exception() is not None or not self._unanswered:
            return
        hypotheses = first.result().hypotheses
        if hypotheses and not self._is_hosts(hypotheses, ended.started, ended.ended):
            self._foresee(hypotheses)

    def _recognition(
        self, ended: SpeechEnded, worker: ThreadPoolExecutor
    ) -> tuple[asyncio.Future[Recognition], asyncio.Future[Recognition]]:
        """Return what is written of an utterance and what becomes of it: the look's, when nothing was said since."""
        if self._look is not None and not self._look.closely and self._look.is_of(ended):
            look, self._look = self._look, None
            return look.first, look.recognition
        self._forget_look()
        return self._recognized(ended.samples, worker)

    def _forget_look(self) -> None:
        if self._look is not None:
            self._look.recognition.cancel()  # of use only if the worker has not begun with it
            if self._stream is None:  # a stream must be finished before it can begin again
                self._look.first.cancel()
        self._look = None

    def _recognized(
        self, samples: Samples, worker: ThreadPoolExecutor, *, again: bool = True
    ) -> tuple[asyncio.Future[Recognition], asyncio.Future[Recognition]]:
        """Return what the recogniser will write, and what a second look will make of it."""
        stream, look_again = self._stream, self._second_look
        recognize = partial(self._recognizer.recognize, samples) if stream is None else stream.end(samples)
        loop, written = asyncio.get_running_loop(), Future[Recognition]()
        first = loop.run_in_executor(worker, _run_into, written, recognize)
        if look_again is None or not again:
            return first, first
        first.add_done_callback(_see_failure)  # nobody may ask before the second look is over
        # The worker has one thread, so what was written is there when the second look begins.
        return first, loop.run_in_executor(worker, lambda: look_again(samples, written.result()))


def _run_into(outcome: Future[Recognition], recognize: Callable[[], Recognition]) -> Recognition:
    """Recognise, and keep what comes of it for whoever needs it next in the same thread."""
    try:
        outcome.set_result(recognize())
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again where it is waited for
        outcome.set_exception(error)
    return outcome.result()


def _see_failure(recognition: asyncio.Future[Recognition]) -> None:
    """Keep asyncio from complaining of a failure that is told when the utterance is awaited."""
    if not recognition.cancelled():
        recognition.exception()


async def _event(item: SpeechStarted | tuple[int, SpeechEnded, asyncio.Future[Recognition]]) -> EarEvent:
    """Return what a queued item means to the host, once it is recognised."""
    if isinstance(item, SpeechStarted):
        return SpeechBegan(item.started)
    number, ended, recognition = item
    result = await recognition
    if not result.hypotheses:
        _log.info("utterance %d recognised as no speech in %.3f s", number, result.decode_seconds)
        return SpeechDropped(ended.started, ended.ended)
    # What was said stays out of the log: it is the players' own.
    _log.info("utterance %d recognised in %.3f s: %d hypotheses", number, result.decode_seconds, len(result.hypotheses))
    return Heard(result.hypotheses, ended.started, ended.ended, ended.samples, result.decode_seconds)
