"""From English spelling to phones: a dictionary, compounds of what it holds, and a letter-to-sound function for the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from voice_host.matching.phones import INDEX, Pronunciation, parse

LetterToSound = Callable[[str], Pronunciation]

MAX_VARIANTS: Final = 4
_SHORTEST_PART: Final = 3

# The last resort where no letter-to-sound function is handed in.
_SPELLINGS: Final[Mapping[str, str]] = {
    "tch": "CH", "igh": "AY", "eau": "OW", "sch": "S K",
    "th": "TH", "sh": "SH", "ch": "CH", "ph": "F", "ck": "K", "ng": "NG", "qu": "K W", "wh": "W", "kn": "N", "wr": "R",
    "ee": "IY", "ea": "IY", "oo": "UW", "ou": "AW", "ow": "OW", "oi": "OY", "oy": "OY", "ai": "EY", "ay": "EY", "au": "AO",
    "aw": "AO", "oa": "OW", "ie": "IY", "ei": "EY", "ew": "UW", "ar": "AA R", "er": "ER", "ir": "ER", "or": "AO R",
    "ur": "ER", "ll": "L", "ss": "S", "tt": "T", "pp": "P", "bb": "B", "dd": "D", "gg": "G", "mm": "M", "nn": "N",
    "ff": "F", "rr": "R", "cc": "K", "zz": "Z", "ce": "S", "ci": "S IH",
    "a": "AE", "b": "B", "c": "K", "d": "D", "e": "EH", "f": "F", "g": "G", "h": "HH", "i": "IH", "j": "JH", "k": "K",
    "l": "L", "m": "M", "n": "N", "o": "AA", "p": "P", "q": "K", "r": "R", "s": "S", "t": "T", "u": "AH", "v": "V",
    "w": "W", "x": "K S", "y": "IY", "z": "Z",
}  # fmt: skip


def spelled_out(word: str) -> Pronunciation:
    """Guess the phones of a word letter by letter."""
    phones: list[str] = []
    at = 0
    while at < len(word):
        size = next((size for size in (3, 2, 1) if word[at : at + size] in _SPELLINGS), 0)
        last_silent = word[at:] == "e" and at > 1
        if size and not last_silent:
            phones.extend(_SPELLINGS[word[at : at + size]].split())
        at += size or 1
    return tuple(INDEX[phone] for phone in phones)


@dataclass(frozen=True, slots=True, eq=False)
class Pronouncer:
    """Knows how English words sound."""

    dictionary: Mapping[str, tuple[str, ...]]
    """Word -> pronunciations as CMUdict writes them, the usual one first."""
    frequency: Mapping[str, float]
    """Word -> Zipf frequency (log10 of uses in a milliard words) of the words in use; decides how compounds are cut."""
    letter_to_sound: LetterToSound = spelled_out
    """For words that neither the dictionary nor a compound explains; may return () for none."""

    def knows(self, word: str) -> bool:
        """Tell whether the dictionary holds the word."""
        return word in self.dictionary

    def word(self, word: str) -> tuple[Pronunciation, ...]:
        """Return the pronunciations of one word in lower case, the usual one first."""
        listed = self.dictionary.get(word)
        if listed is not None:
            return tuple(parse(one.split()) for one in listed[:MAX_VARIANTS])
        if word.endswith("'s") and self.knows(word[:-2]):
            return tuple(one + _plural_ending(one) for one in self.word(word[:-2]))
        parts = self.parts(word)
        sounded = self.letter_to_sound(word)
        # "Fireengine" is a compound and "cammel" is not: both ways are kept.
        found = (*(self.phrase(parts)[:2] if parts else ()), *((sounded,) if sounded else ()))
        return tuple(dict.fromkeys(found))

    def parts(self, word: str) -> tuple[str, str] | None:
        """Cut a compound into two words in use ("fireengine"), the cut with the commoner rarer part; None when there is none."""
        best = None
        best_frequency = 0.0
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            first, second = word[:cut], word[cut:]
            if first in self.dictionary and second in self.dictionary:
                frequency = min(self.frequency.get(first, 0.0), self.frequency.get(second, 0.0))
                if frequency > best_frequency:
                    best, best_frequency = (first, second), frequency
        return best

    def phrase(self, words: Sequence[str]) -> tuple[Pronunciation, ...]:
        """Return the pronunciations of several words said in one breath; at most `MAX_VARIANTS`."""
        variants = [self.word(word)[: MAX_VARIANTS if len(words) == 1 else 2] for word in words]
        spoken = (sum(chosen, ()) for chosen in product(*(one for one in variants if one)))
        return tuple(islice((one for one in spoken if one), MAX_VARIANTS))


_SIBILANTS: Final = frozenset(INDEX[name] for name in ("S", "Z", "SH", "ZH", "CH", "JH"))
_VOICELESS: Final = frozenset(INDEX[name] for name in ("P", "T", "K", "F", "TH"))


def _plural_ending(pronunciation: Pronunciation) -> Pronunciation:
    last = pronunciation[-1]
    if last in _SIBILANTS:
        return (INDEX["AX"], INDEX["Z"])
    return (INDEX["S"],) if last in _VOICELESS else (INDEX["Z"],)


def plural(pronunciation: Pronunciation) -> Pronunciation:
    """Return the sound of the regular plural, which is that of the possessive too."""
    return pronunciation + _plural_ending(pronunciation)
