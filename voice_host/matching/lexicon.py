"""All words that a guess could be, as sounds, with how likely each is to be guessed at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from voice_host.matching.nearest import Distances, Indexes, Trie, build_trie, distances
from voice_host.matching.phones import PhoneCosts, Pronunciation
from voice_host.matching.pronounce import Pronouncer
from voice_host.matching.words import Word

SEARCH_BOUND: Final = 2.0
"""Words further than this from what was heard are not looked at."""
_LONGER: Final = 4
"""Nor is what has so many more phones than the longest word."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What it costs a word that it is not often guessed; in the unit of phone costs."""

    per_decade: float = 0.1
    """For each factor of ten that the word is rarer, as a thing that can be drawn, than `common_zipf`."""
    common_zipf: float = 5.0
    limit: float = 0.5
    """The most that it costs; so also for words that are no drawable thing at all."""

    def cost(self, frequency: float, drawable: float) -> float:
        """Return the cost of a word with this Zipf frequency of which this share of uses is drawable nouns."""
        if drawable <= 0.0:
            return self.limit
        decades = max(0.0, self.common_zipf - (frequency + float(np.log10(drawable))))
        return min(self.limit, self.per_decade * decades)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The words that may have been said; several entries (pronunciations) may belong to one word."""

    words: tuple[str, ...]
    penalty: Distances
    """[word]: prior cost."""
    word_of: Indexes
    """[entry]: index of its word."""
    trie: Trie
    sounding: Mapping[Pronunciation, tuple[int, ...]]
    """Words by how they sound."""
    index: Mapping[str, int]
    drawable: Mapping[str, float]
    """Share (0 to 1) of a word's uses that are nouns which can be drawn; words on cards have 1."""

    def costs(self, heard: Iterable[tuple[Pronunciation, float]], costs: PhoneCosts) -> Distances:
        """Return [word]: the least cost from the heard pronunciations (each with what is paid for it), without prior."""
        nearest = np.full(self.trie.size, np.inf, dtype=np.float32)
        for pronunciation, paid in heard:
            if len(pronunciation) > len(self.trie.levels) + _LONGER:
                continue
            np.minimum(nearest, distances(pronunciation, self.trie, costs, SEARCH_BOUND - paid) + paid, out=nearest)
        by_word = np.full(len(self.words), np.inf, dtype=np.float32)
        np.minimum.at(by_word, self.word_of, nearest)
        return by_word

    def same(self, spellings: Iterable[str], pronunciations: Iterable[Pronunciation]) -> list[int]:
        """Return the words that are one with a word spelled and said so: its own spellings and its homophones."""
        own = {self.index[spelling] for spelling in spellings if spelling in self.index}
        for pronunciation in pronunciations:
            own.update(self.sounding.get(pronunciation, ()))
        return sorted(own)


def build_lexicon(pronouncer: Pronouncer, drawable: Mapping[str, float], deck: Sequence[Word], prior: Prior) -> Lexicon:
    """Build the lexicon of the words in use, the drawable nouns and the deck.

    `drawable` gives the share (0 to 1) of a word's uses that are nouns which can be drawn.
    """
    on_cards = {form.lower() for word in deck for form in (word.text, *word.forms)}
    listed = [word for word in pronouncer.frequency if pronouncer.knows(word)]
    listed += [word for word in drawable if word not in pronouncer.frequency and pronouncer.knows(word)]
    penalties = {
        word: prior.cost(pronouncer.frequency.get(word, 2.0), drawable.get(word, 0.0)) for word in listed
    } | dict.fromkeys(sorted(on_cards), 0.0)
    words = tuple(penalties)
    sounding: dict[Pronunciation, list[int]] = {}
    entries: list[Pronunciation] = []
    word_of: list[int] = []
    for index, word in enumerate(words):
        for pronunciation in pronouncer.phrase(word.replace("-", " ").split()):
            entries.append(pronunciation)
            word_of.append(index)
            sounding.setdefault(pronunciation, []).append(index)
    return Lexicon(
        words=words,
        penalty=np.array(list(penalties.values()), dtype=np.float32),
        word_of=np.array(word_of, dtype=np.int32),
        trie=build_trie(entries),
        sounding={pronunciation: tuple(found) for pronunciation, found in sounding.items()},
        index={word: index for index, word in enumerate(words)},
        drawable={**drawable, **dict.fromkeys(on_cards, 1.0)},
    )
