"""The clue referee and the story ticker of Korean: which words a clue or a story holds, by spelling and by sound."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from voice_host.matching.korean_text import hangul, only_particles, plain, tokens
from voice_host.matching.nearest import distance
from voice_host.matching.words import Fault, Word

if TYPE_CHECKING:
    from voice_host.matching.korean import KoreanMeasures

SOUNDS_LIKE_COST: Final = 0.5
SOUNDS_LIKE_PER_PHONE: Final = 0.1
_LONGEST_WINDOW: Final = 4


def clue_fault(measures: KoreanMeasures, clue: str, hidden: Word) -> Fault | None:
    """Tell whether a clue contains, shares a noun with or sounds like the hidden word; the first that applies."""
    said = measures.nouns(clue)
    whole = plain(clue)
    if not whole:
        return None
    meant = measures.speech.sounds(hidden)
    for noun, form in product(said, meant.spellings):
        if noun == form or (len(form) > 1 and form in whole) or (len(noun) > 1 and noun in form):
            return Fault.CONTAINS
        short, long = sorted((noun, form), key=len)
        if len(short) == 1 and measures.is_noun(long) and short in (long[0], long[-1]):
            return Fault.CONTAINS
        if _shared_noun(measures, noun, form):
            return Fault.DERIVED
    for noun in said:
        for heard, wanted in product(measures.speech.phrase(noun), meant.pronunciations):
            limit = min(SOUNDS_LIKE_COST, SOUNDS_LIKE_PER_PHONE * max(len(heard), len(wanted)))
            if distance(heard, wanted, measures.judging.costs) <= limit:
                return Fault.SOUNDS_LIKE
    return None


def _shared_noun(measures: KoreanMeasures, one: str, other: str) -> bool:
    """Tell whether two compounds have a noun of two syllables or more in common: 물고기 and 불고기."""
    for size in range(min(len(one), len(other)), 1, -1):
        for start in range(len(one) - size + 1):
            part = one[start : start + size]
            if part in other and measures.is_noun(part):
                return True
    return False


def mentioned(measures: KoreanMeasures, text: str, wanted: Sequence[Word]) -> frozenset[str]:
    """Return the ids of the words that a piece of a story mentions; longer mentions first, each eojeol used once.

    A word is mentioned where an eojeol, or several that the recogniser should not have parted, begins with its sound and goes
    on with nothing but particles; a word of three syllables or more also inside a longer one.
    """
    story = [way for token in tokens(text) for way in hangul(token)[:1]]
    sounds = [
        (form, frozenset(measures.speech.phrase(form)), word.id)
        for word in wanted
        for spelling in measures.speech.sounds(word).spellings
        for form in hangul(spelling)[:1]
    ]
    sounds.sort(key=lambda one: -len(one[0]))
    free = [True] * len(story)
    found: set[str] = set()
    for form, said, name in sounds:
        for start in range(len(story)):
            for size in range(1, min(_LONGEST_WINDOW, len(story) - start) + 1):
                window = "".join(story[start : start + size])
                if all(free[start : start + size]) and _names(measures, window, form, said):
                    found.add(name)
                    free[start : start + size] = [False] * size
    return frozenset(found)


def _names(measures: KoreanMeasures, window: str, form: str, said: frozenset[tuple[int, ...]]) -> bool:
    size = len(form)
    if len(window) < size:
        return False
    if size > 2 and form in window:
        return True
    begins = window[:size] == form or not said.isdisjoint(measures.speech.phrase(window[:size]))
    return begins and only_particles(window[size:])
