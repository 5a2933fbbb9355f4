"""A recogniser in a real child process: as good as one in ours, and no crash, stop or hang of it costs an utterance."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.hearing import stubborn
from tests.hearing.sounds import Speak
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.hearing.recognizers import Recognizer
from voice_host.hearing.recognizers.child import ChildRecognizer, RecognizerBack, RecognizerLost
from voice_host.hearing.sound_files import Samples
from voice_host.lexicon import english_measures
from voice_host.matching.words import Word
from voice_host.second_look import SecondLook

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and process ids as on Linux and macOS")

WAIT_SECONDS = 60.0
"""At most, on a machine that has a lot to do."""


class Heard:
    """A recogniser whose faults are written down, with the real time of each."""

    def __init__(self, recognizer: ChildRecognizer) -> None:
        self.recognizer = recognizer
        self.faults: list[tuple[float, RecognizerLost | RecognizerBack]] = []
        recognizer.listener = lambda fault: self.faults.append((time.monotonic(), fault))

    def kinds(self) -> list[str]:
        return [type(fault).__name__ for _, fault in self.faults]

    def lost(self) -> RecognizerLost:
        return next(fault for _, fault in self.faults if isinstance(fault, RecognizerLost))

    def wait_for(self, *kinds: str) -> None:
        wait(lambda: self.kinds() == list(kinds))


def wait(truth: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not truth():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Heard]:
    child = ChildRecognizer("en", str(tmp_path), main=stubborn.MAIN)
    child.name = str(tmp_path)  # what another child is started with: this engine takes its folder for its name
    yield Heard(child)
    child.close()


@pytest.fixture(scope="module")
def moonshine() -> Iterator[Heard]:
    child = ChildRecognizer("en", "moonshine")
    yield Heard(child)
    child.close()


def sound(order: float = 0.0, count: int = 16_000) -> Samples:
    samples = np.zeros(count, np.float32)
    samples[0] = order
    return samples


# ------------------------------------------------------------------------------------------------------ as in one process


def test_it_hears_what_the_engine_itself_hears(moonshine: Heard, recognizer: Recognizer, speak: Speak) -> None:
    child = moonshine.recognizer
    assert (child.name, child.languages, child.capabilities) == ("moonshine", ("en",), recognizer.capabilities)
    for text in ("my guess is dragon", "I give up"):
        spoken = speak(text)
        assert child.recognize(spoken).hypotheses == recognizer.recognize(spoken).hypotheses
        candidates = ["my guess is dragon", "my guess is wagon"]
        assert child.score(spoken, candidates) == pytest.approx(recognizer.score(spoken, candidates), abs=1e-4)  # type: ignore[attr-defined]
    assert child.recognize(sound()).hypotheses == ()
    assert child.can_write("dragon")
    assert not child.can_write("龍")


def test_all_protocols_go_through(engine: Heard) -> None:
    child = engine.recognizer
    assert child.listen_for(["dragon", "my guess is"]) == ("dragon",)
    assert [h.text for h in child.recognize(sound(count=5)).hypotheses] == ["5 samples", "dragon my guess is"]
    assert child.recognize(sound()).hypotheses[0].confidence == 0.5
    assert child.recognize(sound()).decode_seconds == 0.25
    child.accept(sound(count=700))
    child.accept(sound(count=30))
    assert child.finish().hypotheses[0].text == "730 samples"
    assert child.finish().hypotheses[0].text == "0 samples"
    assert child.score(sound(), ["a", "abc"]) == (-1.0, -3.0)
    assert [h.text for h in child.recognize_expecting(sound(), ["dragon", "wagon"]).hypotheses] == ["dragon wagon"]


def test_what_hinders_an_engine_from_loading_is_said_as_without_a_child() -> None:
    with pytest.raises(UsageError, match="There is no engine 'nope'"):
        ChildRecognizer("en", "nope")
    with pytest.raises(UsageError, match="No recogniser understands"):
        ChildRecognizer("tlh")
    with pytest.raises(MissingError):
        ChildRecognizer("en", "vosk")


def test_the_second_look_weighs_through_a_child_as_it_does_without(
    moonshine: Heard, recognizer: Recognizer, speak: Speak
) -> None:
    spoken = speak("my guess is dragon")
    measures = english_measures([Word(one, one) for one in ("dragon", "wagon")])
    again, itself = (
        SecondLook(one, measures)(spoken, one.recognize(spoken)).hypotheses
        for one in (moonshine.recognizer, recognizer)
    )
    assert len(again) > len(recognizer.recognize(spoken).hypotheses) > 0
    assert [one.text for one in again] == [one.text for one in itself]


# ------------------------------------------------------------------------------------------------------------- the faults


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_child_that_is_lost_while_nobody_speaks_is_replaced(
    moonshine: Heard, speak: Speak, number: signal.Signals
) -> None:
    moonshine.faults.clear()
    pid = moonshine.recognizer.child_pid
    assert pid is not None
    os.kill(pid, number)
    moonshine.wait_for("RecognizerLost", "RecognizerBack")
    assert moonshine.recognizer.recognize(speak("pause")).hypotheses[0].text.strip(".,").casefold() == "pause"
    assert moonshine.recognizer.child_pid not in {pid, None}
    assert moonshine.lost().seconds_ago < 10
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_the_utterance_at_which_the_child_was_lost_is_recognised_by_another(
    moonshine: Heard, speak: Speak, number: signal.Signals
) -> None:
    moonshine.faults.clear()
    story = np.tile(speak("I saw a dragon and it flew over the castle"), 2)
    before = moonshine.recognizer.recognize(story).hypotheses
    pid = moonshine.recognizer.child_pid
    assert pid is not None
    threading.Timer(0.02, os.kill, (pid, number)).start()
    assert moonshine.recognizer.recognize(story).hypotheses == before
    moonshine.wait_for("RecognizerLost", "RecognizerBack")


@pytest.mark.parametrize("order", [stubborn.CRASH, stubborn.HANG, stubborn.HOLD, stubborn.STOP, stubborn.SPIN])
def test_an_utterance_that_no_child_survives_is_dropped_and_the_next_one_is_heard(engine: Heard, order: float) -> None:
    for _ in range(20):  # the pace is known from now on
        engine.recognizer.recognize(sound())
    began = time.monotonic()
    assert engine.recognizer.recognize(sound(order)).hypotheses == ()
    seconds = [at - began for at, fault in engine.faults if isinstance(fault, RecognizerLost)]
    assert len(seconds) == 2
    assert engine.recognizer.recognize(sound()).hypotheses[0].text == "16000 samples"
    wait(lambda: engine.kinds() == ["RecognizerLost", "RecognizerBack"] * 2)


def test_a_crash_that_does_not_come_again_costs_nothing(engine: Heard) -> None:
    assert engine.recognizer.recognize(sound(stubborn.CRASH_ONCE)).hypotheses[0].text == "16000 samples"
    assert engine.kinds() == ["RecognizerLost", "RecognizerBack"]


def test_a_stream_that_was_lost_in_its_middle_is_recognised_whole(engine: Heard) -> None:
    child = engine.recognizer
    child.listen_for(["dragon"])
    child.accept(sound(count=500))
    child.accept(sound(stubborn.CRASH_ONCE, count=500))
    child.accept(sound(count=500))
    assert [hypothesis.text for hypothesis in child.finish().hypotheses] == ["1500 samples", "dragon"]
    child.accept(sound(count=500))
    assert child.finish().hypotheses[0].text == "500 samples"
    assert child.child_pid is not None
    child.accept(sound(count=400))
    os.kill(child.child_pid, signal.SIGKILL)
    assert child.finish().hypotheses[0].text == "400 samples"


def test_a_score_that_kills_two_children_is_refused(engine: Heard) -> None:
    with pytest.raises(HostError):
        engine.recognizer.score(sound(stubborn.CRASH), ["a"])
    assert engine.recognizer.score(sound(), ["a"]) == (-1.0,)


def test_a_child_that_grows_is_replaced_without_a_word(tmp_path: Path) -> None:
    child = ChildRecognizer("en", str(tmp_path), main=stubborn.MAIN, most_growth_bytes=50_000_000)
    child.name = str(tmp_path)
    engine = Heard(child)
    try:
        for _ in range(12):
            child.recognize(sound())
        pid = child.child_pid
        for _ in range(3):
            assert child.recognize(sound(stubborn.GROW)).hypotheses[0].text == "16000 samples"
        wait(lambda: child.child_pid not in {pid, None})
        assert child.recognize(sound()).hypotheses[0].text == "16000 samples"
        assert engine.faults == []
    finally:
        child.close()


def test_nothing_is_left_behind() -> None:
    before = set(threading.enumerate())
    child = ChildRecognizer("en", "moonshine")
    pid = child.child_pid
    assert pid is not None
    child.close()
    child.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    wait(lambda: set(threading.enumerate()) <= before)
    assert child.recognize(sound()).hypotheses == ()
