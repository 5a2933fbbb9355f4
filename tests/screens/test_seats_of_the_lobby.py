"""Seats have their links as soon as the lobby knows their names, and keep them; a name that was misheard loses its link."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.screens.evening_with_pages import EveningWithPages
from tests.screens.pages_client import PATIENCE_SECONDS, opened
from voice_host.program import Program
from voice_host.screens.page_connection import LINK_REPLACED, TOO_MANY_PAGES
from voice_host.screens.server import MOST_TABLES


def _names_are_known(evening: EveningWithPages) -> None:
    evening.types("?: we are four")
    for name in ("Amy", "Ben", "Cleo", "Dan"):
        evening.types(f"?: {name}")


def test_seats_have_their_links_before_the_game_and_keep_them(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, lobby=True) as evening:

        async def look() -> None:
            async with opened(evening.address, evening.token("table")) as table:
                await table.until(lambda state: state["phase"] == "counting")
                assert [link["viewer"] for link in table.state["links"]] == ["table"]
                _names_are_known(evening)
                await table.until(lambda state: state["phase"] == "asking_oldest")
                viewers = [link["viewer"] for link in table.state["links"]]
                assert viewers == ["table", "Amy", "Ben", "Cleo", "Dan"]
                async with opened(evening.address, evening.token("Ben")) as ben:
                    await ben.until(lambda state: state["phase"] == "asking_oldest")
                    assert ben.state["say"] == {}
                    assert (await ben.answer(intent="yes"))["reason"] == "not_now"
                    evening.types("?: Amy")
                    evening.types("?: yes")
                    await ben.until(lambda state: state["game"] == "when-i-dream")
                    assert ben.state["view"]["role"] in {"fairy", "boogeyman", "sandman"}

        asyncio.run(look())


def test_a_name_that_was_misheard_loses_its_link(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path, lobby=True) as evening:
        _names_are_known(evening)
        old = evening.token("Dan")

        async def look() -> None:
            async with opened(evening.address, old) as dan, opened(evening.address, evening.token("Ben")) as ben:
                await dan.until(lambda state: state["phase"] == "asking_oldest")
                await ben.next()
                evening.types("?: no, my name is Don")
                assert evening.view()["players"][-1] == "Don"
                with pytest.raises(ConnectionClosed) as closed:
                    await dan.until(lambda _: False)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == LINK_REPLACED
                await ben.until(lambda state: state["view"]["players"][-1] == "Don")
            with pytest.raises(InvalidStatus):
                async with opened(evening.address, old):
                    pass
            async with opened(evening.address, evening.token("Don")) as don:
                await don.until(lambda state: state["viewer"] == "Don")

        asyncio.run(look())


def test_one_table_too_many_is_told_so_by_a_code_of_its_own(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path) as evening:

        async def look() -> None:
            async with contextlib.AsyncExitStack() as held:
                for _ in range(MOST_TABLES):
                    page = await held.enter_async_context(opened(evening.address, evening.token("table")))
                    await page.next()
                one_more = await held.enter_async_context(opened(evening.address, evening.token("table")))
                await asyncio.wait_for(one_more.socket.wait_closed(), PATIENCE_SECONDS)
                assert one_more.socket.close_code == TOO_MANY_PAGES

        asyncio.run(look())


def test_a_page_that_missed_nothing_is_told_at_once_that_it_is_connected(english: Program, tmp_path: Path) -> None:
    with EveningWithPages(english, tmp_path) as evening:
        evening.settle()

        async def look() -> None:
            async with opened(evening.address, evening.token("Ben")) as first:
                await first.next()
                known = first.state
            async with opened(evening.address, evening.token("Ben"), dict(known)) as again:
                again.received.clear()
                await again.socket.send('{"intent": "no_such_intent", "id": 1}')
                assert (await again.next())["type"] == "beat"

        asyncio.run(look())
