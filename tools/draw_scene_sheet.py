"""Draws docs/scenes.jpg, all pictures of the deck side by side.

python -m tools.draw_scene_sheet        needs: pip install -e .[browser], Chromium
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from voice_host.scenes import load_scenes, picture_path

SHEET: Final = Path(__file__).parents[1] / "docs" / "scenes.jpg"
COLUMNS: Final = 14
WIDTH: Final = 76
"""Of one picture, in pixels."""


def main() -> None:
    """Draw the sheet."""
    images = "".join(
        f'<img width="{WIDTH}" src="data:image/svg+xml;base64,{b64encode(picture_path(scene.id).read_bytes()).decode()}">'
        for scene in load_scenes("en")
    )
    grid = f"display:grid;grid-template-columns:repeat({COLUMNS},{WIDTH}px);gap:4px;width:max-content;background:#fff"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page()
        page.set_content(f'<main style="{grid}">{images}</main>')
        page.locator("main").screenshot(path=SHEET, type="jpeg", quality=70)
        browser.close()


if __name__ == "__main__":
    main()
