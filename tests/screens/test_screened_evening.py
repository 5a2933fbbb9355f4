"""A night and a day on the pages: each viewer gets what it may know, a tap is what a word is, connections are found again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.screens.evening_with_pages import EveningWithPages
from tests.screens.pages_client import opened
from voice_host.journal import Tapped, read_entries
from voice_host.program import Program

CARDS = ("zebra", "candle", "anchor", "violin", "cactus", "igloo")


def test_each_page_shows_what_its_viewer_may_know(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, cards=CARDS) as evening:

        async def look() -> None:
            async with (
                opened(evening.address, evening.token("table")) as table,
                opened(evening.address, evening.token("Amy")) as dreamer,
                opened(evening.address, evening.token("Ben")) as giver,
            ):
                for page in (table, dreamer, giver):
                    await page.until(lambda state: state["phase"] == "night")
                word = table.state["view"]["word"]
                assert (table.state["view"]["role"], giver.state["view"]["role"]) == (None, "fairy")
                assert giver.state["view"]["word"] == word
                assert word in CARDS
                assert not {"word", "yellow", "blue", "penalty_cards"} & dreamer.state["view"].keys()
                assert [link["viewer"] for link in table.state["links"]] == ["table", "Amy", "Ben", "Cleo", "Dan"]
                assert "links" not in giver.state

                assert (await dreamer.answer(intent="guess", slots={"word": word}, id=5)) == {
                    "type": "answer",
                    "id": 5,
                    "ok": True,
                }
                await table.until(lambda state: state["view"]["yellow"] == [word])
                await dreamer.until(lambda state: state["captions"][-1].get("prompt") in {"guess_noted", "turn"})
                refused = await giver.answer(intent="guess", slots={"word": word})
                assert (refused["ok"], refused["reason"]) == (False, "not_now")
                assert (await giver.answer(intent="foul", slots={"player": "Zoe"}))["reason"] == "no_such_value"
                assert (await table.answer(intent="pause"))["ok"]
                paused = await giver.until(lambda state: state["paused"] == "asked")
                assert paused["view"]["word"] is None
                assert all(not timer["running"] for timer in paused["timers"])
                assert [caption["text"] for caption in giver.state["captions"] if caption.get("private")] == [
                    "You are a fairy: help the dreamer to right answers."
                ]

        asyncio.run(look())
    taps = [entry.intent for _, entry in read_entries(tmp_path / "test.evening") if isinstance(entry, Tapped)]
    assert [(tap.name, tap.speaker) for tap in taps] == [("guess", "Amy"), ("pause", None)]
