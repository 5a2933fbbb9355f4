"""The deck of scenes is fit to play with, and lint names what is wrong with one that is not."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from voice_host import scenes
from voice_host.commands.lint_scenes import lint_scenes, run_lint_scenes
from voice_host.errors import UsageError
from voice_host.scenes import COLUMNS, load_scenes, parse_scenes

SOURCE = "scenes.tsv"
GOOD = (
    ("river-crown", "A golden crown floats down the stream, and the ducks follow in silence."),
    ("hat-magician", "A rabbit reaches into a tall black hat and pulls out a magician."),
    ("lonely-pawn", "On a chessboard without end, one pawn walks away from all the others."),
)


def table(*rows: tuple[str, ...]) -> str:
    return "\n".join("\t".join(row) for row in (COLUMNS, *rows)) + "\n"


def with_last(*cells: str) -> str:
    """Return two good scenes and a third one, on line 4."""
    return table(*GOOD[:2], cells)


def sentences(text: str, count: int = 3, pictured: Collection[str] | None = None) -> list[str]:
    rows = parse_scenes(text, SOURCE)
    ids = {row.scene.id for row in rows} if pictured is None else pictured
    return [str(finding) for finding in lint_scenes(rows, ids, count)]


# ------------------------------------------------------------------------------------------------------------- the deck


def test_the_english_deck_has_84_scenes() -> None:
    deck = load_scenes("en")
    assert len(deck) == 84
    assert len({scene.id for scene in deck}) == 84
    assert len({scene.sentence for scene in deck}) == 84


def test_the_english_scenes_pass_lint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_lint_scenes("en") == 0
    assert "84 scenes" in capsys.readouterr().out


def test_lint_of_bad_scenes_prints_file_line_and_remedy_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scenes.tsv"
    path.write_text(table(*GOOD), encoding="utf-8")
    monkeypatch.setattr(scenes, "language_folder", lambda _language: tmp_path)
    assert run_lint_scenes("en") == 1
    assert f"{path}, line 4: there are 3 scenes instead of 84; add 81." in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------------- findings


def test_good_scenes_have_no_findings() -> None:
    assert sentences(table(*GOOD)) == []


PLAIN = "this is not one plain sentence"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A rabbit, reaches into a tall black hat and pulls out a magician.", "line 3 has this sentence already"),
        ("A golden carriage stands in the stream while three horses drink beside it.", "speak of golden and stream"),
        ("A fox dances alone in the rain.", "the sentence has 7 words; write 8 to 16"),
        ("A fox " + "and a fox " * 5 + "dance.", "the sentence has 18 words; write 8 to 16"),
        (
            "Uncountable grandfatherly hippopotamuses contemplate extraordinarily kaleidoscopic thunderstorms together.",
            "characters",
        ),
        ("A fox dances <b>alone</b> in the rain while nobody looks.", PLAIN),
        ("A fox dances *alone* in the rain while nobody looks.", PLAIN),
        ("A fox dances alone in the rain at 3 in the morning.", PLAIN),
        ("A fox dances alone in the rain while nobody looks", PLAIN),
        ("A fox dances alone in the rain. Nobody looks at it.", PLAIN),
        ("A fox dances alone  in the rain while nobody looks.", PLAIN),
        ("a fox dances alone in the rain while nobody looks.", PLAIN),
        ("A fox dances alone in Paris while everybody is asleep.", "'Paris' is a name; say what it is instead"),
    ],
)
def test_lint_names_a_planted_fault(sentence: str, expected: str) -> None:
    found = sentences(with_last("dancing-fox", sentence))
    assert [finding for finding in found if finding.startswith("line 4: ") and expected in finding], found


@pytest.mark.parametrize(("count", "expected"), [(5, "instead of 5; add 2."), (2, "instead of 2; delete 1.")])
def test_lint_counts_the_scenes(count: int, expected: str) -> None:
    assert sentences(table(*GOOD), count) == [f"line 4: there are 3 scenes {expected}"]


def test_lint_names_scenes_without_a_picture_and_pictures_without_a_scene() -> None:
    assert sentences(table(*GOOD), pictured={"river-crown", "lonely-pawn", "sad-fox", "old-fox"}) == [
        "line 3: hat-magician: it has no picture; write a recipe and draw it with tools/draw_scenes.py.",
        "line 4: old-fox / sad-fox: no scene tells these pictures; delete them or write their sentences.",
    ]


# --------------------------------------------------------------------------------------------------------------- tables


def test_scenes_are_read_in_the_order_of_their_lines() -> None:
    rows = parse_scenes("\ufeff" + table(*GOOD[:2], ("",), GOOD[2]), SOURCE)
    assert [(row.line, row.scene.id) for row in rows] == [(2, "river-crown"), (3, "hat-magician"), (5, "lonely-pawn")]
    assert rows[1].scene.sentence == GOOD[1][1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1: the header must name the columns id, sentence"),
        ("id\ttext\n", "line 1: the header must name"),
        (table(), "line 1: there is no scene in this deck"),
        (with_last("fox"), "line 4: 1 cells instead of 2"),
        (with_last("fox", "A fox.", "more"), "line 4: 3 cells instead of 2"),
        (with_last("Fox", "A fox."), "line 4: the id 'Fox' must be words of small ASCII letters"),
        (with_last("../fox", "A fox."), "line 4: the id '../fox' must be"),
        (with_last("fox", " "), "line 4: the sentence is empty"),
        (with_last("hat-magician", "A fox."), "line 4: the id 'hat-magician' is taken by line 3"),
    ],
)
def test_a_bad_table_of_scenes_is_refused_with_its_line(text: str, expected: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_scenes(text, SOURCE)
    assert str(refused.value).startswith(f"{SOURCE}, {expected}")


def test_a_missing_deck_of_scenes_is_named_with_its_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(scenes, "language_folder", lambda _language: tmp_path)
    with pytest.raises(UsageError, match=r"scenes\.tsv cannot be read .*columns id, sentence there"):
        load_scenes("en")
