"""The real program with a script and five pages in a real browser: a night and its day, killed in the middle and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browsing import LAPTOP, PATIENCE_MS, PHONE, shown
from tests.browser.scripted_evening import ScriptedEvening

HIDDEN = ("lighthouse", "giraffe", "honey", "volcano", "ocean", "piano")
SCRIPT = """\
@wait 4
Ben: tower
Amy: I guess lighthouse
Cleo: neck
@wait 30
Dan: tall
Amy: is it an elephant
@wait 40
Amy: I saw a lighthouse by the sea
Amy: I wake up
?: no objections
@wait 5
?: stop the game
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[ScriptedEvening]:
    evening = ScriptedEvening(tmp_path, SCRIPT, HIDDEN, night_seconds=60)
    yield evening
    evening.killed()


def test_a_scripted_night_and_day_on_five_pages(chromium: Any, scripted: ScriptedEvening) -> None:
    pages: dict[str, Any] = {}
    sent_to_the_dreamer: list[str] = []
    for viewer, link in scripted.links().items():
        page = chromium.new_page(viewport=LAPTOP if viewer == "table" else PHONE, locale="en")
        page.set_default_timeout(3 * PATIENCE_MS)  # the night itself takes a minute
        if viewer == "Amy":
            _record(page, sent_to_the_dreamer)
        page.goto(link)
        pages[viewer] = page

    _each_shows_its_night(pages)
    assert any("I guess lighthouse" in frame for frame in sent_to_the_dreamer)
    scripted.killed_and_resumed()
    for page in pages.values():
        page.wait_for_function("() => !document.body.innerText.includes('The line to the host is lost')")
    _each_shows_its_night(pages)
    by_night = [frame for frame in sent_to_the_dreamer if '"review"' not in frame]
    assert len(by_night) >= 2
    for word in HIDDEN[1:]:  # the first has been guessed aloud: the dreamer's own words are no secret
        assert not any(word in frame for frame in by_night)

    for page in pages.values():
        _wait(page, "elephant")  # the cards of the night lie open for all
        assert "giraffe" in shown(page)
    for page in pages.values():
        _wait(page, "Winner")
    assert "Amy     3" in scripted.ended()


def _record(page: Any, frames: list[str]) -> None:
    """Keep everything that travels to a page by its sockets."""

    def received(frame: str | bytes) -> None:
        frames.append(frame if isinstance(frame, str) else frame.decode("utf-8", "replace"))

    def opened(socket: Any) -> None:
        socket.on("framereceived", received)

    page.on("websocket", opened)


def _each_shows_its_night(pages: dict[str, Any]) -> None:
    """Check what the second card of the night looks like to everybody: lighthouse is yellow, giraffe shows."""
    for viewer, page in pages.items():
        if viewer == "Amy":
            _wait(page, "You dream")
            assert "giraffe" not in shown(page)
            assert "Yellow" not in shown(page)
        else:
            _wait(page, "giraffe")
            _wait(page, "Yellow")


def _wait(page: Any, text: str) -> None:
    """Wait until a page shows a text."""
    page.wait_for_function("text => document.body.innerText.includes(text)", arg=text)
