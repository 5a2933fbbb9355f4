"""The guess judge without a language of its own: what was heard, against the hidden word and against all other words.

First, without the hidden word: the readings are turned into phones and every word of a large lexicon gets its cost, a
distance by sound plus a prior (things are guessed, "because" is not). Then the hidden word gets its cost in the same way and
is compared with the cheapest word that is really another one. A language brings its `Speech`: how a guess is read out of a
recogniser's text, how that sounds, and what counts as the same word.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from voice_host.matching.bounds import Bounds
from voice_host.matching.evidence import Sounds
from voice_host.matching.lexicon import SEARCH_BOUND, Lexicon, Prior
from voice_host.matching.nearest import Distances, build_trie, nearest_of, nearest_of_each
from voice_host.matching.phones import PhoneCosts, Pronunciation
from voice_host.matching.words import Judgement, Verdict, Word

NOTHING_HEARD: Final = 99.0
"""The cost of a guess in which no word was heard."""
WRITINGS: Final = 2
"""Words of one sound that are weighed again: a recogniser writes 他 more readily than 塔."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Bounds):
    """The bounds of a language that has no model of its own for the recogniser's probabilities."""

    nats_a_cost: float
    """A reading that is less likely than the best one by so much (e to this power) costs 1."""
    sure_confidence: float = 0.5
    """With such a share of the readings' probability the first one is taken at its word where it is a thing; above 1: never."""
    lower_reading: float = 0.1
    next_reading: float = 0.05
    """Where nobody knows how likely the readings are: what a lower one costs, and what each next one costs more."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One way to read the guess out of a reading, with what is paid for reading it so."""

    text: str
    cost: float


class Speech(Protocol):
    """What the judge must know of a language."""

    def guesses(self, reading: str) -> tuple[Guess, ...]:
        """Return the ways to read the guess out of a reading, the likeliest first; none where nothing was guessed."""

    def phrase(self, text: str) -> tuple[Pronunciation, ...]:
        """Return how a text may sound, the usual way first; none where it has no sound."""

    def sounds(self, word: Word) -> Sounds:
        """Return the spellings and pronunciations that count as this word."""

    def part_of(self, heard: str, meant: Sounds) -> bool:
        """Tell whether what was heard is a longer name that ends in the word, so that the table must tell."""

    def spell(self, pronunciation: Pronunciation) -> str:
        """Write a pronunciation for people to read."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard, found without the hidden word."""

    sounds: tuple[tuple[Pronunciation, float], ...]
    """Pronunciations of the readings, each with what is paid for reading it so."""
    texts: tuple[str, ...]
    """The guesses of the first reading."""
    sure: bool
    """Whether the first reading is far likelier than the others."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A judgement with what led to it, for `--explain`."""

    judgement: Judgement
    heard: tuple[tuple[str, float], ...]
    """The phones that were compared, and what was paid for reading them so."""
    meant: tuple[str, ...]
    nearest: tuple[tuple[str, float, float], ...]
    """The nearest words: spelling, cost by sound, prior cost."""


