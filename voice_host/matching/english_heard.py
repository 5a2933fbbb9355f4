"""What was heard of a guess, found without the hidden word: the sounds of its readings and the words that they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from voice_host.matching.english_text import ATTRIBUTE_COST, ATTRIBUTES, Phrase, phrases
from voice_host.matching.evidence import Text
from voice_host.matching.lexicon import SEARCH_BOUND, Lexicon
from voice_host.matching.phones import Pronunciation
from voice_host.matching.pronounce import Pronouncer

SEARCHED: Final = 8
"""The readings whose neighbours are sought in the lexicon; of the others only what they say counts."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What is paid for a reading that is not the likeliest."""

    nats_a_cost: float = 15.0
    """A reading that is less likely than the best one by so much (e to this power) costs 1."""
    lower_reading: float = 0.1
    next_reading: float = 0.05
    """Where nobody knows how likely the readings are: what a lower one costs, and what each next one costs more."""
    sure_confidence: float = 0.5
    """With such a share of the readings' probability the first one is taken at its word."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard, found without the hidden word."""

    sounds: tuple[tuple[Pronunciation, float], ...]
    """Pronunciations of the readings, each with what is paid for reading it so."""
    heads: frozenset[str]
    """The ends of longer phrases: "dog" and "hot dog" of "big hot dog"."""
    sure: bool
    """Whether the first reading is far likelier than the others."""
    texts: tuple[Text, ...]
    """The readings as words, where their probabilities are known."""
    best: float
    """The greatest probability of a reading; 0 where none is known."""


@dataclass(frozen=True, slots=True, eq=False)
class GuessReader:
    """Turns the readings of a guess into what was heard."""

    pronouncer: Pronouncer
    lexicon: Lexicon
    prices: Prices

    def hear(self, readings: Sequence[str], confidences: Sequence[float]) -> Heard:
        """Return what was heard in n-best readings (best first), with their probabilities where they are known."""
        found: dict[Pronunciation, float] = {}
        heads: set[str] = set()
        asked = self._prices(readings, confidences)
        texts = tuple(
            text
            for reading, price in zip(readings, asked, strict=True)
            for text in self._texts(reading, price * self.prices.nats_a_cost)
            if confidences
        )
        for reading, price in list(zip(readings, asked, strict=True))[:SEARCHED]:
            for phrase in self.phrases(reading):
                if not phrase.cost:
                    heads |= {" ".join(phrase.words[start:]) for start in range(1, len(phrase.words))}
                if phrase.cost + price < SEARCH_BOUND:
                    for pronunciation in self.pronouncer.phrase(phrase.words):
                        paid = phrase.cost + price
                        found[pronunciation] = min(paid, found.get(pronunciation, paid))
        sure = not confidences or max(confidences) >= self.prices.sure_confidence * sum(confidences)
        return Heard(tuple(found.items()), frozenset(heads), sure, texts, max(confidences, default=0.0))

    def phrases(self, reading: str) -> list[Phrase]:
        """Return the ways to read a guess, also without what is said of a thing that stays what it is.

        A brown bear is a bear; but "black" before "bird" makes it another one.
        """
        found = list(phrases(reading))
        for whole in found[:1]:
            for start in range(1, len(whole.words)):
                named = any("".join(whole.words[at:]) in self.pronouncer.dictionary for at in range(start))
                if whole.words[start - 1] not in ATTRIBUTES or named:
                    break
                found.append(Phrase(whole.words[start:], ATTRIBUTE_COST))
        return found

    def _texts(self, reading: str, behind: float) -> list[Text]:
        """Return what a reading says, in each of the ways to read it that cost little."""
        found = []
        for phrase in self.phrases(reading):
            if phrase.cost <= ATTRIBUTE_COST:
                spellings = frozenset(("".join(phrase.words), " ".join(phrase.words)))
                said = frozenset(self.pronouncer.phrase(phrase.words))
                is_word = any(one in self.lexicon.index for one in spellings) or not said.isdisjoint(
                    self.lexicon.sounding
                )
                found.append(Text(behind, spellings, said, is_word))
        return found

    def _prices(self, readings: Sequence[str], confidences: Sequence[float]) -> list[float]:
        """Return what is paid for each reading; nothing for the best one."""
        prices = self.prices
        if not confidences:
            return [
                (prices.lower_reading + prices.next_reading * rank) if rank else 0.0 for rank in range(len(readings))
            ]
        best = max(confidences)
        return [
            math.log(best / confidence) / prices.nats_a_cost if confidence > 0.0 else SEARCH_BOUND
            for confidence in confidences
        ]
