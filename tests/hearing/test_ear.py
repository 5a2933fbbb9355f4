"""The ear as a whole: speech in a stream of audio becomes utterances, in order, and nothing else does."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.hearing.sounds import ClipMicrophone, Speak, noise, one_stream, silence
from voice_host import virtual_time
from voice_host.errors import HostError
from voice_host.hearing.ear import Ear, EarEvent, Heard, SpeechBegan, SpeechDropped
from voice_host.hearing.endpointer import EndpointerSettings
from voice_host.hearing.microphone import Block, FileMicrophone, Microphone
from voice_host.hearing.recognizers import Capabilities, Hypothesis, Recognition, Recognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples, read_sound
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS


async def everything(ear: Ear) -> list[EarEvent]:
    return [event async for event in ear.listen()]


def hear(samples: Samples, recognizer: Recognizer, settings: EndpointerSettings | None = None) -> list[EarEvent]:
    ear = Ear(ClipMicrophone(samples), recognizer, settings)
    return virtual_time.run(everything(ear), virtual=True)


def texts(events: list[EarEvent]) -> list[str]:
    return [
        "".join(filter(str.isalpha, event.hypotheses[0].text.lower())) for event in events if isinstance(event, Heard)
    ]


class SlowRecognizer:
    """A scripted recogniser: says how many utterances it has had, after a while, or fails."""

    name = "slow"
    languages = ("en",)
    capabilities = Capabilities()

    def __init__(self, seconds: float = 0.0, fails: bool = False) -> None:  # noqa: FBT001, FBT002
        self.seconds, self.fails, self.threads = seconds, fails, set[int]()
        self.count = 0

    def recognize(self, samples: Samples) -> Recognition:
        assert len(samples)
        self.threads.add(threading.get_ident())
        time.sleep(self.seconds)
        if self.fails:
            raise HostError("The recogniser died.")
        self.count += 1
        hypotheses = (Hypothesis(str(self.count), 0.5),) if self.count != 2 else ()
        return Recognition(hypotheses, self.seconds)

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


class WaitingMicrophone(ClipMicrophone):
    """Brings all but the last second, then waits until something has happened, at most ten seconds."""

    def __init__(self, samples: Samples, happened: Callable[[], bool]) -> None:
        super().__init__(samples)
        self.happened = happened

    async def blocks(self) -> AsyncGenerator[Block, None]:
        rest = round(0.81 / BLOCK_SECONDS)
        for block in self._blocks[:-rest]:
            yield block
        for _ in range(1000):
            if self.happened():
                break
            await asyncio.sleep(0.01)
        for block in self._blocks[-rest:]:
            yield block


def test_a_command_over_the_hosts_voice_is_heard_after_a_brief_pause(speak: Speak) -> None:
    """The microphone stops 0.2 s after the word until that was looked at, and what comes then changes nothing any more."""
    asked: list[tuple[str, ...]] = []

    def barges_in(hypotheses: tuple[Hypothesis, ...]) -> bool:
        asked.append(tuple(hypothesis.text for hypothesis in hypotheses))
        return True

    word = speak("stop")
    samples = one_stream(silence(1.0), word, silence(1.0))
    microphone = WaitingMicrophone(samples, lambda: bool(asked) or bool(ear._look and ear._look.first.done()))
    recognizer = SlowRecognizer()
    recognizer.count = 10
    ear = Ear(microphone, recognizer, barges_in=barges_in, patience=lambda _texts: None)
    ear.look_closely(speaking=True)

    async def heard() -> Heard:
        async for event in ear.listen():
            if isinstance(event, Heard):
                return event
        raise AssertionError("nothing was heard")

    text = asyncio.run(heard()).hypotheses[0].text
    assert asked == [(text,)]


def test_while_the_host_is_silent_a_brief_pause_is_no_reason_to_look(speak: Speak) -> None:
    recognizer = SlowRecognizer()
    samples = one_stream(silence(1.0), speak("stop"), silence(1.0))
    ear = Ear(ClipMicrophone(samples), recognizer, barges_in=lambda _texts: True)
    assert [type(event) for event in virtual_time.run(everything(ear), virtual=True)] == [SpeechBegan, Heard]
    assert recognizer.count == 1


def test_sentences_in_a_stream_are_heard_one_by_one_with_their_times(recognizer: Recognizer, speak: Speak) -> None:
    first, second = speak("my guess is dragon"), speak("I give up")
    events = hear(one_stream(silence(1.0), first, silence(1.0), second, silence(1.0)), recognizer)
    assert [type(event) for event in events] == [SpeechBegan, Heard, SpeechBegan, Heard]
    assert texts(events) == ["myguessisdragon", "igiveup"]
    began, heard = events[0], events[1]
    assert isinstance(began, SpeechBegan)
    assert isinstance(heard, Heard)
    assert began.at == heard.started == pytest.approx(1.0, abs=0.1)
    assert heard.ended == pytest.approx(1.0 + len(first) / SAMPLE_RATE, abs=0.15)
    assert heard.decode_seconds > 0


@pytest.mark.parametrize("pause", [0.15, 0.3])
def test_two_parts_with_a_pause_between_are_one_utterance(recognizer: Recognizer, speak: Speak, pause: float) -> None:
    sound = one_stream(silence(1.0), speak("my guess is"), silence(pause), speak("dragon"), silence(1.0))
    (heard,) = texts(hear(sound, recognizer))
    assert heard.startswith("myguessis")
    assert len(heard) > len("myguessis")


def earcon(seconds: float = 0.3) -> Samples:
    at = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return (0.3 * np.sin(2 * np.pi * 880 * at) * np.exp(-6 * at)).astype(np.float32)


@pytest.mark.parametrize("ignored", [True, False])
def test_speech_a_quarter_of_a_second_after_an_earcon_is_whole(
    recognizer: Recognizer,
    speak: Speak,
    ignored: bool,  # noqa: FBT001
) -> None:
    sound = one_stream(silence(1.0), earcon(), silence(0.25), speak("my guess is dragon"), silence(1.0))
    ear = Ear(ClipMicrophone(sound), recognizer)
    if ignored:
        ear.ignore_until(1.35)
    assert texts(virtual_time.run(everything(ear), virtual=True)) == ["myguessisdragon"]


def test_the_hosts_own_sentence_is_not_heard(recognizer: Recognizer, speak: Speak) -> None:
    own = speak("the table is in the garden")
    sound = one_stream(silence(0.5), own, silence(0.4), speak("is it a tiger"), silence(1.0))
    ear = Ear(ClipMicrophone(sound), recognizer)
    ear.ignore_until(0.5 + len(own) / SAMPLE_RATE + 0.1)
    assert texts(virtual_time.run(everything(ear), virtual=True)) == ["isitatiger"]


@pytest.mark.parametrize("level", [0.0, 0.003, 0.05, 0.3])
def test_a_minute_of_silence_or_steady_noise_is_never_heard(recognizer: Recognizer, level: float) -> None:
    assert not texts(hear(noise(60.0, level), recognizer))


def test_recorded_noise_and_coughs_make_few_words(recognizer: Recognizer, recordings: Path) -> None:
    pieces = [read_sound(path) for path in sorted((recordings / "noise").glob("*.flac"))]
    spaced = [part for piece in pieces for part in (piece, silence(1.0))]
    assert len(texts(hear(one_stream(*spaced), recognizer))) <= 2


def test_a_whole_file_is_heard_to_its_last_word(recognizer: Recognizer, speak: Speak, tmp_path: Path) -> None:
    path = tmp_path / "evening.flac"
    soundfile.write(path, one_stream(silence(5.0), speak("my guess is dragon")), SAMPLE_RATE)

    async def main() -> tuple[list[EarEvent], float]:
        ear = Ear(FileMicrophone(path), recognizer)
        events = await everything(ear)
        return events, asyncio.get_running_loop().time() - ear.heard_seconds

    events, drift = virtual_time.run(main(), virtual=True)
    assert texts(events) == ["myguessisdragon"]
    assert drift == pytest.approx(0.0, abs=0.001)


def test_utterances_keep_their_order_and_one_worker_however_slow_it_is(speak: Speak) -> None:
    recognizer = SlowRecognizer(0.02)
    word = speak("fire")
    events = hear(one_stream(*[word, silence(0.9)] * 5, silence(0.5)), recognizer)
    kinds = [type(event) for event in events]
    assert kinds == [SpeechBegan, Heard, SpeechBegan, SpeechDropped, *[SpeechBegan, Heard] * 3]
    assert texts(events) == [""] * 4
    assert len(recognizer.threads) == 1
    starts = [event.at for event in events if isinstance(event, SpeechBegan)]
    assert starts == sorted(starts)


def test_speech_is_announced_while_it_goes_on(speak: Speak) -> None:
    async def main() -> bool:
        sound = one_stream(silence(0.5), speak("the table is in the garden"), silence(1.0))
        ear = Ear(PacedMicrophone(sound), SlowRecognizer())
        async with contextlib.aclosing(ear.listen()) as events:
            async for event in events:
                return isinstance(event, SpeechBegan) and ear.speaking and ear.speech_started == event.at
        return False

    assert virtual_time.run(main(), virtual=True)


class PacedMicrophone(ClipMicrophone):
    """The scripted microphone at the loop's pace."""

    async def blocks(self) -> AsyncGenerator[Block, None]:
        for block in self._blocks:
            await asyncio.sleep(0.032)
            yield block


