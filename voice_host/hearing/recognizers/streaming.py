"""What an engine offers that listens while somebody is still speaking."""

from __future__ import annotations

from typing import Protocol

from voice_host.hearing.recognizers.recognizer import Recognition, Recognizer
from voice_host.hearing.sound_files import Samples


class StreamingRecognizer(Recognizer, Protocol):
    """A recogniser whose `capabilities.streaming` is true; one utterance at a time is streamed.

    `recognize` may be called between two utterances, not within one.
    """

    def accept(self, block: Samples) -> None:
        """Take the next block (mono, 16 kHz, any length) of the utterance; blocks, so call it in a worker."""
        ...

    def finish(self) -> Recognition:
        """End the utterance and return what `recognize` would make of all its blocks."""
        ...
