"""A night and a day on the pages: each viewer gets what it may know, a tap is what a word is, connections are found again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from websockets.exceptions import InvalidStatus

from tests.screens.evening_with_pages import EveningWithPages
from tests.screens.pages_client import PATIENCE_SECONDS, opened
from voice_host.commands.play import PlayRequest, play
from voice_host.journal import Tapped, read_entries
from voice_host.program import Program

CARDS = ("zebra", "candle", "anchor", "violin", "cactus", "igloo")
STILL = dict.fromkeys(("night_seconds", "clue_seconds"), 3600.0)


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


def test_a_tapped_clue_is_said_to_all(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, cards=CARDS, settings=STILL) as evening:

        async def tap() -> None:
            async with (
                opened(evening.address, evening.token("Ben")) as giver,
                opened(evening.address, evening.token("Amy")) as dreamer,
            ):
                assert (await giver.answer(intent="clue", slots={"word": "stripes"}))["ok"]
                await dreamer.until(lambda state: state["captions"][-1].get("prompt") == "clue_tapped")
                assert "stripes" in dreamer.state["captions"][-1]["text"]
                assert all(caption["kind"] != "tapped" for caption in dreamer.state["captions"])

        asyncio.run(tap())


def test_a_page_that_was_away_gets_what_it_missed(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, cards=CARDS, settings=STILL) as evening:

        async def go_and_come() -> None:
            async with opened(evening.address, evening.token("Ben")) as page:
                await page.until(lambda state: state["phase"] == "night")
                known = page.state
            await asyncio.to_thread(evening.types, "Ben: stripes")
            await asyncio.to_thread(evening.types, "Amy: I guess zebra")
            async with opened(evening.address, evening.token("Ben"), known) as page:
                message = await page.next()
                assert message["type"] == "update"
                assert page.state["view"] == evening.host.evening.view("Ben")
                heard = [caption["text"] for caption in page.state["captions"] if caption["kind"] == "heard"]
                assert heard == ["stripes", "I guess zebra"]

        asyncio.run(go_and_come())


def test_an_evening_is_seated_on_the_tables_page(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, lobby=True, settings=STILL) as evening:

        async def seat_everybody() -> None:
            async with opened(evening.address, evening.token("table")) as table:
                await table.until(lambda state: state["game"] == "lobby")
                assert [link["viewer"] for link in table.state["links"]] == ["table"]
                assert (await table.answer(intent="player_count", slots={"number": "4"}))["ok"]
                await table.until(lambda state: state["phase"] == "naming")
                for name in ("Amy", "Ben", "Cleo", "Dan"):
                    assert (await table.answer(intent="player_name", slots={"name": name}))["ok"]
                await table.until(lambda state: state["phase"] == "asking_oldest")
                assert (await table.answer(intent="oldest", slots={"player": "Cleo"}))["ok"]
                await table.until(lambda state: state["phase"] == "starting")
                assert (await table.answer(intent="start"))["ok"]
                state = await table.until(lambda state: state["game"] == "when-i-dream")
                assert [link["viewer"] for link in state["links"]] == ["table", "Cleo", "Dan", "Amy", "Ben"]
                assert state["view"]["dreamer"] == "Cleo"
                async with opened(evening.address, evening.token("Dan")) as seat:
                    await seat.next()
                    assert seat.state["viewer"] == "Dan"

        asyncio.run(seat_everybody())
    assert sum(": http" in line for line in evening.announced) == 5


def test_the_host_listens_to_the_dreamers_page_and_to_no_other(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, cards=CARDS, settings=STILL) as evening:
        microphone = evening.in_loop(evening.screens.open_microphone)
        evening.types("Ben: stripes")

        async def talk() -> None:
            async with (
                opened(evening.address, evening.token("Amy")) as dreamer,
                opened(evening.address, evening.token("Ben")) as giver,
            ):
                await dreamer.next()
                await giver.next()
                assert (dreamer.state["microphone"], giver.state["microphone"]) == (True, False)
                assert (await giver.answer(talk=True))["reason"] == "no_microphone"
                assert (await dreamer.answer(talk=True))["ok"]
                microphone._listened_to = True
                await dreamer.socket.send(b"\1\0" * 1600)
                assert (await dreamer.answer(talk=False))["ok"]
                assert len(microphone._waiting) == 1600

        asyncio.run(talk())


def test_a_killed_and_resumed_evening_has_the_same_links_and_every_page_is_right_again(
    english: Program, tmp_path: Path
) -> None:
    (tmp_path / "script.txt").write_text("Ben: stripes\nAmy: I guess zebra\n@wait 600\n", encoding="utf-8")
    request = PlayRequest(
        game="when-i-dream",
        lang="en",
        players="Amy,Ben,Cleo,Dan",
        seed=7,
        settings=["clue_seconds=3600", "night_seconds=3600"],
        script=tmp_path / "script.txt",
        events=tmp_path / "events.jsonl",
        journal=tmp_path / "journal",
        screens=True,
    )
    (tmp_path / "journal").mkdir()
    first = _play_in_child(request, english)
    try:
        address, token = _link_of(tmp_path / "journal", "Ben")
        known = asyncio.run(_looked_at(address, token, None))
    finally:
        _kill(first)
    second = _play_in_child(replace(request, resume=""), english)
    try:
        assert _link_of(tmp_path / "journal", "Ben") == (address, token)
        again = asyncio.run(_looked_at(address, token, known))
    finally:
        _kill(second)
    assert again["run"] != known["run"]
    assert again["view"] == known["view"]
    assert [caption["kind"] for caption in again["captions"]] == [caption["kind"] for caption in known["captions"]]


def _play_in_child(request: PlayRequest, program: Program) -> int:
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            play(request, program)
        finally:
            os._exit(70)
    return child


def _kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _link_of(folder: Path, seat: str) -> tuple[str, str]:
    """Wait until the seat has a link, and return the address of the server and the token."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        for path in folder.glob("*.links"):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if seat in kept["tokens"] and kept["port"] is not None:
                return f"http://127.0.0.1:{kept['port']}", kept["tokens"][seat]
        time.sleep(0.05)
    raise TimeoutError(f"no link for {seat} in {folder}")


async def _looked_at(address: str, token: str, known: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the page shows once the guess has been heard; tries to connect as a page does."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                async with opened(address, token, known) as page:
                    if known is not None:
                        assert (await page.next())["type"] == "snapshot"
                    return await page.until(lambda state: state["captions"][-1].get("prompt") == "turn")
            except (OSError, InvalidStatus):
                await asyncio.sleep(0.1)
