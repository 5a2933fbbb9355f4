"""What a screen reader is told: nothing that comes together replaces each other, nothing stands longer than it is true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browsing import Viewers
from tests.browser.conftest import LONG_NIGHT, WORDS
from tests.browser.phases import NIGHT, night_and_day
from tests.screens.evening_with_pages import EveningWithPages
from voice_host.program import Program

LISTEN = """() => {
  window.told = [];
  for (const name of ["polite", "urgent"]) {
    const node = document.getElementById(name);
    new MutationObserver(() => { if (node.textContent) window.told.push([name, node.textContent.trim()]); }).observe(node, {childList: true, subtree: true});
  }
}"""


def test_the_first_giver_hears_the_word_and_the_turn_together(viewers: Viewers) -> None:
    viewers.evening.settle()
    page = viewers.open("Ben")
    _tells(page, "urgent", "The word is lighthouse. Your turn: say one word.")
    assert page.locator("#urgent span[lang=en]").inner_text() == "lighthouse"


def test_fouls_and_zones_are_told_to_those_who_may_know(viewers: Viewers) -> None:
    pages = {viewer: viewers.open(viewer) for viewer in ("table", "Amy", "Ben", "Cleo")}
    for page in pages.values():
        page.evaluate(LISTEN)
    for line in NIGHT:
        viewers.evening.types(line)
    givers = [pages[viewer] for viewer in ("table", "Ben", "Cleo")]
    for page in givers:
        for text in ("lighthouse went to yellow: guessed", "giraffe went to blue: not guessed"):
            _was_told(page, "polite", text)
    _was_told(pages["Ben"], "polite", "A foul on you: 1 in all")
    for viewer in ("table", "Cleo", "Amy"):
        _was_told(pages[viewer], "polite", "A foul on Ben: 1 in all")
    amy = " ".join(text for _, text in pages["Amy"].evaluate("window.told"))
    assert [word for word in ("yellow", "blue", "giraffe", "honey", "volcano") if word in amy] == []


def test_a_pause_is_told_at_once_and_takes_the_word_back(viewers: Viewers) -> None:
    pages = [viewers.open("table"), viewers.open("Ben")]
    next(state for state in night_and_day(viewers.evening) if state == "night")
    for page in pages:
        _tells(page, "urgent", "volcano")
    viewers.evening.types("?: I can see it")
    for page in pages:
        _tells(page, "urgent", "Eyes open: everything is covered")
        assert "volcano" not in page.locator("#urgent").inner_text() + page.locator("#polite").inner_text()
    viewers.evening.types("?: resume")
    for page in pages:
        _tells(page, "urgent", "The word is ocean")  # what was seen is replaced


@pytest.fixture
def short_night(chromium: Any, english: Program, tmp_path: Path) -> Iterator[Viewers]:
    settings = LONG_NIGHT | {"night_seconds": 36}
    with (
        EveningWithPages(english, tmp_path, cards=WORDS, settings=settings) as evening,
        Viewers(chromium, evening) as viewers,
    ):
        yield viewers


def test_the_pages_own_clock_tells_the_time(short_night: Viewers) -> None:
    page = short_night.open("Ben")
    page.wait_for_selector(".clock")
    page.evaluate(LISTEN)
    page.context.set_offline(True)  # the host can tell it nothing
    short_night.drop("Ben")
    page.wait_for_function("() => window.told.some(([, told]) => /^(30|10) seconds left/.test(told))")


def test_a_lost_line_is_told_once_and_taken_back(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    page.evaluate(LISTEN)
    page.context.set_offline(True)
    viewers.drop("Ben")
    _tells(page, "urgent", "The line to the host is lost")
    page.get_by_role("button", name="Score").click()
    viewers.says(page, "try again in a moment")
    page.context.set_offline(False)
    page.wait_for_function("() => !document.body.textContent.includes('The line to the host is lost')")
    page.wait_for_timeout(2000)
    told = [text for _, text in page.evaluate("window.told") if "this page keeps trying" in text]
    assert len(set(told)) == 1
    assert "line to the host" not in page.inner_text("body")


def _tells(page: Any, region: str, text: str) -> None:
    """Wait until a live region holds a text."""
    page.wait_for_function(
        "([region, text]) => document.getElementById(region).textContent.includes(text)", arg=[region, text]
    )


def _was_told(page: Any, region: str, text: str) -> None:
    """Wait until a live region has held a text since `LISTEN`."""
    page.wait_for_function(
        "([region, text]) => window.told.some(([name, told]) => name === region && told.includes(text))",
        arg=[region, text],
    )