class DyingMicrophone(ClipMicrophone):
    """A scripted microphone that is pulled out at its end."""

    async def blocks(self) -> AsyncGenerator[Block, None]:
        for block in self._blocks:
            yield block
        raise HostError("The microphone clip brings no sound any more.")


@pytest.mark.parametrize("dying", ["microphone", "recognizer"])
def test_a_device_that_dies_is_loud(speak: Speak, dying: str) -> None:
    sound = one_stream(speak("fire"), silence(1.0))
    microphone: Microphone = DyingMicrophone(sound) if dying == "microphone" else ClipMicrophone(sound)
    ear = Ear(microphone, SlowRecognizer(fails=dying == "recognizer"))
    with pytest.raises(HostError, match=dying.replace("recognizer", "recogniser")):
        virtual_time.run(everything(ear), virtual=True)


def test_a_listener_may_leave_while_the_recogniser_works(speak: Speak) -> None:
    async def main() -> float:
        sound = one_stream(*[speak("fire"), silence(0.6)] * 60)
        ear = Ear(ClipMicrophone(sound), SlowRecognizer(0.2))
        async with contextlib.aclosing(ear.listen()) as events:
            async for _ in events:
                break
        await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    began = time.perf_counter()
    assert virtual_time.run(main(), virtual=False) == 1
    assert time.perf_counter() - began < 5


