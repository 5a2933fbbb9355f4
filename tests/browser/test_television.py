"""The table's page on a television: what must be read at three metres is large, whole, and in view without scrolling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browsing import LAPTOP, Viewers, shown
from tests.browser.conftest import LONG_NIGHT
from tests.browser.phases import lobby
from tests.browser.test_accessibility import overflow, violations
from tests.screens.evening_with_pages import EveningWithPages
from voice_host.program import Program

TEN = ("Amy", "Ben", "Cleo", "Dan", "Bartholomew", "Frederick", "Genevieve", "Harriet", "Isabella", "Jonathan")
LONG_WORDS = ("hippopotamus", "lighthouse", "honey", "volcano", "ocean", "piano")
TELEVISION = {"width": 1920, "height": 1080}
SMALLEST_PIXELS = 26
READ_FROM_AFAR = ".bar, .turn-now, .flag-banner, .zone, .player, .penalties li, .review, .standings, .appeal, .clock .label, #captions li"


@pytest.fixture
def ten_viewers(chromium: Any, english: Program, tmp_path: Path) -> Iterator[Viewers]:
    with (
        EveningWithPages(english, tmp_path, players=TEN, cards=LONG_WORDS, settings=LONG_NIGHT) as evening,
        Viewers(chromium, evening) as viewers,
    ):
        yield viewers


@pytest.mark.parametrize("size", [LAPTOP, TELEVISION], ids=["laptop", "television"])
def test_an_evening_of_ten_is_in_one_view_and_large(ten_viewers: Viewers, size: Mapping[str, int]) -> None:
    evening = ten_viewers.evening
    page = ten_viewers.open("table", size)
    evening.settle()
    for word in LONG_WORDS[:2]:
        page.wait_for_function("word => document.querySelector('.the-word')?.innerText === word", arg=word)
        assert page.evaluate(LINES_OF_THE_WORD) == 1
        assert page.evaluate(CUT_OFF) == 0
        evening.types(f"{evening.view()['turn']}: animal")
        evening.types("Amy: I guess elephant")
    evening.types(f"{evening.view()['turn']}: foul on Ben")
    evening.types(f"?: {evening.view()['word']}")
    page.wait_for_selector(".flag-banner")
    _is_readable(page)
    evening.types("?: pause")
    page.wait_for_selector(".cover")
    _is_readable(page)
    evening.types("?: resume")
    for card in range(7):
        evening.types(f"{evening.view()['turn']}: thing number {card}")
        evening.types("Amy: I guess dragon")
    evening.timer_ends("night")
    evening.timer_ends("last_guess")
    evening.types("Amy: I wake up")
    evening.types("Ben: appeal card two")
    page.wait_for_selector(".clock")  # the vote's
    assert page.locator(".review table").count() == 2
    _is_readable(page)
    evening.timer_ends("appeal")
    evening.types("?: no objections")
    page.wait_for_selector(".standings")
    _is_readable(page, scrolls=True)
    assert page.evaluate("document.querySelector('.standings').getBoundingClientRect().bottom") < size["height"]
    letters = page.evaluate(
        "[...document.querySelectorAll('.chart text')].map(one => one.getBoundingClientRect().height)"
    )
    assert min(letters) >= SMALLEST_PIXELS
    assert violations(page) == []


def _is_readable(page: Any, *, scrolls: bool = False) -> None:
    page.wait_for_timeout(300)
    small = page.evaluate(
        "([where, smallest]) => [...document.querySelectorAll(where)].filter((one) => one.checkVisibility())"
        ".map((one) => [one.className, parseFloat(getComputedStyle(one).fontSize)]).filter(([, size]) => size < smallest)",
        [READ_FROM_AFAR, SMALLEST_PIXELS],
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert (
        scrolls or page.evaluate("(main => main.scrollHeight - main.clientHeight)(document.querySelector('main'))") == 0
    )


LINES_OF_THE_WORD = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('.the-word'));
  return new Set([...range.getClientRects()].map((box) => box.top)).size;
}"""
CUT_OFF = "(word => Math.max(0, word.scrollWidth - word.clientWidth))(document.querySelector('.the-word'))"


def test_a_hidden_word_is_one_line_on_a_narrow_page_with_large_letters(ten_viewers: Viewers) -> None:
    page = ten_viewers.open("Ben", {"width": 360, "height": 740})
    ten_viewers.evening.settle()
    page.get_by_text("How this page looks").click()
    page.locator("select[name=size]").select_option("200")
    page.wait_for_selector(".the-word")
    assert page.evaluate(LINES_OF_THE_WORD) == 1
    assert (page.evaluate(CUT_OFF), overflow(page)) == (0, 0)


def test_the_lobby_shows_the_codes_of_all_seats_openly(lobby_viewers: Viewers) -> None:
    table = lobby_viewers.open("table")
    evening = lobby_viewers.evening
    for state in lobby(evening):
        lobby_viewers.arrived(table)
        if state in {"asking oldest", "starting"}:
            table.locator(".links.new .qr").nth(3).wait_for()
            assert table.locator(".links.new .qr:visible").count() == 4
            _is_readable(table)
        if state == "starting":
            ben = lobby_viewers.open("Ben")
            lobby_viewers.says(ben, "This page is yours")
            table.locator(".links.new", has_text="This page is open").wait_for()
    lobby_viewers.arrived(ben)
    ben.get_by_role("button", name="Show my role").wait_for()
    assert table.locator(".qr:visible").count() == 0 or evening.view()["phase"] == "falling"


def test_nothing_of_the_review_is_cut_on_a_telephone(ten_viewers: Viewers) -> None:
    evening = ten_viewers.evening
    page = ten_viewers.open("Ben")
    evening.types(f"{evening.view()['turn']}: animal")
    evening.types("Amy: I guess elephant")
    evening.timer_ends("night")
    evening.timer_ends("last_guess")
    evening.types("Amy: I wake up")
    page.wait_for_selector(".review td")
    outside = page.evaluate(
        "[...document.querySelectorAll('.review *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0"
        " || one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)"
    )
    assert outside == []
    assert overflow(page) == 0


def test_one_page_too_many_says_so_and_takes_a_place_that_becomes_free(lobby_viewers: Viewers) -> None:
    pages = [lobby_viewers.open_again("table") for _ in range(8)]
    ninth = pages[0].context.new_page()
    ninth.goto(lobby_viewers.evening.link("table"))
    lobby_viewers.says(ninth, "Too many pages show the table")
    pages[-1].close()
    lobby_viewers.says(ninth, "Say how many you are")
    assert "Too many pages" not in shown(ninth)
