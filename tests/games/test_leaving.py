"""Players leave in the middle of everything; others come between rounds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.helpers import Table, words
from voice_host.games.game import StopTimer


def between(count: int = 5, **chosen: Any) -> Table:
    """Return a table after its first round."""
    return Table(count, **chosen).night().review()


def test_the_turn_of_who_leaves_goes_to_the_left() -> None:
    table = Table(5).night()
    table.hears("leave", None, player="Bob")
    assert (table.turn, table.prompts) == ("Cy", ("player_left", "turn"))
    table.clue("a", "Eve")
    assert table.turn == "Cy"


def test_somebody_elses_leaving_disturbs_no_turn() -> None:
    table = Table(5).night()
    table.hears("leave", "Di")
    assert (table.turn, table.prompts, table.started) == ("Bob", ("player_left",), {})


def test_who_leaves_has_no_points_for_the_round_and_keeps_penalties() -> None:
    table = Table(5).night()
    table.clue()
    table.hears("foul")
    table.hears("leave", "Bob")
    table.hears("withdraw")
    assert table.refused == "nothing_to_withdraw"
    table.review()
    assert "Bob" not in table.sees()["points"]
    assert table.sees()["penalties"]["Bob"] == 1


def test_before_the_night_begins_another_is_told_to_begin() -> None:
    table = Table(5)
    table.hears("leave", None, player="Bob")
    assert table.said[-1] == ("night_falls", {"dreamer": "Ann", "first": "Cy"})
    assert table.night().turn == "Cy"


@pytest.mark.parametrize("when", ["falling", "night", "last_guess", "story", "review"])
def test_the_round_of_a_dreamer_who_leaves_is_skipped(when: str) -> None:
    table = Table(5, upcoming=words("sea", "sun", "ice"))
    if when != "falling":
        table.night().guess("sea")
    if when == "last_guess":
        table.bell()
    if when == "story":
        table.dawn()
    if when == "review":
        table.review()
    assert table.phase == when
    table.hears("leave", "Ann")
    assert table.phase == "between"
    assert table.prompts[:2] == ("player_left", "round_skipped")
    assert table.sees()["scores"] == dict.fromkeys(("Ann", "Bob", "Cy", "Di", "Eve"), 0)
    assert table.night().sees()["dreamer"] == "Bob"


def test_a_night_that_is_skipped_stops_its_timers() -> None:
    table = Table(5).night()
    assert StopTimer("night") in table.hears("leave", "Ann")


def test_below_four_the_evening_ends_with_the_scores_as_they_are() -> None:
    table = Table(4).night()
    table.hears("leave", "Bob")
    assert table.phase == "finished"
    assert {"player_left", "too_few_left", "evening_over"} <= set(table.prompts)


def test_between_rounds_the_role_table_follows_who_is_there() -> None:
    table = between(5)
    table.hears("leave", "Eve")
    table.hears("ready")
    assert table.state.round.players == 4
    assert table.state.round.givers == ("Cy", "Di", "Ann")


def test_who_comes_back_in_time_dreams_and_who_is_away_does_not() -> None:
    table = between(6)
    table.hears("leave", "Bob")
    table.hears("leave", "Cy")
    assert table.said[-1] == ("ask_ready", {"dreamer": "Di"})
    table.hears("join", "Bob")
    assert table.said[-1] == ("ask_ready", {"dreamer": "Bob"})
    table.night().review()
    dreamers = []
    while table.phase == "between":
        dreamers.append(table.night().sees()["dreamer"])
        table.review()
        if len(dreamers) == 1:
            table.hears("join", "Cy")
    assert dreamers == ["Di", "Eve", "Flo"]


def test_who_is_new_sits_at_the_right_of_the_first_dreamer_and_dreams_last() -> None:
    table = between(4)
    table.hears("join", None, player="Zoe")
    assert table.sees()["players"] == ["Ann", "Bob", "Cy", "Di", "Zoe"]
    dreamers = []
    while table.phase == "between":
        dreamers.append(table.night().sees()["dreamer"])
        table.review()
    assert dreamers == ["Bob", "Cy", "Di", "Zoe"]


@pytest.mark.parametrize(
    ("count", "name", "reason"), [(4, "bob", "already_here"), (10, "Zoe", "table_full"), (4, " ", "no_such_player")]
)
def test_who_cannot_join(count: int, name: str, reason: str) -> None:
    table = between(count)
    before = table.state
    table.hears("join", None, player=name)
    assert table.refused == reason
    assert table.state is before


def test_joining_can_be_switched_off() -> None:
    table = between(4, joining=False)
    table.hears("join", "Zoe")
    assert table.refused == "join_between_rounds"


def test_nobody_leaves_twice() -> None:
    table = between(6)
    table.hears("leave", "Bob")
    table.hears("leave", "Bob")
    assert table.refused == "no_such_player"


def test_when_the_last_who_would_dream_leaves_the_evening_is_over() -> None:
    table = Table(5)
    for _ in range(4):
        table.night().review()
    assert table.said[-1] == ("ask_ready", {"dreamer": "Eve"})
    table.hears("leave", "Eve")
    assert table.phase == "finished"


def test_with_a_number_of_rounds_dreaming_goes_round_and_round() -> None:
    table = Table(4, rounds=6)
    dreamers = []
    while table.phase != "finished":
        dreamers.append(table.night().sees()["dreamer"])
        table.review()
    assert dreamers == ["Ann", "Bob", "Cy", "Di", "Ann", "Bob"]


def test_a_vote_is_decided_when_the_undecided_leave() -> None:
    table = Table(6, upcoming=words("sea", "sun")).night()
    table.guess("tea")
    table.review()
    table.hears("appeal", "Bob", card="1")
    table.hears("agree", "Cy")
    table.hears("agree", "Di")
    assert table.phase == "review"
    table.hears("leave", "Eve")
    assert table.prompts == ("player_left", "appeal_granted", "ask_objections")


def test_the_vote_of_who_leaves_is_taken_out() -> None:
    table = Table(6, upcoming=words("sea", "sun")).night()
    table.guess("tea")
    table.review()
    table.hears("appeal", "Bob", card="1")
    table.hears("agree", "Cy")
    table.hears("leave", "Cy")
    assert table.sees()["appeal"]["votes"] == {"Bob": True}


def test_who_leaves_need_not_say_a_role() -> None:
    table = Table(5, deal="table")
    table.hears("ready")
    table.night().review()
    for player, role in (("Bob", "fairy"), ("Cy", "fairy"), ("Di", "sandman")):
        table.hears("claim_role", player, role=role)
    assert table.phase == "role_reveal"
    table.hears("leave", "Eve")
    assert table.phase == "between"
