"""Secret votes by voice: each voter has code words of its own for the numbers, in every turn others.

A code word is said aloud, and only the host knows which number it stands for. No two voters share a word, so a word tells who
has voted; it tells nothing about the number, because the words of a turn are shuffled by chance that knows no vote.
"""

from __future__ import annotations

from collections.abc import Mapping

from voice_host.games.dixit_odyssey.state import State, Voting, team_of
from voice_host.games.game import Seat

Codes = Mapping[int, str]
"""Number of a card to the word that stands for it."""


def codes_of(state: State, phase: Voting, seat: Seat) -> Codes:
    """Return a seat's code words of this turn; there is none for a card that it may not vote for."""
    words = sorted(state.options.code_words)
    state.chance(f"codes {state.turn.number}").shuffle(words)
    count = len(phase.laid)
    first = state.options.players.index(seat) * count
    barred = () if state.way.own_votes else team_of(state, seat)
    return {
        number: word
        for number, word in enumerate(words[first : first + count], start=1)
        if phase.laid[number - 1].owner not in barred
    }


def all_codes(state: State, phase: Voting, seats: tuple[Seat, ...]) -> Mapping[str, tuple[Seat, int]]:
    """Return the code words of several seats, each with whose it is and the number it stands for."""
    return {word: (seat, number) for seat in seats for number, word in codes_of(state, phase, seat).items()}
