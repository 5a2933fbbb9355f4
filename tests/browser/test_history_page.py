"""The page of past evenings in a real Chromium: read and replayed by keyboard alone, and nothing for axe to find."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_accessibility import overflow, violations
from tests.host.evenings import CARDS, ONE_NIGHT, ROLES
from voice_host.commands.history_page import history_server
from voice_host.commands.play import PlayRequest, play


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "script.txt").write_text(ONE_NIGHT, encoding="utf-8")
    (tmp_path / "cards.txt").write_text(CARDS, encoding="utf-8")
    script, cards = tmp_path / "script.txt", tmp_path / "cards.txt"
    request = PlayRequest(
        "when-i-dream", "en", "Amy,Ben,Cleo,Dan", 5, 1, script=script, cards=cards, roles=(ROLES,), journal=tmp_path
    )
    playing = threading.Thread(target=play, args=(request,))  # the browser's driver has a loop in this thread
    playing.start()
    playing.join()
    (tmp_path / "2020-01-01-000000-when-i-dream.evening").write_bytes(b"no journal")
    started = threading.Event()
    known: dict[str, Any] = {}

    async def serve() -> None:
        server = history_server(tmp_path, None)
        known.update(link=server.link, loop=asyncio.get_running_loop(), task=asyncio.current_task())
        started.set()
        await server.serve()

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    started.wait(10)
    yield known["link"]
    known["loop"].call_soon_threadsafe(known["task"].cancel)
    thread.join(10)


def test_an_evening_is_found_read_and_replayed_by_keyboard(chromium: Any, link: str) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(link)
    page.get_by_role("table").wait_for()
    assert (violations(page), overflow(page)) == ([], 0)
    page.locator("tbody a").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play").wait_for()
    assert "penguin" in page.locator("main").inner_text()
    assert (violations(page), overflow(page)) == ([], 0)
    page.locator("select[name=speed]").select_option("20")
    page.get_by_role("button", name="Play").focus()
    page.keyboard.press("Enter")
    page.get_by_role("log").get_by_text("fire").wait_for(timeout=20_000)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play").wait_for()
    page.get_by_role("link", name="All evenings").focus()
    page.keyboard.press("Enter")
    page.locator("tbody a").last.focus()
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    assert "not a journal of this program" in page.get_by_role("alert").inner_text()
    assert violations(page) == []
    assert errors == []
    page.close()
