"""`voice-host settings`: every setting explained, set, unset."""

from __future__ import annotations

from pathlib import Path

import pytest

from voice_host.cli import main


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["settings", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_every_setting_is_explained_with_value_origin_and_variable(
    no_settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    no_settings.write_text('mic = "pulse, ALSA"\n[rules]\nbonus = 3\n', encoding="utf-8")
    monkeypatch.setenv("VOICE_HOST_ENGINE", "vosk")
    monkeypatch.setenv("VOICE_HOST_SET", "appeals=no")
    code, out, err = said(capsys)
    assert (code, err) == (0, "")
    assert str(no_settings) in out
    assert "mic = pulse, ALSA   (from the file; --mic, VOICE_HOST_MIC)" in out
    assert "engine = vosk   (from VOICE_HOST_ENGINE; --engine, VOICE_HOST_ENGINE)" in out
    assert "fast = false   (the default; --fast, VOICE_HOST_FAST)" in out
    assert "bonus = 3   (from the file)" in out
    assert "appeals = no   (from VOICE_HOST_SET)" in out
    assert "clue_seconds = 5.0   (the default)" in out


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("mic", "pulse, ALSA", 'mic = "pulse, ALSA"'),
        ("VOICE_HOST_SEED", "7", "seed = 7"),
        ("no-screens", "yes", "no_screens = true"),
        ("roles", "Ben=fairy; Ben=sandman", 'roles = ["Ben=fairy", "Ben=sandman"]'),
        ("clue_seconds", "8", "clue_seconds = 8.0"),
        ("rules.countdown_seconds", "60,5", "countdown_seconds = [60, 5]"),
        ("appeals", "no", "appeals = false"),
    ],
)
def test_what_is_set_is_in_the_file_as_toml_and_can_be_unset(
    no_settings: Path, capsys: pytest.CaptureFixture[str], name: str, value: str, line: str
) -> None:
    assert said(capsys, "set", name, value)[0] == 0
    assert line in no_settings.read_text(encoding="utf-8").splitlines()
    assert said(capsys)[0] == 0
    assert said(capsys, "unset", name)[1] == f"{name} is no longer set.\n"
    assert line not in no_settings.read_text(encoding="utf-8")
    assert said(capsys, "unset", name)[1] == f"{name} was not set.\n"


@pytest.mark.parametrize(
    "words",
    [("set", "volume", "9999"), ("set", "port", "0"), ("set", "rate", "fast"), ("set", "seed", "many"), ("set", "clue_seconds", "long"), ("set", "nothing", "1"), ("set", "rules", "a=1"),
     ("unset", "nothing"), ("set", "mic"), ("burn",)],
)  # fmt: skip
def test_what_cannot_be_set_is_one_sentence_and_changes_nothing(
    no_settings: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    code, _, err = said(capsys, *words)
    assert (code, err.count("\n")) == (2, 1)
    assert not no_settings.exists()


def test_a_relative_path_begins_where_it_was_typed(no_settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "set", "journal", "evenings")
    assert f'journal = "{Path.cwd() / "evenings"}"' in no_settings.read_text(encoding="utf-8")


def test_an_unknown_key_can_be_removed_with_the_same_command(
    no_settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    no_settings.write_text('microphone = "a"\n', encoding="utf-8")
    code, out, err = said(capsys)
    assert (code, "mic = (not set)" in out, "'microphone'" in err) == (2, True, True)
    assert said(capsys, "unset", "microphone")[0] == 0
    assert said(capsys)[0] == 0


def test_the_file_can_be_found(no_settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "path")[1] == f"{no_settings}\n"
