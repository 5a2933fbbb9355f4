"""A night of When I Dream that listens to a given sound: the real ear, recogniser and interpreter, in virtual time."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from voice_host import virtual_time
from voice_host.endings import Endings
from voice_host.evening import HOST_INTENTS
from voice_host.games import when_i_dream
from voice_host.games.game import Event, Intent, Listening, Played, Say, Slot, Utterance
from voice_host.games.when_i_dream import DreamCard, Options
from voice_host.hearing.ear import Ear, Heard, SecondLook, SpeechDropped
from voice_host.hearing.recognizers.moonshine import MoonshineRecognizer
from voice_host.hearing.recognizers.recognizer import Recognition
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS
from voice_host.program import Program
from voice_host.understanding import Understander

PLAYERS = ("Amy", "Ben", "Cleo", "Dan")
GAP_SECONDS = 1.0
"""Silence between two recordings of a stream."""


@dataclass(frozen=True, slots=True)
class Meant:
    """One utterance: what was heard, and what the interpreter took it for."""

    started: float
    "seconds since the stream began"
    texts: tuple[str, ...]
    "best first; none where the recogniser heard no word"
    confidences: tuple[float, ...]
    intents: tuple[Intent, ...]
    unclear: str | None
    "the slot that the host would ask for"

    @property
    def names(self) -> tuple[str, ...]:
        """The intents' names."""
        return tuple(intent.name for intent in self.intents)


class StreamMicrophone:
    """Samples as a microphone, at the pace of the loop's clock."""

    def __init__(self, samples: Samples) -> None:
        self.name = "stream"
        self.captured_at = 0.0
        self._samples = samples

    async def blocks(self) -> AsyncGenerator[Samples, None]:
        """Bring every block at its end, and a second of silence after the last."""
        closing = SAMPLE_RATE + -(len(self._samples) + SAMPLE_RATE) % BLOCK_SAMPLES
        loop = asyncio.get_running_loop()
        opened = loop.time()
        for number, block in enumerate(np.pad(self._samples, (0, closing)).reshape(-1, BLOCK_SAMPLES), start=1):
            self.captured_at = opened + number * BLOCK_SECONDS
            await asyncio.sleep(max(0.0, self.captured_at - loop.time()))
            yield block

    def close(self) -> None:
        """Do nothing: there is no device."""


class Night:
    """What a host hears while clues are given, nobody knowing who speaks."""

    def __init__(self) -> None:
        self.program = Program("en")
        self.recognizer = MoonshineRecognizer()
        self._understand = Understander(self.program)
        self.listening = night_listening(self.program)
        self._endings = Endings(self._understand, lambda: self.listening)

    def hear(self, samples: Samples, second_look: SecondLook | None = None) -> list[Meant]:
        """Return every utterance of the stream."""
        ear = Ear(StreamMicrophone(samples), self.recognizer, patience=self._endings.patience, second_look=second_look)
        return virtual_time.run(self._everything(ear), virtual=True)

    async def _everything(self, ear: Ear) -> list[Meant]:
        found: list[Meant] = []
        async for event in ear.listen():
            if isinstance(event, SpeechDropped):
                found.append(Meant(event.started, (), (), (), None))
            elif isinstance(event, Heard):
                found.append(self._meant(event, len(found) + 1))
        return found

    def _meant(self, heard: Heard, number: int) -> Meant:
        texts = tuple(hypothesis.text for hypothesis in heard.hypotheses)
        known = tuple(one.confidence for one in heard.hypotheses if one.confidence is not None)
        confidences = known if len(known) == len(texts) else ()
        utterance = Utterance(number, texts, heard.started, heard.ended, confidences)
        intents, unclear = self._understand(utterance, None, self.listening)
        return Meant(heard.started, texts, confidences, intents, unclear)


def night_listening(program: Program) -> Listening:
    """Deal a game, let the night fall, and return what may be said to the game and to the host."""
    cards = tuple(DreamCard(words) for words in program.dreams)
    step = when_i_dream.start(Options(players=PLAYERS, cards=cards, measures=program.measures), Random(0))
    while "clue" not in (listening := when_i_dream.listening(step.state)).intents:
        prompts: list[Event] = [Played(effect.prompt) for effect in step.effects if isinstance(effect, Say)]
        for event in (*prompts, Intent("ready")):
            step = when_i_dream.step(step.state, event)
    of_host: dict[str, dict[str, Slot]] = {name: {} for name in HOST_INTENTS if name != "resume"}
    return Listening({**listening.intents, **of_host}, listening.bare_word, listening.any_speech)


def as_played(look: SecondLook) -> SecondLook:
    """Let the recogniser's own reading stay the first, as a played evening does."""

    def weighed(samples: Samples, recognition: Recognition) -> Recognition:
        again = look(samples, recognition)
        if again is recognition:
            return recognition
        own = recognition.hypotheses[0].text
        first = [one for one in again.hypotheses if one.text == own] or [type(again.hypotheses[0])(own, 0.0)]
        return Recognition((*first, *(one for one in again.hypotheses if one.text != own)), again.decode_seconds)

    return weighed


def joined(clips: Sequence[Samples]) -> tuple[Samples, list[float]]:
    """Return one stream with silence after every clip, and the second at which each clip begins."""
    gap = np.zeros(int(GAP_SECONDS * SAMPLE_RATE), np.float32)
    begins, seconds, pieces = [], 0.0, []
    for clip in clips:
        begins.append(seconds)
        pieces += [clip, gap]
        seconds += (len(clip) + len(gap)) / SAMPLE_RATE
    return np.concatenate(pieces), begins


def rate(count: int, units: float) -> str:
    """Return a count per unit of time with its exact 95 % Poisson interval."""
    low = _mean_at(count - 1, 0.975) if count else 0.0
    return f"{count / units:.1f} [{low / units:.1f}–{_mean_at(count, 0.025) / units:.1f}] ({count})"


def _mean_at(count: int, chance: float) -> float:
    """Return the mean of the Poisson distribution of which at most ``count`` is seen with this chance."""
    low, high = 0.0, 10.0 * count + 20.0
    for _ in range(60):
        mean = (low + high) / 2
        seen = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count + 1))
        low, high = (mean, high) if seen > chance else (low, mean)
    return low
