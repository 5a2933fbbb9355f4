"""The tables of the rules: role cards, points of a night, who wins."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from voice_host.games.when_i_dream.roles import ROLE_TABLE, Role, deal
from voice_host.games.when_i_dream.scores import night_points, sandman_points, winners

# The table of the rules, written out once more: a slip in either copy shows.
SETS = {4: "FBSS", 5: "FFBSS", 6: "FFFBBS", 7: "FFFBBSS", 8: "FFFFBBBS", 9: "FFFFBBBSS", 10: "FFFFFBBBBS"}
LETTERS = {"F": Role.FAIRY, "B": Role.BOOGEYMAN, "S": Role.SANDMAN}

SANDMAN = [
    # blue 0  1  2  3  4  5
    (2, 1, 0, 0, 0, 0),  # yellow 0
    (1, 3, 2, 1, 1, 1),
    (0, 2, 4, 3, 2, 2),
    (0, 1, 3, 5, 4, 3),
    (0, 1, 2, 4, 6, 5),
    (0, 1, 2, 3, 5, 7),
]


@pytest.mark.parametrize("players", SETS)
def test_the_set_of_role_cards_follows_from_the_number_of_players(players: int) -> None:
    assert Counter(ROLE_TABLE[players]) == Counter(LETTERS[letter] for letter in SETS[players])


@pytest.mark.parametrize("players", SETS)
def test_one_role_card_stays_face_down(players: int) -> None:
    givers = [f"giver {number}" for number in range(1, players)]
    hidden: set[Role] = set()
    for seed in range(300):
        dealt = deal(players, givers, {}, Random(seed))
        left = Counter(ROLE_TABLE[players]) - Counter(dealt.values())
        assert list(dealt) == givers
        assert left.total() == 1
        hidden.update(left)
    assert hidden == set(Role)


def test_rigged_roles_are_dealt_as_far_as_the_set_allows() -> None:
    dealt = deal(4, ["Bob", "Cy", "Di"], {"Bob": "fairy", "Cy": "fairy", "Zoe": "boogeyman"}, Random(1))
    assert dealt["Bob"] is Role.FAIRY
    assert dealt["Cy"] is not Role.FAIRY


@pytest.mark.parametrize("yellow", range(6))
@pytest.mark.parametrize("blue", range(6))
def test_a_sandman_gains_by_balance(yellow: int, blue: int) -> None:
    assert sandman_points(yellow, blue) == SANDMAN[yellow][blue]


def test_the_worked_example_of_the_rules() -> None:
    roles = {"Bob": Role.FAIRY, "Cy": Role.BOOGEYMAN, "Di": Role.SANDMAN}
    assert night_points("Ann", roles, 3, 2, 2) == {"Ann": 5, "Bob": 3, "Cy": 2, "Di": 3}


@pytest.mark.parametrize(
    ("points", "penalties", "expected"),
    [
        ({"Ann": 3, "Bob": 2}, {"Ann": 1, "Bob": 0}, ("Ann",)),
        ({"Ann": 3, "Bob": 3}, {"Ann": 1, "Bob": 0}, ("Bob",)),
        ({"Ann": 3, "Bob": 3, "Cy": 3}, {"Ann": 1, "Bob": 0, "Cy": 0}, ("Bob", "Cy")),
        ({"Ann": -1, "Bob": -2}, {"Ann": 1, "Bob": 2}, ("Ann",)),
    ],
)
def test_most_points_win_then_fewest_penalty_cards_then_the_win_is_shared(
    points: dict[str, int], penalties: dict[str, int], expected: tuple[str, ...]
) -> None:
    assert winners(points, penalties) == expected
