"""The embedded recogniser on synthesised and recorded speech, on silence and on noise."""

from __future__ import annotations

import csv
import importlib.util
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.hearing.sounds import Speak, noise, one_stream, silence
from voice_host.errors import MissingError, UsageError
from voice_host.hearing.recognizers import Recognizer, load_recognizer, moonshine
from voice_host.hearing.recognizers.moonshine import collapse_repetitions
from voice_host.hearing.sound_files import Samples, read_sound


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def best(recognizer: Recognizer, samples: Samples) -> str:
    hypotheses = recognizer.recognize(samples).hypotheses
    return hypotheses[0].text if hypotheses else ""


@pytest.mark.parametrize(
    "text",
    ["my guess is dragon", "is it a tiger", "I give up", "pause", "ice cream", "fire"],
)
def test_a_clear_voice_is_written_as_it_was_spoken(recognizer: Recognizer, speak: Speak, text: str) -> None:
    assert letters(best(recognizer, speak(text))) == letters(text)


def test_silence_around_the_words_changes_nothing(recognizer: Recognizer, speak: Speak) -> None:
    spoken = one_stream(silence(0.5), speak("my guess is dragon"), silence(0.5))
    assert letters(best(recognizer, spoken)) == "myguessisdragon"


@pytest.mark.parametrize("count", [0, 1, 100, 800, 1_600, 8_000, 160_000])
def test_silence_and_noise_of_any_length_have_no_hypothesis(recognizer: Recognizer, count: int) -> None:
    for level in (0.0, 0.001, 0.05, 0.5):
        sound = noise(count / 16_000, level)
        assert recognizer.recognize(sound).hypotheses == ()


def test_a_hum_and_a_bell_have_no_hypothesis(recognizer: Recognizer) -> None:
    seconds = np.arange(32_000) / 16_000
    for hertz in (50, 220, 880, 3_000):
        tone = 0.3 * np.sin(2 * np.pi * hertz * seconds) * np.exp(-seconds)
        assert recognizer.recognize(tone.astype(np.float32)).hypotheses == ()


def test_several_threads_may_ask_at_once(recognizer: Recognizer, speak: Speak) -> None:
    texts = ["my guess is dragon", "I give up", "is it a tiger"] * 3
    with ThreadPoolExecutor(3) as pool:
        heard = list(pool.map(lambda text: best(recognizer, speak(text)), texts))
    assert [letters(text) for text in heard] == [letters(text) for text in texts]


def test_the_same_sound_gives_the_same_hypotheses(recognizer: Recognizer, speak: Speak) -> None:
    sound = speak("I think it is a bicycle")
    assert recognizer.recognize(sound).hypotheses == recognizer.recognize(sound).hypotheses


@pytest.mark.parametrize(
    ("word", "writable"),
    [("lighthouse", True), ("ice cream", True), ("T-shirt", True), ("龍", False), ("", False), ("—", False)],
)
def test_it_tells_which_words_it_can_write(recognizer: Recognizer, word: str, writable: bool) -> None:  # noqa: FBT001
    assert recognizer.can_write(word) is writable


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", ""),
        ("no no", "no no"),
        ("no no no no no no", "no"),
        ("I'm glad I'm glad I'm glad to", "I'm glad to"),
        ("Yes, yes, yes. Lighthouse", "Yes, Lighthouse"),
        ("a rose is a rose", "a rose is a rose"),
    ],
)
def test_a_decoder_in_a_loop_is_heard_once(written: str, said: str) -> None:
    assert collapse_repetitions(written) == said


def test_wrong_names_are_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match=r"'nope'.*choose one of: moonshine, whisper, vosk"):
        load_recognizer("en", "nope")
    with pytest.raises(UsageError, match=r"'tlh'.*choose one of: en"):
        load_recognizer("tlh")


def test_a_missing_package_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "moonshine_voice" else find_spec(name)
    )
    with pytest.raises(MissingError, match="pip install moonshine-voice"):
        load_recognizer("en", "moonshine")


def clips(folder: Path, prefix: str) -> list[tuple[str, Path]]:
    with (folder / "index.tsv").open(encoding="utf-8") as index:
        rows = csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["text"], folder / row["file"]) for row in rows if row["file"].startswith(prefix)]


def test_a_damaged_model_is_told_before_native_code_can_abort(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "assets" / "tiny-en"
    folder.mkdir(parents=True)
    for name in ("encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"):
        (folder / name).write_bytes(b"ORTM" * 100)
    monkeypatch.setattr(moonshine, "_model_folder", lambda: folder)
    with pytest.raises(MissingError, match=r"cannot be loaded.*pip install --force-reinstall") as refused:
        load_recognizer("en")
    assert "\n" not in str(refused.value)


def test_hypotheses_are_different_readings_with_falling_probabilities(recognizer: Recognizer, speak: Speak) -> None:
    hypotheses = recognizer.recognize(speak("ice cream")).hypotheses
    assert len(hypotheses) > 1
    confidences = [hypothesis.confidence or 0.0 for hypothesis in hypotheses]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0 < confidence <= 1 for confidence in confidences)
    assert sum(confidences) <= 1.001
    assert len({letters(hypothesis.text) for hypothesis in hypotheses}) >= len(hypotheses) - 1


def test_a_long_story_is_written_to_its_end(recognizer: Recognizer, speak: Speak) -> None:
    sentence = one_stream(speak("the table is in the garden"), silence(0.3))
    text = letters(best(recognizer, one_stream(*[sentence] * 2, speak("and I give up"), *[sentence] * 5)))
    assert "giveup" in text
    assert text.endswith("garden")


def test_recorded_words_are_written_as_often_as_was_measured(recognizer: Recognizer, recordings: Path) -> None:
    words = clips(recordings, "en_words_art4apps")[::4]
    first = among = 0
    for text, path in words:
        heard = [letters(hypothesis.text) for hypothesis in recognizer.recognize(read_sound(path)).hypotheses]
        first += heard[:1] == [letters(text)]
        among += letters(text) in heard
    assert first / len(words) > 0.6
    assert among / len(words) > 0.8


def test_recorded_noise_is_hardly_ever_a_word(recognizer: Recognizer, recordings: Path) -> None:
    noises = clips(recordings, "noise/")
    written = [path.name for _, path in noises if best(recognizer, read_sound(path)[:160_000])]
    assert len(written) <= 3
