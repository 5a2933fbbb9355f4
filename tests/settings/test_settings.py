"""The settings file: read strictly, written without losing anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from voice_host.errors import HostError, UsageError
from voice_host.settings import Calibration, load_settings, save_calibration, save_setting, settings_path

COMMENTED = """\
# ours
mic = "pulse"  # the good one

[rules]
clue_seconds = 8  # the children think
"""


def test_no_file_is_an_empty_one(no_settings: Path) -> None:
    settings = load_settings()
    assert (settings.path, dict(settings.values), dict(settings.rules)) == (no_settings, {}, {})
    assert settings.calibration("a", "b") is None


def test_without_a_wish_the_file_is_at_the_platforms_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOICE_HOST_CONFIG")
    assert settings_path().parts[-2:] == ("voice-host", "settings.toml")


def test_comments_and_order_outlive_a_change(no_settings: Path) -> None:
    no_settings.write_text(COMMENTED, encoding="utf-8")
    save_setting("speaker", "vspk, ALSA")
    save_setting("rules.bonus", 3)
    save_setting("mic", None)
    save_setting("nothing_of_the_kind", None)
    text = no_settings.read_text(encoding="utf-8")
    assert "# ours" in text
    assert "# the children think" in text
    assert dict(load_settings().values) == {"speaker": "vspk, ALSA"}
    assert dict(load_settings().rules) == {"clue_seconds": 8, "bonus": 3}


def test_a_new_file_says_what_it_is_and_its_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new" / "folder" / "s.toml"
    monkeypatch.setenv("VOICE_HOST_CONFIG", str(path))
    save_setting("volume", 0.5)
    assert path.read_text(encoding="utf-8").startswith("# Settings of voice-host.")
    assert load_settings().values["volume"] == 0.5


def test_a_calibration_comes_back_for_its_pair_only() -> None:
    measured = Calibration(-58.25, None, 0.065, -20.0, 0.31)
    save_calibration("USB: Audio (hw:1,0), ALSA", 'a "quoted" one, ALSA', measured)
    save_calibration("other, ALSA", "headphones, ALSA", Calibration(-60.0))
    settings = load_settings()
    assert settings.calibration("USB: Audio (hw:1,0), ALSA", 'a "quoted" one, ALSA') == measured
    assert settings.calibration("other, ALSA", "headphones, ALSA") == Calibration(-60.0)
    assert settings.calibration("other, ALSA", 'a "quoted" one, ALSA') is None


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b'mic = "a"\nspeaker = \n', "line 2"),
        (b'mic = "a"\n[rules\n', "line 2"),
        (b'mic = "a"\nmic = "b"\n', "line 2"),
        (b'mic = "a"\n\nlang = "\xff"\n', "line 3"),
        (b'mic = """a', "its end"),
        (b'mic = "a"\nrules = 3\n', "line 2"),
        (b'[calibration."a | b"]\nnoise_dbfs = "loud"\n', "line 1"),
        (b'[calibration."a | b"]\nleak_db = -3\n', "line 1"),
    ],
)
def test_a_broken_file_is_one_sentence_with_file_line_and_remedy_and_is_not_overwritten(
    no_settings: Path, content: bytes, named: str
) -> None:
    no_settings.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        load_settings()
    sentence = str(caught.value)
    assert str(no_settings) in sentence
    assert named in sentence
    assert "delete it" in sentence or "correct" in sentence or "write it as" in sentence
    with pytest.raises(UsageError):
        save_setting("lang", "en")
    assert no_settings.read_bytes() == content


def test_a_linked_file_stays_linked_and_keeps_its_rights(no_settings: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("", encoding="utf-8")
    real.chmod(0o640)
    no_settings.symlink_to(real)
    save_setting("lang", "en")
    assert no_settings.is_symlink()
    assert 'lang = "en"' in real.read_text(encoding="utf-8")
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("VOICE_HOST_CONFIG", str(tmp_path / "file" / "settings.toml"))
    with pytest.raises(HostError, match=r"cannot be (written|read)"):
        save_setting("lang", "en")


def test_processes_that_write_at_the_same_time_lose_nothing(no_settings: Path) -> None:
    program = "import sys; from voice_host.settings import save_setting\nfor i in range(10): save_setting(sys.argv[1] + str(i), i)"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, name], env={**os.environ, "VOICE_HOST_CONFIG": str(no_settings)}
        )
        for name in "abc"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert len(load_settings().values) == 30
    assert sorted(path.name for path in no_settings.parent.iterdir()) == ["settings.toml", "settings.toml.lock"]
