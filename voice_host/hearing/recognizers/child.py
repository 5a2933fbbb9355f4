"""A recogniser in a child process, so that native code that crashes, hangs or grows costs the table a second, not the evening.

Theory of operation
-------------------
A thread keeps one engine's child running. When the child ends (killed, crashed, or killed by us because it hung) the listener is told,
another child is started and the job that was under way is done once more; a job that fails twice is given up, because the fault
is then in the job. How long a job may take is measured in the child's own processor time, learned from the jobs before it, so that
a busy machine makes nothing look hung; a job that uses no processor time at all hangs. A child that has grown too much is
replaced between two utterances: the next one is loaded first, and nobody notices.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from voice_host.child_process import ChildLost, ChildProcess, Values
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples

_LOG = logging.getLogger(__name__)

_MAIN: Final = "voice_host.hearing.recognizers.recognizer_child:main"
_NAME: Final = "the recogniser"
START_SECONDS: Final = 60.0
"""How long an engine may take to load."""
_RETRY_SECONDS: Final = (0.0, 0.5, 1.0, 2.0, 5.0)
"""Pauses before the first, second ... attempt to start a child; the last one from then on."""
_PATIENCE_SECONDS: Final = 20.0
"""How long a job waits for a child before it counts as failed."""

_IDLE_PINGS: Final = 6
"""A job that does nothing for so many pings (1.5 s) hangs."""
_IDLE_SECONDS: Final = 0.01
"""Processor time between two pings below which a child does nothing but ping."""
_LEAST_BUDGET_SECONDS: Final = 5.0
_BUDGET_FACTOR: Final = 4.0
"""How many times the processor time that the dearest job of its kind and size took a job may take."""
_FIRST_PACE: Final = 3.0
"""Processor seconds for each second of sound, assumed until so many jobs were measured that one of them was dear."""
_MEASURED_JOBS: Final = 20

MOST_GROWTH_BYTES: Final = 256 * 2**20
"""A child that occupies so much more memory than after its first jobs is replaced."""
_FIRST_JOBS: Final = 10


@dataclass(frozen=True, slots=True)
class RecognizerLost:
    """Nothing is recognised now; another child is being started."""

    sentence: str
    seconds_ago: float
    """For how long, real time, the child has given no sign of life."""


@dataclass(frozen=True, slots=True)
class RecognizerBack:
    """Another child listens."""


class _GivenUpError(HostError):
    """A job was given up; the message is one sentence."""


class ChildRecognizer:
    """Implements every protocol that its engine does; any thread may call it, one job is done at a time."""

    def __init__(
        self,
        language: str,
        engine: str | None = None,
        *,
        most_growth_bytes: int = MOST_GROWTH_BYTES,
        main: str = _MAIN,
    ) -> None:
        """Load the engine, or the best installed one; raises what `load_recognizer` raises, `ChildLost` if that crashes.

        ``main`` is what the child does, as `ChildProcess` takes it.
        """
        self.listener: Callable[[RecognizerLost | RecognizerBack], None] = lambda _event: None
        """Is told, in a thread of ours, when the engine is lost and when it is back."""
        self._language = language
        self._main = main
        self._most_growth_bytes = most_growth_bytes
        self._phrases: tuple[str, ...] | None = None
        self._working = threading.Lock()
        self._changed = threading.Condition()
        self._closed = False
        self._streamed: list[Samples] = []
        self._stream_broken = False
        self._paces: dict[str, _Pace] = {}
        self._engine: _Engine | None = None
        self._engine = self._started(engine or "")
        hello = self._engine.hello
        self.name = str(hello["name"])
        self.languages = tuple(hello["languages"])
        self.capabilities = Capabilities(**hello["capabilities"])
        self._keeper = threading.Thread(target=self._keep_running, name="keeping the recogniser", daemon=True)
        self._keeper.start()

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child; None while there is none."""
        engine = self._engine
        return None if engine is None else engine.child.pid

    # ------------------------------------------------------------------------------------------------------ the protocols

    def recognize(self, samples: Samples) -> Recognition:
        """Return the hypotheses for one utterance; none, with a warning in the log, when two children failed at it."""
        try:
            return _read(self._twice("recognize", {}, samples))
        except _GivenUpError as gone:
            _LOG.warning("an utterance of %.1f s is dropped: %s", len(samples) / SAMPLE_RATE, gone)
            return Recognition((), 0.0)

    def accept(self, block: Samples) -> None:
        """Take the next block of the utterance that is being spoken."""
        self._streamed.append(block)
        if not self._stream_broken:
            try:
                self._once("accept", {}, block)
            except _GivenUpError:
                self._stream_broken = True  # `finish` has the whole utterance recognised anew

    def finish(self) -> Recognition:
        """Return the hypotheses for the blocks since the last utterance; when the child was lost since, they are decoded anew."""
        blocks, broken = self._streamed, self._stream_broken
        try:
            if not broken:
                return _read(self._once("finish", {}))
        except _GivenUpError:
            broken = True
        finally:
            self._streamed, self._stream_broken = [], False
        return self.recognize(np.concatenate(blocks)) if blocks else Recognition((), 0.0)

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        """Return the natural log of each whole text's likelihood; raises `HostError` when two children failed at it."""
        answer = self._twice("score", {"candidates": list(candidates)}, samples)
        return tuple(float(score) for score in answer["scores"])

    def recognize_expecting(self, samples: Samples, words: Sequence[str]) -> Recognition:
        """Return the hypotheses for the utterance, heard in the light of the words; raises `HostError` when two children failed at it."""
        return _read(self._twice("recognize_expecting", {"words": list(words)}, samples))

    def listen_for(self, phrases: Iterable[str]) -> tuple[str, ...]:
        """Expect these phrases, beside free words, from now on; returns those that the model has no words for.

        Raises `ValueError` for a model that takes no grammar.
        """
        phrases = tuple(phrases)
        if phrases and not self.capabilities.grammar:
            raise ValueError("this model takes no grammar")
        answer = self._twice("listen_for", {"phrases": phrases})
        self._phrases = phrases
        return tuple(answer["unknown"])

    def can_write(self, word: str) -> bool:
        """Tell whether the engine could ever write this word or phrase."""
        return bool(self._twice("can_write", {"word": word})["can"])

    def close(self) -> None:
        """End the child; a job under way fails. Harmless a second time."""
        with self._changed:
            self._closed = True
            engine, self._engine = self._engine, None
            self._changed.notify_all()
        if engine is not None:
            engine.end()
        self._keeper.join(START_SECONDS)

    # --------------------------------------------------------------------------------------------------------------- jobs

    def _twice(self, job: str, values: Values, samples: Samples | None = None) -> Values:
        """Do a job, by another child again if one is lost with it; raises `_GivenUpError` when that is lost, too."""
        try:
            return self._once(job, values, samples)
        except _GivenUpError as gone:
            if self._closed:
                raise
            _LOG.warning("%s once more: %s", job, gone)
            return self._once(job, values, samples)

    def _once(self, job: str, values: Values, samples: Samples | None = None) -> Values:
        with self._working:
            engine = self._listening()
            size = _size(values, samples)
            pace = self._paces.setdefault(job, _Pace())
            try:
                answer = engine.do(job, values, samples, pace.budget_seconds(size))
            except ChildLost as lost:
                engine.end(None)
                raise _GivenUpError(str(lost)) from lost
            pace.learn(size, answer["worked_seconds"])
        if engine.growth_bytes > self._most_growth_bytes:
            with self._changed:
                self._changed.notify_all()
        return answer

    def _listening(self) -> _Engine:
        """Return the engine, waiting for one that is being started."""
        with self._changed:
            self._changed.wait_for(lambda: self._engine is not None or self._closed, _PATIENCE_SECONDS)
            if self._engine is None:
                raise _GivenUpError(
                    "The recogniser is closed." if self._closed else "The recogniser does not start any more."
                )
            return self._engine

    # ------------------------------------------------------------------------------------------------------- the children

    def _started(self, engine_name: str) -> _Engine:
        """Return an engine that has loaded and listens for what the last one did."""
        engine = _Engine(self._main, [self._language, engine_name], self._ended)
        try:
            engine.load()
            if self._phrases is not None:
                engine.do("listen_for", {"phrases": self._phrases}, None, START_SECONDS)
        except HostError:
            engine.end()
            raise
        return engine

    def _ended(self, engine: _Engine, sentence: str) -> None:
        """Tell the listener that the engine in use was lost; called in a thread of the child's."""
        with self._changed:
            if self._engine is not engine or self._closed:
                return
            self._engine = None
        self.listener(RecognizerLost(sentence, time.monotonic() - engine.child.heard_at))
        with self._changed:
            self._changed.notify_all()

    def _keep_running(self) -> None:
        """Replace the child when it was lost, and when it has grown, until closed."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._engine is None or self._has_grown())
                if self._closed:
                    return
                lost = self._engine is None
            engine = self._started_at_last()
            if engine is None:
                return
            if lost:
                self.listener(RecognizerBack())  # before any job is answered by it
                self._use(engine)
            else:
                self._exchange(engine)

    def _started_at_last(self) -> _Engine | None:
        """Try until a child has started; None when closed meanwhile."""
        attempt = 0
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._closed, _RETRY_SECONDS[min(attempt, len(_RETRY_SECONDS) - 1)]):
                    return None
            attempt += 1
            try:
                return self._started(self.name)
            except HostError as error:
                _LOG.warning("the recogniser does not start: %s", error)

    def _use(self, engine: _Engine) -> None:
        with self._changed:
            if not self._closed:
                self._engine = engine
                self._changed.notify_all()
                return
        engine.end()

    def _exchange(self, engine: _Engine) -> None:
        """Take another child between two utterances."""
        while True:
            with self._working:
                if not self._streamed:
                    with self._changed:
                        grown, self._engine = self._engine, None
                    self._use(engine)
                    break
            time.sleep(0.1)
        if grown is not None:
            _LOG.info("the recogniser had grown to %d MB and was replaced", grown.memory_bytes // 2**20)
            grown.end()

    def _has_grown(self) -> bool:
        engine = self._engine
        return engine is not None and engine.growth_bytes > self._most_growth_bytes


class _Pace:
    """How much processor time one kind of job takes."""

    def __init__(self) -> None:
        self._jobs = 0
        self._dearest = 0.0

    def learn(self, size: float, worked_seconds: float) -> None:
        """Be told what a job of that size took."""
        self._jobs += 1
        self._dearest = max(self._dearest, worked_seconds / size)

    def budget_seconds(self, size: float) -> float:
        """Return what a job of that size may take before it is taken to hang."""
        pace = self._dearest if self._jobs >= _MEASURED_JOBS else max(self._dearest, _FIRST_PACE)
        return max(_LEAST_BUDGET_SECONDS, _BUDGET_FACTOR * pace * size)


def _size(values: Values, samples: Samples | None) -> float:
    """Return how big a job is: in seconds of sound, of which ten candidates or a hundred phrases weigh one."""
    seconds = 0.0 if samples is None else len(samples) / SAMPLE_RATE
    return 1.0 + seconds + len(values.get("candidates", ())) / 10 + len(values.get("phrases", ())) / 100


class _Engine:
    """One child with an engine in it."""

    def __init__(self, main: str, arguments: Sequence[str], ended: Callable[[_Engine, str], None]) -> None:
        self.hello: Values = {}
        self.memory_bytes = 0
        self._first_memory_bytes = 0
        self._jobs = 0
        self._answers: queue.SimpleQueue[Values | str] = queue.SimpleQueue()
        self._samples: Samples | None = None
        self._ended = ended
        self._budget: float | None = None
        self._worked_seconds = self._began_at = 0.0
        self._idle_pings = 0
        self.child = ChildProcess(
            _NAME,
            main,
            arguments,
            on_message=lambda values, _data: self._answers.put(values),
            on_end=self._end,
            on_ping=self._ping,
        )

    @property
    def growth_bytes(self) -> int:
        """How much more memory it occupies than after its first jobs."""
        return self.memory_bytes - self._first_memory_bytes

    def load(self) -> None:
        """Wait until the engine is loaded; raises what hinders it."""
        try:
            self.hello = self._answer(START_SECONDS)
        except queue.Empty:
            self.child.kill(f"{_NAME[:1].upper()}{_NAME[1:]} was not loaded within {START_SECONDS:g} seconds.")
            self.hello = self._answer(None)
        if "error" in self.hello:
            kinds: dict[str, type[HostError]] = {"MissingError": MissingError, "UsageError": UsageError}
            raise kinds.get(self.hello["kind"], HostError)(self.hello["error"])

    def do(self, job: str, values: Values, samples: Samples | None, budget_seconds: float) -> Values:
        """Have a job done; raises `ChildLost` when the child ends or uses more processor time than it may."""
        same = samples is None or samples is self._samples
        self._samples = self._samples if samples is None else samples
        data = b"" if same or samples is None else np.ascontiguousarray(samples, np.float32).tobytes()
        self._idle_pings, self._began_at, self._budget = 0, self._worked_seconds, budget_seconds
        try:
            self.child.send({"job": job, "same": same, **values}, data)
            answer = self._answer(None)
        finally:
            self._budget = None
        self._jobs += 1
        self.memory_bytes = answer["memory_bytes"] or 0
        if self._jobs <= _FIRST_JOBS:
            self._first_memory_bytes = self.memory_bytes
        return answer

    def end(self, verdict: str | None = "The recogniser was closed.") -> None:
        """End the child and wait until everybody was told; without a verdict it says itself how it ended."""
        self.child.kill(verdict)
        self.child.wait(START_SECONDS)

    def _answer(self, timeout_seconds: float | None) -> Values:
        answer = self._answers.get(timeout=timeout_seconds)
        if isinstance(answer, str):
            raise ChildLost(answer)
        return answer

    def _end(self, sentence: str) -> None:
        self._ended(self, sentence)
        self._answers.put(sentence)

    def _ping(self, worked_seconds: float) -> None:
        """Kill a child whose job does nothing, or too much."""
        idle = worked_seconds - self._worked_seconds < _IDLE_SECONDS
        self._worked_seconds = worked_seconds
        budget = self._budget
        self._idle_pings = self._idle_pings + 1 if idle and budget is not None else 0
        if budget is not None and (self._idle_pings >= _IDLE_PINGS or worked_seconds - self._began_at > budget):
            self.child.kill("The recogniser hung.")


def _read(answer: Values) -> Recognition:
    hypotheses: Any = answer["hypotheses"]
    return Recognition(tuple(Hypothesis(text, confidence) for text, confidence in hypotheses), answer["decode_seconds"])
