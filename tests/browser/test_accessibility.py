"""WCAG 2.2 AA: axe finds nothing on any page in any state, theme, size and language; narrow and zoomed pages do not scroll sideways."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.browsing import Viewers
from tests.browser.phases import lobby, night_and_day

axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
}
NARROW = {"width": 360, "height": 740}
VIEWERS = ("table", "Amy", "Ben")


def violations(page: Any) -> list[str]:
    """Return what axe objects to, with the element."""
    found = axe_playwright.Axe().run(page, options=RULES).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def test_axe_finds_nothing_in_any_state_of_any_page(viewers: Viewers) -> None:
    found = {}
    for state in night_and_day(viewers.evening):
        for viewer in VIEWERS:
            page = viewers.open(viewer)
            viewers.arrived(page)
            if wrong := violations(page):
                found[state, viewer] = wrong
    assert found == {}


def test_axe_finds_nothing_in_the_lobby(lobby_viewers: Viewers) -> None:
    table = lobby_viewers.open("table")
    for state in lobby(lobby_viewers.evening):
        lobby_viewers.arrived(table)
        assert (state, violations(table)) == (state, [])


@pytest.mark.parametrize("state", ["night", "review", "finished"])
def test_every_theme_size_and_language_is_as_good(viewers: Viewers, state: str) -> None:
    pages = {viewer: viewers.open(viewer, NARROW if viewer != "table" else None) for viewer in VIEWERS}
    next(one for one in night_and_day(viewers.evening) if one == state)
    for viewer, page in pages.items():
        viewers.arrived(page)
        page.get_by_text("How this page looks").click()
        for name, values in (("theme", ("day", "contrast")), ("size", ("200",)), ("language", ("zh-Hant", "ko"))):
            for value in values:
                page.locator(f"select[name={name}]").select_option(value)
                assert (viewer, value, violations(page)) == (viewer, value, [])
                assert (viewer, value, overflow(page)) == (viewer, value, 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_at_twice_the_size_nothing_is_cut_off(viewers: Viewers, viewer: str) -> None:
    # Zooming a window of 1280 by 200 % gives the page 640 CSS pixels.
    page = viewers.open(viewer, {"width": 640, "height": 400})
    for state in night_and_day(viewers.evening):
        viewers.arrived(page)
        assert (state, overflow(page)) == (state, 0)


def overflow(page: Any) -> int:
    """Return by how many CSS pixels a reader would have to scroll sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
