"""An evening that cannot be played is refused with one sentence before it begins."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.helpers import NAMES, ExactMeasures, deck, options, words
from voice_host.games.when_i_dream import DreamCard


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"players": NAMES[:3]}, "4 to 10 players; 3 were named"),
        ({"players": NAMES[:11]}, "4 to 10 players; 11 were named"),
        ({"players": ("Ann", "Bob", "ann", "Di")}, "Two players are named ann"),
        ({"players": ("Ann", "Bob", " ", "Di")}, "no name"),
        ({"cards": ()}, "at least one card"),
        ({"cards": (DreamCard(words("a", "b", "c")),)}, "four words"),
        ({"rounds": 0}, "at least one round"),
        ({"clue_seconds": 0.1}, "clue_seconds must be between .* or 0 for no limit"),
        ({"last_guess_seconds": 0}, "last_guess_seconds must be between"),
        ({"night_seconds": 1e-9}, "night_seconds must be between"),
        ({"bonus": -1}, "bonus must be between"),
        ({"countdown_seconds": (60, -5)}, "countdown_seconds must all be"),
        ({"players": ("Ann", "Bob", "Cy", "Table")}, "Nobody can be called Table"),
        ({"players": ("room", "Bob", "Cy", "Di")}, "Nobody can be called room"),
        ({"night_seconds": -1}, "night_seconds must be between"),
        ({"rigged_roles": ({"Zoe": "fairy"},)}, "Zoe is given a role in round 1"),
        ({"rigged_roles": ({"Ann": "fairy"},)}, "Ann dreams in round 1"),
        ({"rigged_roles": ({}, {"Bob": "fairy"})}, "Bob dreams in round 2"),
        ({"rigged_roles": ({"Bob": "wizard"},)}, "wizard is not a role"),
        ({"rigged_roles": ({"Bob": "fairy", "Cy": "fairy"},)}, "more fairy roles than the set for 4 players"),
    ],
)
def test_an_impossible_evening_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        options(**settings)


def test_all_words_that_may_be_hidden_are_listed_without_their_order() -> None:
    listed = options(cards=deck(2), upcoming=words("zebra", "apple"), measures=ExactMeasures()).words
    assert listed == ("apple", "q1a", "q1b", "q1c", "q1d", "q2a", "q2b", "q2c", "q2d", "zebra")
