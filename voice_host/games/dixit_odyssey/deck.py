"""The scenes, the pile they are drawn from, and the hands they are held in; a card that is given leaves its place empty until the refill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

CARDS: Final = 84
"""How many cards the box holds; our own deck has as many scenes."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One card of our own deck."""

    id: str
    """Names the picture, too."""
    sentence: str
    """What is read aloud, and the description of the picture."""


Hand = tuple[Scene | None, ...]
"""Cards by their place, so that "my third card" stays the third; None: given, and not yet refilled."""

Chance = Callable[[str], Random]
"""Chance for a purpose: the same purpose always brings the same."""


@dataclass(frozen=True, slots=True)
class Pile:
    """What is drawn from, top first, and what was used."""

    cards: tuple[Scene, ...]
    discards: tuple[Scene, ...] = ()
    shuffles: int = 0
    """How often the discards became the pile."""

    def discard(self, cards: Sequence[Scene]) -> Pile:
        """Return the pile with used cards on its discards."""
        return replace(self, discards=(*self.discards, *cards))

    def drawn(self, count: int, chance: Chance) -> tuple[tuple[Scene, ...], Pile]:
        """Take that many cards from the top; when none is left the discards are shuffled into a new pile."""
        taken, left = self.cards[:count], self.cards[count:]
        if len(taken) == count or not self.discards:
            return taken, replace(self, cards=left)
        fresh = list(self.discards)
        chance(f"shuffle {self.shuffles + 1}").shuffle(fresh)
        more, pile = Pile(tuple(fresh), (), self.shuffles + 1).drawn(count - len(taken), chance)
        return (*taken, *more), pile


def held(hand: Hand) -> tuple[Scene, ...]:
    """Return the cards that are in a hand."""
    return tuple(scene for scene in hand if scene is not None)


def refilled(hand: Hand, size: int, pile: Pile, chance: Chance) -> tuple[Hand, Pile]:
    """Fill the empty places of a hand, then new ones up to the size."""
    missing = max(0, size - len(held(hand)))
    fresh, pile = pile.drawn(missing, chance)
    waiting = list(fresh)
    filled = [scene if scene is not None or not waiting else waiting.pop(0) for scene in hand]
    return (*filled, *waiting), pile


def shuffled(scenes: Sequence[Scene], chance: Chance) -> Pile:
    """Return a new pile of all scenes."""
    cards = list(scenes)
    chance("pile").shuffle(cards)
    return Pile(tuple(cards))
