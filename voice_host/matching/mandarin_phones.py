"""The units of Mandarin syllables and what it costs to mistake one for another.

A syllable is an initial (unless it begins with its vowel), a final and a tone, each one unit; inside the matcher a
pronunciation is a tuple of indexes into `UNITS`. Costs are on a scale on which 0 is the same sound and 1 quite another one.
What speakers of Taiwan or of the south do not tell apart is near: zh/z, ch/c, sh/s, n/l, f/h, -n/-ng. A tone costs little:
recognisers guess it from words they know, and a light syllable has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from voice_host.matching.phones import PhoneCosts, Pronunciation

# Place (0 lips to 1 throat), manner, breath of air.
_INITIALS: Final[Mapping[str, tuple[float, str, bool]]] = {
    "b": (0.0, "stop", False), "p": (0.0, "stop", True), "m": (0.0, "nasal", False), "f": (0.1, "fricative", True),
    "d": (0.35, "stop", False), "t": (0.35, "stop", True), "n": (0.35, "nasal", False), "l": (0.35, "liquid", False),
    "g": (0.8, "stop", False), "k": (0.8, "stop", True), "h": (0.9, "fricative", True),
    "j": (0.6, "affricate", False), "q": (0.6, "affricate", True), "x": (0.6, "sibilant", True),
    "zh": (0.5, "affricate", False), "ch": (0.5, "affricate", True), "sh": (0.5, "sibilant", True),
    "r": (0.5, "liquid", False),
    "z": (0.4, "affricate", False), "c": (0.4, "affricate", True), "s": (0.4, "sibilant", True),
}  # fmt: skip
# Glide before, vowel, ending. The vowel of "zi" and "zhi" is its own ("ï").
_FINALS: Final[Mapping[str, tuple[str, str, str]]] = {
    "a": ("", "a", ""), "o": ("", "o", ""), "e": ("", "e", ""), "er": ("", "e", "r"), "ai": ("", "a", "i"),
    "ei": ("", "ê", "i"), "ao": ("", "a", "u"), "ou": ("", "o", "u"), "an": ("", "a", "n"), "en": ("", "e", "n"),
    "ang": ("", "a", "ng"), "eng": ("", "e", "ng"), "ong": ("u", "e", "ng"),
    "ï": ("", "ï", ""), "i": ("", "i", ""), "ia": ("i", "a", ""), "io": ("i", "o", ""), "ie": ("i", "ê", ""),
    "iao": ("i", "a", "u"), "iu": ("i", "o", "u"), "ian": ("i", "ê", "n"), "in": ("", "i", "n"),
    "iang": ("i", "a", "ng"), "ing": ("", "i", "ng"), "iong": ("ü", "e", "ng"),
    "u": ("", "u", ""), "ua": ("u", "a", ""), "uo": ("u", "o", ""), "uai": ("u", "a", "i"), "ui": ("u", "ê", "i"),
    "uan": ("u", "a", "n"), "un": ("u", "e", "n"), "uang": ("u", "a", "ng"),
    "ü": ("", "ü", ""), "üe": ("ü", "ê", ""), "üan": ("ü", "ê", "n"), "ün": ("", "ü", "n"),
}  # fmt: skip
TONES: Final = ("1", "2", "3", "4", "5")
UNITS: Final[tuple[str, ...]] = (*_INITIALS, *_FINALS, *TONES)
INDEX: Final[Mapping[str, int]] = {name: index for index, name in enumerate(UNITS)}

TONE_UNITS: Final = tuple(INDEX[name] for name in TONES)
"""The last one is the light tone."""

_VOWEL_COST: Final[Mapping[frozenset[str], float]] = {
    frozenset(pair): cost
    for *pair, cost in (
        ("a", "e", 0.4), ("a", "o", 0.45), ("a", "ê", 0.4), ("o", "e", 0.2), ("e", "ê", 0.3), ("o", "u", 0.4),
        ("e", "ï", 0.3), ("i", "ï", 0.5), ("i", "ü", 0.25), ("i", "ê", 0.45), ("e", "u", 0.5), ("u", "ü", 0.45),
        ("e", "i", 0.45),
    )
}  # fmt: skip
_OTHER_VOWEL: Final = 0.7
_GLIDE_COST: Final[Mapping[frozenset[str], float]] = {
    frozenset(("i", "ü")): 0.2, frozenset(("", "i")): 0.3, frozenset(("", "u")): 0.25, frozenset(("", "ü")): 0.4,
    frozenset(("i", "u")): 0.45, frozenset(("u", "ü")): 0.35,
}  # fmt: skip
_ENDING_COST: Final[Mapping[frozenset[str], float]] = {
    frozenset(("n", "ng")): 0.15, frozenset(("", "n")): 0.35, frozenset(("", "ng")): 0.4, frozenset(("", "i")): 0.35,
    frozenset(("", "u")): 0.35, frozenset(("", "r")): 0.15,
}  # fmt: skip
_OTHER_ENDING: Final = 0.55
_FINAL_MAX: Final = 1.0

# Pairs that are nearer than their classes say: accents, and what recognisers confuse.
_NEAR: Final[Mapping[frozenset[str], float]] = {
    frozenset(pair): cost
    for *pair, cost in (
        ("zh", "z", 0.12), ("ch", "c", 0.12), ("sh", "s", 0.12), ("n", "l", 0.2), ("f", "h", 0.25), ("r", "l", 0.25),
        ("zh", "j", 0.3), ("ch", "q", 0.3), ("sh", "x", 0.3), ("z", "j", 0.35), ("c", "q", 0.35), ("s", "x", 0.35),
        ("zh", "ch", 0.3), ("z", "c", 0.3), ("j", "q", 0.3), ("b", "p", 0.3), ("d", "t", 0.3), ("g", "k", 0.3),
        ("m", "n", 0.3), ("g", "d", 0.4), ("k", "t", 0.4), ("b", "d", 0.4), ("p", "t", 0.4), ("k", "h", 0.35),
        ("sh", "ch", 0.35), ("x", "q", 0.35), ("s", "c", 0.35), ("r", "zh", 0.4), ("d", "z", 0.45), ("t", "c", 0.45),
        ("p", "f", 0.4), ("m", "b", 0.4), ("l", "d", 0.4), ("d", "j", 0.45), ("t", "q", 0.45),
        ("e", "o", 0.12), ("uo", "o", 0.08), ("eng", "ong", 0.2), ("ong", "iong", 0.25), ("uan", "üan", 0.3),
        ("üan", "ian", 0.2), ("un", "ün", 0.3), ("ün", "in", 0.25), ("ou", "uo", 0.3), ("ong", "un", 0.3),
        ("1", "2", 0.12), ("1", "3", 0.16), ("1", "4", 0.14), ("2", "3", 0.08), ("2", "4", 0.16), ("3", "4", 0.14),
        ("1", "5", 0.06), ("2", "5", 0.06), ("3", "5", 0.06), ("4", "5", 0.06),
    )
}  # fmt: skip
_OTHER_MANNER: Final = 0.4
_PLACE: Final = 0.5
_BREATH: Final = 0.2
_CONSONANT_MAX: Final = 0.9
_OTHER_KIND: Final = 2.0
_DROP_INITIAL: Final = 0.6
_DROP_FINAL: Final = 1.0
_DROP_TONE: Final = 0.1
_DROP: Final[Mapping[str, float]] = {"h": 0.45, "r": 0.45, "er": 0.5, "n": 0.5, "l": 0.5}

_SYLLABLE: Final = re.compile(r"(zh|ch|sh|[bpmfdtnlgkhjqxrzcs])?([a-zêüï]+?)([1-5])?")
_WITHOUT_INITIAL: Final[Mapping[str, str]] = {
    "yi": "i", "yin": "in", "ying": "ing", "yu": "ü", "yue": "üe", "yuan": "üan", "yun": "ün", "yong": "iong",
    "you": "iu", "wu": "u", "wei": "ui", "wen": "un", "weng": "ong", "ê": "ei", "yai": "ai",
}  # fmt: skip
_MARKS: Final = {
    mark: vowel + tone
    for vowel, marks in {
        "a": "āáǎà",
        "o": "ōóǒò",
        "e": "ēéěè",
        "i": "īíǐì",
        "u": "ūúǔù",
        "ü": "ǖǘǚǜ",
        "ê": "  ếề",
    }.items()
    for mark, tone in zip(marks, "1234", strict=False)
    if mark.strip()
}


@dataclass(frozen=True, slots=True)
class Syllable:
    """One syllable: initial (or ""), final and tone ("5" is the light one), as in `UNITS`."""

    initial: str
    final: str
    tone: str

    @classmethod
    def read(cls, dotted: str) -> Syllable:
        """Read what a table writes as "zh.ang.1"; raises `ValueError` for what is none."""
        initial, final, tone = dotted.split(".")
        return cls(initial, final, tone)

    @property
    def units(self) -> Pronunciation:
        """Its indexes."""
        return tuple(INDEX[name] for name in (self.initial, self.final, self.tone) if name)


def _initial_and_final(pinyin: str) -> tuple[str, str]:
    """Split a syllable without its tone; the final may be unknown."""
    if pinyin in _WITHOUT_INITIAL:
        return "", _WITHOUT_INITIAL[pinyin]
    if pinyin[:1] in ("y", "w"):
        return "", ("i" if pinyin[0] == "y" else "u") + pinyin[1:]
    match = _SYLLABLE.fullmatch(pinyin)
    if match is None:
        return "", pinyin
    initial, final = match[1] or "", match[2]
    if initial in ("j", "q", "x") and final.startswith("u"):
        final = "ü" + final[1:]
    elif final == "i" and initial in ("zh", "ch", "sh", "r", "z", "c", "s"):
        final = "ï"
    elif initial in ("n", "l") and final == "ue":
        final = "üe"
    return initial, final


def parse_syllable(pinyin: str) -> Syllable:
    """Read a syllable such as "zhāng" or "lü4"; raises `ValueError` for what is none."""
    letters, tone = [], "5"
    for letter in pinyin.lower().replace("v", "ü"):
        plain = _MARKS.get(letter, letter)
        letters.append(plain[0])
        tone = plain[1] if len(plain) > 1 else tone
    plain_pinyin = "".join(letters)
    if plain_pinyin[-1:].isdigit():
        plain_pinyin, tone = plain_pinyin[:-1], plain_pinyin[-1]
    if plain_pinyin in ("n", "ng", "m", "hm", "hng", "ń", "ň", "ǹ"):
        return Syllable("", "en", tone)
    initial, final = _initial_and_final(plain_pinyin)
    if final not in _FINALS or tone not in TONES:
        raise ValueError(f"{pinyin!r} is no syllable of pinyin")
    return Syllable(initial, final, tone)


def spell(pronunciation: Pronunciation) -> str:
    """Write a pronunciation as pinyin with numbers for the tones, for people to read."""
    names = [UNITS[unit] for unit in pronunciation]
    return "".join(name + " " if name in TONES else name for name in names).strip()


def tones_apart(pronunciation: Pronunciation) -> Pronunciation:
    """Return a pronunciation without its tones."""
    return tuple(unit for unit in pronunciation if UNITS[unit] not in TONES)


def _pair(table: Mapping[frozenset[str], float], one: str, other: str, otherwise: float) -> float:
    return 0.0 if one == other else table.get(frozenset((one, other)), otherwise)


def _final_cost(one: str, other: str) -> float:
    parts = tuple(zip(_FINALS[one], _FINALS[other], strict=True))
    cost = (
        _pair(_GLIDE_COST, *parts[0], 0.4)
        + _pair(_VOWEL_COST, *parts[1], _OTHER_VOWEL)
        + _pair(_ENDING_COST, *parts[2], _OTHER_ENDING)
    )
    return min(_FINAL_MAX, cost)


def _initial_cost(one: str, other: str) -> float:
    place, manner, breath = _INITIALS[one]
    other_place, other_manner, other_breath = _INITIALS[other]
    cost = 0.15 + _PLACE * abs(place - other_place) + _BREATH * (breath != other_breath)
    return min(_CONSONANT_MAX, cost + _OTHER_MANNER * (manner != other_manner))


def _cost(one: str, other: str) -> float:
    if one == other:
        return 0.0
    near = _NEAR.get(frozenset((one, other)))
    if near is not None:
        return near
    if one in _INITIALS and other in _INITIALS:
        return _initial_cost(one, other)
    if one in _FINALS and other in _FINALS:
        return _final_cost(one, other)
    return _OTHER_KIND


def unit_costs() -> PhoneCosts:
    """Return the costs of heard for meant units."""
    substitute = np.zeros((len(UNITS), len(UNITS)), dtype=np.float32)
    for one, other in combinations(UNITS, 2):
        substitute[INDEX[one], INDEX[other]] = substitute[INDEX[other], INDEX[one]] = _cost(one, other)
    otherwise = {**dict.fromkeys(_INITIALS, _DROP_INITIAL), **dict.fromkeys(_FINALS, _DROP_FINAL)}
    drop = np.array([_DROP.get(name, otherwise.get(name, _DROP_TONE)) for name in UNITS], dtype=np.float32)
    return PhoneCosts(substitute=substitute, drop=drop, drop_last=drop.copy(), insert=drop.copy())
