"""Reads what somebody says over the host while it is being said, so that the host is silent when the word is over.

Theory of operation: an utterance is read when it pauses, which for "stop" is too late: the pause, the recogniser and the sound
card take half a second together. While the host speaks, the beginning of an utterance is therefore read again and again, as fast as the
recogniser allows, and compared with the few phrases that interrupt a host. Only silence follows from a glance, which is no
harm where it was wrong; what the utterance means is found when it has ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from voice_host.hearing.endpointer import Endpointer
from voice_host.hearing.recognizers.recognizer import Hypothesis, Recognition, Recognizer

_FIRST_SECONDS: Final = 0.25
"""Of speech, before the first glance; less is no word yet."""
_EVERY_SECONDS: Final = 0.1
"""Of sound, between two glances."""
_LAST_SECONDS: Final = 1.5
"""Of speech, after which it is no interruption that somebody would have to be quick for."""
_SLOW_SECONDS: Final = 0.25
"""A recogniser that takes longer would only keep itself busy with glances."""

BargesIn = Callable[[tuple[Hypothesis, ...]], bool]
"""Told the hypotheses of speech that may yet go on: tells whether it is complete, and must not wait until the host has spoken."""

IsHosts = Callable[[tuple[Hypothesis, ...], float, float], bool]
"""Told the hypotheses of a stretch of audio and its seconds: tells whether it was the host's own voice."""

_log = logging.getLogger(__name__)


class Glances:
    """Follows the utterances of one ear; the loop's thread only."""

    def __init__(
        self, recognizer: Recognizer, barges_in: BargesIn, is_hosts: IsHosts, be_silent: Callable[[], None]
    ) -> None:
        """Read with this recogniser, and call ``be_silent`` once for each utterance that ``barges_in``."""
        self._recognizer = recognizer
        self._barges_in = barges_in
        self._is_hosts = is_hosts
        self._be_silent = be_silent
        self._reading: asyncio.Future[Recognition] | None = None
        self._utterance = (-1.0, 0.0)
        "the second of audio at which what is being read began, and up to which it was read"
        self._answered = -1.0
        "when the utterance began after which nothing more needs to be read"
        self._next_at = 0.0

    def follow(self, endpointer: Endpointer, worker: ThreadPoolExecutor, *, over_host: bool) -> None:
        """Look at what was read of the open utterance, and read it again where there is more of it."""
        self._answer(endpointer)
        started, heard = endpointer.speech_started, endpointer.heard_seconds
        if started is None or not over_host or self._reading is not None or started == self._answered:
            return
        if not _FIRST_SECONDS <= heard - started <= _LAST_SECONDS or heard < self._next_at:
            return
        samples = endpointer.further(0)
        if self._utterance == (started, len(samples)):
            return  # nothing but silence has come
        self._utterance = (started, len(samples))
        self._next_at = heard + _EVERY_SECONDS
        self._reading = asyncio.get_running_loop().run_in_executor(worker, self._recognizer.recognize, samples)

    def _answer(self, endpointer: Endpointer) -> None:
        reading = self._reading
        if reading is None or not reading.done():
            return
        self._reading = None
        if reading.cancelled() or reading.exception() is not None:
            return  # whoever awaits the utterance is told
        recognition, started = reading.result(), self._utterance[0]
        if recognition.decode_seconds > _SLOW_SECONDS:
            self._next_at = endpointer.heard_seconds + 2 * recognition.decode_seconds
        if not recognition.hypotheses or not self._barges_in(recognition.hypotheses):
            return
        if self._is_hosts(recognition.hypotheses, started, endpointer.heard_seconds):
            return
        _log.info("somebody interrupts the host at %.2f s", started)
        self._answered = started
        self._be_silent()
