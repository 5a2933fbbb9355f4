"""The clue referee and the story ticker of Mandarin: which words a clue or a story holds, by characters and by sound."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from voice_host.matching.mandarin_phones import TONE_UNITS, tones_apart
from voice_host.matching.mandarin_text import plain
from voice_host.matching.nearest import distance
from voice_host.matching.phones import Pronunciation
from voice_host.matching.words import Fault, Word

if TYPE_CHECKING:
    from voice_host.matching.mandarin import MandarinMeasures

SOUNDS_LIKE_COST: Final = 0.5
SOUNDS_LIKE_PER_PHONE: Final = 0.1
_NO_ROOTS: Final = frozenset("子兒儿頭头的了小大老一個个")
"""Characters that two words may share without having a root in common."""
_PLACES: Final = frozenset("上下裡里裏中內内外邊边旁")
"""After one of these a word still stands for itself: 山上, 海裡."""
_UNKNOWN_WORD: Final = -9.0
"""What the segmentation thinks of a character that is no word: log10 of its share of all words."""
_LONGEST_SEGMENT: Final = 6


def clue_fault(measures: MandarinMeasures, clue: str, hidden: Word) -> Fault | None:
    """Tell whether a clue contains, shares a character with or sounds like the hidden word; the first that applies."""
    said = plain(clue)
    if not said:
        return None
    for form in measures.speech.sounds(hidden).spellings:
        if form in said or (said in form and set(said) - _NO_ROOTS):
            return Fault.CONTAINS
        if (set(said) & set(form)) - _NO_ROOTS:
            return Fault.DERIVED
    return Fault.SOUNDS_LIKE if _sounds_like(measures, clue, hidden) else None


def _sounds_like(measures: MandarinMeasures, clue: str, hidden: Word) -> bool:
    meant = measures.speech.sounds(hidden).pronunciations
    for heard, wanted in product(measures.speech.phrase(clue), meant):
        if set(syllables(heard)) & {one for one in syllables(wanted) if _is_root(one)}:
            return True
        if tones_apart(heard) == tones_apart(wanted):
            return True
        limit = min(SOUNDS_LIKE_COST, SOUNDS_LIKE_PER_PHONE * max(len(heard), len(wanted)))
        if distance(heard, wanted, measures.judging.costs) <= limit:
            return True
    return False


def _is_root(syllable: Pronunciation) -> bool:
    """Tell syllables with a meaning of their own from light ones (子, 頭)."""
    return syllable[-1] != TONE_UNITS[-1]


def syllables(pronunciation: Pronunciation) -> tuple[Pronunciation, ...]:
    """Return the syllables of a pronunciation; each ends in its tone."""
    found: list[Pronunciation] = []
    start = 0
    for end, unit in enumerate(pronunciation, start=1):
        if unit in TONE_UNITS:
            found.append(pronunciation[start:end])
            start = end
    return tuple(found)


def mentioned(measures: MandarinMeasures, text: str, wanted: Sequence[Word]) -> frozenset[str]:
    """Return the ids of the words that a piece of a story mentions; longer mentions first, each character used once.

    Spaces do not count. A word of several characters is mentioned as written in either script or as it sounds; one of a single
    character only where it stands as a word of its own (山, but not the one of 火山).
    """
    story = list(plain(text))
    alone = {
        start
        for start, end in _segments(story, measures)
        if end - start == 1 or (end - start == 2 and story[start + 1] in _PLACES)
    }
    heard = _sound_of_each(measures, story)
    forms = [(form, word.id) for word in wanted for form in measures.speech.sounds(word).spellings]
    sounds = [(syllables(one), word.id) for word in wanted for one in measures.speech.sounds(word).pronunciations]
    found: set[str] = set()
    free = [True] * len(story)

    def take(start: int, size: int, name: str) -> None:
        if all(free[start : start + size]) or name in found:
            found.add(name)
            free[start : start + size] = [False] * size

    for size in sorted({len(form) for form, _ in forms} | {len(one) for one, _ in sounds}, reverse=True):
        for start in range(len(story) - size + 1):
            window = "".join(story[start : start + size])
            for form, name in forms:
                if form == window and (size > 1 or start in alone):
                    take(start, size, name)
            for wanted_sound, name in sounds:
                if 1 < size == len(wanted_sound) and _is_said(wanted_sound, heard[start : start + size]):
                    take(start, size, name)
    return frozenset(found)


def _is_said(wanted: Sequence[Pronunciation], heard: Sequence[frozenset[Pronunciation]]) -> bool:
    return all(one in options for one, options in zip(wanted, heard, strict=True))


def _sound_of_each(measures: MandarinMeasures, story: Sequence[str]) -> list[frozenset[Pronunciation]]:
    """Return for each character the syllables that it may be; none for letters and digits."""
    characters = measures.speech.pronouncer.characters
    return [frozenset(characters.get(letter, ())) for letter in story]


def _segments(story: Sequence[str], measures: MandarinMeasures) -> list[tuple[int, int]]:
    """Cut a story into its likeliest words by their frequencies; return (start, end) of each."""
    simple = measures.speech.script.to_simplified("".join(story))
    index, frequency = measures.judging.lexicon.index, measures.frequency
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(simple) + 1):
        options = []
        for start in range(max(0, end - _LONGEST_SEGMENT), end):
            word = simple[start:end]
            if word in index or end - start == 1:
                options.append((best[start][0] + frequency.get(word, _UNKNOWN_WORD + 9) - 9, start))
        best.append(max(options))
    found: list[tuple[int, int]] = []
    end = len(simple)
    while end:
        start = best[end][1]
        found.append((start, end))
        end = start
    return found[::-1]
