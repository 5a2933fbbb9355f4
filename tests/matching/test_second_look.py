"""The second look: candidates weighed by the decoder, a list that knows no secret; on recorded people where they are."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

from voice_host.hearing.recognizers.moonshine import MoonshineRecognizer
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition
from voice_host.hearing.sound_files import Samples, read_sound
from voice_host.matching.calibration import MOONSHINE_ENGLISH, Evidence
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.english_text import around_guess
from voice_host.matching.words import Verdict, Word
from voice_host.second_look import MOST, SecondLook, at_speed

NOISE = 0.6
"""Natural log: how much a score depends on what is weighed beside it, since the network counts in whole numbers."""


@pytest.fixture(scope="module")
def recognizer() -> MoonshineRecognizer:
    return MoonshineRecognizer()


@pytest.fixture(scope="module")
def dragon(recordings: Path) -> Samples:
    return read_sound(recordings / "en_words_art4apps" / "dragon.flac")


def test_the_said_word_scores_best_and_alone_as_among_others(recognizer: MoonshineRecognizer, dragon: Samples) -> None:
    words = ["Dragon", "Wagon", "Dagger", "Drag", "Dragonfly"]
    scores = recognizer.score(dragon, words)
    assert max(zip(scores, words, strict=True))[1] == "Dragon"
    assert scores == pytest.approx([recognizer.score(dragon, [word])[0] for word in words], abs=NOISE)


def test_scores_follow_their_candidates_in_any_order(recognizer: MoonshineRecognizer, dragon: Samples) -> None:
    words = ["Dragon", "Wagon", "Dragging", "Dragon", "Drag"]
    assert recognizer.score(dragon, words[::-1])[::-1] == pytest.approx(recognizer.score(dragon, words), abs=NOISE)
    assert recognizer.score(dragon, []) == ()


def test_a_carrier_that_was_not_said_makes_a_text_unlikely(recognizer: MoonshineRecognizer, dragon: Samples) -> None:
    bare, carried = recognizer.score(dragon, ["Dragon", "My guess is a dragon"])
    assert bare > -1.0
    assert carried < bare - 5.0


def test_a_score_is_the_readings_probability(recognizer: MoonshineRecognizer, dragon: Samples) -> None:
    heard = recognizer.recognize(dragon).hypotheses[0]
    assert recognizer.capabilities.candidate_scoring
    score = recognizer.score(dragon, [heard.text.rstrip(".,!?")])[0]
    assert score == pytest.approx(np.log(heard.confidence or 0.0), abs=NOISE)


def test_the_list_knows_no_hidden_word(measures: EnglishMeasures) -> None:
    assert list(inspect.signature(SecondLook.__call__).parameters) == ["self", "samples", "recognition"]
    assert "hidden" not in inspect.signature(EnglishMeasures.shortlist).parameters
    assert measures.shortlist(["Bad."], 40) == measures.shortlist(["Bad."], 40)


@pytest.mark.parametrize(
    ("reading", "around"),
    [
        ("Dragon.", ("", "")),
        ("My guess is a dragon.", ("My guess is a ", "")),
        ("I think it's a fire engine, please", ("I think it's a ", " please")),
        ("My guess is a dragon, please.", ("My guess is a ", " please.")),
        ("um, a dragon", ("um, a ", "")),
        ("um", ("um", "")),
    ],
)
def test_what_was_said_around_a_guess_is_kept(reading: str, around: tuple[str, str]) -> None:
    assert around_guess(reading) == around


def test_the_shortlist_is_near_words_in_the_same_sentence(measures: EnglishMeasures) -> None:
    assert {"Coal", "Koala"} <= set(measures.shortlist(["Cool.", "Coal", "Coala"], 40, [0.5, 0.3, 0.1]))
    assert "My guess is a goat" in measures.shortlist(["My guess is a boat"], 40)
    assert measures.shortlist(["we walked a long way in the dark garden today"], 40) == ()
    assert measures.shortlist(["um"], 40) == ()


def test_recorded_words_stay_themselves(
    recognizer: MoonshineRecognizer, measures: EnglishMeasures, recordings: Path
) -> None:
    look = SecondLook(recognizer, measures)
    for word in ("dragon", "carrot", "badge", "candy"):
        samples = read_sound(recordings / "en_words_art4apps" / f"{word}.flac")
        seen = look(samples, recognizer.recognize(samples))
        texts = [hypothesis.text for hypothesis in seen.hypotheses]
        chances = [hypothesis.confidence or 0.0 for hypothesis in seen.hypotheses]
        assert len(texts) <= MOST
        assert chances == sorted(chances, reverse=True)
        assert measures.judge(texts, Word(word, word), chances).verdict is Verdict.RIGHT
        assert measures.judge(texts, Word("lamp", "lamp"), chances).verdict is not Verdict.RIGHT


class Plain:
    """An engine that writes text and nothing else."""

    name = "plain"
    languages = ("en",)
    capabilities = Capabilities()

    def recognize(self, samples: Samples) -> Recognition:
        del samples
        return Recognition((Hypothesis("goat"),), 0.0)

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        pass


def test_what_cannot_be_weighed_comes_back_as_it_was(measures: EnglishMeasures) -> None:
    heard = Recognition((Hypothesis("goat"),), 0.0)
    assert SecondLook(Plain(), measures)(np.zeros(16_000, np.float32), heard) is heard


def test_silence_and_stories_are_not_looked_at_again(
    recognizer: MoonshineRecognizer, measures: EnglishMeasures
) -> None:
    look = SecondLook(recognizer, measures)
    nothing, story = Recognition((), 0.0), Recognition((Hypothesis("goat", 0.9),), 0.0)
    assert look(np.zeros(16_000, np.float32), nothing) is nothing
    assert look(np.zeros(16_000 * 7, np.float32), story) is story


def test_a_faster_sound_is_shorter() -> None:
    sound = np.sin(np.arange(1_600) / 10).astype(np.float32)
    assert len(at_speed(sound, 1.25)) == 1_280
    assert at_speed(sound, 1.0) == pytest.approx(sound)


def test_more_evidence_is_never_less_probable() -> None:
    weaker, stronger = Evidence(2.0, -2.0, 0.2, 0.0), Evidence(2.0, 1.0, 0.1, 0.3)
    assert MOONSHINE_ENGLISH.probability(weaker) < MOONSHINE_ENGLISH.probability(stronger)


@pytest.mark.parametrize(
    ("readings", "chances", "hidden", "verdict"),
    [
        (["Cool", "Koala", "Coal"], [0.3, 0.25, 0.05], "koala", Verdict.RIGHT),
        (["Cool", "Koala", "Coal"], [0.9, 0.001, 0.05], "koala", Verdict.WRONG),
        (["Pear"], [0.9], "bear", Verdict.WRONG),
        (["Hypopodamus"], [0.5], "hippopotamus", Verdict.RIGHT),
        (["Yibo", "Vivo"], [0.1, 0.05], "dragon", Verdict.WRONG),
    ],
)
def test_verdicts_weigh_probabilities(
    measures: EnglishMeasures, readings: list[str], chances: list[float], hidden: str, verdict: Verdict
) -> None:
    assert measures.judge(readings, Word(hidden, hidden), chances).verdict is verdict
