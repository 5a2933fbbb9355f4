"""Longer limits of time than the rules', or none: said at the start, kept in the night."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.helpers import Table, words
from voice_host.games.game import StartTimer, says


@pytest.mark.parametrize(
    ("settings", "prompts"),
    [
        ({}, ()),
        ({"night_seconds": 300.0}, ("night_lasts",)),
        ({"clue_seconds": 15.0}, ("clue_lasts",)),
        ({"night_seconds": 0.0, "clue_seconds": 0.0}, ("night_unlimited", "clue_unlimited")),
    ],
)
def test_limits_are_said_where_they_are_not_the_rules(settings: dict[str, Any], prompts: tuple[str, ...]) -> None:
    said = Table(4, **settings).prompts
    assert said[0] == "evening_begins"
    assert said[1 : 1 + len(prompts)] == prompts
    assert "night_falls" in said[1 + len(prompts) :][:2]


def test_a_limit_is_said_as_a_whole_number_however_it_was_given() -> None:
    told = [
        said.slots["seconds"] for said in says(Table(4, night_seconds=90.0).effects) if said.prompt == "night_lasts"
    ]
    assert [(seconds, type(seconds)) for seconds in told] == [(90, int)]


def test_without_limits_nothing_ends_by_itself_and_the_dreamer_ends_the_night() -> None:
    table = Table(night_seconds=0.0, clue_seconds=0.0, upcoming=words("sea", "sun")).night()
    assert table.started == {}
    table.clue()
    assert table.started == {"hesitation": 3.0}
    table.guess("sun")
    assert table.word == "sun"
    table.hears("wake_up", "Bob")
    assert table.refused == "only_dreamer_wakes"
    table.hears("wake_up", "Ann")
    assert table.phase == "story"
    assert table.prompts == ("night_over",)


def test_with_a_limit_nobody_wakes_before_the_bell() -> None:
    table = Table().night()
    table.hears("wake_up", "Ann")
    assert table.refused == "night_not_over"
    assert not any(isinstance(effect, StartTimer) for effect in table.effects)
