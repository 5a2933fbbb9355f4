"""The states that pages have, each reached by an evening typed line by line."""

from __future__ import annotations

from collections.abc import Iterator

from tests.screens.evening_with_pages import EveningWithPages

NIGHT = (
    "Ben: tower",
    "Cleo: sailor",
    "Amy: I guess lighthouse",
    "Dan: neck",
    "Ben: tall",
    "Amy: is it elephant",
    "Cleo: sweet",
    "Cleo: foul on Ben",
)
"""After it: lighthouse is yellow, giraffe blue, honey lies before Ben, and volcano shows."""


def night_and_day(evening: EveningWithPages) -> Iterator[str]:
    """Play a night and its day; yields the name of each state when the pages have been shown it."""
    evening.settle()
    if evening.view()["phase"] == "falling":
        yield "falling"
        evening.night_falls()
    yield "night begins"
    for line in NIGHT:
        evening.types(line)
    yield "night"
    evening.types("?: volcano")
    yield "flag"
    evening.types("?: pause")
    yield "paused"
    evening.types("?: resume")
    evening.timer_ends("night")
    yield "last guess"
    evening.timer_ends("last_guess")
    yield "story"
    evening.types("Amy: I saw a lighthouse by the sea")
    yield "told"
    evening.types("Amy: I wake up")
    yield "review"
    evening.types("Ben: appeal card two")
    yield "appeal"
    evening.timer_ends("appeal")
    evening.types("?: no objections")
    yield evening.view()["phase"]
    if evening.view()["phase"] == "role_reveal":
        evening.types("Ben: I was a fairy")
        yield "roles"
    evening.ends("?: stop the game")
    yield "finished"


def lobby(evening: EveningWithPages) -> Iterator[str]:
    """Take seats; yields the name of each state of the lobby, the last with the seats' links."""
    evening.settle()
    yield "counting"
    evening.types("?: we are four")
    yield "naming"
    for name in ("Amy", "Ben", "Cleo", "Dan"):
        evening.types(f"?: {name}")
    yield "asking oldest"
    evening.types("?: Amy")
    yield "starting"
    evening.types("?: yes")
    yield "game"
