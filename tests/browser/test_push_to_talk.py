"""The dreamer's button: the microphone is on exactly as long as it is held, however it is let go; and a page that gets none says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browsing import Viewers
from tests.browser.conftest import LONG_NIGHT, WORDS
from tests.screens.evening_with_pages import EveningWithPages
from voice_host.program import Program
from voice_host.screens.guard import lan_address
from voice_host.screens.server import Wanted

BUTTON = ".talk button"


class Sent:
    """What a page sends: whether it last said that the button is held, and how many pieces of sound came since that changed."""

    def __init__(self, page: Any) -> None:
        self.talking = False
        self.pieces = 0
        page.on("websocket", lambda socket: socket.on("framesent", self._take))

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            self.pieces += 1
        elif "talk" in (message := json.loads(frame)):
            self.talking, self.pieces = message["talk"], 0


def _press_mouse(page: Any) -> None:
    page.locator(BUTTON).hover()
    page.mouse.down()


def _drag_off(page: Any) -> None:
    page.mouse.move(5, 5)
    page.mouse.up()


def _press_key(page: Any) -> None:
    page.locator(BUTTON).focus()
    page.keyboard.down("Space")


def _focus_goes(page: Any) -> None:
    page.get_by_role("button", name="How much time?").focus()


def _window_left(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('blur'))")


def _page_hidden(page: Any) -> None:
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange')); delete document.hidden"
    )


def _pointer_taken_away(page: Any) -> None:
    page.evaluate("dispatchEvent(new PointerEvent('pointercancel'))")


WAYS: tuple[tuple[Callable[[Any], None], Callable[[Any], None]], ...] = (
    (_press_mouse, lambda page: page.mouse.up()),
    (_press_mouse, _drag_off),
    (_press_mouse, _pointer_taken_away),
    (_press_mouse, _window_left),
    (_press_mouse, _page_hidden),
    (_press_key, lambda page: page.keyboard.up("Space")),
    (_press_key, _focus_goes),
    (_press_key, _window_left),
)


def test_the_microphone_stops_however_the_button_is_let_go(viewers: Viewers) -> None:
    _listen(viewers.evening)
    page = viewers.open("Amy", permissions=["microphone"])
    sent = Sent(page)
    page.reload()
    for press, let_go in WAYS:
        page.wait_for_selector(f"{BUTTON}[aria-pressed=false]")
        press(page)
        page.wait_for_selector(f"{BUTTON}[aria-pressed=true]")
        _until(page, lambda: sent.talking and sent.pieces > 2)
        let_go(page)
        _until(page, lambda: not sent.talking)
        page.wait_for_selector(f"{BUTTON}[aria-pressed=false]")
        page.wait_for_timeout(200)
        assert sent.pieces == 0, let_go
        page.keyboard.up("Space")
        page.mouse.up()


def test_a_pressed_button_that_goes_away_is_let_go(viewers: Viewers) -> None:
    evening = viewers.evening
    _listen(evening)
    page = viewers.open("Amy", permissions=["microphone"])
    sent = Sent(page)
    page.reload()
    _press_mouse(page)
    _until(page, lambda: sent.pieces > 2)
    evening.timer_ends("night")
    evening.timer_ends("last_guess")
    evening.types("Amy: I wake up")
    page.wait_for_selector(BUTTON, state="detached")
    _until(page, lambda: not sent.talking)
    assert sent.pieces == 0


@pytest.fixture
def lan_viewers(chromium: Any, english: Program, tmp_path: Path) -> Iterator[Viewers]:
    if lan_address() in {None, "127.0.0.1"}:
        pytest.skip("no network here")
    with (
        EveningWithPages(english, tmp_path, cards=WORDS, settings=LONG_NIGHT, wanted=Wanted(lan=True)) as evening,
        Viewers(chromium, evening) as viewers,
    ):
        yield viewers


def test_a_page_over_plain_http_says_why_it_has_no_button(lan_viewers: Viewers) -> None:
    page = lan_viewers.open("Amy")
    _listen(lan_viewers.evening)
    lan_viewers.says(page, "Over plain http in your network browsers give pages no microphone")
    assert page.locator(BUTTON).count() == 0
    assert "hold the button" not in page.inner_text("main")


def test_a_page_whose_microphone_is_not_wanted_speaks_of_no_button(viewers: Viewers) -> None:
    page = viewers.open("Amy")
    viewers.says(page, "Listen to the clues")
    assert "button" not in page.inner_text("main .dreamer")
    _listen(viewers.evening)
    viewers.says(page, "hold the button")
    page.wait_for_selector(BUTTON)


def _listen(evening: EveningWithPages) -> None:
    """Let the dreamer's page be a microphone, as `--dreamer-mic page` does."""
    evening.settle()

    def listen() -> None:
        evening.screens.open_microphone()
        evening.screens.on_links()

    evening.in_loop(listen)
    evening.settle()


def _until(page: Any, true: Callable[[], bool]) -> None:
    """Wait until something is true that the page's own events bring about."""
    for _ in range(600):
        if true():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came true")
