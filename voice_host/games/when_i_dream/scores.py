"""What a night is worth to whom, and who has won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from voice_host.games.game import Seat
from voice_host.games.when_i_dream.roles import Role


def role_points(role: Role, yellow: int, blue: int) -> int:
    """Return a giver's points for a night with that many right (yellow) and not right (blue) cards."""
    match role:
        case Role.FAIRY:
            return yellow
        case Role.BOOGEYMAN:
            return blue
        case Role.SANDMAN:
            return sandman_points(yellow, blue)
        case _:
            assert_never(role)


def sandman_points(yellow: int, blue: int) -> int:
    """Return what balance is worth: most when equal, the larger side when nearly so, else the smaller."""
    if yellow == blue:
        return yellow + 2
    return max(yellow, blue) if abs(yellow - blue) == 1 else min(yellow, blue)


def night_points(dreamer: Seat, roles: Mapping[Seat, Role], yellow: int, blue: int, bonus: int) -> Mapping[Seat, int]:
    """Return everybody's points for one night; ``bonus`` is what the told dream earned."""
    points = {seat: role_points(role, yellow, blue) for seat, role in roles.items()}
    return {dreamer: yellow + bonus, **points}


def winners(points: Mapping[Seat, int], penalties: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Return who has most points (penalties already taken off), of these who has fewest penalty cards; ties share."""
    best = min((-points[seat], penalties[seat]) for seat in points)
    return tuple(seat for seat in points if (-points[seat], penalties[seat]) == best)
