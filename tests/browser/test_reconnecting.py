"""A page whose connection breaks is right again by itself; a replaced link says so and stops."""

from __future__ import annotations

from tests.browser.browsing import Viewers
from tests.browser.phases import night_and_day


def test_a_page_that_was_away_shows_what_it_missed(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    states = night_and_day(viewers.evening)
    next(state for state in states if state == "night begins")
    page.context.set_offline(True)
    viewers.drop("Ben")
    viewers.says(page, "The line to the host is lost")
    next(states)
    page.context.set_offline(False)
    viewers.says(page, "volcano")
    page.wait_for_function("() => !document.body.innerText.includes('The line to the host is lost')")


def test_a_replaced_link_says_so_and_opens_nothing(viewers: Viewers) -> None:
    table, page = viewers.open("table"), viewers.open("Ben")
    old = viewers.evening.link("Ben")
    table.locator("summary", has_text="Pages for the seats").click()
    table.get_by_role("button", name="New link for Ben").click()
    viewers.says(page, "The link was replaced")
    answer = page.context.request.get(old)
    assert answer.status == 404
    assert viewers.evening.link("Ben") != old


def test_a_seat_that_is_opened_elsewhere_moves_there(viewers: Viewers) -> None:
    first = viewers.open("Ben")
    second = viewers.open_again("Ben")
    viewers.says(first, "opened on another device")
    second.wait_for_selector("main h2")
