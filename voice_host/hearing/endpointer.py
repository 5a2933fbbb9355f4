"""Where utterances begin and end, counted in samples of audio, never by a clock.

Theory of operation: every block is voiced or not. While nobody speaks, the last blocks are kept as pre-roll. Enough voiced
blocks close together open an utterance; enough unvoiced ones in a row close it. How many are enough depends on what was said:
after a short pause the utterance is shown as it is (`SpeechPaused`), and whoever can tell a complete phrase from an incomplete
one says how long to wait (`Endpointer.wait`). It is shown briefly before the first moment at which it could end, too, so that
a quick recogniser has read it by then. An utterance that grows too long is cut in its longest pause, so that endless noise
costs a bounded memory. Utterances are slices of the stream: disjoint, in order.
What the host asks to ignore (its own voice) is heard as silence.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS, VoiceActivity


@dataclass(frozen=True, slots=True)
class EndpointerSettings:
    """When speech begins and ends."""

    brief_seconds: float = 0.2
    "after a pause this long the utterance is shown for the first time; not less than the post-roll"
    pause_seconds: float = 0.35
    "after a pause this long the utterance is looked at, whether it may be complete; a shorter one is inside a phrase"
    silence_seconds: float = 0.5
    "a pause this long ends an utterance of which nobody said how long to wait"
    min_speech_seconds: float = 0.1
    "voice needed to begin an utterance; a click or a knock has less"
    max_utterance_seconds: float = 15.0
    "a longer utterance is cut in its longest pause"
    close_look_seconds: float = 0.1
    "the same while every moment counts: few phrases are complete after so short a pause"
    pre_roll_seconds: float = 0.3
    "audio kept before the first voice, for soft first sounds"
    post_roll_seconds: float = 0.2
    "audio kept after the last voice, for soft last sounds; less than the silence"
    voice_probability: float = 0.3
    "0..1; at least this begins speech"
    silence_probability: float = 0.2
    "0..1; less than this is silence once somebody speaks"


@dataclass(frozen=True, slots=True)
class SpeechStarted:
    """Somebody began to speak."""

    started: float
    "seconds of audio since the stream began, at the first voice"


@dataclass(frozen=True, slots=True, eq=False)
class SpeechEnded:
    """The utterance that began last is over."""

    samples: Samples
    "pre-roll, speech and post-roll; mono, 16 kHz"
    first_sample: int
    "position of the first of the samples in the stream"
    started: float
    "seconds of audio since the stream began, at the first voice"
    ended: float
    "seconds of audio since the stream began, at the end of the last voice"


@dataclass(frozen=True, slots=True, eq=False)
class SpeechPaused:
    """Nobody has spoken for a moment; what was said may be complete, or go on."""

    so_far: SpeechEnded
    "the utterance as it is if nothing more comes, to the sample"
    briefly: bool
    "true before the utterance may be ended as complete"
    closely: bool = False
    "true when only `Endpointer.end` could end it already"


SpeechEvent = SpeechStarted | SpeechPaused | SpeechEnded


@dataclass(frozen=True, slots=True, eq=False)
class _Heard:
    """One block of the stream and what the detector thinks of it."""

    number: int
    samples: Samples
    voiced: bool


class Endpointer:
    """Cuts a stream of blocks into utterances; belongs to one thread."""

    def __init__(self, settings: EndpointerSettings, detector: VoiceActivity) -> None:
        """Start a stream at second 0 with a fresh detector."""
        self._settings = settings
        self._detector = detector
        self._onset = max(1, round(settings.min_speech_seconds / BLOCK_SECONDS))
        self._window: Final = 2 * self._onset
        self._pre_roll = round(settings.pre_roll_seconds / BLOCK_SECONDS)
        self._silence = max(1, round(settings.silence_seconds / BLOCK_SECONDS))
        self._pause = min(max(1, round(settings.pause_seconds / BLOCK_SECONDS)), self._silence)
        self._close_look = min(max(1, round(settings.close_look_seconds / BLOCK_SECONDS)), self._pause)
        self._closely = False
        self._needed = self._silence
        self._brief = min(max(1, round(settings.brief_seconds / BLOCK_SECONDS)), self._pause)
        self._post_roll = min(round(settings.post_roll_seconds / BLOCK_SECONDS), self._brief)
        self._longest = max(4 * self._silence, round(settings.max_utterance_seconds / BLOCK_SECONDS))
        self._before: deque[_Heard] = deque(maxlen=self._pre_roll + self._window)
        self._utterance: list[_Heard] = []
        self._count = 0
        self._deaf_until = 0

    @property
    def heard_seconds(self) -> float:
        """Return the seconds of audio fed so far."""
        return self._count * BLOCK_SECONDS

    @property
    def speaking(self) -> bool:
        """Tell whether an utterance is open."""
        return bool(self._utterance)

    @property
    def speech_started(self) -> float | None:
        """Return the second at which the open utterance began, or None."""
        return _first_voice(self._utterance) if self._utterance else None

    def ignore_until(self, second: float) -> None:
        """Hear silence up to this second of the stream; a later call moves the second either way."""
        self._deaf_until = round(second * SAMPLE_RATE)

    def look_closely(self, *, closely: bool) -> None:
        """Show the utterance as soon as it pauses, too, or do so no more."""
        self._closely = closely

    def end(self) -> None:
        """End the open utterance with the next block, if that is silent, too; without effect when speech has gone on."""
        if self._utterance and _trailing_silence(self._utterance) >= self._close_look:
            self._needed = self._close_look

    def wait(self, silence_seconds: float) -> None:
        """End the open utterance when its present pause is this long; without effect when speech has gone on."""
        if self._utterance and _trailing_silence(self._utterance) >= self._brief:
            self._needed = max(self._pause, round(silence_seconds / BLOCK_SECONDS))

    def further(self, count: int) -> Samples:
        """Return the open utterance from this many samples on, up to its post-roll; nothing while nobody speaks."""
        blocks = self._without_rest()[count // BLOCK_SAMPLES :]
        return np.concatenate([np.zeros(0, np.float32), *(heard.samples for heard in blocks)])

    def feed(self, block: Samples) -> tuple[SpeechEvent, ...]:
        """Take the next block of `BLOCK_SAMPLES` and return what it made certain, in order."""
        if block.shape != (BLOCK_SAMPLES,):
            raise ValueError(f"a block has {BLOCK_SAMPLES} samples, not shape {block.shape}")
        heard = self._listen(block)
        if not self._utterance:
            self._before.append(heard)
            return self._begin()
        self._utterance.append(heard)
        silent = _trailing_silence(self._utterance)
        if silent == 0:
            self._needed = self._silence
        if silent >= self._needed:
            return (self._end(),)
        if len(self._utterance) >= self._longest:
            return self._cut()
        closely = self._closely and silent == self._close_look
        if closely or silent in {self._brief, self._pause}:
            so_far = _speech_ended(self._without_rest())
            return (SpeechPaused(so_far, briefly=silent < self._pause, closely=closely and silent < self._brief),)
        return ()

    def finish(self) -> tuple[SpeechEvent, ...]:
        """End the open utterance, if any, because the stream is over."""
        return (self._end(),) if self._utterance else ()

    def _listen(self, block: Samples) -> _Heard:
        """Return the block, silenced where the host wants it, with the detector's opinion."""
        first = self._count * BLOCK_SAMPLES
        deaf = min(max(self._deaf_until - first, 0), BLOCK_SAMPLES)
        samples = np.array(block, np.float32)  # the device may use its buffer again
        samples[:deaf] = 0.0
        level = self._settings.silence_probability if self._utterance else self._settings.voice_probability
        voiced = self._detector.probability(samples) >= level and deaf < BLOCK_SAMPLES
        self._count += 1
        return _Heard(self._count - 1, samples, voiced)

    def _begin(self) -> tuple[SpeechEvent, ...]:
        """Open an utterance when the latest blocks hold enough voice."""
        recent = list(self._before)
        latest = recent[-self._window :]
        if sum(heard.voiced for heard in latest) < self._onset:
            return ()
        first = len(recent) - len(latest) + next(i for i, heard in enumerate(latest) if heard.voiced)
        self._utterance = recent[max(0, first - self._pre_roll) :]
        self._before.clear()
        return (SpeechStarted(_first_voice(self._utterance)),)

    def _end(self) -> SpeechEnded:
        """Close the utterance after its post-roll; what follows is the pre-roll of the next one."""
        ended = self._without_rest()
        rest = self._utterance[len(ended) :]
        self._utterance = []
        self._before.extend(rest)
        return _speech_ended(ended)

    def _without_rest(self) -> list[_Heard]:
        """Return the open utterance up to its post-roll."""
        return self._utterance[: len(self._utterance) - _trailing_silence(self._utterance) + self._post_roll]

    def _cut(self) -> tuple[SpeechEvent, ...]:
        """End the long utterance in its longest pause and go on with the rest as a new one."""
        at = _best_cut(self._utterance)
        ended, rest = self._utterance[:at], self._utterance[at:]
        if not any(heard.voiced for heard in rest):
            return (self._end(),)
        self._utterance = rest
        return (_speech_ended(ended), SpeechStarted(_first_voice(rest)))


