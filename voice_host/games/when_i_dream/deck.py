"""The dream cards: which word shows, what lies under it, and how a card that goes back is turned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from voice_host.matching.words import Word


@dataclass(frozen=True, slots=True)
class DreamCard:
    """One card as it is printed: four words, of which the headboard lets one be seen."""

    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the table; it shows the first of its words, the others come up as it is turned."""

    words: tuple[Word, ...]
    rigged: bool = False
    """True for a card that only `Options.upcoming` made: it is seen once and does not go back into the deck."""

    @property
    def word(self) -> Word:
        """The word that shows."""
        return self.words[0]

    def turned(self) -> Card:
        """Return the card showing another of its words."""
        return replace(self, words=(*self.words[1:], self.words[0]))


@dataclass(frozen=True, slots=True)
class Deck:
    """The pile, top first, without the cards that lie elsewhere on the table."""

    pile: tuple[Card, ...]
    upcoming: tuple[Word, ...] = ()
    """Rigged words that come up before the pile goes on."""
    shown: Card | None = None
    """The top card when a night ended before anybody guessed it: everybody has seen it."""

    def drawn(self) -> tuple[Card | None, Deck]:
        """Return the card that shows next, or None when no card is left, and the deck without it."""
        if self.upcoming:
            return Card(self.upcoming[:1], rigged=True), replace(self, upcoming=self.upcoming[1:])
        if self.pile:
            return self.pile[0], replace(self, pile=self.pile[1:])
        return None, self

    def put_under(self, cards: Iterable[Card]) -> Deck:
        """Return the deck with the cards turned and put under it, in their order."""
        return replace(self, pile=(*self.pile, *(card.turned() for card in cards if not card.rigged)))

    def opened(self) -> tuple[Card | None, Deck]:
        """Begin a night: the top card, which all have seen, goes under the deck; return the next one and the deck."""
        if self.shown is not None:
            return replace(self, shown=None).put_under((self.shown,)).drawn()
        if self.upcoming or not self.pile:
            return self.drawn()
        return replace(self, pile=self.pile[1:]).put_under(self.pile[:1]).drawn()


def shuffled(cards: Iterable[DreamCard], upcoming: tuple[Word, ...], rng: Random) -> Deck:
    """Shuffle the cards and the side each shows; words that are rigged to come up are taken out of their cards."""
    rigged = {word.id for word in upcoming}
    pile = []
    for card in cards:
        words = [word for word in card.words if word.id not in rigged]
        rng.shuffle(words)
        if words:
            pile.append(Card(tuple(words)))
    rng.shuffle(pile)
    return Deck(tuple(pile), upcoming)
