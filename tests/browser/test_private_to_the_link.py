"""What speaks secrets is switched on for one seat's link alone, and each part is spoken in its own language."""

from __future__ import annotations

from typing import Any

from tests.browser.browsing import Viewers
from tests.browser.phases import night_and_day
from tests.screens.evening_with_pages import EveningWithPages

RECORD = "window.said = []; speechSynthesis.speak = (one) => { window.said.push([one.lang, one.text]); }; 0"
SPEAK = "input[type=checkbox]"


def test_another_seats_page_in_the_same_browser_does_not_speak(viewers: Viewers) -> None:
    evening = viewers.evening
    ben = viewers.open("Ben")
    ben.get_by_text("How this page looks").click()
    ben.locator("select[name=theme]").select_option("contrast")
    ben.locator(SPEAK).check()
    cleo = _opened_beside(ben, evening, "Cleo")
    assert cleo.evaluate("document.documentElement.dataset.theme") == "contrast"
    assert not cleo.locator(SPEAK).is_checked()
    ben_again = _opened_beside(ben, evening, "Ben")
    assert ben_again.locator(SPEAK).is_checked()
    next(state for state in night_and_day(evening) if state == "night")
    ben_again.wait_for_function("() => window.said.some(([lang, text]) => text.includes('volcano'))")
    viewers.says(cleo, "volcano")
    assert cleo.evaluate("window.said") == []
    kept = ben.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert [word for word in ("volcano", evening.token("Ben"), "fairy") if word in kept] == []


def test_the_word_is_spoken_in_the_tables_language_and_the_rest_in_the_readers(viewers: Viewers) -> None:
    ben = viewers.open("Ben")
    ben.get_by_text("How this page looks").click()
    ben.locator("select[name=language]").select_option("ko")
    ben.evaluate(RECORD)
    ben.locator(SPEAK).check()
    next(state for state in night_and_day(viewers.evening) if state == "night")
    ben.wait_for_function("() => window.said.some(([lang, text]) => text.includes('volcano'))")
    said = [tuple(one) for one in ben.evaluate("window.said")]
    assert ("en", "volcano") in said
    assert said[said.index(("en", "volcano")) - 1] == ("ko-KR", "단어: ")


def test_what_is_in_another_language_than_the_page_says_so(viewers: Viewers) -> None:
    pages = {viewer: viewers.open(viewer) for viewer in ("table", "Ben")}
    for page in pages.values():
        page.get_by_text("How this page looks").click()
        page.locator("select[name=language]").select_option("zh-Hant")
    for state in night_and_day(viewers.evening):
        for viewer, page in pages.items():
            viewers.arrived(page)
            if state not in {"paused", "finished"}:
                page.wait_for_timeout(100)
            assert (state, viewer, page.evaluate(UNMARKED)) == (state, viewer, [])


UNMARKED = r"""() => {
  const unmarked = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const names = /\b(Amy|Ben|Cleo|Dan|English|voice_host)\b/g;
  while (walk.nextNode()) {
    const text = walk.currentNode.data.replace(names, "");
    if (/[a-z]{3}/i.test(text) && walk.currentNode.parentElement.closest("[lang]").lang !== "en") unmarked.push(text);
  }
  return unmarked;
}"""
"""English words outside of what is marked as English, on a page that is read in Chinese."""


def _opened_beside(page: Any, evening: EveningWithPages, seat: str) -> Any:
    """Open a seat's page in the same browser, with the same storage."""
    other = page.context.new_page()
    other.add_init_script(RECORD)
    other.goto(evening.link(seat))
    other.wait_for_selector("main h2")
    return other
