"""The numbers of the four ways to play, as the rulebook's table has them, seen at a table that plays them."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.odyssey.table import SCENES, Table, options
from tests.games.odyssey.walks import leading_on
from voice_host.games import dixit_odyssey as game
from voice_host.games.dixit_odyssey import Options, State
from voice_host.games.dixit_odyssey.state import Finished, Voting
from voice_host.games.game import says

WAYS = [
    *(("classic", count, 7 if count == 3 else 6, 5 if count == 3 else count, count - 1) for count in range(3, 13)),
    *(("party", count, 5, count, count) for count in range(6, 13)),
    *(("teams", count, 4, count // 2 + 1, count // 2 - 1) for count in (6, 8, 10, 12)),
]
"""Mode, players, cards in a hand, cards on the table, voters."""


@pytest.mark.parametrize("cards", ["scenes", "box"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1]}")
def test_a_turn_has_the_numbers_of_the_table(way: tuple[str, int, int, int, int], cards: str) -> None:
    mode, count, hand, laid, voting = way
    table = Table(count, mode=mode, cards=cards)
    assert table.state.way.hand == hand
    assert {len(held) for held in table.state.hands.values()} == ({hand} if cards == "scenes" else set())
    table.told().given()
    assert len(table.sees()["cards"]) == laid
    assert len(table.missing_voters) == voting


@pytest.mark.parametrize(
    ("mode", "count"),
    [
        ("classic", 2),
        ("classic", 13),
        ("party", 5),
        ("party", 13),
        ("teams", 4),
        ("teams", 7),
        ("teams", 9),
        ("teams", 14),
    ],
)
def test_a_wrong_number_of_players_is_told_in_one_sentence(mode: str, count: int) -> None:
    names = tuple(f"P{number}" for number in range(count))
    with pytest.raises(ValueError, match=rf"in {mode} mode is for .* players; {count} were named\.$"):
        Options(players=names, scenes=SCENES, mode=mode)  # type: ignore[arg-type]  # as the command line brings it


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"mode": "solo"}, "There is no mode solo"),
        ({"players": ("Ann", "ann", "Cy")}, "Two players are named ann"),
        ({"players": ("Ann", "Room", "Cy")}, "Nobody can be called Room"),
        ({"scenes": SCENES[:80]}, "needs exactly 84 cards; this one has 80"),
        ({"scenes": (*SCENES[:83], SCENES[0])}, "same id"),
        ({"rounds": 0}, "1 to 20 times"),
        ({"winning_points": 0}, "winning_points must be between 1"),
        ({"reveal_seconds": -1.0}, "reveal_seconds must be between 0"),
        ({"reminder_seconds": 9999.0}, "reminder_seconds must be between 0"),
    ],
)
def test_what_cannot_be_played_is_told(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        options(3, **settings)


def test_opposite_seats_are_a_team() -> None:
    assert Table(8, mode="teams").sees()["teams"] == [["Ann", "Eve"], ["Bob", "Flo"], ["Cy", "Gus"], ["Di", "Hal"]]


def test_three_players_give_two_cards_each_but_the_storyteller_one() -> None:
    table = Table(3).told()
    table.hears("give", "Bob", card="1", second="7")
    assert table.sees()["given"] == ["Bob"]
    table.hears("give", "Cy", card="2")
    assert table.sees()["waiting"] == ["Ann", "Cy"]
    table.hears("give", "Cy", card="3")
    table.hears("give", "Ann", card="4", second="5")
    assert table.refused == "too_many_cards"
    table.hears("give", "Ann", card="4")
    owners = [card.owner for card in table.state.phase.laid] if isinstance(table.state.phase, Voting) else []
    assert sorted(map(str, owners)) == ["Ann", "Bob", "Bob", "Cy", "Cy"]


def test_after_a_turn_hands_are_full_again_and_other_cards_stay_in_their_places() -> None:
    table = Table(3).told()
    before = {seat: table.sees(seat)["hand"] for seat in ("Ann", "Bob", "Cy")}
    table.hears("give", "Bob", card="2", second="5")
    table.hears("give", "Cy", card="1", second="2")
    table.hears("give", "Ann", card="7")
    table.votes_for(Bob="Ann", Cy="Bob").shown()
    for seat, places in {"Ann": {7}, "Bob": {2, 5}, "Cy": {1, 2}}.items():
        after = table.sees(seat)["hand"]
        assert [card["number"] for card in after] == [1, 2, 3, 4, 5, 6, 7]
        assert {card["number"] for card in after if card not in before[seat]} == places
        private = {(say.prompt, say.slots["number"]) for say in says(table.effects, seat)}
        assert private == {("your_card", place) for place in places}


def test_party_hands_pass_to_the_left_after_the_refill() -> None:
    table = Table(6, mode="party").told().given()
    held = dict(table.state.hands)
    table.votes_for(Bob="Ann", Cy="Ann", Di="Ann", Eve="Ann", Flo="Ann", Ann="Bob")
    table.hears("red_vote", "Ann", card=str(table.number_of("Cy")))
    table.shown()
    seats = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")
    for seat, left in zip(seats, (*seats[1:], seats[0]), strict=True):
        kept = {scene for scene in held[seat] if scene is not None}
        assert kept < set(table.state.hands[left])
        assert len(table.state.hands[left]) == 5


def test_the_party_storyteller_speaks_before_looking_at_the_hand() -> None:
    table = Table(6, mode="party")
    assert [table.sees(seat)["hand"] for seat in table.state.players] == [[]] * 6
    table.hears("have_idea", "Cy")
    assert {seat: len(table.sees(seat)["hand"]) for seat in ("Ann", "Bob", "Cy")} == {"Ann": 5, "Bob": 5, "Cy": 0}
    table.hears("my_cards", "Cy")
    assert table.refused == "words_before_cards"
    table.hears("give", "Cy", card="1")
    assert table.refused == "words_first"
    table.hears("tell", "Cy", text="a door")
    assert len(table.sees("Cy")["hand"]) == 5


def test_the_classic_storyteller_may_choose_the_card_first() -> None:
    table = Table(4)
    table.hears("have_idea", "Ann")
    table.hears("give", "Ann", card="3")
    assert (table.refused, table.phase) == (None, "telling")
    table.hears("tell", "Ann", text="a door")
    assert table.sees()["waiting"] == ["Bob", "Cy", "Di"]


def test_an_exhausted_pile_is_the_shuffled_discards() -> None:
    table = Table(12, seed=3)
    rng = Random(1)
    state: State = table.state
    while state.pile.shuffles < 2 and not isinstance(state.phase, Finished):
        state = game.step(state, leading_on(state, rng)).state
    assert state.pile.shuffles == 2
    # Twelve cards are left after the deal, and each turn takes twelve: two turns for 24 discards.
    assert len(state.results) == 4


def test_classic_ends_after_the_turn_in_which_somebody_has_enough() -> None:
    table = Table(4, winning_points=5)
    table.told().given().votes_for(Bob="Ann", Cy="Ann", Di="Bob").shown()
    assert table.scores == {"Ann": 3, "Bob": 4, "Cy": 3, "Di": 0}
    assert (table.phase, table.sees()["storyteller"]) == ("idea", "Bob")
    table.told("Bob").given().votes_for(Ann="Bob", Cy="Bob", Di="Cy").shown()
    assert table.scores == {"Ann": 6, "Bob": 7, "Cy": 7, "Di": 0}
    assert (table.phase, table.sees()["winners"]) == ("finished", ["Bob", "Cy"])


@pytest.mark.parametrize(
    ("mode", "rounds", "turns"), [("party", None, 6), ("party", 2, 12), ("teams", None, 6), ("classic", 1, 6)]
)
def test_an_evening_of_laps_ends_when_everybody_told_so_often(mode: str, rounds: int | None, turns: int) -> None:
    state: State = game.start(options(6, mode=mode, rounds=rounds, winning_points=1000), Random(2)).state
    rng = Random(5)
    while not isinstance(state.phase, Finished):
        state = game.step(state, leading_on(state, rng)).state
    assert len(state.results) == turns
