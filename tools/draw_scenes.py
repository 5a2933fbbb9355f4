"""Draws pictures/scenes/*.svg from pictures/recipes/*.txt, one picture for each scene of the deck.

python -m tools.draw_scenes [--pieces icons.json] [SCENE ...]        needs: npm, for the vector pieces (MIT), unless they are given
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path

from tools.scene_drawing import draw
from tools.scene_pieces import PACKAGE, VERSION, Pieces, fetch_pieces, read_pieces
from tools.scene_recipe import parse_recipe
from voice_host.errors import UsageError

PICTURES = Path(__file__).parents[1] / "pictures"


def main() -> int:
    """Draw the scenes that are named, or all; returns the exit code."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the scenes from their recipes.")
    parser.add_argument("--pieces", type=Path, help="the icons.json of the pieces; without it, npm fetches them")
    parser.add_argument("scenes", nargs="*", help="the ids of scenes; without any, all")
    parsed = parser.parse_args()
    recipes = [PICTURES / "recipes" / f"{scene}.txt" for scene in parsed.scenes] or sorted(
        PICTURES.glob("recipes/*.txt")
    )
    try:
        with tempfile.TemporaryDirectory() as scratch:
            pieces = read_pieces(parsed.pieces) if parsed.pieces else fetch_pieces(Path(scratch))
        for recipe in recipes:
            (PICTURES / "scenes" / f"{recipe.stem}.svg").write_text(picture(recipe, pieces), encoding="utf-8")
    except UsageError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(recipes)} pictures drawn.")
    return 0


def picture(recipe: Path, pieces: Pieces) -> str:
    """Return the SVG of a recipe, which says in a comment of what it was made."""
    text = recipe.read_text(encoding="utf-8")
    notice = f"Recipe {stamp(text)}; pieces: {PACKAGE} {VERSION}, (c) Microsoft Corporation, MIT license"
    return draw(tuple(parse_recipe(text, recipe.name)), pieces, notice)


def stamp(recipe: str) -> str:
    """Return what tells whether a picture is that of the present recipe."""
    return hashlib.sha256(recipe.encode()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
