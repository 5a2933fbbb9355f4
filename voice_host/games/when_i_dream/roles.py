"""Who wants what of the dreamer: the role cards for each number of players, dealing them and claiming them aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Final

from voice_host.games.game import Seat

FEWEST_PLAYERS: Final = 4
MOST_PLAYERS: Final = 10


class Role(StrEnum):
    """What a clue giver is in one round."""

    FAIRY = "fairy"
    BOOGEYMAN = "boogeyman"
    SANDMAN = "sandman"


ROLE_TABLE: Final[Mapping[int, Mapping[Role, int]]] = {
    players: {Role.FAIRY: fairies, Role.BOOGEYMAN: boogeymen, Role.SANDMAN: sandmen}
    for players, fairies, boogeymen, sandmen in (
        (4, 1, 1, 2),
        (5, 2, 1, 2),
        (6, 3, 2, 1),
        (7, 3, 2, 2),
        (8, 4, 3, 1),
        (9, 4, 3, 2),
        (10, 5, 4, 1),
    )
}
"""Players to the cards of the set: one more than there are givers, so that one stays face down."""


def deal(players: int, givers: Sequence[Seat], rigged: Mapping[Seat, str], rng: Random) -> Mapping[Seat, Role]:
    """Deal a role to each giver; rigged ones first, as far as the givers and the cards of the set allow."""
    left = Counter(ROLE_TABLE[players])
    dealt: dict[Seat, Role] = {}
    for seat, name in rigged.items():
        role = Role(name)
        if seat in givers and left[role]:
            dealt[seat] = role
            left[role] -= 1
    cards = sorted(left.elements())
    rng.shuffle(cards)
    for seat in givers:
        if seat not in dealt:
            dealt[seat] = cards.pop()
    return {seat: dealt[seat] for seat in givers}


def role_is_taken(players: int, claims: Mapping[Seat, Role], seat: Seat, role: Role) -> bool:
    """Tell whether the others have already claimed every card of that role."""
    others = sum(1 for other, claimed in claims.items() if claimed is role and other != seat)
    return others >= ROLE_TABLE[players][role]
