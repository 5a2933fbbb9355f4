"""How soon a page in a real browser is right again after its network, or the host's whole program, was away.

    python benchmarks/reconnecting.py

A page counts as right when it shows what happened while it was away (network), or the night as it was with no word of a lost line
(program). Time begins when the browser is back online, or when the resumed program accepts connections. The aim is one second.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path
from statistics import median
from typing import Any

from figures import table
from playwright.sync_api import sync_playwright

from tests.browser.browsing import PHONE, Viewers
from tests.browser.scripted_evening import ScriptedEvening
from tests.screens.evening_with_pages import EveningWithPages
from voice_host.program import Program

CARDS = ("lighthouse", "giraffe", "honey", "volcano", "ocean", "piano")
LONG = {"night_seconds": 3600, "clue_seconds": 3600}
AWAY_SECONDS = 3.0
NETWORKS, KILLS = 12, 6
LOST = "The line to the host is lost"
COVERED = "everything is covered"


def _shows(page: Any, text: str) -> None:
    page.wait_for_function(f"() => document.body.innerText.includes({text!r})", polling=10)


def _right(page: Any) -> None:
    page.wait_for_function(
        f"() => document.body.innerText.includes('lighthouse') && !document.body.innerText.includes({LOST!r})",
        polling=10,
    )


def network_found(browser: Any, folder: Path) -> list[float]:
    """Return the seconds from each return of the network to a page that shows what was said meanwhile."""
    seconds = []
    with (
        EveningWithPages(Program("en"), folder, cards=CARDS, settings=LONG) as evening,
        Viewers(browser, evening) as viewers,
    ):
        page = viewers.open("Ben")
        for number in range(NETWORKS):
            page.context.set_offline(True)
            viewers.drop("Ben")
            _shows(page, LOST)
            time.sleep(AWAY_SECONDS)
            evening.types("?: pause" if number % 2 == 0 else "?: resume")
            begun = time.monotonic()
            page.context.set_offline(False)
            if number % 2 == 0:
                _shows(page, COVERED)
            else:
                page.wait_for_function(
                    f"() => !document.body.innerText.includes({COVERED!r}) && !document.body.innerText.includes({LOST!r})",
                    polling=10,
                )
            seconds.append(time.monotonic() - begun)
    return seconds


def program_resumed(browser: Any, folder: Path) -> list[float]:
    """Return the seconds from each time that a killed and resumed program serves again to a page that is right."""
    seconds = []
    evening = ScriptedEvening(folder, "Ben: tower\n@wait 3000\n", CARDS, night_seconds=3600)
    try:
        link = evening.links()["Ben"]
        page = browser.new_page(viewport=PHONE, locale="en")
        page.set_default_timeout(60_000)
        page.goto(link)
        _right(page)
        for _ in range(KILLS):
            evening.killed()
            _shows(page, LOST)
            time.sleep(AWAY_SECONDS)
            served = _Served(urllib.parse.urlsplit(link).netloc)
            evening.resumed()
            _right(page)
            seconds.append(max(0.0, time.monotonic() - served.since()))
    finally:
        evening.killed()
    return seconds


class _Served:
    """Notes when a server first accepts a connection."""

    def __init__(self, address: str) -> None:
        host, _, port = address.partition(":")
        self._where = (host, int(port))
        self._at = 0.0
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        while True:
            try:
                socket.create_connection(self._where, timeout=1).close()
            except OSError:
                time.sleep(0.005)
            else:
                self._at = time.monotonic()
                return

    def since(self) -> float:
        """Return when it was, by the monotonic clock."""
        self._thread.join()
        return self._at


def main() -> None:
    """Print the table."""
    logging.disable(logging.WARNING)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("There is no Chromium here: install the package chromium.")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        found = {
            "the network is back": network_found(browser, Path(folder) / "network"),
            "the killed program serves again": program_resumed(browser, Path(folder)),
        }
        browser.close()
    print(f"{os.cpu_count()} cores; load average {os.getloadavg()[0]:.1f} at the end, all programs counted.\n")
    rows = [
        (name, str(len(seconds)), f"{1000 * median(seconds):.0f}", f"{1000 * max(seconds):.0f}")
        for name, seconds in found.items()
    ]
    print(table(["after", "times", "right after ms (median)", "(slowest)"], rows))


if __name__ == "__main__":
    main()
