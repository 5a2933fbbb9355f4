"""What a turn is worth to whom, from the votes alone. A side is a player, or in teams a team by its first seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from voice_host.games.dixit_odyssey.state import Votes
from voice_host.games.game import Seat

FOR_ALL_OR_NONE: Final = 2
FOR_FINDING: Final = 3
MOST_FROM_VOTES: Final = 3
FOR_A_SINGLE_VOTE: Final = 1
LEAST_PARTY_VOTES: Final = 2
MOST_PARTY_POINTS: Final = 5

Sides = Mapping[Seat, Seat]
"""Seat to its side."""


def classic_points(
    sides: Sides, storyteller: Seat, owners: Mapping[int, Seat], votes: Votes, *, single_vote_bonus: bool
) -> Mapping[Seat, int]:
    """Return the points of each side for a turn of classic or teams; ``owners`` tells the side of each number that has a vote."""
    teller = sides[storyteller]
    story = next((number for number, owner in owners.items() if owner == storyteller), None)
    finders = {seat for seat, numbers in votes.items() if story in numbers}
    everybody = dict.fromkeys(sides.values(), 0)
    # Without any vote nobody found it, and nobody was there to find it: that is worth nothing.
    if not votes:
        return everybody
    if len(finders) in {0, len(votes)}:
        points = {side: 0 if side == teller else FOR_ALL_OR_NONE for side in everybody}
    else:
        found = {sides[seat] for seat in finders}
        points = {side: FOR_FINDING if side == teller or side in found else 0 for side in everybody}
    for side, count in _fooled(sides, storyteller, owners, votes).items():
        points[side] += min(count, MOST_FROM_VOTES)
    if single_vote_bonus:
        for seat in finders:
            points[sides[seat]] += FOR_A_SINGLE_VOTE * (len(votes[seat]) == 1)
    return points


def _fooled(sides: Sides, storyteller: Seat, owners: Mapping[int, Seat], votes: Votes) -> Counter[Seat]:
    """Count the votes on each side's cards, the storyteller's left out."""
    chosen = (owners.get(number) for numbers in votes.values() for number in numbers)
    return Counter(sides[owner] for owner in chosen if owner is not None and owner != storyteller)


def party_card_points(number: int, votes: Votes, red: int | None) -> int:
    """Return what a card is worth in party: one a vote, but nothing for a single vote or under the red one."""
    count = sum(number in numbers for numbers in votes.values())
    return 0 if number == red or count < LEAST_PARTY_VOTES else min(count, MOST_PARTY_POINTS)


def party_points(
    players: Iterable[Seat], owners: Mapping[int, Seat], votes: Votes, red: int | None, *, to_owner: bool
) -> Mapping[Seat, int]:
    """Return everybody's points for a turn of party: each card's go to who gave it, or to each who voted for it."""
    points = dict.fromkeys(players, 0)
    for number in {number for numbers in votes.values() for number in numbers}:
        worth = party_card_points(number, votes, red)
        gaining = [owners.get(number)] if to_owner else [seat for seat, chosen in votes.items() if number in chosen]
        for seat in gaining:
            if seat in points:
                points[seat] += worth
    return points


def winners(points: Mapping[Seat, int], among: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return who has most points; ties share."""
    best = max(points[seat] for seat in among)
    return tuple(seat for seat in among if points[seat] == best)