def test_samples_reach_the_recogniser_as_the_stream_brought_them(speak: Speak) -> None:
    stream = one_stream(silence(1.0), speak("fire"), silence(1.0))
    heard = next(event for event in hear(stream, SlowRecognizer()) if isinstance(event, Heard))
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(stream, (0, BLOCK_SAMPLES)), len(heard.samples))
    assert any(np.array_equal(window, heard.samples) for window in windows[::BLOCK_SAMPLES])


# ------------------------------------------------------------------------------------------------- complete phrases end sooner


class _Counting:
    """A scripted recogniser that counts what it is given."""

    name = "counting"
    languages = ("en",)
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def recognize(self, samples: Samples) -> Recognition:
        self.lengths.append(len(samples))
        return Recognition((Hypothesis(str(len(self.lengths)), 0.5),), 0.0)

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


def _patient(stream: Samples, patience: float | None) -> tuple[list[EarEvent], _Counting]:
    recognizer = _Counting()
    ear = Ear(PacedMicrophone(stream), recognizer, patience=lambda texts: patience if texts else None)
    return virtual_time.run(everything(ear), virtual=True), recognizer


def test_a_pause_is_recognised_once_and_the_phrase_ends_sooner(speak: Speak) -> None:
    stream = one_stream(silence(0.5), speak("my guess is dragon"), silence(2.0))
    events, recognizer = _patient(stream, 0.0)
    assert len(recognizer.lengths) == 1
    assert [type(event) for event in events] == [SpeechBegan, Heard]


def test_a_phrase_whose_word_comes_late_is_one_utterance(speak: Speak) -> None:
    pieces = [speak("my guess is"), silence(0.7), speak("dragon"), silence(2.0)]
    events, _ = _patient(np.concatenate(pieces), 1.2)
    assert sum(isinstance(event, Heard) for event in events) == 1
    hasty, _ = _patient(np.concatenate(pieces), 0.0)
    assert sum(isinstance(event, Heard) for event in hasty) == 2


def test_a_second_look_is_not_waited_for_to_know_whether_a_phrase_is_complete(speak: Speak) -> None:
    """Else "my guess is ..." would be cut where the machine is slow."""
    stream = np.concatenate([speak("my guess is"), silence(0.9), speak("dragon"), silence(2.0)])
    asked: list[int] = []

    def look_again(_samples: Samples, recognition: Recognition) -> Recognition:
        asked.append(len(asked))
        time.sleep(0.3)  # a paced microphone of virtual time brings all of the pause meanwhile
        return recognition

    ear = Ear(
        PacedMicrophone(stream), _Counting(), patience=lambda texts: 1.2 if texts else None, second_look=look_again
    )
    events = virtual_time.run(everything(ear), virtual=True)
    assert sum(isinstance(event, Heard) for event in events) == 1
    assert asked


def test_what_was_written_is_told_before_it_is_weighed_again(speak: Speak) -> None:
    told: list[str] = []
    order: list[str] = []

    def look_again(_samples: Samples, recognition: Recognition) -> Recognition:
        time.sleep(0.2)
        order.append("weighed")
        return recognition

    def foresee(hypotheses: tuple[Hypothesis, ...]) -> None:
        told.append(hypotheses[0].text)
        order.append("told")

    stream = one_stream(silence(0.5), speak("my guess is dragon"), silence(2.0))
    for is_host in (False, True):
        ear = Ear(
            PacedMicrophone(stream),
            _Counting(),
            second_look=look_again,
            foresee=foresee,
            is_host=lambda *_, answer=is_host: answer,
        )
        virtual_time.run(everything(ear), virtual=True)
    assert told == ["1"]
    assert order == ["told", "weighed", "weighed"]
