"""What an English clip is tried against, by the judge and by matching of text."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein
from rooms import read_index

from voice_host.matching.english import EnglishMeasures
from voice_host.matching.english_text import words
from voice_host.matching.words import Verdict, Word

WORD_SETS = ("en_words_art4apps", "en_words_tuxpaint", "en_speech_commands")
WORDLESS_KINDS = ("noise", "nonverbal")
RANDOM_TRIALS = 20
NEAREST_TRIALS = 5


@dataclass(frozen=True, slots=True)
class Heard:
    """What the recogniser made of a clip, with or without the second look."""

    texts: tuple[str, ...]
    confidences: tuple[float, ...]
    seconds: float
    """Processor time, which other work on the machine does not lengthen much."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One recording with what was heard in it."""

    file: str
    said: str
    """"" where nobody says a word."""
    speaker: str
    first: Heard
    """The recogniser's own n-best."""
    second: Heard
    """After the second look."""
    together: Heard | None
    """After a second look with a second engine; None where there is none."""
    weighed: tuple[tuple[str, float, float], ...]
    """Text, and the natural logs of its likelihood to both engines; of none where one of them heard nothing."""
    seconds: float

    @property
    def folder(self) -> str:
        """The set it belongs to."""
        return self.file.split("/", maxsplit=1)[0]

    @property
    def tuning(self) -> bool:
        """Whether it is in the half on which all was fitted."""
        return is_tuning(self.file, self.speaker, self.said)


def is_tuning(file: str, speaker: str, said: str) -> bool:
    """Tell the two halves apart: by speaker, or by word where one speaker says all."""
    key = speaker if file.startswith("en_speech_commands") else said
    return zlib.crc32(key.encode()) % 2 == 0


def spoken_label(row: dict[str, str]) -> str | None:
    """Return what a clip says, "" for no word, None where the label is not what is said ("lower a")."""
    if row["kind"] in WORDLESS_KINDS:
        return ""
    label = row["text"].lower().strip()
    return None if label.startswith(("lower ", "upper ")) else label


def phone_letters(measures: EnglishMeasures, text: str) -> set[str]:
    """Return the pronunciations of a text as strings, one letter a phone."""
    return {"".join(chr(65 + phone) for phone in one) for one in measures.pronouncer.phrase(words(text))}


class Pool:
    """The words that a clip is tried against; its order is its content's."""

    def __init__(self, measures: EnglishMeasures, texts: Iterable[str]) -> None:
        self._measures = measures
        self.texts = tuple(sorted(set(texts)))
        self._phones = {text: phone_letters(measures, text) for text in self.texts}
        self._sounds = {text: measures.sounds(Word(id=text, text=text)) for text in self.texts}
        self._nearest: dict[str, list[str]] = {}

    def others(self, said: str) -> list[str]:
        """Return the words that are not the said one by spelling, sound or inflection."""
        if not said:
            return list(self.texts)
        own = self._measures.sounds(Word(id=said, text=said))
        return [text for text, sounds in self._sounds.items() if not sounds.shared(own)]

    def random(self, said: str, seed: str) -> list[str]:
        """Return `RANDOM_TRIALS` other words, drawn by the seed."""
        return random.Random(seed).sample(self.others(said), RANDOM_TRIALS)

    def nearest(self, said: str) -> list[str]:
        """Return the `NEAREST_TRIALS` other words with the fewest phones to change (plain Levenshtein, not the judge's costs)."""
        if said not in self._nearest:
            self._nearest[said] = self._find_nearest(said)
        return self._nearest[said]

    def _find_nearest(self, said: str) -> list[str]:
        spoken = phone_letters(self._measures, said)

        def phones_to_change(text: str) -> tuple[int, str]:
            pairs = ((one, other) for one in spoken for other in self._phones[text])
            return min((Levenshtein.distance(one, other) for one, other in pairs), default=99), text

        return sorted(self.others(said), key=phones_to_change)[:NEAREST_TRIALS]


def plain(text: str) -> str:
    """Return a text as the baselines compare it: lower case, no punctuation."""
    return " ".join(words(text))


@dataclass(frozen=True, slots=True)
class Trials:
    """The words that each clip is tried against."""

    pool: Pool
    """All words of the recordings."""
    common: Pool
    """Common nouns."""

    def of(self, clip: Clip) -> dict[str, list[str]]:
        """Return the words by kind of trial; the first kind holds the right word, or none."""
        if not clip.said:
            return {"right": [], "random": self.pool.random("", clip.file)}
        return {
            "right": [clip.said],
            "random": self.pool.random(clip.said, clip.file),
            "nearest": self.pool.nearest(clip.said),
            "common": self.common.nearest(clip.said),
        }


def make_trials(measures: EnglishMeasures, audio: Path) -> Trials:
    """Collect the words of the recordings and the common nouns."""
    rows = [row for row in read_index(audio) if row["file"].split("/")[0] in WORD_SETS]
    labels = [label for label in map(spoken_label, rows) if label]
    drawable, frequency = measures.lexicon.drawable, measures.pronouncer.frequency
    nouns = [word for word, part in drawable.items() if part >= 0.5 and frequency.get(word, 0.0) >= 3.5]
    return Trials(Pool(measures, labels), Pool(measures, nouns))


Method = Callable[[Clip, Sequence[str]], list[bool]]


def by_text(accepts: Callable[[str, str], bool]) -> Method:
    """Return a baseline that accepts by spelling alone, on the recogniser's best reading."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.first.texts[0]) if clip.first.texts else ""
        return [bool(heard) and accepts(heard, plain(word)) for word in hidden]

    return accepted


def by_nearest_spelling(words_known: Sequence[str]) -> Method:
    """Return the baseline of wyoming-vosk: the nearest of all known words by Levenshtein with weights 1, 1, 3, however far."""
    spelled = [plain(word) for word in words_known]

    def nearest(heard: str) -> str:
        return min(spelled, key=lambda word: (Levenshtein.distance(heard, word, weights=(1, 1, 3)), word))

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = plain(clip.first.texts[0]) if clip.first.texts else ""
        chosen = nearest(heard) if heard else None
        return [plain(word) == chosen for word in hidden]

    return accepted


def by_sound(measures: EnglishMeasures, heard_of: Callable[[Clip], Heard]) -> Method:
    """Return the judge on one of a clip's hearings: accepted is what is right; unsure counts as wrong, as at night."""

    def accepted(clip: Clip, hidden: Sequence[str]) -> list[bool]:
        heard = heard_of(clip)
        judged = measures.judge_many(heard.texts, [Word(id=word, text=word) for word in hidden], heard.confidences)
        return [judgement.verdict is Verdict.RIGHT for judgement in judged]

    return accepted


JUDGE = "**voice-host judge**"
TOGETHER = "**voice-host judge, two engines**"


def methods(measures: EnglishMeasures, known: Sequence[str], *, together: bool) -> dict[str, Method]:
    """Return the judge and the baselines by the name in the table; with two engines where a second one was heard."""
    return {
        "exact text": by_text(lambda heard, hidden: heard == hidden),
        "rapidfuzz ratio >= 80": by_text(lambda heard, hidden: fuzz.ratio(heard, hidden) >= 80),
        "rapidfuzz WRatio >= 80": by_text(lambda heard, hidden: fuzz.WRatio(heard, hidden) >= 80),
        "nearest spelling, no cutoff": by_nearest_spelling(known),
        "judge without the second look": by_sound(measures, lambda clip: clip.first),
        JUDGE: by_sound(measures, lambda clip: clip.second),
        **({TOGETHER: by_sound(measures, lambda clip: clip.together or clip.second)} if together else {}),
    }
