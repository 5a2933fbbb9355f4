"""What the rules forbid is refused and changes nothing; who leaves is not waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.games.odyssey.table import Table
from voice_host.games.dixit_odyssey.state import Voting
from voice_host.games.game import Refuse


def voting(count: int = 4, **settings: Any) -> Table:
    return Table(count, **settings).told().given()


def voted(count: int = 4, **settings: Any) -> Table:
    table = voting(count, **settings)
    return table.votes_for(Bob="Ann")


REFUSED: dict[str, tuple[Callable[[], Table], str, str | None, dict[str, str]]] = {
    "who_has_idea": (Table, "have_idea", None, {}),
    "no_such_player": (Table, "have_idea", None, {"player": "Zoe"}),
    "words_first": (Table, "give", "Ann", {"card": "1"}),
    "cards_first": (lambda: Table().told(), "vote", "Bob", {"card": "1"}),
    "not_yours": (lambda: Table().told(), "correct_words", "Bob", {"text": "another"}),
    "words_are_said": (lambda: Table().told(), "tell", "Ann", {"text": "another"}),
    "not_in_hand": (lambda: Table().told(), "give", "Bob", {"card": "7"}),
    "which_card": (lambda: Table().told(), "give", "Bob", {}),
    "too_many_cards": (lambda: Table().told(), "give", "Bob", {"card": "1", "second": "2"}),
    "who_gives": (lambda: Table().told(), "give", None, {"card": "1"}),
    "cards_missing": (lambda: Table().told(), "all_down", None, {}),
    "cards_unseen": (lambda: Table(cards="box").told(), "give", "Bob", {"card": "1"}),
    "storyteller_votes_not": (voting, "vote", "Ann", {"card": "1"}),
    "has_voted": (voted, "vote", "Bob", {"card": "1"}),
    "votes_equal": (lambda: voting(7), "vote", "Bob", {"card": "2", "second": "2"}),
    "one_vote_only": (voting, "vote", "Bob", {"card": "1", "second": "2"}),
    "no_such_card": (voting, "vote", "Bob", {"card": "5"}),
    "votes_missing": (voted, "show_votes", None, {}),
    "no_red_vote": (voting, "red_vote", "Ann", {"card": "1"}),
    "nothing_voted": (voting, "take_back", "Bob", {}),
    "no_votes_now": (Table, "show_votes", None, {}),
    "no_owners_now": (voting, "claim_card", "Bob", {"card": "1"}),
    "no_joining": (Table, "join", None, {"player": "Zoe"}),
}


@pytest.mark.parametrize("reason", sorted(REFUSED))
def test_it_is_refused_in_a_sentence_and_nothing_changes(reason: str) -> None:
    make, name, speaker, slots = REFUSED[reason]
    table = make()
    before = table.state
    effects = table.hears(name, speaker, **slots)
    assert [effect.reason for effect in effects if isinstance(effect, Refuse)] == [reason]
    assert len(effects) == 1
    assert table.state is before


def test_the_own_card_is_refused_and_who_tapped_hears_it_alone() -> None:
    table = voting()
    before = table.state
    own = str(table.number_of("Bob"))
    assert table.hears("vote", "Bob", card=own) == (Refuse("own_card", {"player": "Bob", "number": int(own)}),)
    assert table.taps("vote", "Bob", card=own) == (Refuse("own_card", {"player": "Bob", "number": int(own)}, "Bob"),)
    assert table.state is before


def test_a_team_votes_neither_twice_nor_for_its_own_card_nor_by_who_gave() -> None:
    table = Table(6, mode="teams").told()  # Ann and Di, Bob and Eve, Cy and Flo
    for seat in ("Ann", "Di", "Bob"):
        table.hears("give", seat, card="1")
    table.hears("give", "Eve", card="1")
    assert table.refused == "team_has_given"
    table.hears("give", "Cy", card="1")
    for seat, reason in {"Ann": "storyteller_votes_not", "Di": "partner_votes_not", "Bob": "giver_votes_not"}.items():
        table.hears("vote", seat, card=str(table.number_of("Cy")))
        assert table.refused == reason
    table.hears("vote", "Eve", card=str(table.number_of("Bob")))
    assert table.refused == "own_card"


def test_the_party_storyteller_sets_the_red_vote_on_anothers_card() -> None:
    table = Table(6, mode="party").told().given()
    table.hears("red_vote", "Bob", card="1")
    assert table.refused == "not_yours"
    table.hears("red_vote", "Ann", card=str(table.number_of("Ann")))
    assert table.refused == "own_card"
    table.votes_for(Ann="Ann", Bob="Bob", Cy="Cy", Di="Di", Eve="Eve", Flo="Flo")  # own cards are allowed
    table.hears("show_votes")
    assert table.refused == "red_vote_missing"


def test_a_vote_can_be_changed_and_taken_back_until_votes_are_shown() -> None:
    table = voting().votes_for(Bob="Ann", Cy="Ann", Di="Ann")
    assert table.started == {"reveal": 4.0}
    table.hears("change_vote", "Bob", card=str(table.number_of("Cy")))
    assert table.started == {"reveal": 4.0}
    table.hears("take_back", "Di")
    assert table.missing_voters == ("Di",)
    table.timer("reveal")  # its end was on the way already
    assert table.phase == "voting"
    table.hears("vote", card=str(table.number_of("Bob")))  # nobody knows who spoke: Di was asked
    assert table.refused is None
    table.shown()
    assert table.scores == {"Ann": 3, "Bob": 1, "Cy": 3 + 1, "Di": 0}


def test_a_card_can_be_taken_back_until_all_are_in() -> None:
    table = Table(4).told()
    hand = table.sees("Bob")["hand"]
    table.hears("give", "Bob", card="2")
    table.hears("take_back", "Bob")
    assert table.sees("Bob")["hand"] == hand
    assert table.sees()["waiting"] == ["Ann", "Bob", "Cy", "Di"]


def test_a_tapped_vote_is_not_said() -> None:
    table = voting()
    table.taps("vote", "Bob", card=str(table.number_of("Ann")))
    assert table.prompts == ("vote_noted",)
    assert table.sees("Bob")["vote"] == [table.number_of("Ann")]
    assert table.sees("Cy")["vote"] is None


def test_after_a_long_wait_the_host_says_twice_who_is_missing() -> None:
    table = Table(4).told()
    assert table.started == {"reminder": 60.0}
    table.hears("give", "Bob", card="1")
    table.timer("reminder")
    assert table.said == (("cards_missing", {"players": ("Ann", "Cy", "Di")}),)
    table.timer("reminder")
    assert (table.prompts, table.started) == (("cards_missing",), {})
    table.timer("reminder")
    assert table.effects == ()


# ---------------------------------------------------------------------------------------------------------------- leaving


def test_who_leaves_during_the_vote_is_not_waited_for_and_the_card_stays() -> None:
    table = voting(5).votes_for(Bob="Ann", Cy="Di", Eve="Di")
    table.hears("leave", "Di")
    assert isinstance(table.state.phase, Voting)
    assert len(table.sees()["cards"]) == 5
    table.shown()
    assert table.scores == {"Ann": 3, "Bob": 3, "Cy": 0, "Di": 0, "Eve": 0}
    assert table.sees()["players"] == ["Ann", "Bob", "Cy", "Eve"]


def test_the_vote_of_who_leaves_does_not_count() -> None:
    table = voting(5).votes_for(Bob="Ann", Cy="Ann", Di="Bob")
    table.hears("leave", "Di")
    table.votes_for(Eve="Ann").shown()
    assert table.scores == {"Ann": 0, "Bob": 2, "Cy": 2, "Di": 0, "Eve": 2}


def test_a_storyteller_who_leaves_before_the_vote_takes_the_turn_along() -> None:
    table = Table(5).told()
    hand = table.sees("Bob")["hand"]
    table.hears("give", "Bob", card="1")
    table.hears("leave", "Ann")
    assert (table.phase, table.sees()["storyteller"]) == ("idea", "Bob")
    assert table.sees("Bob")["hand"] == hand
    assert table.state.results == ()


def test_a_storyteller_who_leaves_in_the_vote_leaves_the_card_to_be_found() -> None:
    table = voting(5).votes_for(Bob="Ann")
    table.hears("leave", "Ann")
    table.votes_for(Cy="Bob", Di="Bob", Eve="Ann").shown()
    assert table.scores == {"Ann": 0, "Bob": 5, "Cy": 0, "Di": 0, "Eve": 3}
    assert table.sees()["storyteller"] == "Bob"


def test_of_four_players_three_are_left_and_hold_seven_cards() -> None:
    table = Table(4)
    table.hears("leave", "Di")
    assert {len(hand) for hand in table.state.hands.values()} == {7}
    assert len(table.told().given().sees()["cards"]) == 5


@pytest.mark.parametrize(("mode", "count"), [("classic", 3), ("party", 6), ("teams", 6)])
def test_too_few_players_end_the_evening_with_the_scores_as_they_are(mode: str, count: int) -> None:
    table = Table(count, mode=mode)
    table.hears("leave", "Bob")
    assert (table.phase, "too_few_for_odyssey" in table.prompts) == ("finished", True)


def test_who_leaves_a_team_takes_the_partner_along() -> None:
    table = Table(8, mode="teams").told()
    table.hears("leave", "Bob")
    assert table.sees()["players"] == ["Ann", "Cy", "Di", "Eve", "Gus", "Hal"]
    assert len(table.given().sees()["cards"]) == 4
