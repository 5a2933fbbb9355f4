"""Each scene has a picture that a page with a strict policy can show, and that is drawn from the present recipe."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tools.draw_scenes import PICTURES, stamp
from tools.scene_drawing import draw
from tools.scene_pieces import PACKAGE, VERSION, Pieces, read_pieces
from tools.scene_recipe import parse_recipe
from voice_host.errors import UsageError
from voice_host.resources import languages
from voice_host.scenes import load_scenes, picture_path, scenes_path

SVG = "{http://www.w3.org/2000/svg}"
IDS = [scene.id for scene in load_scenes("en")]

ELEMENTS = frozenset(
    {
        "svg",
        "defs",
        "g",
        "use",
        "path",
        "circle",
        "ellipse",
        "rect",
        "clipPath",
        "linearGradient",
        "radialGradient",
        "stop",
    }
)
"""What draws and cannot do anything else."""

MOST_BYTES = 40_000
MOST_BYTES_TOGETHER = 2_000_000


def parsed(scene_id: str) -> ET.Element:
    return ET.fromstring(picture_path(scene_id).read_text(encoding="utf-8"))  # noqa: S314 - our own file


# --------------------------------------------------------------------------------------------------------- all pictures


@pytest.mark.parametrize("language", [code for code in languages() if scenes_path(code).is_file()])
def test_each_scene_of_a_language_has_a_recipe_and_a_picture_and_no_other_is_there(language: str) -> None:
    ids = sorted(scene.id for scene in load_scenes(language))
    assert sorted(path.stem for path in (PICTURES / "recipes").iterdir()) == ids
    assert sorted(path.name for path in (PICTURES / "scenes").iterdir()) == [f"{id_}.svg" for id_ in ids]


@pytest.mark.parametrize("scene_id", IDS)
def test_a_picture_is_small_and_draws_and_nothing_else(scene_id: str) -> None:
    root = parsed(scene_id)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 300 400"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ELEMENTS
    text = picture_path(scene_id).read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES
    assert "<!DOCTYPE" not in text
    assert "<?" not in text


@pytest.mark.parametrize("scene_id", IDS)
def test_a_picture_refers_only_to_what_is_in_it(scene_id: str) -> None:
    elements = list(parsed(scene_id).iter())
    ids = [element.get("id") for element in elements if element.get("id") is not None]
    assert len(set(ids)) == len(ids)
    for element in elements:
        for name, value in element.attrib.items():
            assert name != "style", "a page's policy could refuse it"
            assert not name.startswith("on")
            assert "//" not in value
            if name.endswith("href"):
                assert value.removeprefix("#") in ids
            for target in re.findall(r"url\((.*?)\)", value):
                assert target.removeprefix("#") in ids


@pytest.mark.parametrize("scene_id", IDS)
def test_a_picture_is_that_of_the_present_recipe_and_names_the_license(scene_id: str) -> None:
    recipe = (PICTURES / "recipes" / f"{scene_id}.txt").read_text(encoding="utf-8")
    notice = picture_path(scene_id).read_text(encoding="utf-8").splitlines()[1]
    assert f"Recipe {stamp(recipe)};" in notice, f"draw it anew: python -m tools.draw_scenes {scene_id}"
    assert f"{PACKAGE} {VERSION}, (c) Microsoft Corporation, MIT license" in notice


def test_all_pictures_together_are_small() -> None:
    assert sum(picture_path(id_).stat().st_size for id_ in IDS) < MOST_BYTES_TOGETHER


def test_no_two_pictures_are_the_same() -> None:
    drawings = {"\n".join(picture_path(id_).read_text(encoding="utf-8").splitlines()[2:]) for id_ in IDS}
    assert len(drawings) == len(IDS)


# -------------------------------------------------------------------------------------------------------------- drawing


PIECES = Pieces(
    {
        "square": '<path fill="#00a6ed" d="M2 2h28v28H2z"/><path fill="none" stroke="#123" d="M2 2h9"/>',
        "shaded": '<defs><linearGradient id="a"/></defs><path fill="url(#a)" d="M2 2h28v28H2z"/>',
    }
)


def drawn(recipe: str) -> list[ET.Element]:
    """Return the elements of a recipe's picture, without its definitions."""
    root = ET.fromstring(draw(tuple(parse_recipe(recipe, "fox.txt")), PIECES, "by us"))  # noqa: S314 - as above
    return [element for element in root if element.tag != f"{SVG}defs"]


