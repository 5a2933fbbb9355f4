"""Recorded people are judged; skipped where no recordings are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from voice_host.commands.judge import run_judge

CLEAR = ("angel", "badge", "brain", "candy", "carrot", "cheese", "cloud", "clown", "dragon", "farm", "frog", "glass")


@pytest.fixture(scope="module")
def verdicts(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """Clear words, each against itself and two others; a cough or a sneeze against three words."""
    words = [word for word in CLEAR if (recordings / "en_words_art4apps" / f"{word}.flac").is_file()]
    rows = [
        f"en_words_art4apps/{word}.flac\t{hidden}"
        for at, word in enumerate(words)
        for hidden in (word, words[at - 1], words[at - 2])
    ]
    wordless = sorted((recordings / "ko_nonverbal_deeply").glob("*.flac"))[:6]
    rows += [f"{clip}\t{hidden}" for clip in wordless for hidden in CLEAR[:3]]
    folder = tmp_path_factory.mktemp("judge")
    clips = folder / "clips.tsv"
    clips.write_text(
        "audio\thidden\n" + "".join(f"{recordings}/{row}\n" if row[0] != "/" else f"{row}\n" for row in rows)
    )
    assert run_judge(clips, "en", None, folder / "out.jsonl") == 0
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [f"{line['audio']}\t{line['hidden']}".removeprefix(f"{recordings}/") for line in lines] == [
        row.removeprefix(f"{recordings}/") for row in rows
    ]
    return lines


def said(line: dict[str, object]) -> str:
    return Path(str(line["audio"])).stem


def test_most_clear_words_are_right(verdicts: list[dict[str, object]]) -> None:
    own = [line for line in verdicts if said(line) == line["hidden"]]
    assert len(own) >= 5
    assert sum(line["verdict"] == "right" for line in own) >= 0.8 * len(own)


def test_no_other_word_is_right_and_no_cough_is(verdicts: list[dict[str, object]]) -> None:
    assert [line for line in verdicts if said(line) != line["hidden"] and line["verdict"] == "right"] == []
