"""What an engine may offer beyond `recognize`: listening while somebody speaks, and for phrases that are likely."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

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


@runtime_checkable
class PhraseRecognizer(Recognizer, Protocol):
    """A recogniser whose `capabilities.grammar` may be true."""

    def listen_for(self, phrases: Iterable[str]) -> tuple[str, ...]:
        """Expect these phrases, beside free words, from the next utterance on; returns those the model has no words for."""
        ...
