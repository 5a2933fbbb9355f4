"""The clue referee and the story ticker: which words a clue or a story holds, by spelling, derivation and sound."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from voice_host.matching.english_text import ARTICLES, words
from voice_host.matching.inflection import derived, inflected
from voice_host.matching.nearest import build_trie, distances
from voice_host.matching.phones import Pronunciation
from voice_host.matching.pronounce import MAX_VARIANTS
from voice_host.matching.words import Fault, Verdict, Word

if TYPE_CHECKING:
    from voice_host.matching.english import EnglishMeasures

SOUNDS_LIKE_COST: Final = 0.5
SOUNDS_LIKE_PER_PHONE: Final = 0.16
SAME_SOUND_COST: Final = 0.1
MISHEARD_COST: Final = 0.2
"""How far several words in a row may be from a word of the deck that they are a mishearing of ("fair it", ferret)."""
LONGEST_WINDOW: Final = 4


def clue_fault(measures: EnglishMeasures, clue: str, hidden: Word) -> Fault | None:
    """Tell whether a clue contains, derives from or sounds like the hidden word; the first that applies."""
    said = [word for word in words(clue) if word not in ARTICLES]
    if not said:
        return None
    meant = [word for text in (hidden.text, *hidden.forms) for word in words(text) if word not in ARTICLES]
    if measures.sounds(hidden).spellings & {"".join(said), *said} or _shares_part(measures, said, meant):
        return Fault.CONTAINS
    if any(_is_derived(measures, one, other) or _is_derived(measures, other, one) for one in said for other in meant):
        return Fault.DERIVED
    return Fault.SOUNDS_LIKE if _sounds_like(measures, said, hidden) else None


def _shares_part(measures: EnglishMeasures, said: Sequence[str], meant: Sequence[str]) -> bool:
    """Tell whether a word of one is a word, or a part of a compound ("dragon" in "dragonfly"), of the other."""
    one = {measures.singular(part) for word in said for part in (word, *_parts(measures, word))}
    other = {measures.singular(part) for word in meant for part in (word, *_parts(measures, word))}
    whole = {measures.singular(word) for word in (*said, *meant)}
    return bool(one & other & whole)


def _parts(measures: EnglishMeasures, word: str) -> tuple[str, ...]:
    """Return the two words that a compound is made of by spelling and by sound; "carpet" is no car and pet."""
    parts = measures.pronouncer.parts(word)
    if parts is None:
        return ()
    whole = measures.pronouncer.word(word)
    joined = measures.pronouncer.phrase(parts)
    trie = build_trie(whole)
    near = min(float(distances(one, trie, measures.costs, 9.0).min()) for one in joined)
    return parts if near <= SAME_SOUND_COST else ()


def _is_derived(measures: EnglishMeasures, word: str, stem: str) -> bool:
    """Tell whether a word is made of a stem or has its root: by a table, else by ending and sound."""
    word, stem = measures.singular(word), measures.singular(stem)
    roots = [{one, *measures.related.get(one, ())} for one in (word, stem)]
    if word != stem and not roots[0].isdisjoint(roots[1]):
        return True
    if len(stem) < 3 or word not in derived(stem) | inflected(stem):
        return False
    if measures.is_thing(word) and measures.is_thing(stem):
        # A bunny is not made of a bun.
        return False
    pairs = product(measures.pronouncer.word(word), measures.pronouncer.word(stem))
    return any(one[: len(other) - 1] == other[:-1] for one, other in pairs)


def _sounds_like(measures: EnglishMeasures, said: Sequence[str], hidden: Word) -> bool:
    meant = measures.sounds(hidden).pronunciations
    trie = build_trie(meant)
    for heard in measures.pronouncer.phrase(said):
        found = distances(heard, trie, measures.costs, SOUNDS_LIKE_COST)
        best = int(found.argmin())
        if found[best] <= SOUNDS_LIKE_PER_PHONE * max(len(meant[best]), len(heard)):
            return True
    return False


def mentioned(measures: EnglishMeasures, text: str, wanted: Sequence[Word]) -> frozenset[str]:
    """Return the ids of the words that a piece of a story mentions; longer mentions first, each word of the story used once."""
    ticker = _Ticker(measures, wanted)
    story = words(text)
    free = [True] * len(story)
    found: set[str] = set()
    for size in range(min(LONGEST_WINDOW, len(story)), 0, -1):
        for start in range(len(story) - size + 1):
            if all(free[start : start + size]):
                ticked = ticker.ticked(story[start : start + size])
                found |= ticked
                if ticked:
                    free[start : start + size] = [False] * size
    return frozenset(found)


class _Ticker:
    """Knows how the wanted words are spelled and sound in a story; made once a story."""

    def __init__(self, measures: EnglishMeasures, wanted: Sequence[Word]) -> None:
        self._measures = measures
        self._wanted = wanted
        self._spellings: dict[str, set[str]] = {}
        said: dict[Pronunciation, set[str]] = {}
        for word in wanted:
            sounds = measures.sounds(word)
            verbs = (one for text in (word.text, *word.forms) for one in inflected("".join(words(text)) or "-"))
            for spelling in (*(form.replace(" ", "") for form in sounds.spellings), *verbs):
                self._spellings.setdefault(spelling, set()).add(word.id)
            for pronunciation in sounds.pronunciations:
                said.setdefault(pronunciation, set()).add(word.id)
        self._ids = tuple(said.values())
        self._trie = build_trie(tuple(said))

    def ticked(self, window: Sequence[str]) -> set[str]:
        """Return the ids of the words that a stretch of the story is, as written or as the recogniser miswrote it."""
        spelled = self._spellings.get("".join(window))
        if spelled:
            return spelled
        if len(window) == 1 and window[0] not in self._measures.lexicon.index:
            judged = self._measures.judge_many(window, self._wanted)
            return {word.id for word, one in zip(self._wanted, judged, strict=True) if one.verdict is Verdict.RIGHT}
        if window[0] in ARTICLES:
            return set()
        # Words that stand for themselves ("the art") are no mishearing of another ("dart"), unless they sound just like it.
        limit = MISHEARD_COST if len(window) > 1 else 0.0
        heard = self._measures.pronouncer.phrase(window)[: MAX_VARIANTS if len(window) > 1 else 1]
        near = [distances(one, self._trie, self._measures.costs, limit) <= limit for one in heard]
        return {name for row in near for entry in row.nonzero()[0] for name in self._ids[entry]}
