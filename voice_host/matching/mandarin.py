"""The measures of Mandarin: the guess judge, the clue referee and the story ticker, by sound and in both scripts.

What was heard keeps the script in which the recogniser wrote it: words are compared as syllables, and where characters count
(clues, stories) it is the deck's word that is known in both scripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from voice_host.matching import mandarin_referee as referee
from voice_host.matching.evidence import Sounds
from voice_host.matching.judging import Explanation, Guess, Limits, SoundJudge, sound_lexicon
from voice_host.matching.mandarin_phones import spell, unit_costs
from voice_host.matching.mandarin_pronounce import MandarinPronouncer
from voice_host.matching.mandarin_text import guesses, plain
from voice_host.matching.phones import Pronunciation
from voice_host.matching.words import Fault, Judgement, Word

LIMITS: Final = Limits(
    near_cost=0.15,
    near_margin=-0.1,
    far_cost_per_phone=0.16,
    far_margin=0.0,
    unsure_cost_per_phone=0.2,
    unsure_margin=-0.3,
    nats_a_cost=24.0,
    sure_confidence=2.0,
)
"""Chosen by benchmarks/judge_mandarin.py on its tuning half."""
_LONGEST_PHRASE: Final = 4


@dataclass(frozen=True, slots=True)
class Script:
    """Which characters stand for which in the other script."""

    simplified: Mapping[str, str]
    traditional: Mapping[str, str]
    """Only where one character alone is meant."""
    doubtful: frozenset[str]
    """Simplified characters that may stand for several."""
    phrases: Mapping[str, str]
    """Simplified words with a character that may stand for several -> the word in Traditional characters."""

    def to_simplified(self, text: str) -> str:
        """Return a text of the deck in Simplified characters."""
        return "".join(self.simplified.get(letter, letter) for letter in text)

    def to_traditional(self, text: str) -> str:
        """Return a text in Traditional characters; as it is where one of them is not certain."""
        written = []
        at = 0
        while at < len(text):
            size = next((size for size in range(_LONGEST_PHRASE, 1, -1) if text[at : at + size] in self.phrases), 1)
            piece = text[at : at + size]
            if size == 1 and piece in self.doubtful:
                return text
            written.append(self.phrases.get(piece) or self.traditional.get(piece, piece))
            at += size
        return "".join(written)


@dataclass(frozen=True, slots=True, eq=False)
class MandarinSpeech:
    """What the judge must know of Mandarin."""

    pronouncer: MandarinPronouncer
    script: Script

    def guesses(self, reading: str) -> tuple[Guess, ...]:
        """Return the ways to read the guess out of a reading."""
        return guesses(reading)

    def phrase(self, text: str) -> tuple[Pronunciation, ...]:
        """Return how a text may sound."""
        return self.pronouncer.phrase(text)

    def sounds(self, word: Word) -> Sounds:
        """Return the spellings in both scripts and the pronunciations that count as this word."""
        texts = [plain(text) for text in (word.text, *word.forms)]
        spellings = {form for text in texts if text for form in (text, self.script.to_simplified(text))}
        said = dict.fromkeys(one for text in texts for one in self.phrase(text))
        return Sounds(frozenset(spellings), tuple(said))

    def part_of(self, heard: str, meant: Sounds) -> bool:
        """Tell whether what was heard is a longer name that ends in the word: a 北極熊 is a 熊, a 熱狗 no 狗."""
        return any(heard != one and heard.endswith(one) for one in meant.spellings)

    def spell(self, pronunciation: Pronunciation) -> str:
        """Write a pronunciation as pinyin with numbers."""
        return spell(pronunciation)


@dataclass(frozen=True, slots=True, eq=False)
class MandarinMeasures:
    """Implements `Measures` for Mandarin; it never finds `Fault.TRANSLATES`, for which it would need a second language."""

    judging: SoundJudge
    speech: MandarinSpeech
    deck: Mapping[Pronunciation, str]
    """How the words of the deck sound, and how they are written."""
    frequency: Mapping[str, float]
    """Zipf frequencies of words in Simplified characters."""

    def judge(self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = ()) -> Judgement:
        """Judge a guess by its n-best readings (best first, without the guess phrase) and their probabilities, if known."""
        return self.judging.judge_many(readings, [hidden], confidences)[0]

    def judge_many(
        self, readings: Sequence[str], hidden: Sequence[Word], confidences: Sequence[float] = ()
    ) -> tuple[Judgement, ...]:
        """Judge one guess against several words; the same as one by one, but listening only once."""
        return self.judging.judge_many(readings, hidden, confidences)

    def shortlist(
        self, readings: Sequence[str], count: int, confidences: Sequence[float] = (), *, bare: bool = False
    ) -> tuple[str, ...]:
        """Return the `count` likeliest words for what was heard, each with what was said around it or `bare`."""
        return self.judging.shortlist(readings, count, confidences, bare=bare)

    def explain(
        self, readings: Sequence[str], hidden: Word, confidences: Sequence[float] = (), count: int = 5
    ) -> Explanation:
        """Judge a guess and show the syllables and the `count` nearest words."""
        return self.judging.explain(readings, hidden, confidences, count)

    def clue_fault(self, clue: str, hidden: Word) -> Fault | None:
        """Tell whether a clue contains, shares a character with or sounds like the hidden word."""
        return referee.clue_fault(self, clue, hidden)

    def mentioned(self, text: str, words: Sequence[Word]) -> frozenset[str]:
        """Return the ids of the words that are mentioned in a piece of a story, by characters or by sound."""
        return referee.mentioned(self, text, words)

    def same_word(self, heard: str, text: str) -> bool:
        """Tell whether two texts are one word, in whatever script, with or without measure word and 兒."""
        return not self._ways(heard).isdisjoint(self._ways(text))

    def spoken_guess(self, readings: Sequence[str]) -> str:
        """Return the guess as it was heard, for the echo: as a card writes it, else Traditional where that is certain."""
        for reading in readings:
            for guess in guesses(reading)[:1]:
                written = next((self.deck[one] for one in self.speech.phrase(guess.text) if one in self.deck), None)
                return written or self.speech.script.to_traditional(guess.text)
        return ""

    def knows(self, word: str) -> bool:
        """Tell whether a text is a word of the lexicon, in either script."""
        index = self.judging.lexicon.index
        text = plain(word)
        return text in index or self.speech.script.to_simplified(text) in index

    def distance(self, one: str, other: str) -> float:
        """Return the cost between the nearest pronunciations of two texts; 0 for homophones, infinite without a sound."""
        return self.judging.distance(one, other)

    def _ways(self, text: str) -> set[Pronunciation | str]:
        found: set[Pronunciation | str] = set()
        for guess in guesses(text)[:1] or (Guess(plain(text), 0.0),):
            found |= {self.speech.script.to_simplified(guess.text), *self.speech.phrase(guess.text)}
        return found - {""}


def mandarin_measures(
    pronouncer: MandarinPronouncer,
    script: Script,
    frequency: Mapping[str, float],
    drawable: Mapping[str, float],
    deck: Sequence[Word],
) -> MandarinMeasures:
    """Build the measures from Zipf frequencies, shares of drawable nouns and a deck, which may be empty."""
    speech = MandarinSpeech(pronouncer, script)
    on_cards = {form: word.text for word in deck for form in speech.sounds(word).spellings}
    lexicon = sound_lexicon(pronouncer.plain_phrase, frequency, drawable, on_cards)
    written = {one: word.text for word in reversed(deck) for one in speech.phrase(word.text)}
    return MandarinMeasures(SoundJudge(speech, lexicon, unit_costs(), LIMITS), speech, written, frequency)
