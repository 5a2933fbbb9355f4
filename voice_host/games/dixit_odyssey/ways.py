"""The four ways to play, as numbers: who may play, how many cards are held and given, how many votes each has.

Classic is two of them: which one a turn is played by follows from how many are present in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Mode = Literal["classic", "party", "teams"]

FEWEST_LARGE: Final = 7
"""From so many players on classic is played with one or two votes."""
SMALLEST: Final = 3
"""So few players give two cards each."""
PLAYERS: Final[Mapping[str, tuple[int, ...]]] = {
    "classic": tuple(range(3, 13)),
    "party": tuple(range(6, 13)),
    "teams": (6, 8, 10, 12),
}
"""Mode to the numbers of players it is for."""
MOST_CARDS: Final = max(PLAYERS["classic"])
"""No more cards than these ever lie on the table."""


@dataclass(frozen=True, slots=True)
class Way:
    """The numbers of one turn."""

    hand: int
    """How many cards everybody holds when the turn begins."""
    given_by_others: int
    """How many cards each of the others gives; the storyteller gives one."""
    most_votes: int
    storyteller_votes: bool
    red_vote: bool
    hands_pass: bool
    own_votes: bool
    """True: a vote for the own card is allowed."""


_PARTY: Final = Way(5, 1, 1, storyteller_votes=True, red_vote=True, hands_pass=True, own_votes=True)
_TEAMS: Final = Way(4, 1, 1, storyteller_votes=False, red_vote=False, hands_pass=False, own_votes=False)
_CLASSIC: Final = Way(6, 1, 1, storyteller_votes=False, red_vote=False, hands_pass=False, own_votes=False)
_THREE: Final = Way(7, 2, 1, storyteller_votes=False, red_vote=False, hands_pass=False, own_votes=False)
_LARGE: Final = Way(6, 1, 2, storyteller_votes=False, red_vote=False, hands_pass=False, own_votes=False)


def way(mode: Mode, players: int) -> Way:
    """Return the numbers for a turn with so many present."""
    if mode == "party":
        return _PARTY
    if mode == "teams":
        return _TEAMS
    if players >= FEWEST_LARGE:
        return _LARGE
    return _THREE if players == SMALLEST else _CLASSIC
