"""With the real box: the host sees no picture, and asks for what it must know."""

from __future__ import annotations

from typing import Any

from tests.games.odyssey.table import Table


def boxed(count: int = 4, **settings: Any) -> Table:
    table = Table(count, cards="box", **settings).told()
    table.hears("all_down")
    assert table.phase == "voting"
    return table


def test_everybody_ready_lays_the_cards_out() -> None:
    table = Table(4, cards="box").told()
    table.hears("put_down", "Bob")
    assert table.sees()["waiting"] == ["Ann", "Cy", "Di"]
    table.hears("all_down")
    assert ("lay_cards", {"count": 4}) in table.said
    assert ("ask_vote", {"player": "Bob"}) in table.said


def test_the_host_asks_for_the_storytellers_card_and_for_those_with_votes_alone() -> None:
    table = boxed().votes(Bob=3, Cy=3, Di=2).shown()
    assert table.asks("ask_story_card", player="Ann")
    table.hears("claim_card", card="3")
    assert table.asks("ask_owner", number=2)
    table.hears("claim_card", player="Bob")
    assert table.scores == {"Ann": 3, "Bob": 4, "Cy": 3, "Di": 0}
    assert table.prompts.count("draw_one") == 1


def test_an_own_vote_found_out_at_the_reveal_does_not_count() -> None:
    table = boxed().votes(Bob=2, Cy=3, Di=3).shown()
    table.hears("claim_card", "Ann", card="3")
    table.hears("claim_card", "Bob", card="2")
    assert ("own_vote_void", {"player": "Bob"}) in table.said
    assert table.scores == {"Ann": 0, "Bob": 2, "Cy": 2, "Di": 2}


def test_nobody_owns_more_cards_than_were_given_and_claims_can_begin_anew() -> None:
    table = boxed().votes(Bob=3, Cy=1, Di=2).shown()
    table.hears("claim_card", "Ann", card="3")
    table.hears("claim_card", "Cy", card="2")  # before it was asked for
    table.hears("claim_card", player="Cy", card="1")
    assert table.refused == "owns_another"
    table.hears("claim_card", card="1")
    assert table.refused == "whose_card"
    table.hears("take_back")
    assert table.asks("ask_story_card", player="Ann")
    table.hears("take_back")
    assert table.refused == "nothing_claimed"


def test_three_players_own_two_numbers() -> None:
    table = boxed(3).votes(Bob=1, Cy=2).shown()
    table.hears("claim_card", "Ann", card="5")
    table.hears("claim_card", player="Cy")
    table.hears("claim_card", player="Bob")
    assert table.scores == {"Ann": 0, "Bob": 3, "Cy": 3}
    assert ("draw_three", {"player": "Ann"}) in table.said


def test_in_party_only_cards_with_two_votes_are_asked_for() -> None:
    table = boxed(6, mode="party").votes(Bob=1, Cy=1, Di=2, Eve=3, Flo=4, Ann=4)
    table.hears("red_vote", "Ann", card="4")
    table.shown()
    assert table.asks("ask_owner", number=1)
    table.hears("claim_card", player="Di")
    assert table.asks("ask_owner", number=4)
    table.hears("claim_card", player="Ann")
    # The red vote lies on the storyteller's own card, where it may not: it does not count.
    assert ("own_red_void", {"player": "Ann"}) in table.said
    assert table.scores == {"Ann": 2, "Bob": 0, "Cy": 0, "Di": 2, "Eve": 0, "Flo": 0}
    assert table.prompts[-2:] == ("pass_hands", "next_storyteller")


def test_party_points_for_voters_need_no_owners() -> None:
    table = boxed(6, mode="party", party_scores="voters").votes(Bob=1, Cy=1, Di=2, Eve=3, Flo=4, Ann=5)
    table.hears("red_vote", "Ann", card="2")
    table.shown()
    assert table.scores == {"Ann": 0, "Bob": 2, "Cy": 2, "Di": 0, "Eve": 0, "Flo": 0}


def test_in_teams_either_partner_votes_when_nobody_said_who_gave() -> None:
    table = boxed(6, mode="teams")
    assert len(table.sees()["cards"]) == 4
    assert list(table.missing_voters) == ["Bob", "Cy", "Eve", "Flo"]
    table.votes(Eve=2)
    assert list(table.missing_voters) == ["Cy", "Flo"]
    table.hears("vote", "Bob", card="1")
    assert table.refused == "team_has_voted"
    table.votes(Cy=1).shown()
    table.hears("claim_card", "Ann", card="2")
    table.hears("claim_card", player="Di")
    # Di is the storyteller's partner: the vote on that card is a point for the team.
    assert table.scores == {"Ann": 4, "Di": 4, "Bob": 3, "Eve": 3, "Cy": 0, "Flo": 0}


def test_words_are_said_again_and_corrected() -> None:
    table = Table(4, cards="box").told(words="a long day home")
    table.hears("correct_words", "Ann", text="a long way home")
    assert table.said == (("words_heard", {"player": "Ann", "words": "a long way home"}),)
    table.hears("all_down")
    table.hears("repeat")
    assert table.said == (("words_heard", {"player": "Ann", "words": "a long way home"}),)


def test_a_sound_needs_no_words() -> None:
    table = Table(4, cards="box")
    table.hears("have_idea", player="Cy")
    table.hears("sound")
    assert table.said[0] == ("sound_heard", {"player": "Cy"})
    table.hears("repeat")
    assert table.said == (("sound_heard", {"player": "Cy"}),)


def test_whoever_else_talks_while_the_storyteller_thinks_breaks_no_rule() -> None:
    table = Table(4, cards="box")
    table.hears("have_idea", "Ann")
    before = table.state
    assert table.hears("tell", "Bob", text="hurry up") == ()
    assert table.state is before


def test_a_pause_stands_still_and_what_ended_in_it_counts_after_it() -> None:
    table = boxed().votes(Bob=3, Cy=3, Di=2)
    table.pause()
    assert table.timer("reveal") == ()
    table.hears("vote", "Bob", card="1")
    assert table.refused == "paused"
    table.resume()
    assert table.phase == "owners"
