"""The endpointer counts blocks: a scripted detector says which hold voice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_host.hearing.endpointer import (
    Endpointer,
    EndpointerSettings,
    SpeechEnded,
    SpeechEvent,
    SpeechPaused,
    SpeechStarted,
)
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.hearing.voice_activity import BLOCK_SAMPLES, BLOCK_SECONDS


class ScriptedActivity:
    """Calls a block voiced when its first sample is not zero."""

    def probability(self, block: Samples) -> float:
        return float(block[0] != 0.0)

    def reset(self) -> None:
        pass


def blocks_of(voiced: list[bool]) -> Samples:
    """Return blocks whose samples all differ, so that a lost or doubled one shows."""
    stream = np.arange(1, len(voiced) * BLOCK_SAMPLES + 1, dtype=np.float32).reshape(-1, BLOCK_SAMPLES)
    stream[[not voice for voice in voiced], 0] = 0.0
    return stream


def run(stream: Samples, endpointer: Endpointer) -> list[SpeechEvent]:
    """Return where utterances begin and end; what pauses is looked at in tests of its own."""
    fed = itertools.chain.from_iterable(endpointer.feed(block) for block in stream)
    return [event for event in (*fed, *endpointer.finish()) if not isinstance(event, SpeechPaused)]


def endpointer(**changes: float) -> Endpointer:
    return Endpointer(EndpointerSettings(**changes), ScriptedActivity())


def seconds(script: str) -> list[bool]:
    """Return blocks from words like ``+0.5 -0.2``: voice for half a second, then silence."""
    return [word[0] == "+" for word in script.split() for _ in range(round(float(word[1:]) / BLOCK_SECONDS))]


@pytest.mark.parametrize(
    ("script", "utterances"),
    [
        ("-2.0", 0),
        ("-1.0 +0.6 -1.0", 1),
        ("-1.0 +0.3 -0.15 +0.3 -1.0", 1),  # "light ... house": pauses inside a guess
        ("-1.0 +0.3 -0.3 +0.3 -1.0", 1),
        ("-1.0 +0.3 -0.4 +0.3 -1.0", 1),
        ("-1.0 +0.3 -0.55 +0.3 -1.0", 2),
        ("+0.6 -1.0", 1),  # speech before the microphone was open
        ("-1.0 +0.6", 1),  # the stream ends while somebody speaks
        ("-1.0 +0.03 -1.0", 0),  # a click
        ("-1.0 +0.06 -0.5 +0.06 -1.0", 0),  # two knocks
        ("-1.0 +0.06 -0.06 +0.06 -1.0", 1),  # a short word with a stop in it
    ],
)
def test_pauses_clicks_and_ends_of_the_stream(script: str, utterances: int) -> None:
    events = run(blocks_of(seconds(script)), endpointer())
    kinds = [type(event) for event in events]
    assert kinds == [SpeechStarted, SpeechEnded] * utterances


def test_times_are_seconds_of_audio_at_the_voice_and_samples_reach_beyond_it() -> None:
    started, ended = run(blocks_of(seconds("-0.96 +0.64 -1.6")), endpointer())
    assert isinstance(started, SpeechStarted)
    assert isinstance(ended, SpeechEnded)
    assert started.started == ended.started == pytest.approx(0.96)
    assert ended.ended == pytest.approx(1.6)
    assert ended.first_sample / SAMPLE_RATE == pytest.approx(0.96 - 0.288)
    assert len(ended.samples) / SAMPLE_RATE == pytest.approx(0.288 + 0.64 + 0.192)


def test_the_end_is_known_after_the_configured_silence_of_audio() -> None:
    ear = endpointer(silence_seconds=0.448)
    stream = blocks_of(seconds("-0.96 +0.64 -1.6"))
    known = next(n for n, block in enumerate(stream, 1) if any(isinstance(e, SpeechEnded) for e in ear.feed(block)))
    assert known * BLOCK_SECONDS == pytest.approx(1.6 + 0.448)


def test_it_tells_whether_somebody_speaks_and_since_when() -> None:
    ear = endpointer()
    stream = blocks_of(seconds("-0.96 +0.64 -1.6"))
    for block in stream[:40]:
        ear.feed(block)
    assert ear.speaking
    assert ear.speech_started == pytest.approx(0.96)
    assert ear.heard_seconds == pytest.approx(1.28)
    for block in stream[40:]:
        ear.feed(block)
    assert not ear.speaking
    assert ear.speech_started is None


def test_a_long_utterance_is_cut_in_its_longest_pause() -> None:
    script = "-0.5 +2.0 -0.1 +1.0 -0.3 +1.5 -1.0"
    first, second = [
        e for e in run(blocks_of(seconds(script)), endpointer(max_utterance_seconds=4.0)) if isinstance(e, SpeechEnded)
    ]
    assert first.ended == pytest.approx(3.6, abs=0.05)
    assert second.started == pytest.approx(3.9, abs=0.05)
    assert second.first_sample == first.first_sample + len(first.samples)


def test_voice_without_a_pause_is_cut_where_it_is_quietest() -> None:
    stream = np.full((200, BLOCK_SAMPLES), 0.5, np.float32)
    stream[90] = 0.01
    events = run(stream, endpointer(max_utterance_seconds=4.0))
    first = next(e for e in events if isinstance(e, SpeechEnded))
    assert len(first.samples) == 90 * BLOCK_SAMPLES


def test_what_the_host_says_itself_is_silence_and_speech_after_it_is_whole() -> None:
    ear = endpointer()
    stream = blocks_of(seconds("-0.5 +1.0 -0.256 +0.6 -1.0"))  # the host, a quarter of a second, a player
    ear.ignore_until(1.5)
    events = run(stream, ear)
    ended = events[-1]
    assert [type(event) for event in events] == [SpeechStarted, SpeechEnded]
    assert isinstance(ended, SpeechEnded)
    assert ended.started == pytest.approx(1.75, abs=0.04)
    assert ended.first_sample / SAMPLE_RATE < 1.5
    host = round(1.5 * SAMPLE_RATE) - ended.first_sample
    assert not ended.samples[:host].any()


def test_the_ear_opens_again_at_once_when_the_host_is_interrupted() -> None:
    ear = endpointer()
    ear.ignore_until(60.0)
    stream = blocks_of(seconds("+1.0 -0.256 +0.6 -1.0"))
    events = list(itertools.chain.from_iterable(ear.feed(block) for block in stream[:32]))
    ear.ignore_until(1.0)
    events += itertools.chain.from_iterable(ear.feed(block) for block in stream[32:])
    assert [type(event) for event in events] == [SpeechStarted, SpeechPaused, SpeechPaused, SpeechEnded]


def test_a_block_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="512"):
        endpointer().feed(np.zeros(100, np.float32))


runs = st.lists(st.tuples(st.booleans(), st.integers(1, 60)), max_size=40).map(
    lambda pairs: [voice for voice, length in pairs for _ in range(length)]
)


@given(runs)
def test_no_sample_is_lost_or_doubled(voiced: list[bool]) -> None:
    stream = blocks_of(voiced)
    flat = stream.reshape(-1)
    ended = [event for event in run(stream, endpointer(max_utterance_seconds=3.0)) if isinstance(event, SpeechEnded)]
    at = 0
    for event in ended:
        assert event.first_sample >= at
        at = event.first_sample + len(event.samples)
        assert np.array_equal(event.samples, flat[event.first_sample : at])
        assert event.first_sample / SAMPLE_RATE <= event.started < event.ended <= at / SAMPLE_RATE + 1e-9
    covered = sum(len(event.samples) for event in ended)
    assert covered <= len(flat)


@given(runs)
def test_every_block_of_a_voice_of_a_tenth_of_a_second_is_in_an_utterance(voiced: list[bool]) -> None:
    covered = np.zeros(len(voiced), bool)
    for event in run(blocks_of(voiced), endpointer(max_utterance_seconds=3.0)):
        if isinstance(event, SpeechEnded):
            first = event.first_sample // BLOCK_SAMPLES
            covered[first : first + len(event.samples) // BLOCK_SAMPLES] = True
    at = 0
    for voice, group in itertools.groupby(voiced):
        length = len(list(group))
        if voice and length >= 3:
            assert covered[at : at + length].all()
        at += length


@given(runs, st.floats(0, 20))
def test_starts_and_ends_alternate_whatever_is_ignored(voiced: list[bool], second: float) -> None:
    ear = endpointer(max_utterance_seconds=3.0)
    ear.ignore_until(second)
    kinds = [type(event) for event in run(blocks_of(voiced), ear)]
    assert kinds == [SpeechStarted, SpeechEnded] * (len(kinds) // 2)


@given(runs)
def test_memory_stays_bounded(voiced: list[bool]) -> None:
    ear = endpointer(max_utterance_seconds=3.0)
    for block in blocks_of(voiced):
        ear.feed(block)
        assert len(ear._utterance) < 3.0 / BLOCK_SECONDS
        assert len(ear._before) <= 16


def test_an_hour_of_continuous_voice_stays_bounded_and_complete() -> None:
    ear = endpointer()
    block = np.ones(BLOCK_SAMPLES, np.float32)
    cut = [e for _ in range(112_500) for e in ear.feed(block) if isinstance(e, SpeechEnded)]
    total = sum(len(event.samples) for event in cut) + len(ear._utterance) * BLOCK_SAMPLES
    assert total == 112_500 * BLOCK_SAMPLES
    assert max(len(event.samples) for event in cut) <= 15 * SAMPLE_RATE


# ------------------------------------------------------------------------------------------- how long a pause is waited for


def paused_and_ended(stream: Samples, ear: Endpointer, wait: float | None) -> list[tuple[str, float]]:
    """Return pauses and ends with the second at which each is known; ``wait`` is said at every pause."""
    told = []
    for number, block in enumerate(stream, start=1):
        for event in ear.feed(block):
            told.append((type(event).__name__, number * BLOCK_SECONDS))
            if isinstance(event, SpeechPaused) and wait is not None:
                ear.wait(wait)
    return [(name, second) for name, second in told if name != "SpeechStarted"]


def test_a_complete_phrase_ends_after_the_shortest_pause() -> None:
    stream = blocks_of(seconds("+0.64 -2.0"))
    told = paused_and_ended(stream, endpointer(pause_seconds=0.352), wait=0.0)
    assert [name for name, _ in told] == ["SpeechPaused", "SpeechEnded"]
    assert [second for _, second in told] == pytest.approx([0.832, 0.992])


def test_one_whose_completeness_is_known_late_ends_one_block_after_that() -> None:
    stream = blocks_of(seconds("+0.64 -2.0"))
    told = paused_and_ended(stream, endpointer(brief_seconds=0.352, pause_seconds=0.352), wait=0.0)
    assert [second for _, second in told] == pytest.approx([0.992, 1.024])


def test_an_incomplete_phrase_is_waited_for() -> None:
    stream = blocks_of(seconds("+0.64 -0.96 +0.64 -2.0"))
    told = paused_and_ended(stream, endpointer(pause_seconds=0.352), wait=1.28)
    assert [name for name, _ in told] == ["SpeechPaused"] * 4 + ["SpeechEnded"]
    assert told[-1][1] == pytest.approx(0.64 + 0.96 + 0.64 + 1.28)


def test_what_is_shown_at_a_pause_is_what_the_utterance_will_be() -> None:
    ear = endpointer()
    events = [event for block in blocks_of(seconds("-0.5 +0.64 -2.0")) for event in ear.feed(block)]
    pauses = [event for event in events if isinstance(event, SpeechPaused)]
    (ended,) = (event for event in events if isinstance(event, SpeechEnded))
    assert [pause.briefly for pause in pauses] == [True, False]
    for paused in (pause.so_far for pause in pauses):
        assert (paused.started, paused.ended, paused.first_sample) == (ended.started, ended.ended, ended.first_sample)
        np.testing.assert_array_equal(paused.samples, ended.samples)


def test_an_answer_that_comes_when_speech_has_gone_on_changes_nothing() -> None:
    ear = endpointer(pause_seconds=0.352, silence_seconds=0.512)
    events: list[SpeechEvent] = []
    for number, block in enumerate(blocks_of(seconds("+0.64 -0.448 +0.32 -0.416 +0.32 -1.0"))):
        if number == round((0.64 + 0.448 + 0.1) / BLOCK_SECONDS):
            ear.wait(0.0)
        events += ear.feed(block)
    assert sum(isinstance(event, SpeechEnded) for event in events) == 1
