"""What a turn is worth, by the sentences of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.odyssey.table import Table
from voice_host.games.dixit_odyssey.scores import winners


@pytest.mark.parametrize(
    ("votes", "points"),
    [
        ({"Bob": "Ann", "Cy": "Ann", "Di": "Ann"}, {"Ann": 0, "Bob": 2, "Cy": 2, "Di": 2}),
        ({"Bob": "Cy", "Cy": "Bob", "Di": "Bob"}, {"Ann": 0, "Bob": 4, "Cy": 3, "Di": 2}),
        ({"Bob": "Ann", "Cy": "Bob", "Di": "Bob"}, {"Ann": 3, "Bob": 5, "Cy": 0, "Di": 0}),
        ({"Bob": "Ann", "Cy": "Ann", "Di": "Cy"}, {"Ann": 3, "Bob": 3, "Cy": 4, "Di": 0}),
    ],
)
def test_classic(votes: dict[str, str], points: dict[str, int]) -> None:
    table = Table(4).told().given().votes_for(**votes).shown()
    assert table.scores == points


def test_no_card_gains_more_than_three_for_its_votes() -> None:
    table = Table(6).told().given().votes_for(Bob="Ann", Cy="Bob", Di="Bob", Eve="Bob", Flo="Bob").shown()
    assert table.scores == {"Ann": 3, "Bob": 6, "Cy": 0, "Di": 0, "Eve": 0, "Flo": 0}


def test_three_players_the_cap_is_for_the_player_not_for_the_card() -> None:
    table = Table(3).told()
    table.hears("give", "Bob", card="1", second="2")
    table.given().votes_for(Bob="Cy", Cy="Bob").shown()
    assert table.scores == {"Ann": 0, "Bob": 3, "Cy": 3}


def test_a_single_vote_that_found_it_is_worth_one_more_and_two_find_it_by_either() -> None:
    table = Table(7).told().given()
    ann, bob, cy = (table.number_of(seat) for seat in ("Ann", "Bob", "Cy"))
    table.votes(Bob=ann, Cy=(ann, bob), Di=(bob, cy), Eve=(bob, cy), Flo=bob, Gus=(cy, bob)).shown()
    # Bob's card has five votes, of which three count; Cy's has three.
    assert table.scores == {"Ann": 3, "Bob": 3 + 1 + 3, "Cy": 3 + 3, "Di": 0, "Eve": 0, "Flo": 0, "Gus": 0}


def test_the_single_vote_counts_when_everybody_found_it_too() -> None:
    table = Table(7).told().given()
    ann, bob = table.number_of("Ann"), table.number_of("Bob")
    table.votes(Bob=ann, Cy=(ann, bob), Di=ann, Eve=ann, Flo=ann, Gus=ann).shown()
    assert table.scores == {"Ann": 0, "Bob": 2 + 1 + 1, "Cy": 2, "Di": 3, "Eve": 3, "Flo": 3, "Gus": 3}


def test_with_one_vote_only_nothing_is_given_for_a_single_one() -> None:
    table = Table(7, two_votes=False).told().given()
    ann, bob = table.number_of("Ann"), table.number_of("Bob")
    table.hears("vote", "Bob", card=str(ann), second=str(bob))
    assert table.refused == "one_vote_only"
    table.votes(Bob=ann, Cy=bob, Di=bob, Eve=bob, Flo=bob, Gus=bob).shown()
    assert table.scores == {"Ann": 3, "Bob": 6, "Cy": 0, "Di": 0, "Eve": 0, "Flo": 0, "Gus": 0}


def party(**settings: Any) -> Table:
    """Play one turn of six: Bob's card gets three votes, Cy's two, Ann's one."""
    table = Table(6, mode="party", **settings).told().given()
    return table.votes_for(Bob="Cy", Cy="Bob", Di="Bob", Eve="Bob", Flo="Cy", Ann="Ann")


def test_party_points_go_to_the_owner_and_a_single_vote_is_worth_nothing() -> None:
    table = party()
    table.hears("red_vote", "Ann", card=str(table.number_of("Di")))
    assert table.shown().scores == {"Ann": 0, "Bob": 3, "Cy": 2, "Di": 0, "Eve": 0, "Flo": 0}


def test_party_points_under_the_red_vote_are_nothing() -> None:
    table = party()
    table.hears("red_vote", "Ann", card=str(table.number_of("Bob")))
    assert table.shown().scores == {"Ann": 0, "Bob": 0, "Cy": 2, "Di": 0, "Eve": 0, "Flo": 0}


def test_party_points_can_go_to_the_voters() -> None:
    table = party(party_scores="voters")
    table.hears("red_vote", "Ann", card=str(table.number_of("Di")))
    assert table.shown().scores == {"Ann": 0, "Bob": 2, "Cy": 3, "Di": 3, "Eve": 3, "Flo": 2}


def test_a_party_card_is_worth_five_at_most() -> None:
    table = Table(8, mode="party").told().given()
    table.votes_for(Bob="Bob", Cy="Bob", Di="Bob", Eve="Bob", Flo="Bob", Gus="Bob", Hal="Bob", Ann="Bob")
    table.hears("red_vote", "Ann", card=str(table.number_of("Cy")))
    assert table.shown().scores["Bob"] == 5


def test_teams_share_one_marker() -> None:
    table = Table(8, mode="teams").told()  # Ann and Eve tell; Bob and Flo, Cy and Gus, Di and Hal guess
    for seat in ("Ann", "Eve", "Bob", "Gus", "Hal"):
        table.hears("give", seat, card="1")
    assert table.missing_voters == ("Cy", "Di", "Flo")
    table.votes_for(Flo="Ann", Cy="Eve", Di="Bob").shown()
    # Eve's card is another's than the storyteller's: its vote is a point for her team.
    assert table.scores == {
        **dict.fromkeys(("Ann", "Eve"), 4),
        **dict.fromkeys(("Bob", "Flo"), 4),
        **dict.fromkeys(("Cy", "Gus", "Di", "Hal"), 0),
    }


def test_teams_all_or_none() -> None:
    table = Table(6, mode="teams").told().given()
    first, second = table.missing_voters
    table.votes_for(**{first: "Ann", second: "Ann"}).shown()
    assert table.scores == {"Ann": 0, "Di": 0, "Bob": 2, "Eve": 2, "Cy": 2, "Flo": 2}


def test_ties_share_the_win() -> None:
    assert winners({"Ann": 3, "Bob": 5, "Cy": 5}, ("Ann", "Bob", "Cy")) == ("Bob", "Cy")
