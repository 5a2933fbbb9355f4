"""Whoever has no business here is refused with one clear answer, and the evening goes on undisturbed.

Against the real server on loopback. How late the loop is meanwhile is measured by ``benchmarks/pages.py``.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import urllib.parse
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.screens.evening_with_pages import EveningWithPages
from tests.screens.pages_client import Page, opened
from voice_host.program import Program

CARDS = ("zebra", "candle", "anchor", "violin", "cactus", "igloo")
STILL = dict.fromkeys(("night_seconds", "clue_seconds"), 3600.0)


@pytest.fixture(scope="module")
def evening(english: Program, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EveningWithPages]:
    folder = tmp_path_factory.mktemp("evening")
    with EveningWithPages(english, folder, cards=CARDS, settings=STILL) as evening:
        yield evening
        assert evening.view()["phase"] == "night"
        evening.types("Ben: something")  # the game still hears


def _get(evening: EveningWithPages, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    server = urllib.parse.urlsplit(evening.address)
    connection = http.client.HTTPConnection(server.hostname or "", server.port or 0, timeout=30)
    with contextlib.closing(connection):
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


async def _refused(evening: EveningWithPages, token: str, origin: str | None = "") -> int:
    """Return the status with which a socket is refused."""
    url = f"{evening.address.replace('http', 'ws', 1)}/socket/{token}"
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, origin=evening.address if origin == "" else origin):  # type: ignore[arg-type]
            pass
    return refused.value.response.status_code


def test_the_pages_are_there_with_strict_headers(evening: EveningWithPages) -> None:
    for viewer in ("table", "Amy"):
        path = urllib.parse.urlsplit(evening.link(viewer)).path
        assert _get(evening, path)[0] == 200
    server = urllib.parse.urlsplit(evening.address)
    with contextlib.closing(http.client.HTTPConnection(server.hostname or "", server.port or 0)) as connection:
        connection.request("GET", path)
        headers = {name.casefold(): value for name, value in connection.getresponse().getheaders()}
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert (headers["referrer-policy"], headers["x-content-type-options"]) == ("no-referrer", "nosniff")
    assert "set-cookie" not in headers
    assert "server" not in headers


@pytest.mark.parametrize("token", ["x", "A" * 22, "%00", "é", "..", "table", "Amy"])
def test_a_wrong_token_opens_neither_page_nor_socket(evening: EveningWithPages, token: str) -> None:
    quoted = urllib.parse.quote(token)
    assert [_get(evening, f"/{page}/{quoted}")[0] for page in ("table", "seat")] == [404, 404]
    assert asyncio.run(_refused(evening, quoted)) == 404


def test_a_missing_token_and_another_viewers_one_open_nothing(evening: EveningWithPages) -> None:
    assert [_get(evening, path)[0] for path in ("/table/", "/table", "/seat/", "/socket/")] == [404] * 4
    assert _get(evening, f"/table/{evening.token('Amy')}")[0] == 404
    assert _get(evening, f"/seat/{evening.token('table')}")[0] == 404


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_another_origin_is_refused(evening: EveningWithPages, origin: str | None) -> None:
    assert asyncio.run(_refused(evening, evening.token("Amy"), origin)) == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1]"])
def test_another_name_is_refused(evening: EveningWithPages, host: str) -> None:
    status, _ = _get(evening, f"/seat/{evening.token('Amy')}", Host=host)
    assert status == 421


@pytest.mark.parametrize(
    "path",
    [
        *("/pages/../server.py", "/pages/..%2fserver.py", "/pages/%2e%2e/server.py", "/pages//etc/passwd", "/pages/"),
        *(
            "/pages/seat.html",
            "/pages/links.py",
            "/pages/plain.css%00",
            "/pages/plain.css/",
            "/.git/config",
            "//pages/plain.css",
        ),
        *("/seat/../table.html", "/pages\\plain.css", "/pages/%5c..%5cserver.py", "/socket/x", "/favicon.ico"),
    ],
)
def test_path_tricks_find_nothing(evening: EveningWithPages, path: str) -> None:
    status, body = _get(evening, path)
    assert status == 404
    assert "import" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_pages_are_only_read(evening: EveningWithPages, method: str) -> None:
    assert _get(evening, f"/seat/{evening.token('Amy')}", method)[0] == 405


def test_a_replaced_link_is_closed_and_opens_nothing_any_more(evening: EveningWithPages) -> None:
    old = evening.token("Dan")

    async def replace() -> int:
        async with (
            opened(evening.address, evening.token("table")) as table,
            opened(evening.address, old) as seat,
        ):
            await seat.next()
            await table.next()
            assert (await seat.answer(command="new_link", viewer="Dan"))["reason"] == "not_this_page"
            assert (await table.answer(command="new_link", viewer="Zoe"))["reason"] == "no_such_seat"
            assert (await table.answer(command="new_link", viewer="Dan"))["ok"]
            code = await _closing_code(seat)
            await table.until(lambda state: evening_link("Dan") in [link["url"] for link in state["links"]])
            return code

    def evening_link(viewer: str) -> str:
        return evening.screens.link(viewer)

    assert asyncio.run(replace()) == 4401
    assert asyncio.run(_refused(evening, old)) == 404
    assert any(evening.link("Dan") in line for line in evening.announced)


def test_a_seat_that_is_opened_again_is_closed_where_it_was(evening: EveningWithPages) -> None:
    async def open_twice() -> int:
        async with opened(evening.address, evening.token("Ben")) as first:
            await first.next()
            async with opened(evening.address, evening.token("Ben")) as second:
                await second.next()
                code = await _closing_code(first)
                assert (await second.answer(intent="help"))["ok"]
                return code

    assert asyncio.run(open_twice()) == 4409


def test_malformed_messages_are_answered_and_change_nothing(evening: EveningWithPages) -> None:
    async def send() -> None:
        async with opened(evening.address, evening.token("Cleo")) as page:
            await page.next()
            for body in ({}, {"intent": 5}, {"intent": "guess", "slots": {"word": "zebra"}}, {"talk": True}):
                assert not (await page.answer(**body))["ok"]
            await page.socket.send(b"\0\1")
            while page.answers[-1]["reason"] != "no_microphone" or len(page.answers) < 5:
                await page.next()

    before = evening.view()
    asyncio.run(send())
    assert evening.view() == before


@pytest.mark.parametrize("message", ["x" * 40_000, b"\0" * 40_000])
def test_an_oversize_message_closes_the_page_that_sent_it(evening: EveningWithPages, message: str | bytes) -> None:
    assert asyncio.run(_closed_after(evening, [message])) == 1009


def test_a_flood_of_messages_closes_the_page_that_sends_it(evening: EveningWithPages) -> None:
    assert asyncio.run(_closed_after(evening, ['{"intent": "nothing"}'] * 300)) == 4429


async def _closing_code(page: Page) -> int:
    """Return the code with which the host closes a page."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await page.next()
    assert page.socket.close_code is not None
    return page.socket.close_code


