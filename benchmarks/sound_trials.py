"""What a Mandarin or Korean clip is tried against, by the judge and by matching of text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from english_trials import JUDGE, Heard
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein
from sound_clips import Bench, Clip

from voice_host.matching.judging import SoundJudge
from voice_host.matching.words import Verdict, Word

RANDOM_TRIALS = 20
NEAREST_TRIALS = 5


class Pool:
    """The words that a clip is tried against: all that anybody says in the recordings."""

    def __init__(self, judge: SoundJudge, texts: Iterable[str]) -> None:
        self.texts = tuple(sorted(set(texts)))
        self._sounds = {text: frozenset(judge.speech.phrase(text)) for text in self.texts}

    def others(self, said: str) -> list[str]:
        """Return the words that do not sound the same as the said one, nor contain it or are contained in it."""
        own = self._sounds.get(said, frozenset())
        return [
            text
            for text, sounds in self._sounds.items()
            if not said or (sounds.isdisjoint(own) and said not in text and text not in said)
        ]

    def random(self, said: str, seed: str) -> list[str]:
        """Return `RANDOM_TRIALS` other words, drawn by the seed."""
        return random.Random(seed).sample(self.others(said), RANDOM_TRIALS)

    def nearest(self, said: str) -> list[str]:
        """Return the `NEAREST_TRIALS` other words with the fewest units to change (plain Levenshtein, not the judge's costs)."""

        def to_change(text: str) -> tuple[int, str]:
            pairs = product(self._sounds[said], self._sounds[text])
            return min((Levenshtein.distance(one, other) for one, other in pairs), default=99), text

        return sorted(self.others(said), key=to_change)[:NEAREST_TRIALS]

    def of(self, clip: Clip) -> tuple[list[str], list[str], list[str]]:
        """Return the right word, the random and the near ones."""
        return [clip.said], self.random(clip.said, clip.file), self.nearest(clip.said)


FORCED = "grammar of words and decoys alone"
"""A grammar's text, and of that the nearest known word, because Vosk may join pieces of different words."""

OUTSIDE = "judge, the said word not expected"
"""What a guess that is on no card is taken for: its false accepts count."""

Method = Callable[[Clip, Sequence[str]], list[bool]]


def words(texts: Iterable[str]) -> list[Word]:
    """Return texts as words of a deck."""
    return [Word(id=text, text=text) for text in texts]


def by_text(plain: Callable[[str], str], accepts: Callable[[str, str], bool]) -> Method:
    """Return a baseline that accepts by spelling alone."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.first.texts[0]) if clip.first.texts else ""
        return [bool(heard) and accepts(heard, plain(word)) for word in hidden]

    return accepted


def by_nearest_spelling(
    plain: Callable[[str], str], known: Sequence[str], heard_of: Callable[[Clip], str] | None = None
) -> Method:
    """Return the baseline of wyoming-vosk: the nearest of all known words by Levenshtein with weights 1, 1, 3, however far."""
    spelled = sorted({plain(word) for word in known})
    read = heard_of or (lambda clip: clip.first.texts[0] if clip.first.texts else "")

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(read(clip))
        found = min(spelled, key=lambda word: Levenshtein.distance(heard, word, weights=(1, 1, 3)))
        return [bool(heard) and plain(word) == found for word in hidden]

    return accepted


def by_any_reading(plain: Callable[[str], str]) -> Method:
    """Return exact spelling with all of the recogniser's readings."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = {plain(reading) for reading in clip.first.texts}
        return [plain(word) in heard for word in hidden]

    return accepted


def by_sound(
    judge: SoundJudge, readings: int | None = None, heard_of: Callable[[Clip], Heard | None] = lambda clip: clip.first
) -> Method:
    """Return the judge with so many readings: accepted is what is right; unsure counts as wrong, as at night."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = heard_of(clip) or clip.first
        judged = judge.judge_many(heard.texts[:readings], words(hidden), heard.confidences[:readings])
        return [judgement.verdict is Verdict.RIGHT for judgement in judged]

    return accepted


def methods(bench: Bench, known: Sequence[str], clips: Sequence[Clip]) -> dict[str, Method]:
    """Return the judge and the baselines by the name in the table; some only for engines that can do more."""
    expecting = any(clip.expecting for clip in clips)
    forced = any(clip.forced for clip in clips)
    again = any(clip.second.texts != clip.first.texts for clip in clips)
    plain = bench.plain
    return {
        "exact text": by_text(plain, lambda heard, hidden: heard == hidden),
        "rapidfuzz ratio >= 80": by_text(plain, lambda heard, hidden: fuzz.ratio(heard, hidden) >= 80),
        "rapidfuzz WRatio >= 80": by_text(plain, lambda heard, hidden: fuzz.WRatio(heard, hidden) >= 80),
        "nearest spelling, no cutoff": by_nearest_spelling(plain, known),
        **({FORCED: by_nearest_spelling(plain, known, lambda clip: clip.forced)} if forced else {}),
        "exact text, any reading": by_any_reading(plain),
        "judge, first reading": by_sound(bench.judge, 1),
        **({"judge, free words only": by_sound(bench.judge)} if expecting else {}),
        JUDGE: by_sound(bench.judge, heard_of=lambda clip: clip.expecting),
        **({OUTSIDE: by_sound(bench.judge, heard_of=lambda clip: clip.outside)} if expecting else {}),
        **({"judge with the second look": by_sound(bench.judge, heard_of=lambda clip: clip.second)} if again else {}),
    }
