"""The measures of Korean: the guess judge, the clue referee and the story ticker, by sound.

Texts are compared as they are said, not as they are written (국물 is [궁물]); spaces do not count, and a noun is known with
or without its particle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from voice_host.matching import korean_referee as referee
from voice_host.matching.evidence import Sounds
from voice_host.matching.judging import Explanation, Guess, Limits, SoundJudge, sound_lexicon
from voice_host.matching.korean_phones import phone_costs, spell
from voice_host.matching.korean_pronounce import pronounce
from voice_host.matching.korean_text import guesses, hangul, plain
from voice_host.matching.phones import Pronunciation
from voice_host.matching.words import Fault, Judgement, Word

LIMITS: Final = Limits(
    near_cost=0.3,
    near_margin=-0.1,
    far_cost_per_phone=0.12,
    far_margin=0.2,
    unsure_cost_per_phone=0.2,
    unsure_margin=-0.3,
    nats_a_cost=12.0,
)
"""Set by hand; of the limits that benchmarks/judge_korean.py searches none misses less on its tuning half (4.7 %)."""


@dataclass(frozen=True, slots=True)
class KoreanSpeech:
    """What the judge must know of Korean."""

    def guesses(self, reading: str) -> tuple[Guess, ...]:
        """Return the ways to read the guess out of a reading."""
        return guesses(reading)

    def phrase(self, text: str) -> tuple[Pronunciation, ...]:
        """Return how a text may sound."""
        return tuple(dict.fromkeys(one for way in hangul(text) for one in pronounce(way)))

    def sounds(self, word: Word) -> Sounds:
        """Return the spellings (without spaces) and pronunciations that count as this word."""
        texts = (word.text, *word.forms)
        spellings = frozenset(plain(text) for text in texts if plain(text))
        return Sounds(spellings, tuple(dict.fromkeys(one for text in texts for one in self.phrase(text))))

    def part_of(self, heard: str, meant: Sounds) -> bool:
        """Tell whether what was heard is a longer name that ends in the word: a 북극곰 is a 곰."""
        return any(heard != one and heard.endswith(one) for one in meant.spellings)

    def spell(self, pronunciation: Pronunciation) -> str:
        """Write a pronunciation in letters."""
        return spell(pronunciation)


@dataclass(frozen=True, slots=True, eq=False)
class KoreanMeasures:
    """Implements `Measures` for Korean; it never finds `Fault.TRANSLATES`, for which it would need a second language."""

    judging: SoundJudge
    speech: KoreanSpeech
    deck: Mapping[Pronunciation, str]
    """How the words of the deck sound, and how they are written."""

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
        """Judge a guess and show the phones and the `count` nearest words."""
        return self.judging.explain(readings, hidden, confidences, count)

    def clue_fault(self, clue: str, hidden: Word) -> Fault | None:
        """Tell whether a clue contains, shares a noun with or sounds like the hidden word."""
        return referee.clue_fault(self, clue, hidden)

    def mentioned(self, text: str, words: Sequence[Word]) -> frozenset[str]:
        """Return the ids of the words that are mentioned in a piece of a story, with whatever particles, by sound."""
        return referee.mentioned(self, text, words)

    def same_word(self, heard: str, text: str) -> bool:
        """Tell whether two texts are one word by sound, with or without a particle."""
        return not self._ways(heard).isdisjoint(self._ways(text))

    def spoken_guess(self, readings: Sequence[str]) -> str:
        """Return the guess as it was heard, for the echo: as a card writes it, else its noun where that is known."""
        for reading in readings:
            found = guesses(reading)
            for guess in found:
                written = next((self.deck[one] for one in self.speech.phrase(guess.text) if one in self.deck), None)
                if written or self.is_noun(guess.text):
                    return written or guess.text
            if found:
                return found[0].text
        return ""

    def knows(self, word: str) -> bool:
        """Tell whether a text is a word of the lexicon."""
        return plain(word) in self.judging.lexicon.index

    def is_noun(self, word: str) -> bool:
        """Tell whether a text is a noun of the lexicon or a word of the deck."""
        return self.judging.lexicon.drawable.get(plain(word), 0.0) > 0.0

    def distance(self, one: str, other: str) -> float:
        """Return the cost between the nearest pronunciations of two texts; 0 for homophones, infinite without a sound."""
        return self.judging.distance(one, other)

    def nouns(self, text: str) -> tuple[str, ...]:
        """Return what a text names: itself where it is a known noun, else also without its ending and particles."""
        if self.is_noun(text):
            return (plain(text),)
        return tuple(guess.text for guess in guesses(text)) or (plain(text),)

    def _ways(self, text: str) -> set[Pronunciation]:
        return {one for noun in self.nouns(text) for one in self.speech.phrase(noun)}


def korean_measures(
    frequency: Mapping[str, float], drawable: Mapping[str, float], deck: Sequence[Word]
) -> KoreanMeasures:
    """Build the measures from Zipf frequencies, shares of drawable nouns and a deck, which may be empty."""
    speech = KoreanSpeech()
    on_cards = {form for word in deck for form in speech.sounds(word).spellings}
    lexicon = sound_lexicon(speech.phrase, frequency, drawable, on_cards)
    written = {one: word.text for word in reversed(deck) for one in speech.phrase(word.text)}
    return KoreanMeasures(SoundJudge(speech, lexicon, phone_costs(), LIMITS), speech, written)
