"""What the tests of the pages in a real Chromium share; they are skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.browsing import Viewers
from tests.screens.evening_with_pages import EveningWithPages
from voice_host.program import Program

try:
    from playwright.sync_api import sync_playwright
except ImportError:  # the extra `browser` is not installed
    collect_ignore_glob = ["test_*.py"]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MICROPHONE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
"""A tone in place of the device's own."""
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", *MICROPHONE)
LONG_NIGHT = {"night_seconds": 3000, "clue_seconds": 1000, "last_guess_seconds": 1000, "appeal_seconds": 1000}
"""So that no busy machine's night ends by itself."""
WORDS = ("lighthouse", "giraffe", "honey", "volcano", "ocean", "piano")


@pytest.fixture(scope="session")
def english() -> Program:
    program = Program("en")
    _ = program.measures, program.prompts, program.grammar
    return program


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Start a browser for each file: while its driver runs, no other test of the process can run an event loop."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def evening(english: Program, tmp_path: Path) -> Iterator[EveningWithPages]:
    with EveningWithPages(english, tmp_path, cards=WORDS, settings=LONG_NIGHT) as evening:
        yield evening


@pytest.fixture
def viewers(chromium: Any, evening: EveningWithPages) -> Iterator[Viewers]:
    with Viewers(chromium, evening) as viewers:
        yield viewers


@pytest.fixture
def lobby_viewers(chromium: Any, english: Program, tmp_path: Path) -> Iterator[Viewers]:
    with EveningWithPages(english, tmp_path, cards=WORDS, lobby=True) as evening, Viewers(chromium, evening) as viewers:
        yield viewers
