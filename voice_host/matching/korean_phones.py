"""The phones of Korean and what it costs to mistake one for another.

A syllable is an onset (unless it begins with its vowel), a vowel and perhaps one of seven codas. Inside the matcher a
pronunciation is a tuple of indexes into `PHONES`; a coda is written with a dot before it. Costs are on a scale on which 0 is
the same sound and 1 quite another one. Lax, tense and aspirated consonants are near: recognisers and accents mix them, and
loan words waver. ㅐ and ㅔ are one phone, and so are ㅚ, ㅙ and ㅞ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final

import numpy as np

from voice_host.matching.phones import PhoneCosts, Pronunciation

# Place (0 lips to 1 throat), manner, strength.
_ONSETS: Final[Mapping[str, tuple[float, str, str]]] = {
    "ㅂ": (0.0, "stop", "lax"), "ㅃ": (0.0, "stop", "tense"), "ㅍ": (0.0, "stop", "aspirated"),
    "ㄷ": (0.4, "stop", "lax"), "ㄸ": (0.4, "stop", "tense"), "ㅌ": (0.4, "stop", "aspirated"),
    "ㄱ": (0.8, "stop", "lax"), "ㄲ": (0.8, "stop", "tense"), "ㅋ": (0.8, "stop", "aspirated"),
    "ㅈ": (0.55, "affricate", "lax"), "ㅉ": (0.55, "affricate", "tense"), "ㅊ": (0.55, "affricate", "aspirated"),
    "ㅅ": (0.45, "fricative", "lax"), "ㅆ": (0.45, "fricative", "tense"), "ㅎ": (1.0, "fricative", "aspirated"),
    "ㅁ": (0.0, "nasal", "lax"), "ㄴ": (0.4, "nasal", "lax"), "ㄹ": (0.4, "liquid", "lax"),
}  # fmt: skip
_CODAS: Final = (".ㄱ", ".ㄴ", ".ㄷ", ".ㄹ", ".ㅁ", ".ㅂ", ".ㅇ")
# Glide before, height (0 open to 1 close), backness, rounding.
_VOWELS: Final[Mapping[str, tuple[str, float, float, float]]] = {
    "ㅏ": ("", 0.0, 0.5, 0.0), "ㅑ": ("j", 0.0, 0.5, 0.0), "ㅘ": ("w", 0.0, 0.5, 0.0),
    "ㅓ": ("", 0.35, 0.8, 0.1), "ㅕ": ("j", 0.35, 0.8, 0.1), "ㅝ": ("w", 0.35, 0.8, 0.1),
    "ㅔ": ("", 0.4, 0.1, 0.0), "ㅖ": ("j", 0.4, 0.1, 0.0), "ㅞ": ("w", 0.4, 0.1, 0.0),
    "ㅗ": ("", 0.55, 0.9, 0.7), "ㅛ": ("j", 0.55, 0.9, 0.7),
    "ㅜ": ("", 1.0, 0.9, 0.8), "ㅠ": ("j", 1.0, 0.9, 0.8),
    "ㅡ": ("", 1.0, 0.6, 0.0), "ㅣ": ("", 1.0, 0.0, 0.0), "ㅟ": ("w", 1.0, 0.0, 0.3), "ㅢ": ("", 1.0, 0.25, 0.0),
}  # fmt: skip
MERGED_VOWELS: Final[Mapping[str, str]] = {"ㅐ": "ㅔ", "ㅒ": "ㅖ", "ㅚ": "ㅞ", "ㅙ": "ㅞ"}
PHONES: Final[tuple[str, ...]] = (*_ONSETS, *_VOWELS, *_CODAS)
INDEX: Final[Mapping[str, int]] = {name: index for index, name in enumerate(PHONES)}

_STRENGTH: Final[Mapping[frozenset[str], float]] = {
    frozenset(("lax", "tense")): 0.15,
    frozenset(("lax", "aspirated")): 0.2,
    frozenset(("tense", "aspirated")): 0.25,
}
_MANNER: Final[Mapping[frozenset[str], float]] = {
    frozenset(("stop", "affricate")): 0.3, frozenset(("stop", "fricative")): 0.4, frozenset(("affricate", "fricative")): 0.25,
    frozenset(("stop", "nasal")): 0.35, frozenset(("nasal", "liquid")): 0.3, frozenset(("stop", "liquid")): 0.45,
}  # fmt: skip
_OTHER_MANNER: Final = 0.6
_PLACE: Final = 0.55
_GLIDE: Final[Mapping[frozenset[str], float]] = {
    frozenset(("", "j")): 0.25, frozenset(("", "w")): 0.25, frozenset(("j", "w")): 0.45,
}  # fmt: skip
_NEAR: Final[Mapping[frozenset[str], float]] = {
    frozenset(pair): cost
    for *pair, cost in (
        ("ㅢ", "ㅣ", 0.1), ("ㅢ", "ㅔ", 0.2), ("ㅢ", "ㅡ", 0.12), ("ㅖ", "ㅔ", 0.08), ("ㅓ", "ㅗ", 0.2), ("ㅗ", "ㅜ", 0.2),
        ("ㅡ", "ㅜ", 0.2), ("ㅓ", "ㅡ", 0.25), ("ㅝ", "ㅓ", 0.15), ("ㅘ", "ㅏ", 0.2), ("ㅟ", "ㅣ", 0.15), ("ㅞ", "ㅔ", 0.15),
        ("ㅓ", "ㅏ", 0.3), ("ㅕ", "ㅓ", 0.2), ("ㅛ", "ㅕ", 0.25), ("ㅛ", "ㅠ", 0.2),
        ("ㅎ", "ㅋ", 0.3), ("ㅎ", "ㅍ", 0.4), ("ㅍ", "ㅎ", 0.4), ("ㄴ", "ㅁ", 0.25), ("ㄴ", "ㄷ", 0.25), ("ㅁ", "ㅂ", 0.25), ("ㄹ", "ㄷ", 0.3),
        (".ㄴ", ".ㅇ", 0.2), (".ㄴ", ".ㅁ", 0.2), (".ㅁ", ".ㅇ", 0.25), (".ㄱ", ".ㄷ", 0.2), (".ㄷ", ".ㅂ", 0.2), (".ㄱ", ".ㅂ", 0.2),
        (".ㄱ", ".ㅇ", 0.3), (".ㄷ", ".ㄴ", 0.3), (".ㅂ", ".ㅁ", 0.3), (".ㄹ", ".ㄴ", 0.3),
    )
}  # fmt: skip
_OTHER_CODA: Final = 0.5
_CODA_FOR_ONSET: Final = 0.25
"""What a coda costs that was said as the next syllable's onset, beside what tells the consonants apart."""
_SAME_CLASS_MAX: Final = 0.95
_OTHER_KIND: Final = 1.3
_DROP: Final[Mapping[str, float]] = {
    "ㅎ": 0.25, "ㄹ": 0.5, "ㅡ": 0.45, "ㅣ": 0.7, "ㅜ": 0.7,
    ".ㄱ": 0.4, ".ㄷ": 0.3, ".ㅂ": 0.4, ".ㄴ": 0.4, ".ㅇ": 0.4, ".ㅁ": 0.45, ".ㄹ": 0.4,
}  # fmt: skip
_DROP_ONSET: Final = 0.65
_DROP_VOWEL: Final = 0.8


