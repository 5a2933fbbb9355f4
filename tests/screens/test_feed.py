"""A page is brought up to date from wherever it was."""

from __future__ import annotations

from random import Random
from typing import Any

from voice_host.screens.feed import KEPT_CAPTIONS, Feed


def _feed(now: float = 10.0) -> Feed:
    return Feed("Amy", "run", {"language": "en"}, lambda: now)


def _caption(number: int) -> dict[str, Any]:
    return {"t": float(number), "kind": "sound", "name": str(number)}


def test_a_new_page_gets_everything_and_an_up_to_date_one_nothing() -> None:
    feed = _feed()
    feed.change({"phase": "night"}, [_caption(1)])
    snapshot = feed.since(None, None)
    assert snapshot == {
        "type": "snapshot",
        "n": 1,
        "run": "run",
        "viewer": "Amy",
        "language": "en",
        "phase": "night",
        "captions": [_caption(1)],
    }
    assert feed.since(1, "run") is None


def test_what_has_not_changed_is_not_sent() -> None:
    feed = _feed()
    feed.change({"phase": "night", "paused": None})
    feed.change({"phase": "night", "paused": "asked"})
    feed.change({"phase": "night", "paused": "asked"})
    assert feed.since(1, "run") == {"type": "update", "n": 2, "paused": "asked", "captions": []}


def test_a_page_of_another_run_or_from_the_future_gets_everything_anew() -> None:
    feed = _feed()
    feed.change({"phase": "night"})
    messages = (feed.since(1, "another run"), feed.since(7, "run"))
    assert [message and message["type"] for message in messages] == ["snapshot", "snapshot"]


def test_a_page_that_was_away_too_long_gets_everything_anew() -> None:
    feed = _feed()
    for number in range(KEPT_CAPTIONS + 10):
        feed.change({}, [_caption(number)])
    late, too_late = feed.since(10, "run"), feed.since(9, "run")
    assert late is not None
    assert too_late is not None
    assert (late["type"], len(late["captions"]), too_late["type"]) == ("update", KEPT_CAPTIONS, "snapshot")


def test_whatever_was_missed_the_page_is_right_again() -> None:
    chance = Random(3)
    feed = _feed()
    truth: dict[str, Any] = {}
    captions: list[Any] = []
    page: dict[str, Any] = {"n": None, "run": None, "captions": []}
    for number in range(400):
        new = {name: chance.randrange(3) for name in "abc" if chance.random() < 0.4}
        said = [_caption(number)] * chance.randrange(3)
        feed.change(new, said)
        truth |= new
        captions += said
        if chance.random() < 0.2:
            message = feed.since(page["n"], page["run"])
            if message is not None and message["type"] == "snapshot":
                page = message
            elif message is not None:
                page = {**page, **message, "captions": [*page["captions"], *message["captions"]]}
            assert {name: page[name] for name in truth} == truth
            assert page["captions"] == captions[-len(page["captions"]) :]


def test_timers_tell_what_they_have_left_when_they_are_sent() -> None:
    feed = _feed(now=10.0)
    running = {"name": "night", "seconds": 120.0, "ends": 100.25, "stands_at": None}
    standing = {"name": "clue", "seconds": 5.0, "ends": 9.0, "stands_at": 6.0}
    feed.change({"timers": [running, standing]})
    message = feed.beat()
    assert message["timers"] == [
        {"name": "night", "seconds": 120.0, "left": 90.25, "running": True},
        {"name": "clue", "seconds": 5.0, "left": 3.0, "running": False},
    ]
