"""The phones of English and what it costs to mistake one for another.

Phones are those of the CMU Pronouncing Dictionary without stress marks, except that the reduced vowel (AH0) is its own
phone, AX. Inside the matcher a pronunciation is a tuple of small integers, indexes into `PHONES`. Costs are on a scale on
which 0 is the same sound and 1 quite another one. Vowels are compared by where the tongue is, consonants by place, manner
and voice; what recognisers and far microphones lose first (final stops, h, reduced vowels) is cheap to drop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Pronunciation = tuple[int, ...]
Costs = NDArray[np.float32]

# Height (0 open to 1 close), backness (0 front to 1 back), rounding; a diphthong has a start and an end.
_VOWELS: Final[Mapping[str, tuple[float, float, float, float, float, float]]] = {
    "AA": (0.0, 0.9, 0.2, 0.0, 0.9, 0.2),
    "AE": (0.1, 0.1, 0.0, 0.1, 0.1, 0.0),
    "AH": (0.3, 0.6, 0.0, 0.3, 0.6, 0.0),
    "AX": (0.45, 0.5, 0.0, 0.45, 0.5, 0.0),
    "AO": (0.2, 1.0, 0.6, 0.2, 1.0, 0.6),
    "AW": (0.05, 0.5, 0.0, 0.7, 0.9, 0.8),
    "AY": (0.05, 0.5, 0.0, 0.8, 0.1, 0.0),
    "EH": (0.35, 0.1, 0.0, 0.35, 0.1, 0.0),
    "ER": (0.45, 0.5, 0.5, 0.45, 0.5, 0.5),
    "EY": (0.5, 0.1, 0.0, 0.85, 0.1, 0.0),
    "IH": (0.8, 0.15, 0.0, 0.8, 0.15, 0.0),
    "IY": (1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    "OW": (0.45, 0.8, 0.6, 0.8, 0.9, 0.9),
    "OY": (0.3, 1.0, 0.8, 0.8, 0.1, 0.0),
    "UH": (0.8, 0.8, 0.6, 0.8, 0.8, 0.6),
    "UW": (1.0, 0.9, 0.9, 1.0, 0.9, 0.9),
}

# Place (0 lips to 1 throat), manner, voiced.
_CONSONANTS: Final[Mapping[str, tuple[float, str, bool]]] = {
    "P": (0.0, "stop", False),
    "B": (0.0, "stop", True),
    "T": (0.4, "stop", False),
    "D": (0.4, "stop", True),
    "K": (0.8, "stop", False),
    "G": (0.8, "stop", True),
    "CH": (0.55, "affricate", False),
    "JH": (0.55, "affricate", True),
    "F": (0.1, "fricative", False),
    "V": (0.1, "fricative", True),
    "TH": (0.25, "fricative", False),
    "DH": (0.25, "fricative", True),
    "S": (0.4, "sibilant", False),
    "Z": (0.4, "sibilant", True),
    "SH": (0.55, "sibilant", False),
    "ZH": (0.55, "sibilant", True),
    "HH": (1.0, "fricative", False),
    "M": (0.0, "nasal", True),
    "N": (0.4, "nasal", True),
    "NG": (0.8, "nasal", True),
    "L": (0.4, "liquid", True),
    "R": (0.5, "liquid", True),
    "W": (0.0, "glide", True),
    "Y": (0.65, "glide", True),
}

_MANNER_COST: Final[Mapping[frozenset[str], float]] = {
    frozenset(("stop", "affricate")): 0.3,
    frozenset(("stop", "fricative")): 0.4,
    frozenset(("stop", "sibilant")): 0.55,
    frozenset(("stop", "nasal")): 0.45,
    frozenset(("affricate", "fricative")): 0.45,
    frozenset(("affricate", "sibilant")): 0.2,
    frozenset(("fricative", "sibilant")): 0.25,
    frozenset(("liquid", "glide")): 0.25,
    frozenset(("nasal", "liquid")): 0.45,
    frozenset(("nasal", "glide")): 0.55,
    frozenset(("fricative", "glide")): 0.5,
    frozenset(("fricative", "liquid")): 0.55,
}
_OTHER_MANNER_COST: Final = 0.65
_VOICE_COST: Final = 0.25
_PLACE_COST: Final = 0.65
_SAME_CLASS_MAX: Final = 0.95
_VOWEL_FOR_CONSONANT: Final = 1.3

# Pairs that sound nearer than the classes say; evidence: American and British pronunciations of one word, and vowels that
# glides and liquids turn into.
_NEAR: Final[Mapping[frozenset[str], float]] = {
    frozenset(("AH", "AX")): 0.05,
    frozenset(("AX", "IH")): 0.15,
    frozenset(("AX", "ER")): 0.25,
    frozenset(("AA", "AO")): 0.12,
    frozenset(("AA", "AH")): 0.3,
    frozenset(("IH", "IY")): 0.3,
    frozenset(("UH", "UW")): 0.25,
    frozenset(("EH", "AE")): 0.3,
    frozenset(("EH", "IH")): 0.3,
    frozenset(("ER", "R")): 0.4,
    frozenset(("IY", "Y")): 0.4,
    frozenset(("UW", "W")): 0.4,
    frozenset(("UH", "W")): 0.5,
    frozenset(("OW", "L")): 0.6,
    frozenset(("AO", "L")): 0.7,
    frozenset(("UH", "L")): 0.6,
    frozenset(("AX", "L")): 0.6,
    frozenset(("M", "N")): 0.25,
    frozenset(("N", "NG")): 0.25,
    frozenset(("TH", "F")): 0.25,
    frozenset(("DH", "V")): 0.25,
    frozenset(("D", "DH")): 0.3,
    frozenset(("T", "TH")): 0.4,
    frozenset(("CH", "T")): 0.4,
    frozenset(("JH", "D")): 0.4,
    frozenset(("V", "W")): 0.4,
    frozenset(("V", "B")): 0.4,
    frozenset(("L", "R")): 0.45,
    frozenset(("R", "W")): 0.4,
}

_DROP_VOWEL: Final = 0.8
_DROP_CONSONANT: Final = 0.7
_DROP: Final[Mapping[str, float]] = {
    "AX": 0.4,
    "IH": 0.65,
    "HH": 0.4,
    "Y": 0.4,
    "W": 0.5,
    "R": 0.5,
    "L": 0.55,
    "T": 0.55,
    "D": 0.5,
    "N": 0.6,
}

PHONES: Final[tuple[str, ...]] = (*_VOWELS, *_CONSONANTS)
INDEX: Final[Mapping[str, int]] = {name: index for index, name in enumerate(PHONES)}
VOWELS: Final[frozenset[int]] = frozenset(range(len(_VOWELS)))


def parse(names: Iterable[str]) -> Pronunciation:
    """Turn names as CMUdict writes them ("AH0", "K") into a pronunciation; raises `KeyError` for an unknown phone."""
    plain = ["AX" if name == "AH0" else name.rstrip("012") for name in names]
    # "Caught" may sound as "cot", but never "store" as "star": before R the vowel is that of "boat" rather.
    plain = [
        "OW" if name == "AO" and after == "R" else name for name, after in zip(plain, [*plain[1:], ""], strict=True)
    ]
    return tuple(INDEX[name] for name in plain)


def spell(pronunciation: Pronunciation) -> str:
    """Write a pronunciation with the phones' names, for people to read."""
    return " ".join(PHONES[phone] for phone in pronunciation)


