"""Seats round a table: who sits where, and what nobody may be called; the same in every game."""

from __future__ import annotations

from typing import Any

from voice_host.games.game import NO_NAMES, Refuse, Seat, SlotValue, Step


def clockwise(seats: tuple[Seat, ...], after: Seat) -> tuple[Seat, ...]:
    """Return all seats clockwise, from the left-hand neighbour of one round to that one."""
    place = seats.index(after) + 1
    return seats[place:] + seats[:place]


def seat_named(seats: tuple[Seat, ...], name: str) -> Seat | None:
    """Find a seat by its name, upper and lower case alike."""
    return next((seat for seat in seats if seat.casefold() == name.strip().casefold()), None)


def check_names(players: tuple[Seat, ...]) -> None:
    """Raise `ValueError` with one sentence when a player has no name, another one's, or one that means all who listen."""
    seen: set[str] = set()
    for player in players:
        if not player.strip():
            raise ValueError("A player has no name.")
        if player.casefold() in seen:
            raise ValueError(f"Two players are named {player}; let one take another name.")
        if player.casefold() in NO_NAMES:
            raise ValueError(f"Nobody can be called {player}: the word means all who listen; take another name.")
        seen.add(player.casefold())


def refuse(state: Any, reason: str, **slots: SlotValue) -> Step:
    """Refuse without changing anything."""
    return Step(state, (Refuse(reason, slots),))