def _manner_cost(one: tuple[float, str, str], other: tuple[float, str, str]) -> float:
    manners = frozenset((one[1], other[1]))
    cost = _PLACE * abs(one[0] - other[0])
    if len(manners) > 1:
        cost += _MANNER.get(manners, _OTHER_MANNER)
    if one[2] != other[2]:
        cost += _STRENGTH[frozenset((one[2], other[2]))]
    return min(_SAME_CLASS_MAX, cost)


def _vowel_cost(one: str, other: str) -> float:
    glide, *place = _VOWELS[one]
    other_glide, *other_place = _VOWELS[other]
    weights = (0.7, 0.5, 0.3)
    apart = sum((weight * (a - b)) ** 2 for weight, a, b in zip(weights, place, other_place, strict=True)) ** 0.5
    cost = (0.12 + apart if apart else 0.0) + _GLIDE.get(frozenset((glide, other_glide)), 0.0)
    return min(_SAME_CLASS_MAX, cost)


def _cost(one: str, other: str) -> float:
    near = _NEAR.get(frozenset((one, other)))
    if near is not None:
        return near
    if one in _VOWELS and other in _VOWELS:
        return _vowel_cost(one, other)
    if one in _VOWELS or other in _VOWELS:
        return _OTHER_KIND
    if one in _ONSETS and other in _ONSETS:
        return _manner_cost(_ONSETS[one], _ONSETS[other])
    if one in _CODAS and other in _CODAS:
        return _OTHER_CODA
    onset, coda = (one, other[1]) if other in _CODAS else (other, one[1])
    return _OTHER_KIND if coda == "ㅇ" else _across_cost(onset, coda)


def _across_cost(onset: str, coda: str) -> float:
    apart = _manner_cost(_ONSETS[onset], _ONSETS[coda]) if onset != coda else 0.0
    return min(_OTHER_KIND, _CODA_FOR_ONSET + apart)


def phone_costs() -> PhoneCosts:
    """Return the costs of heard for meant phones."""
    substitute = np.zeros((len(PHONES), len(PHONES)), dtype=np.float32)
    for one, other in combinations(PHONES, 2):
        substitute[INDEX[one], INDEX[other]] = substitute[INDEX[other], INDEX[one]] = _cost(one, other)
    drop = np.array(
        [_DROP.get(name, _DROP_VOWEL if name in _VOWELS else _DROP_ONSET) for name in PHONES], dtype=np.float32
    )
    return PhoneCosts(substitute=substitute, drop=drop, drop_last=drop.copy(), insert=drop.copy())


def parse(names: Iterable[str]) -> Pronunciation:
    """Turn names of phones into a pronunciation; raises `KeyError` for an unknown one."""
    return tuple(INDEX[MERGED_VOWELS.get(name, name)] for name in names)


def spell(pronunciation: Pronunciation) -> str:
    """Write a pronunciation with the phones' names, for people to read."""
    return " ".join(PHONES[phone] for phone in pronunciation)