def _vowel_cost(first: str, second: str) -> float:
    weights = np.array((1.0, 0.7, 0.35))
    one, other = np.array(_VOWELS[first]).reshape(2, 3), np.array(_VOWELS[second]).reshape(2, 3)
    start, end = np.sqrt((((one - other) * weights) ** 2).sum(axis=1))
    return float(min(_SAME_CLASS_MAX, 0.1 + 0.6 * (0.6 * start + 0.4 * end)))


def _consonant_cost(first: str, second: str) -> float:
    place, manner, voiced = _CONSONANTS[first]
    other_place, other_manner, other_voiced = _CONSONANTS[second]
    cost = _PLACE_COST * abs(place - other_place) + _VOICE_COST * (voiced != other_voiced)
    if manner != other_manner:
        cost += _MANNER_COST.get(frozenset((manner, other_manner)), _OTHER_MANNER_COST)
    return min(_SAME_CLASS_MAX, 0.08 + cost)


def _class_cost(first: str, second: str) -> float:
    if first == second:
        return 0.0
    near = _NEAR.get(frozenset((first, second)))
    if near is not None:
        return near
    if first in _VOWELS and second in _VOWELS:
        return _vowel_cost(first, second)
    if first in _CONSONANTS and second in _CONSONANTS:
        return _consonant_cost(first, second)
    return _VOWEL_FOR_CONSONANT


@dataclass(frozen=True, slots=True, eq=False)
class PhoneCosts:
    """The costs of an alignment of meant and heard phones; arrays are indexed by phone."""

    substitute: Costs
    """[heard, meant]"""
    drop: Costs
    """[meant]: meant but not heard."""
    drop_last: Costs
    """[meant]: the same at the end of the word, where consonants are weak."""
    insert: Costs
    """[heard]: heard but not meant."""


def class_costs() -> PhoneCosts:
    """Return the costs that the classes of phones give."""
    substitute = np.array([[_class_cost(heard, meant) for meant in PHONES] for heard in PHONES], dtype=np.float32)
    drop = np.array(
        [_DROP.get(name, _DROP_VOWEL if name in _VOWELS else _DROP_CONSONANT) for name in PHONES], dtype=np.float32
    )
    last = np.array([1.0 if name in _VOWELS else 0.75 for name in PHONES], dtype=np.float32)
    return PhoneCosts(substitute=substitute, drop=drop, drop_last=drop * last, insert=drop.copy())
