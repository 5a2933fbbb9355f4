"""Each flag of `play` as a variable and a key of the file: flag before variable before file before default."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from voice_host import cli
from voice_host.configured import settings_of
from voice_host.errors import UsageError
from voice_host.manner import RATES, VOLUMES


def parsed(*arguments: str) -> argparse.Namespace:
    values = cli._parser().parse_args(arguments)
    values.complete(values)
    return values


def play(*arguments: str) -> argparse.Namespace:
    return parsed("play", "when-i-dream", *arguments)


def test_each_place_beats_the_next(no_settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play().engine is None
    no_settings.write_text('engine = "vosk"\n', encoding="utf-8")
    assert play().engine == "vosk"
    monkeypatch.setenv("VOICE_HOST_ENGINE", "whisper")
    assert play().engine == "whisper"
    assert play("--engine", "moonshine").engine == "moonshine"
    monkeypatch.setenv("VOICE_HOST_ENGINE", "")
    assert play().engine == "vosk"


@pytest.mark.parametrize(
    ("toml", "variable", "expected"),
    [
        ("seed = 7", "SEED=7", {"seed": 7}),
        ("fast = true", "FAST=yes", {"fast": True}),
        ("fast = false", "FAST=0", {"fast": False}),
        ('roles = ["Ben=fairy", "Ben=sandman"]', "ROLES=Ben=fairy; Ben=sandman", {"roles": ["Ben=fairy", "Ben=sandman"]}),
        ('players = "Amy,Ben"', "PLAYERS=Amy,Ben", {"players": "Amy,Ben"}),
        ("[rules]\nclue_seconds = 8\nappeals = false\ncountdown_seconds = [60, 5]",
         "SET=clue_seconds=8;appeals=no; countdown_seconds=60,5",
         {"settings": ["clue_seconds=8", "appeals=no", "countdown_seconds=60,5"]}),
    ],
)  # fmt: skip
def test_file_and_variable_say_what_the_flag_would(
    no_settings: Path, monkeypatch: pytest.MonkeyPatch, toml: str, variable: str, expected: dict[str, Any]
) -> None:
    def values() -> dict[str, Any]:
        return {name: getattr(play(), name) for name in expected}

    no_settings.write_text(toml, encoding="utf-8")
    assert values() == expected
    no_settings.unlink()
    monkeypatch.setenv(*f"VOICE_HOST_{variable}".split("=", 1))
    assert values() == expected


def test_a_path_of_the_file_begins_at_its_folder(no_settings: Path) -> None:
    no_settings.write_text('journal = "evenings"\n', encoding="utf-8")
    assert play().journal == no_settings.parent / "evenings"
    assert play("--journal", "here").journal == Path("here")


def test_of_two_wishes_for_a_rule_the_flags_comes_last_and_so_counts(no_settings: Path) -> None:
    no_settings.write_text("[rules]\nclue_seconds = 8\nbonus = 3\n", encoding="utf-8")
    assert play("--set", "clue_seconds=6").settings == ["clue_seconds=8", "bonus=3", "clue_seconds=6"]


def test_a_typed_evening_is_not_disturbed_by_a_chosen_microphone(no_settings: Path) -> None:
    no_settings.write_text('mic = "pulse"\ndreamer_mic = "usb"\nspeaker = "pulse"\nfast = true\n', encoding="utf-8")
    values = play("--script", "evening.txt")
    assert (values.mic, values.dreamer_mic, values.speaker, values.fast) == (None, None, None, False)
    assert play("--script", "evening.txt", "--mic", "pulse").mic == "pulse"


def test_pages_that_are_settings_give_way_to_what_is_asked_for_now(no_settings: Path) -> None:
    no_settings.write_text("lan = true\nport = 8000\n", encoding="utf-8")
    assert (play().lan, play().port) == (True, 8000)
    for flags in (["--script", "evening.txt"], ["--no-screens"], ["--fast", "--mic", "evening.wav"]):
        assert (play(*flags).lan, play(*flags).port) == (False, None)
    assert play("--script", "evening.txt", "--screens").port == 8000
    assert play("--no-screens", "--port", "9000").port == 9000  # which play refuses: both were asked for
    no_settings.write_text("no_screens = true\n", encoding="utf-8")
    assert play().no_screens
    assert not play("--screens").no_screens


def test_the_demo_takes_the_language_and_the_engine_but_no_loudspeaker(no_settings: Path) -> None:
    no_settings.write_text('lang = "ko"\nspeaker = "pulse"\nseed = 4\n', encoding="utf-8")
    values = parsed("demo")
    assert (values.lang, values.speaker, values.seed) == ("ko", None, None)
    assert parsed("lint").lang == "ko"


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('\nmicrophone = "a"', "'microphone'.*line 2"),
        ('speeker = "a"', "did you mean speaker"),
        ("mic = 3", "mic cannot be 3 .*line 1.*a text"),
        ("seed = true", "a whole number"),
        ("seed = 1\nvolume = 9999", "line 2.*a whole number from 25 to 200"),
        ('seed = "7"', "a whole number"),
        ("fast = 1", "true or false"),
        ('roles = "Ben=fairy"', "a list of texts"),
        ("[rules]\nclue_secs = 3", "line 2.*'clue_secs=3'"),
        ('[rules]\nclue_seconds = "long"', "line 2.*a number"),
        ("[other]\na = 1", "'other'.*line 1"),
    ],
)
def test_what_the_file_may_not_say_is_named_with_its_line(no_settings: Path, toml: str, said: str) -> None:
    no_settings.write_text(toml, encoding="utf-8")
    with pytest.raises(UsageError, match=said) as caught:
        play()
    assert str(no_settings) in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "text"), [("SEED", "x"), ("VOLUME", "9999"), ("FAST", "perhaps"), ("SET", "clue=3")]
)
def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, text: str) -> None:
    monkeypatch.setenv(f"VOICE_HOST_{variable}", text)
    with pytest.raises(UsageError, match=f"VOICE_HOST_{variable}"):
        play()


def test_every_setting_has_a_meaning() -> None:
    commands = cli._parser()._subparsers
    assert commands is not None
    command = commands._group_actions[0].choices["play"]  # type: ignore[index]
    settings = settings_of(command)
    for name, steps in (("rate", RATES), ("volume", VOLUMES)):
        limits = settings[name].limits
        assert limits is not None
        assert (limits.least, limits.most) == (steps[0], steps[-1])
    assert {"mic", "speaker", "lang", "rules"} <= set(settings)
    assert [name for name, setting in settings.items() if not setting.meaning] == []