async def _closed_after(evening: EveningWithPages, messages: Sequence[str | bytes]) -> int:
    """Return the code with which a page is closed that sends those messages."""
    async with opened(evening.address, evening.token("Cleo")) as page:
        await page.next()

        async def send() -> None:
            with contextlib.suppress(ConnectionClosed):
                for message in messages:
                    await page.socket.send(message)

        sending = asyncio.create_task(send())
        code = await _closing_code(page)
        await sending
        return code


def test_random_messages_neither_break_nor_move_anything(evening: EveningWithPages) -> None:
    chance = Random(11)
    pieces = [
        '{"intent":',
        '"foul"',
        '"guess"',
        '"slots":',
        "{",
        "}",
        "[",
        "]",
        "null",
        "1e999",
        "\\u0000",
        '"id":',
        ",",
        "é",
    ]

    async def send() -> None:
        async with opened(evening.address, evening.token("Cleo")) as page:
            await page.next()
            await asyncio.sleep(3.0)  # a flood of another test may have used up what this seat may send
            for _ in range(60):
                body = "".join(chance.choices(pieces, k=chance.randrange(12)))
                before = len(page.answers)
                await page.socket.send(body)
                while len(page.answers) == before:
                    await page.next()
                assert page.answers[-1]["reason"] in {"malformed", "not_now"}
                await asyncio.sleep(0.15)

    before = evening.view()
    asyncio.run(send())
    assert evening.view() == before


def test_bytes_that_are_no_http_are_refused(evening: EveningWithPages) -> None:
    server = urllib.parse.urlsplit(evening.address)
    for garbage in (b"\x16\x03\x01\x02\x00\x01\x00" * 40, b"GET / HTTP/9.9\r\n\r\n", b"A" * 100_000):
        with socket.create_connection((server.hostname, server.port), timeout=30) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(garbage)
            with contextlib.suppress(ConnectionError):
                assert connection.recv(100).startswith((b"HTTP/1.1 4", b""))


def test_a_thousand_connections_leave_the_open_pages_alone(evening: EveningWithPages) -> None:
    server = urllib.parse.urlsplit(evening.address)

    async def knock(request: bytes) -> bytes:
        try:
            reader, writer = await asyncio.open_connection(server.hostname, server.port)
            writer.write(request)
            answer = await asyncio.wait_for(reader.read(200), 60)
            writer.close()
        except (OSError, TimeoutError):
            return b""
        return answer.split(b"\r\n", 1)[0]

    async def crowd() -> None:
        async with opened(evening.address, evening.token("Ben")) as page:
            await page.next()
            known = f"GET /socket/x HTTP/1.1\r\nHost: {server.netloc}\r\n\r\n".encode()
            answers = await asyncio.gather(*(knock(known) for _ in range(1000)))
            assert {answer[:12] for answer in answers} <= {b"HTTP/1.1 404", b"HTTP/1.1 503", b""}
            assert (await page.answer(intent="score"))["ok"]

    asyncio.run(crowd())
    assert _get(evening, "/")[0] == 200


def test_a_page_that_does_not_read_keeps_nobody_waiting(evening: EveningWithPages) -> None:
    server = urllib.parse.urlsplit(evening.address)
    request = (
        f"GET /socket/{evening.token('table')} HTTP/1.1\r\nHost: {server.netloc}\r\nOrigin: {evening.address}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((server.hostname, server.port))
        deaf.sendall(request.encode())
        for number in range(300):
            evening.types(f"Ben: talk {number} " + "and so on " * 50)

    async def look() -> None:
        async with opened(evening.address, evening.token("table")) as page:
            state = await page.until(lambda state: state["captions"][-1]["text"].startswith("talk 299"))
            assert len(json.dumps(state["captions"])) < 100_000

    asyncio.run(look())
