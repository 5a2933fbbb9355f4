"""`voice-host judge` hears clips and judges them, and says in one sentence what is wrong with its table."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from voice_host.commands.judge import Progress, read_rows, run_judge
from voice_host.errors import MissingError, UsageError
from voice_host.hearing.recognizers import load_recognizer


@pytest.fixture
def silence(tmp_path: Path) -> Path:
    """Return a clip in which nobody says a word, stereo and at another rate."""
    clip = tmp_path / "silence.wav"
    soundfile.write(clip, np.zeros((44_100, 2), np.float32), 44_100)
    return clip


def table(folder: Path, *rows: str) -> Path:
    path = folder / "clips.tsv"
    path.write_text("\n".join(("audio\thidden", *rows)) + "\n", encoding="utf-8")
    return path


def test_silence_is_wrong_for_every_word_and_rows_keep_their_order(tmp_path: Path, silence: Path) -> None:
    out = tmp_path / "out" / "verdicts.jsonl"
    clips = table(tmp_path, "silence.wav\tdragon", f"{silence}\tmoon", "", "silence.wav\tbear")
    assert run_judge(clips, "en", None, out) == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["hidden"] for line in lines] == ["dragon", "moon", "bear"]
    assert [list(line) for line in lines] == [
        ["audio", "hidden", "heard", "verdict", "cost", "margin", "decode_seconds"]
    ] * 3
    assert {line["verdict"] for line in lines} == {"wrong"}
    assert lines[1]["audio"] == str(silence)


def test_columns_may_stand_in_any_order_among_others(tmp_path: Path) -> None:
    path = tmp_path / "clips.tsv"
    path.write_bytes(b"\xef\xbb\xbfhidden\tnote\taudio\r\nfire engine\tx\ta.wav\r\n")
    assert [(row.number, row.audio, row.hidden) for row in read_rows(path)] == [(2, "a.wav", "fire engine")]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "must begin with a line"),
        (b"file\tword\na.wav\tdragon\n", "must begin with a line"),
        (b"audio\thidden\na.wav\n", "Line 2"),
        (b"audio\thidden\na.wav\tdragon\n\tdragon\n", "Line 3"),
        (b"audio\thidden\na.wav\t\xff\n", "not UTF-8"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "clips.tsv"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=sentence):
        read_rows(path)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_rows(tmp_path / "none.tsv")


def test_a_clip_that_cannot_be_read_is_named_with_its_line_before_any_work(tmp_path: Path, silence: Path) -> None:
    (tmp_path / "broken.wav").write_text("no sound", encoding="utf-8")
    out = tmp_path / "verdicts.jsonl"
    out.write_text("from before\n", encoding="utf-8")
    for name in ("broken.wav", "nowhere.wav"):
        with pytest.raises(UsageError, match=rf"Line 3 of .*{name}"):
            run_judge(table(tmp_path, f"{silence}\tdragon", f"{name}\tmoon"), "en", None, out)
    assert out.read_text(encoding="utf-8") == "from before\n"


def test_unknown_languages_and_engines_are_refused(tmp_path: Path, silence: Path) -> None:
    clips = table(tmp_path, f"{silence}\tdragon")
    with pytest.raises(UsageError, match="'xx'"):
        run_judge(clips, "xx", None, tmp_path / "out.jsonl")
    with pytest.raises(UsageError, match="'nope'"):
        run_judge(clips, "en", "nope", tmp_path / "out.jsonl")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, silence: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    clips = table(tmp_path, f"{silence}\tdragon")
    for out, sentence in ((tmp_path / "file" / "out.jsonl", "cannot be written"), (tmp_path / "folder", "is a folder")):
        with pytest.raises(UsageError, match=sentence):
            run_judge(clips, "en", None, out)
    assert not list(tmp_path.glob(".*"))


def test_a_place_that_cannot_be_written_is_refused_before_a_model_is_loaded(tmp_path: Path, silence: Path) -> None:
    clips = table(tmp_path, f"{silence}\tdragon")
    with pytest.raises(UsageError, match="is a folder"):
        run_judge(clips, "en", "nope", tmp_path)


@pytest.mark.parametrize(("language", "word", "other"), [("zh-Hant", "龍", "月亮"), ("ko", "용", "달")])
def test_other_languages_are_judged_by_their_own_measures(
    tmp_path: Path, silence: Path, language: str, word: str, other: str
) -> None:
    try:
        load_recognizer(language).close()
    except MissingError as error:
        pytest.skip(str(error))
    out = tmp_path / "verdicts.jsonl"
    assert (
        run_judge(table(tmp_path, f"{silence}\t{word}", f"{silence}\t{other}"), language, None, out, explain=True) == 0
    )
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["verdict"] for line in lines] == ["wrong", "wrong"]
    assert all(line["explanation"]["meant_phones"] for line in lines)


@pytest.mark.parametrize(
    ("language", "folder", "other"), [("zh-Hant", "zh_gcompris/", "狐狸"), ("ko", "ko_words_cut/", "코끼리")]
)
def test_a_recorded_word_is_right_for_itself_and_wrong_for_another(
    tmp_path: Path, recordings: Path, language: str, folder: str, other: str
) -> None:
    try:
        load_recognizer(language).close()
    except MissingError as error:
        pytest.skip(str(error))
    with (recordings / "index.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    row = next(row for row in rows if row["file"].startswith(folder) and len(row["text"]) >= 2)
    clip, out = recordings / row["file"], tmp_path / "verdicts.jsonl"
    assert run_judge(table(tmp_path, f"{clip}\t{row['text']}", f"{clip}\t{other}"), language, None, out) == 0
    assert [json.loads(line)["verdict"] for line in out.read_text(encoding="utf-8").splitlines()] == ["right", "wrong"]


def test_progress_is_one_line_on_a_terminal_and_whole_lines_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown(*, terminal: bool) -> str:
        clock = iter(range(100))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
        monkeypatch.setattr("voice_host.commands.judge.time.monotonic", lambda: next(clock))
        progress = Progress(25)
        for done in range(1, 26):
            progress.show(done)
        progress.end()
        return capsys.readouterr().err

    assert shown(terminal=True).count("\n") == 1
    lines = shown(terminal=False).splitlines(keepends=True)
    assert lines == ["10 of 25 rows judged\n", "20 of 25 rows judged\n", "25 of 25 rows judged\n"]
