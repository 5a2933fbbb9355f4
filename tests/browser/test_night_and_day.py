"""A night and its day on the table's page and four seats' pages: each shows what its viewer may know, and nothing else."""

from __future__ import annotations

from tests.browser.browsing import Viewers, shown
from tests.browser.phases import night_and_day
from tests.screens.evening_with_pages import PLAYERS

GIVERS = PLAYERS[1:]


def test_every_page_shows_what_its_viewer_may_know(viewers: Viewers) -> None:
    evening = viewers.evening
    pages = {viewer: viewers.open(viewer) for viewer in ("table", *PLAYERS)}
    seen = []
    for state in night_and_day(evening):
        seen.append(state)
        for viewer, page in pages.items():
            viewers.arrived(page)
            _check_secrets(state, viewer, page)
    assert {"night", "flag", "paused", "last guess", "story", "review", "appeal", "finished"} <= set(seen)


def _check_secrets(state: str, viewer: str, page: object) -> None:
    text = shown(page)
    knows = viewer != "Amy"
    match state:
        case "night":
            _wait(page, "volcano", there=knows)
            assert ("Yellow" in text) == knows
            assert ("giraffe" in text) == knows
        case "flag":
            _wait(page, "Somebody said the hidden word", there=viewer == "table")
        case "paused":
            _wait(page, "The clock stands", there=True)
            covered = (
                ("lighthouse", "giraffe", "honey", "volcano") if knows else ()
            )  # the dreamer has only what was aloud
            assert [word for word in covered if word in shown(page)] == []
            assert 'class="the-word"' not in shown(page)
        case "last guess" | "story":
            assert ("Yellow" in text) == knows
        case "review":
            _wait(page, "giraffe", there=True)
        case "finished":
            _wait(page, "Winner", there=True)
        case _:
            pass


def _until(viewers: Viewers, wanted: str) -> None:
    """Play on until that state."""
    next(state for state in night_and_day(viewers.evening) if state == wanted)


def _wait(page: object, text: str, *, there: bool) -> None:
    """Wait until a text is in the page's document; or, where it must never be, look once all has arrived."""
    if there:
        page.wait_for_function("text => document.body.innerText.includes(text)", arg=text)  # type: ignore[attr-defined]
    else:
        assert text not in shown(page)


def test_the_word_is_gone_as_soon_as_the_clock_stands(viewers: Viewers) -> None:
    table = viewers.open("table")
    _until(viewers, "night begins")
    table.wait_for_selector(".the-word")
    viewers.evening.types("?: pause")
    table.wait_for_selector(".cover")
    assert "lighthouse" not in shown(table)


def test_the_role_is_shown_only_while_the_seat_wants_it(viewers: Viewers) -> None:
    page = viewers.open("Ben")
    button = page.get_by_role("button", name="Show my role")
    button.wait_for()
    assert "fairy" not in page.inner_text("body")
    button.click()
    viewers.says(page, "fairy")
    page.get_by_role("button", name="Hide my role").click()
    assert "fairy" not in page.inner_text("body")


def test_a_tap_is_what_a_word_is(viewers: Viewers) -> None:
    table, ben = viewers.open("table"), viewers.open("Ben")
    _until(viewers, "night begins")
    ben.get_by_text("My clue …").click()
    ben.get_by_label("Word", exact=True).fill("tower")
    ben.get_by_role("button", name="Send").click()
    viewers.says(table, "Cleo, a clue")
    viewers.says(table, "tower")
