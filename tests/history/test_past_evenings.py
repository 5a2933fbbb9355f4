"""A past evening is what its events file said; reading it changes no byte, and a page of this machine alone shows it."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.host.evenings import CARDS, ONE_NIGHT, ROLES
from voice_host.cli import main
from voice_host.commands.history_page import history_server
from voice_host.commands.history_reading import ReadingRequest, read_history
from voice_host.commands.play import PlayRequest, play
from voice_host.errors import HostError, UsageError
from voice_host.games.game import TABLE
from voice_host.screens.audience import caption_for

Json = dict[str, Any]


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one typed evening, and its events file beside it."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "script.txt").write_text(ONE_NIGHT, encoding="utf-8")
    (folder / "cards.txt").write_text(CARDS, encoding="utf-8")
    request = PlayRequest(
        "when-i-dream", "en", "Amy,Ben,Cleo,Dan", 5, 1,
        script=folder / "script.txt", cards=folder / "cards.txt", roles=(ROLES,), events=folder / "events.jsonl", journal=folder,
    )  # fmt: skip
    assert play(request) == 0
    return folder


@pytest.fixture(scope="module")
def lines(evenings: Path) -> list[Json]:
    return [json.loads(line) for line in (evenings / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def _id(evenings: Path) -> str:
    return next(evenings.glob("*.evening")).name.removesuffix(".evening")


def _bytes(evenings: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in evenings.iterdir() if ".evening" in path.name}


def test_the_export_is_what_the_events_file_says(evenings: Path, lines: list[Json], tmp_path: Path) -> None:
    before = _bytes(evenings)
    assert read_history(ReadingRequest("export", _id(evenings), evenings, json=str(tmp_path / "out.json"))) == 0
    exported = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    final, last_view = (
        lines[-1],
        [line["view"] for line in lines if line["type"] == "view" and line["viewer"] == TABLE][-1],
    )
    assert (exported["scores"], exported["winners"]) == (final["scores"], final["winners"])
    assert exported["over"]
    (night,) = exported["nights"]
    assert night["number"] == 1
    for name in ("dreamer", "cards", "told", "roles", "points", "bonus", "penalty_cards"):
        assert night[name] == last_view[name]
    assert exported["captions"] == [seen for line in lines[:-1] if (seen := caption_for(line, TABLE)) is not None]
    assert exported["score_history"] == [line["scores"] for line in lines if line["type"] == "score" and line["scores"]]
    assert _bytes(evenings) == before


def test_a_table_of_words_has_a_row_a_card(
    evenings: Path, lines: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "export", "all", "--csv", "-", "--journal", str(evenings)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    cards = [line["view"]["cards"] for line in lines if line["type"] == "view" and "cards" in line["view"]][-1]
    assert [(row["word"], row["heard"], row["verdict"]) for row in rows] == [
        (card["word"], card["heard"] or "", card["verdict"]) for card in cards
    ]


def test_an_evening_is_shown(evenings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "show", _id(evenings), "--journal", str(evenings)]) == 0
    out = capsys.readouterr().out
    for piece in ("Night 1, Amy dreamt", "dragon", "penguin", "right", "roles: Ben fairy", "winner"):
        assert piece in out


def test_a_replay_takes_the_evenings_time_divided_by_the_speed(
    evenings: Path, lines: list[Json], capsys: pytest.CaptureFixture[str]
) -> None:
    slept: list[float] = []
    assert read_history(ReadingRequest("replay", _id(evenings), evenings, speed=4.0), slept.append) == 0
    assert sum(slept) == pytest.approx(lines[-2]["t"] / 4)
    assert "Ben: fire" in capsys.readouterr().out


def test_an_evening_that_is_not_over_tells_no_card_of_its_night(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "script.txt").write_text("Ben: fire\n", encoding="utf-8")
    (tmp_path / "cards.txt").write_text(CARDS, encoding="utf-8")
    request = PlayRequest("when-i-dream", "en", "Amy,Ben,Cleo,Dan", 5, 1, script=tmp_path / "script.txt",
                          cards=tmp_path / "cards.txt", journal=tmp_path)  # fmt: skip
    assert play(request) == 0
    capsys.readouterr()
    for action in ("show", "replay"):
        assert read_history(ReadingRequest(action, _id(tmp_path), tmp_path, speed=1e9)) == 0
    assert read_history(ReadingRequest("export", _id(tmp_path), tmp_path, json="-")) == 0
    assert "dragon" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (ReadingRequest("show", None), "Say which evening"),
        (ReadingRequest("show", "nothing"), "There is no evening 'nothing'"),
        (ReadingRequest("export", "x"), "Name one file"),
        (ReadingRequest("show", "x", json="-"), "belong to"),
    ],
)
def test_what_cannot_be_read_is_refused(request_: ReadingRequest, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        read_history(request_)


def test_a_damaged_evening_is_one_sentence_and_left_out_of_all(
    evenings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = next(evenings.glob("*.evening"))
    (tmp_path / whole.name).write_bytes(whole.read_bytes())
    (tmp_path / "broken.evening").write_bytes(whole.read_bytes()[:3000])
    with pytest.raises(HostError, match="damaged and was left untouched"):
        read_history(ReadingRequest("show", "broken", tmp_path))
    assert read_history(ReadingRequest("export", "all", tmp_path, json="-")) == 0
    printed = capsys.readouterr()
    assert [evening["id"] for evening in json.loads(printed.out)] == [_id(evenings)]
    assert "Left out" in printed.err


def _get(url: str, host: str | None = None) -> tuple[int, bytes]:
    request = urllib.request.Request(url, headers={} if host is None else {"Host": host})  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_the_page_is_for_whoever_has_its_link_on_this_machine(evenings: Path) -> None:
    async def look() -> None:
        server = history_server(evenings, None)
        serving = asyncio.create_task(server.serve())
        link = server.link
        get: Callable[..., Any] = lambda *args: asyncio.to_thread(_get, *args)  # noqa: E731
        try:
            assert (await get(link))[0] == 200
            listed = json.loads((await get(f"{link}/evenings.json"))[1])
            assert [(kept["id"], kept["state"]) for kept in listed] == [(_id(evenings), "over")]
            evening = json.loads((await get(f"{link}/evening/{_id(evenings)}.json"))[1])
            assert evening["nights"][0]["cards"][0]["word"] == "dragon"
            assert (await get("/".join([*link.split("/")[:3], "pages", "history.js"])))[0] == 200
            wrong = link[:-1] + ("A" if link[-1] != "A" else "B")
            for url in (wrong, f"{wrong}/evenings.json", f"{link}/evening/nothing.json", f"{link}/evening/..%2fx.json"):
                assert (await get(url))[0] == 404
            assert (await get(link, "evil.example"))[0] == 421
        finally:
            serving.cancel()
            await asyncio.wait([serving], timeout=5)

    asyncio.run(look())
