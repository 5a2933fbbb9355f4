"""The measures of English: the guess judge, the clue referee and the story ticker, all by sound.

A guess is judged in two steps. First, without the hidden word: the readings are turned into phones and every word of a large
lexicon gets its cost, a distance by sound plus a prior (things that can be drawn are guessed, "from" and "went" are not).
Then the hidden word gets its cost in the same way and is compared with the cheapest word that is really another one (not a
plural, a homophone or a diminutive of it). It is right when it is near enough and nearer than any other by a margin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from voice_host.matching import referee
from voice_host.matching.bounds import Bounds
from voice_host.matching.calibration import MOONSHINE_ENGLISH, Calibration, Evidence
from voice_host.matching.english_heard import GuessReader, Heard, Prices
from voice_host.matching.english_text import around_guess, spoken_guess, words
from voice_host.matching.evidence import Sounds, evidence
from voice_host.matching.inflection import same_noun, singulars
from voice_host.matching.lexicon import SEARCH_BOUND, Lexicon
from voice_host.matching.nearest import Distances, nearest_of, nearest_of_each
from voice_host.matching.phones import PhoneCosts, Pronunciation, class_costs, spell
from voice_host.matching.pronounce import Pronouncer, plural
from voice_host.matching.words import Fault, Judgement, Verdict, Word

NOTHING_HEARD: Final = 99.0
"""The cost of a guess in which no word was heard."""

LONGEST_GUESS: Final = 4
"""Words; more of them are no guess."""

PLAIN_FREQUENCY: Final = 3.5
"""The Zipf frequency from which a thing is common: three uses in a million words."""


LIMITS: Final = Bounds(
    near_cost=0.3,
    near_margin=-0.1,
    far_cost_per_phone=0.15,
    far_margin=0.3,
    unsure_cost_per_phone=0.2,
    unsure_margin=-0.3,
)
"""Fitted by benchmarks/judge_english.py on its tuning half."""


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
class EnglishMeasures:
    """Implements `Measures` for English; it never finds `Fault.TRANSLATES`, for which it would need a second language."""

    pronouncer: Pronouncer
    lexicon: Lexicon
    related: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Noun -> words of the same root."""
    costs: PhoneCosts = field(default_factory=class_costs)
    limits: Bounds = LIMITS
    prices: Prices = field(default_factory=Prices)
    calibration: Calibration = MOONSHINE_ENGLISH
    """For readings with probabilities; without them the limits decide."""

    @property
    def reader(self) -> GuessReader:
        """Return what turns readings into sounds."""
        return GuessReader(self.pronouncer, self.lexicon, self.prices)

    def judge(self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = ()) -> Judgement:
        """Judge a guess by its n-best readings (best first, already without the guess phrase).

        `confidences` are the readings' probabilities where the recogniser has them; they make the judgement much better.
        """
        return self.judge_many(readings, [hidden], confidences)[0]

    def judge_many(
        self, readings: Sequence[str], hidden: Sequence[Word], confidences: Sequence[float] = ()
    ) -> tuple[Judgement, ...]:
        """Judge one guess against several words; the same as one by one, but listening only once."""
        heard = self.reader.hear(readings, confidences)
        found = self.lexicon.costs(heard.sounds, self.costs)
        meant = [self.sounds(word) for word in hidden]
        near = nearest_of_each(heard.sounds, [sounds.pronunciations for sounds in meant], self.costs)
        return tuple(self._compare(heard, found, *pair) for pair in zip(meant, near, strict=True))

    def shortlist(
        self, readings: Sequence[str], count: int, confidences: Sequence[float] = (), *, bare: bool = False
    ) -> tuple[str, ...]:
        """Return the `count` likeliest words for what was heard, each with what was said around it or `bare`.

        They are found by sound in the whole lexicon, whatever is hidden; of words that sound the same one stands for all.
        What is too long for a guess has none.
        """
        heard = self.reader.hear(readings, confidences)
        if not heard.sounds or len(spoken_guess(readings[:1]).split()) > LONGEST_GUESS:
            return ()
        found = self.lexicon.costs(heard.sounds, self.costs) + self.lexicon.penalty
        before, after = ("", "") if bare else around_guess(readings[0])
        chosen: list[str] = []
        sounds: set[Pronunciation] = set()
        for index in np.argsort(found, kind="stable"):
            if len(chosen) == count or not np.isfinite(found[index]):
                break
            word = self.lexicon.words[index]
            said = self.pronouncer.phrase(word.replace("-", " ").split())
            if sounds.isdisjoint(said[:1]):
                sounds.update(said)
                chosen.append(f"{before}{word if before else word.capitalize()}{after}")
        return tuple(chosen)

    def clue_fault(self, clue: str, hidden: Word) -> Fault | None:
        """Tell whether a clue contains, derives from or sounds like the hidden word."""
        return referee.clue_fault(self, clue, hidden)

    def mentioned(self, text: str, words: Sequence[Word]) -> frozenset[str]:
        """Return the ids of the words that are mentioned in a piece of a story, in any inflected form."""
        return referee.mentioned(self, text, words)

    def same_word(self, heard: str, text: str) -> bool:
        """Tell whether two spellings are one word by sound or inflection (articles and plurals do not count)."""
        return any(one.shared(other) for one in self._ways(heard) for other in self._ways(text))

    def spoken_guess(self, readings: Sequence[str]) -> str:
        """Return the guess as it was heard, for the echo, written as a thing where another spelling sounds the same."""
        heard = spoken_guess(readings)
        spellings = {
            self.lexicon.words[index]
            for pronunciation in self.pronouncer.phrase(heard.split())
            for index in self.lexicon.sounding.get(pronunciation, ())
        }
        written = min(spellings, key=lambda word: (self._penalty(word), word), default=heard)
        return written if self._penalty(written) < self._penalty(heard) else heard

    def knows(self, word: str) -> bool:
        """Tell whether a single word is a word of the language."""
        return self.pronouncer.knows(word.lower())

    def distance(self, one: str, other: str) -> float:
        """Return the cost between the nearest pronunciations of two texts; 0 for homophones, infinite without a sound."""
        heard, meant = (self.pronouncer.phrase(words(text)) for text in (one, other))
        return nearest_of([(said, 0.0) for said in heard], meant, self.costs)[0]

    def is_plain(self, reading: str) -> bool:
        """Tell whether a reading is as it stands a common thing, so that listening again is hardly worth the time."""
        word = spoken_guess([reading]).replace(" ", "")
        return self.is_thing(word) and self.pronouncer.frequency.get(word, 0.0) >= PLAIN_FREQUENCY

    def is_noun(self, word: str) -> bool:
        """Tell whether a spelling is now and then a noun that can be drawn."""
        return self.lexicon.drawable.get(word, 0.0) > 0.0

    def is_thing(self, word: str) -> bool:
        """Tell whether a spelling is mostly a noun that can be drawn."""
        return self.lexicon.drawable.get(word, 0.0) >= 0.5

    def singular(self, word: str) -> str:
        """Return the singular of a noun, or the word itself."""
        return min(singulars(word, self.is_noun), default=word, key=len)

    def sounds(self, word: Word) -> Sounds:
        """Return the spellings and pronunciations that count as this word."""
        spellings: set[str] = set()
        said: dict[Pronunciation, None] = {}
        for text in (word.text, *word.forms):
            *before, last = words(text) or ("",)
            if not last:
                continue
            # "No" has no plural that sounds as "nose".
            countable = self.is_noun(last) or not self.pronouncer.knows(last)
            for form in sorted(same_noun(last, self.is_noun), key=lambda form: (form != last, form)):
                spellings |= {"".join((*before, form)), " ".join((*before, form))}
                if form == last or (countable and self.pronouncer.knows(form)):
                    said.update(dict.fromkeys(self.pronouncer.phrase((*before, form))))
            if countable and not last.endswith("s"):
                said.update(dict.fromkeys(plural(one) for one in self.pronouncer.phrase((*before, last))))
        return Sounds(frozenset(spellings), tuple(said))

    def explain(
        self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = (), count: int = 5
    ) -> Explanation:
        """Judge a guess and show the phones and the `count` nearest words."""
        heard = self.reader.hear(readings, confidences)
        found = self.lexicon.costs(heard.sounds, self.costs)
        order = np.argsort(found + self.lexicon.penalty, kind="stable")[:count]
        return Explanation(
            judgement=self.judge(readings, hidden, confidences),
            heard=tuple((spell(pronunciation), paid) for pronunciation, paid in heard.sounds),
            meant=tuple(spell(pronunciation) for pronunciation in self.sounds(hidden).pronunciations),
            nearest=tuple(
                (self.lexicon.words[index], float(found[index]), float(self.lexicon.penalty[index])) for index in order
            ),
        )

    def _ways(self, text: str) -> list[Sounds]:
        """Return the sounds of a text with and without its article or "little"."""
        read = [" ".join(phrase.words) for phrase in self.reader.phrases(text)] or [text]
        return [self.sounds(Word(id=one, text=one)) for one in read]

    def _penalty(self, word: str) -> float:
        index = self.lexicon.index.get(word)
        return NOTHING_HEARD if index is None else float(self.lexicon.penalty[index])

    def _compare(self, heard: Heard, found: Distances, meant: Sounds, near: tuple[float, int]) -> Judgement:
        if not heard.sounds:
            return Judgement(Verdict.WRONG, NOTHING_HEARD, -NOTHING_HEARD, "")
        cost, length = near
        others = found + self.lexicon.penalty
        others[self.lexicon.same(meant.spellings, meant.pronunciations)] = np.inf
        nearest = int(others.argmin())
        margin = min(float(others[nearest]), SEARCH_BOUND) - cost
        verdict = self.limits.verdict(cost, margin, length)
        if heard.texts:
            weighed = self.calibration.verdict(evidence(heard.texts, meant, cost, margin), heard.best)
            # What no text says must be near by sound as well: a cough that is written "Yibo" is near to nothing.
            said = any(text.says(meant) for text in heard.texts)
            verdict = weighed if said or weighed is not Verdict.RIGHT or verdict is Verdict.RIGHT else Verdict.UNSURE
        elif verdict is Verdict.RIGHT and cost > self.limits.same_cost and self._is_another_noun(heard, meant):
            verdict = Verdict.UNSURE
        if verdict is Verdict.WRONG and heard.heads & meant.spellings:
            # A teddy bear is a bear and a hot dog is no dog: the table must tell.
            verdict = Verdict.UNSURE
        return Judgement(verdict, round(cost, 3), round(margin, 3), self.lexicon.words[nearest])

    def evidence(self, readings: Sequence[str], hidden: Sequence[Word], confidences: Sequence[float]) -> list[Evidence]:
        """Return what speaks for each word, for those who fit a calibration."""
        heard = self.reader.hear(readings, confidences)
        judged = self.judge_many(readings, hidden, confidences)
        return [
            evidence(heard.texts, self.sounds(word), one.cost, one.margin)
            for word, one in zip(hidden, judged, strict=True)
        ]

    def _is_another_noun(self, heard: Heard, meant: Sounds) -> bool:
        """Tell whether the first reading is exactly a noun: then that was said, however near the hidden word is."""
        first, paid = heard.sounds[0]
        found = (self.lexicon.words[index] for index in self.lexicon.sounding.get(first, ()))
        return heard.sure and not paid and any(self.is_noun(word) and word not in meant.spellings for word in found)
