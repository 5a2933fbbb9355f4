"""Everything that can be done on a page can be done by keyboard alone, and the focus is never lost to an update."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.browsing import Viewers
from tests.browser.phases import night_and_day

MOST_TABS = 60


def test_every_control_of_a_seat_is_reached_by_tab(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    _until(viewers, "night")
    wanted = page.evaluate(
        "() => [...document.querySelectorAll('button, summary, select, input, a[href]')]"
        ".filter((one) => one.checkVisibility() && !one.disabled).length"
    )
    reached = set()
    page.evaluate("document.body.focus()")
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => [...document.querySelectorAll('*')].indexOf(document.activeElement)"))
    assert wanted <= len(reached)


def test_a_clue_a_foul_and_a_pause_by_keys(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    _until(viewers, "night begins")
    _open(page, "My clue …")
    page.keyboard.press("Tab")
    page.keyboard.type("tower")
    page.keyboard.press("Enter")
    viewers.says(page, "Cleo, a clue")
    _open(page, "Foul …")
    page.keyboard.press("Tab")
    page.keyboard.type("Ben")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.body.innerText.includes('penalties: 1')")
    page.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Enter")
    viewers.says(page, "everything is covered")
    page.get_by_role("button", name="Resume").focus()
    page.keyboard.press("Space")
    page.wait_for_function("() => !document.body.innerText.includes('covered')")


def test_the_focus_stays_where_it_is_while_the_night_goes_on(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    states = night_and_day(viewers.evening)
    next(state for state in states if state == "night begins")
    page.get_by_role("button", name="How much time?").focus()
    next(states)
    viewers.says(page, "volcano")
    assert page.evaluate("document.activeElement.innerText") == "How much time?"


def test_the_dreamer_guesses_and_tells_by_keys(viewers: Viewers) -> None:
    page = viewers.open("Amy")
    _until(viewers, "night begins")
    _open(page, "My guess is …")
    page.keyboard.press("Tab")
    page.keyboard.type("lighthouse")
    page.keyboard.press("Enter")
    viewers.evening.settle()
    viewers.open("table").wait_for_function("() => document.body.innerText.includes('guessed (1)')")


@pytest.mark.parametrize("viewer", ["Ben", "table"])
def test_a_pressed_button_that_goes_leaves_the_focus_nearby(viewers: Viewers, viewer: str) -> None:
    page = viewers.open(viewer)
    _until(viewers, "night begins")
    page.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Enter")
    viewers.says(page, "everything is covered")
    assert _focused(page) == "Pause"
    page.get_by_role("button", name="Resume").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.body.innerText.includes('covered')")
    assert _focused(page) == "Pause"


def test_the_focus_survives_a_clue_and_a_pass(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    _until(viewers, "night begins")
    _open(page, "My clue …")
    page.keyboard.press("Tab")
    page.keyboard.type("tower")
    page.keyboard.press("Enter")
    viewers.says(page, "Cleo, a clue")
    assert _focused(page) == "My clue …"
    for line in ("Cleo: sailor", "Dan: high"):
        viewers.evening.types(line)
    page.get_by_role("button", name="Pass").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pass").wait_for(state="detached")
    assert _focused(page) == "My clue …"
    page.get_by_role("button", name="Never mind").focus()
    viewers.evening.types("?: pause")  # the whole group goes
    viewers.says(page, "everything is covered")
    assert _focused(page) == "Ben"  # the page's heading


def _focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement === document.body ? 'BODY' : document.activeElement.innerText"))


def _until(viewers: Viewers, wanted: str) -> None:
    next(state for state in night_and_day(viewers.evening) if state == wanted)


def _open(page: Any, label: str) -> None:
    page.locator("summary", has_text=label).focus()
    page.keyboard.press("Enter")
