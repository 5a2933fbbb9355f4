"""Speech that is decoded while it goes on, by an engine that can."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeGuard

from voice_host.hearing.endpointer import Endpointer
from voice_host.hearing.recognizers.recognizer import Recognition, Recognizer
from voice_host.hearing.recognizers.streaming import StreamingRecognizer
from voice_host.hearing.sound_files import Samples


class Stream:
    """An engine that decodes while somebody speaks.

    A stream that was finished cannot go on: when speech goes on after a look at a pause, the engine is given the whole
    utterance again. Never more than one piece waits for the worker, so a slow engine gets longer pieces, not more of them.
    The methods belong to the event loop's thread, the engine to the worker.
    """

    def __init__(self, engine: StreamingRecognizer, worker: ThreadPoolExecutor) -> None:
        """Free the engine from what a listener who went away may have left in it."""
        self._engine = engine
        self._worker = worker
        self._fed: Future[object] = worker.submit(engine.finish)
        self._count = 0
        self._looked = 0

    def begin(self) -> None:
        """Start with a new utterance."""
        if self._count:  # a cut: what was cut off was known from a look
            self._fed = self._worker.submit(self._engine.finish)
        self._count = self._looked = 0

    def go_on(self, endpointer: Endpointer) -> None:
        """Hand on what was said since the last time, unless the engine is still busy with that, or has died of it."""
        if not self._fed.done() or self._fed.exception() is not None:
            return
        if len(endpointer.further(max(self._count, self._looked))):
            piece = endpointer.further(self._count)
            self._fed = self._worker.submit(self._engine.accept, piece)
            self._count += len(piece)

    def end(self, samples: Samples) -> Callable[[], Recognition]:
        """Return what the worker has to do to recognise the utterance, which may yet go on."""
        fed, count, engine = self._fed, self._count, self._engine
        self._count, self._looked = 0, len(samples)

        def recognize() -> Recognition:
            fed.result()  # raises what failed
            if count > len(samples):  # cut in a pause that is past
                engine.finish()
                return engine.recognize(samples)
            if count < len(samples):
                engine.accept(samples[count:])
            return engine.finish()

        return recognize


def streams(recognizer: Recognizer) -> TypeGuard[StreamingRecognizer]:
    """Tell whether an engine can decode while somebody speaks."""
    return recognizer.capabilities.streaming and hasattr(recognizer, "accept") and hasattr(recognizer, "finish")