def _speech_ended(blocks: Sequence[_Heard]) -> SpeechEnded:
    """Return the event for an utterance of consecutive blocks."""
    last_voice = max(heard.number for heard in blocks if heard.voiced)
    return SpeechEnded(
        samples=np.concatenate([heard.samples for heard in blocks]),
        first_sample=blocks[0].number * BLOCK_SAMPLES,
        started=_first_voice(blocks),
        ended=(last_voice + 1) * BLOCK_SECONDS,
    )


def _first_voice(blocks: Sequence[_Heard]) -> float:
    """Return the second of the stream at which the first voiced block begins."""
    return next(heard.number for heard in blocks if heard.voiced) * BLOCK_SECONDS


def _trailing_silence(blocks: Sequence[_Heard]) -> int:
    """Return how many blocks at the end are unvoiced."""
    return sum(1 for _ in itertools.takewhile(lambda heard: not heard.voiced, reversed(blocks)))


def _best_cut(blocks: Sequence[_Heard]) -> int:
    """Return where to cut: in the middle of the longest pause of the second half, else before its quietest block."""
    half = len(blocks) // 2
    longest = range(0)
    for voiced, run in itertools.groupby(range(half, len(blocks)), key=lambda index: blocks[index].voiced):
        indices = list(run)
        if not voiced and len(indices) > len(longest):
            longest = range(indices[0], indices[-1] + 1)
    if longest:
        return longest[len(longest) // 2]
    return min(range(half, len(blocks)), key=lambda index: float(np.square(blocks[index].samples).sum()))