def test_a_piece_is_centred_scaled_turned_and_mirrored() -> None:
    (piece,) = drawn("square 150 100 64 turn=-8 flip opacity=.5")
    assert piece.get("transform") == "translate(150 100)rotate(-8)scale(-2 2)translate(-16 -16)"
    assert piece.get("opacity") == ".5"


def test_a_piece_stands_where_its_foot_is() -> None:
    (piece,) = drawn("square 150 100 64 foot")
    assert str(piece.get("transform")).startswith("translate(150 72)"), (
        "its lower edge is 14 units of 2 below its centre"
    )


def test_a_tint_makes_a_silhouette() -> None:
    ((filled, stroked),) = drawn("square 0 0 32 tint=#222")
    assert (filled.get("fill"), stroked.get("fill"), stroked.get("stroke")) == ("#222", "none", "#222")


def test_ids_of_two_pieces_never_meet() -> None:
    (piece,) = drawn("shaded 0 0 32")
    assert [element.get("id") for element in piece.iter(f"{SVG}linearGradient")] == ["shaded-a"]
    assert [element.get("fill") for element in piece.iter(f"{SVG}path")] == ["url(#shaded-a)"]


def test_a_piece_that_comes_often_is_kept_once() -> None:
    text = draw(
        tuple(parse_recipe("row square 5 0 0 100 0 32\nscatter square 4 1 0 0 99 99 8 9", "fox.txt")), PIECES, ""
    )
    assert text.count("M2 2h28v28H2z") == 1
    assert text.count("<use ") == 9


def test_a_row_stands_at_even_distances_and_grows() -> None:
    places = [str(piece.get("transform")) for piece in drawn("row square 3 0 50 100 60 32 64")]
    assert [place.split("translate(-")[0] for place in places] == [
        "translate(0 50)scale(1 1)",
        "translate(50 55)scale(1.5 1.5)",
        "translate(100 60)scale(2 2)",
    ]


def test_the_same_recipe_gives_the_same_picture() -> None:
    recipe = tuple(parse_recipe("sky #000 #fff\nstars 9 4\nscatter square 3 1 0 0 99 99 8 20 turn=30", "fox.txt"))
    assert draw(recipe, PIECES, "by us") == draw(recipe, PIECES, "by us")


def test_what_follows_a_clip_is_within_it_until_its_end() -> None:
    clipped, free = drawn("clip M0 0h9v9z\ndisc 1 1 1 red\nend\ndisc 2 2 2 blue")
    assert str(clipped.get("clip-path")).startswith("url(#")
    assert [element.get("fill") for element in clipped] == ["red"]
    assert free.get("fill") == "blue"


def test_comments_and_empty_lines_are_no_instructions() -> None:
    assert [one.word for one in parse_recipe("# a fox\n\ndisc 1 1 1 #fff # white\n", "fox.txt")] == ["disc"]


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        ("disc 1 1 1 red\nsquirrel 1 2 3", "fox.txt, line 2: there is no shape and no piece 'squirrel'"),
        ("square 1 2", "fox.txt, line 1: square needs 3 numbers; there are 2."),
        ("square 1 two 3", "fox.txt, line 1: could not convert string to float: 'two'; write a number."),
        ("square 1 2 3 turn=left", "fox.txt, line 1: turn: could not convert"),
        ("disc 1 2 3", "fox.txt, line 1: disc needs a value more."),
        ("end", "fox.txt, line 1: no clip is open here"),
        ("clip M0 0h9v9z", "A clip is not ended"),
    ],
)
def test_a_line_that_cannot_be_drawn_is_named(recipe: str, expected: str) -> None:
    with pytest.raises(UsageError) as refused:
        drawn(recipe)
    assert str(refused.value).startswith(expected)


def test_pieces_are_read_from_the_package_s_table(tmp_path: Path) -> None:
    icons = tmp_path / "icons.json"
    icons.write_text('{"prefix": "x", "icons": {"fox": {"body": "<path/>"}}}', encoding="utf-8")
    assert read_pieces(icons).body("fox") == "<path/>"
