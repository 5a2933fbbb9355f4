"""Pages open in a real browser, one context a viewer, as people's own devices are; what goes wrong on one fails the test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Self

from tests.screens.evening_with_pages import EveningWithPages

PATIENCE_MS = 30_000
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}


class Viewers:
    """The pages that are open; all faults that the browser reports are kept and make the test fail at its end."""

    def __init__(self, browser: Any, evening: EveningWithPages) -> None:
        self.evening = evening
        self._browser = browser
        self._pages: dict[str, Any] = {}
        self._contexts: list[Any] = []
        self._faults: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for context in self._contexts:
            context.close()
        if kind is None:
            assert self._faults == []

    def open(self, viewer: str, size: Mapping[str, int] | None = None, **context: Any) -> Any:
        """Open a viewer's page and wait until it shows something."""
        if viewer not in self._pages:
            self._pages[viewer] = self.open_again(viewer, size, **context)
        return self._pages[viewer]

    def open_again(self, viewer: str, size: Mapping[str, int] | None = None, **context: Any) -> Any:
        """Open a viewer's page on one more device."""
        chosen = size or (LAPTOP if viewer == "table" else PHONE)
        page = self._browser.new_context(viewport=chosen, locale="en", color_scheme="dark", **context).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self._faults.append(f"{viewer}: {error}"))
        page.on("console", lambda message: self._note(viewer, message))
        page.goto(self.evening.link(viewer))
        page.wait_for_selector("main > :not(p:only-child)")
        self._contexts.append(page.context)
        return page

    def drop(self, viewer: str) -> None:
        """Break the connection of a viewer's page, as a network does."""
        for page in self.evening.screens._open[viewer]:
            self.evening.in_loop(partial(page.close, 1012, ""))

    def arrived(self, page: Any) -> None:
        """Wait until a page shows the phase that the evening is in."""
        phase = "finished" if self.evening.over else self.evening.view()["phase"]
        page.wait_for_function("phase => document.body.dataset.phase === phase", arg=phase)

    def says(self, page: Any, text: str) -> None:
        """Wait until a page shows a text somewhere."""
        page.get_by_text(text, exact=False).first.wait_for(state="visible")

    def _note(self, viewer: str, message: Any) -> None:
        expected = (
            *("WebSocket connection", "ERR_INTERNET_DISCONNECTED", "status of 404"),
            "Cross-Origin-Opener-Policy header has been ignored",  # over plain http it has no meaning
        )
        if message.type == "error" and not any(text in message.text for text in expected):
            self._faults.append(f"{viewer}: {message.text}")


def shown(page: Any) -> str:
    """Return everything in a page's document, visible or not: what is there can be found."""
    return str(page.evaluate("document.documentElement.outerHTML"))