@dataclass(frozen=True, slots=True, eq=False)
class SoundJudge:
    """Judges guesses of one language; immutable."""

    speech: Speech
    lexicon: Lexicon
    costs: PhoneCosts
    limits: Limits

    def judge_many(
        self, readings: Sequence[str], hidden: Sequence[Word], confidences: Sequence[float] = ()
    ) -> tuple[Judgement, ...]:
        """Judge one guess against several words; the same as one by one, but listening only once."""
        heard = self.heard(readings, confidences)
        found = self.lexicon.costs(heard.sounds, self.costs)
        meant = [self.speech.sounds(word) for word in hidden]
        near = nearest_of_each(heard.sounds, [sounds.pronunciations for sounds in meant], self.costs)
        return tuple(self._compare(heard, found, *pair) for pair in zip(meant, near, strict=True))

    def explain(
        self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = (), count: int = 5
    ) -> Explanation:
        """Judge a guess and show the phones and the `count` nearest words."""
        heard = self.heard(readings, confidences)
        found = self.lexicon.costs(heard.sounds, self.costs)
        order = np.argsort(found + self.lexicon.penalty, kind="stable")[:count]
        spell = self.speech.spell
        return Explanation(
            judgement=self.judge_many(readings, [hidden], confidences)[0],
            heard=tuple((spell(pronunciation), paid) for pronunciation, paid in heard.sounds),
            meant=tuple(spell(pronunciation) for pronunciation in self.speech.sounds(hidden).pronunciations),
            nearest=tuple(
                (self.lexicon.words[index], float(found[index]), float(self.lexicon.penalty[index])) for index in order
            ),
        )

    def distance(self, one: str, other: str) -> float:
        """Return the cost between the nearest pronunciations of two texts; 0 for homophones, infinite without a sound."""
        said = [(pronunciation, 0.0) for pronunciation in self.speech.phrase(one)]
        return nearest_of(said, self.speech.phrase(other), self.costs)[0]

    def heard(self, readings: Sequence[str], confidences: Sequence[float] = ()) -> Heard:
        """Return what was heard, best reading first; a reading in which nothing was guessed has no sound."""
        found: dict[Pronunciation, float] = {}
        texts: tuple[str, ...] = ()
        for reading, price in zip(readings, self._prices(readings, confidences), strict=True):
            guesses = self.speech.guesses(reading)
            texts = texts or tuple(guess.text for guess in guesses)
            for guess in guesses:
                paid = guess.cost + price
                if paid < SEARCH_BOUND:
                    for pronunciation in self.speech.phrase(guess.text):
                        found[pronunciation] = min(paid, found.get(pronunciation, paid))
        sure = not confidences or max(confidences) >= self.limits.sure_confidence * sum(confidences)
        return Heard(tuple(found.items()), texts, sure)

    def shortlist(
        self, readings: Sequence[str], count: int, confidences: Sequence[float] = (), *, bare: bool = False
    ) -> tuple[str, ...]:
        """Return the `count` likeliest words for what was heard, each with what was said around it or `bare`.

        They are found by sound in the whole lexicon, whatever is hidden. What is too long for a guess has none.
        """
        heard = self.heard(readings, confidences)
        if not heard.sounds or not heard.texts:
            return ()
        found = self.lexicon.costs(heard.sounds, self.costs) + self.lexicon.penalty
        before, after = ("", "") if bare else around(readings[0], self._bare(readings[0]))
        chosen: list[str] = []
        written: Counter[tuple[Pronunciation, ...]] = Counter()
        for index in np.argsort(found, kind="stable"):
            if len(chosen) == count or not np.isfinite(found[index]):
                break
            word = self.lexicon.words[index]
            said = self.speech.phrase(word)[:1]
            written[said] += 1
            if written[said] <= WRITINGS:
                chosen.append(f"{before}{word}{after}")
        return tuple(chosen)

    def _bare(self, reading: str) -> str:
        """Return the guess of a reading without all that costs nothing to leave out."""
        found = self.speech.guesses(reading)
        return min((guess.text for guess in found if guess.cost <= found[0].cost), key=len, default="")

    def _prices(self, readings: Sequence[str], confidences: Sequence[float]) -> list[float]:
        """Return what is paid for each reading; nothing for the best one."""
        limits = self.limits
        if not confidences:
            return [limits.lower_reading + limits.next_reading * rank if rank else 0.0 for rank in range(len(readings))]
        best = max(confidences)
        return [
            math.log(best / confidence) / limits.nats_a_cost if confidence > 0.0 else SEARCH_BOUND
            for confidence in confidences
        ]

    def _compare(self, heard: Heard, found: Distances, meant: Sounds, near: tuple[float, int]) -> Judgement:
        """Judge what was heard, and how far every word of the lexicon is from it, against a word of which the nearest sound is known."""
        if not heard.sounds or not meant.pronunciations:
            return Judgement(Verdict.WRONG, NOTHING_HEARD, -NOTHING_HEARD, "")
        cost, length = near
        others = found + self.lexicon.penalty
        others[self.lexicon.same(meant.spellings, meant.pronunciations)] = np.inf
        nearest = int(others.argmin())
        margin = min(float(others[nearest]), SEARCH_BOUND) - cost
        verdict = self.limits.verdict(cost, margin, length)
        if verdict is Verdict.RIGHT and cost > self.limits.same_cost and self.is_another_thing(heard, meant):
            verdict = Verdict.UNSURE
        if verdict is Verdict.WRONG and any(self.speech.part_of(text, meant) for text in heard.texts):
            verdict = Verdict.UNSURE
        return Judgement(verdict, round(cost, 3), round(margin, 3), self.lexicon.words[nearest])

    def is_another_thing(self, heard: Heard, meant: Sounds) -> bool:
        """Tell whether the first reading is exactly a thing: then that was said, however near the hidden word is."""
        first, paid = heard.sounds[0]
        found = (self.lexicon.words[index] for index in self.lexicon.sounding.get(first, ()))
        drawable = self.lexicon.drawable
        return (
            heard.sure
            and not paid
            and any(drawable.get(word, 0.0) > 0.0 and word not in meant.spellings for word in found)
        )


def around(reading: str, guess: str) -> tuple[str, str]:
    """Return what was said before and after a guess; its own spaces do not count, and where it is not found, nothing is."""
    places = [place for place, letter in enumerate(reading) if not letter.isspace()]
    at = "".join(reading[place] for place in places).rfind(guess)
    if at < 0 or not guess:
        return "", ""
    return reading[: places[at]], reading[places[at + len(guess) - 1] + 1 :]


def sound_lexicon(
    phrase: Callable[[str], tuple[Pronunciation, ...]],
    frequency: Mapping[str, float],
    drawable: Mapping[str, float],
    on_cards: Collection[str],
) -> Lexicon:
    """Build a lexicon of the words in use (Zipf frequencies), the drawable nouns (shares, 0 to 1) and the words on cards."""
    prior = Prior()
    penalties = {
        word: prior.cost(frequency.get(word, 2.0), drawable.get(word, 0.0)) for word in (*frequency, *drawable)
    } | dict.fromkeys(sorted(on_cards), 0.0)
    words: list[str] = []
    entries: list[Pronunciation] = []
    word_of: list[int] = []
    sounding: dict[Pronunciation, list[int]] = {}
    for word in penalties:
        said = phrase(word)
        for pronunciation in said:
            entries.append(pronunciation)
            word_of.append(len(words))
            sounding.setdefault(pronunciation, []).append(len(words))
        if said:
            words.append(word)
    return Lexicon(
        words=tuple(words),
        penalty=np.array([penalties[word] for word in words], dtype=np.float32),
        word_of=np.array(word_of, dtype=np.int32),
        trie=build_trie(entries),
        sounding={pronunciation: tuple(found) for pronunciation, found in sounding.items()},
        index={word: index for index, word in enumerate(words)},
        drawable={**drawable, **dict.fromkeys(on_cards, 1.0)},
    )
