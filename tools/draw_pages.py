"""Draws docs/pages/*.png: the pages in a real Chromium, in their main states, three languages, zoomed and narrow.

python tools/draw_pages.py        needs: pip install -e .[browser], Chromium, fonts for hanzi and hangul
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.browsing import LAPTOP, Viewers
from tests.browser.conftest import CHROMIUM, FLAGS, LONG_NIGHT, WORDS
from tests.browser.phases import lobby, night_and_day
from tests.screens.evening_with_pages import EveningWithPages
from voice_host.program import Program

FOLDER = Path(__file__).parents[1] / "docs" / "pages"
NARROW = {"width": 360, "height": 740}
ZOOMED = {"width": 640, "height": 400}
"""A window of 1280 by 800 at 200 %."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: who sees what, when, and how."""

    name: str
    state: str
    viewer: str
    size: Mapping[str, int] = field(default_factory=lambda: LAPTOP)
    preferences: Mapping[str, str] = field(default_factory=dict)


SHOTS = (
    Shot("table-night", "night", "table"),
    Shot("table-paused", "paused", "table"),
    Shot("table-story", "told", "table"),
    Shot("table-review", "appeal", "table"),
    Shot("table-end", "finished", "table"),
    Shot("table-night-zh-Hant", "night", "table", LAPTOP, {"language": "zh-Hant"}),
    Shot("table-review-zh-Hant", "appeal", "table", LAPTOP, {"language": "zh-Hant"}),
    Shot("table-night-ko", "night", "table", LAPTOP, {"language": "ko"}),
    Shot("table-review-ko", "appeal", "table", LAPTOP, {"language": "ko"}),
    Shot("table-night-zoomed", "night", "table", ZOOMED),
    Shot("giver-night", "night", "Ben", NARROW),
    Shot("giver-night-zh-Hant", "night", "Ben", NARROW, {"language": "zh-Hant"}),
    Shot("giver-night-ko", "night", "Ben", NARROW, {"language": "ko"}),
    Shot("giver-night-contrast", "night", "Ben", NARROW, {"theme": "contrast", "size": "200"}),
    Shot("giver-review-day", "appeal", "Ben", NARROW, {"theme": "day"}),
    Shot("dreamer-night", "night", "Amy", NARROW),
    Shot("dreamer-story", "told", "Amy", NARROW),
)
LOBBY = Shot("table-lobby", "starting", "table")


def main() -> None:
    """Draw all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = Program("en")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        with tempfile.TemporaryDirectory() as scratch:
            for number, (shots, states, in_lobby) in enumerate(
                ((SHOTS, night_and_day, False), ((LOBBY,), lobby, True))
            ):
                folder = Path(scratch) / str(number)
                folder.mkdir()
                with (
                    EveningWithPages(
                        program, folder, cards=WORDS, lobby=in_lobby, settings=LONG_NIGHT | {"night_seconds": 300}
                    ) as evening,
                    Viewers(browser, evening) as viewers,
                ):
                    draw(viewers, shots, states(evening))
        browser.close()


def draw(viewers: Viewers, shots: tuple[Shot, ...], states: Iterator[str]) -> None:
    """Draw each shot when its state has come."""
    pages: dict[tuple[str, bool], Any] = {}
    for shot in shots:
        key = (shot.viewer, shot.size == ZOOMED)
        if key not in pages:
            pages[key] = viewers.open_again(shot.viewer, shot.size)
    for state in states:
        for shot in shots:
            if shot.state == state:
                take(viewers, pages[shot.viewer, shot.size == ZOOMED], shot)


def take(viewers: Viewers, page: Any, shot: Shot) -> None:
    """Draw one picture and leave the page as it was."""
    viewers.arrived(page)
    plain = {"theme": "night", "size": "100", "language": ""}
    for name, value in {**plain, **shot.preferences}.items():
        page.locator(f"select[name={name}]").evaluate(
            "(select, value) => { select.value = value; select.dispatchEvent(new Event('change')); }", value
        )
    page.wait_for_timeout(600)
    whole = shot.viewer != "table" or shot.size == ZOOMED
    page.screenshot(path=FOLDER / f"{shot.name}.png", full_page=whole)


if __name__ == "__main__":
    main()
