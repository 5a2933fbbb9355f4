"""The values that measuring works on: words of a deck, verdicts on guesses, faults of clues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a deck with everything that counts as the same word."""

    id: str
    """The same in every language in which the notion exists."""
    text: str
    """As shown on the card and as said by the host."""
    forms: tuple[str, ...] = ()
    """Accepted spellings beside the text: plural, variants; homophones come from the phones."""


class Verdict(StrEnum):
    """How a guess was judged; at night `UNSURE` counts as wrong, by day it may be appealed."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one guess with its measures."""

    verdict: Verdict
    cost: float
    """Distance by sound of the heard to the hidden word; 0 is identical, about 1 a phone that is quite another."""
    margin: float
    """How much nearer the hidden word is than the nearest other word (cost of the other minus `cost`); may be negative."""
    nearest: str
    """The nearest word that is not the hidden one."""


class Fault(StrEnum):
    """Why a clue breaks the rules."""

    CONTAINS = "contains"
    DERIVED = "derived"
    SOUNDS_LIKE = "sounds_like"
    TRANSLATES = "translates"
    FAR_FETCHED = "far_fetched"
    """Only the table can tell; no measure ever returns it."""


class Measures(Protocol):
    """The measures of one language; immutable, so that a game may hold it as a value."""

    def judge(self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = ()) -> Judgement:
        """Judge a guess by its n-best readings (best first, without the guess phrase) and their probabilities, if known."""

    def clue_fault(self, clue: str, hidden: Word) -> Fault | None:
        """Tell whether a clue contains, derives from, sounds like or translates the hidden word."""

    def mentioned(self, text: str, words: Sequence[Word]) -> frozenset[str]:
        """Return the ids of the words that are mentioned in a piece of a story, in any inflected form."""

    def same_word(self, heard: str, text: str) -> bool:
        """Tell whether two spellings are one word by sound or inflection (articles and plurals do not count)."""

    def spoken_guess(self, readings: Sequence[str]) -> str:
        """Return the guess as it was heard (its first noun phrase), for the echo; empty when no word was heard."""

    def distance(self, one: str, other: str) -> float:
        """Return how unlike two words sound: 0 is the same, about 1 a phone that is quite another."""
