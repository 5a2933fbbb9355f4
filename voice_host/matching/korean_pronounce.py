"""How written Korean sounds: the rules of standard pronunciation (표준 발음법), from hangul to phones.

Spaces do not count: a phrase is said in one breath. Where the rules depend on how a word is built, which its spelling does
not show, both sounds are given (색연필 [생년필], 물약 [물략]) or are so near by their costs that it does not matter (the tense
onset of 갈등 [갈뜽] or 김밥 [김빱]).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from voice_host.matching.korean_phones import parse
from voice_host.matching.phones import Pronunciation

_FIRST: Final = 0xAC00
_LAST: Final = 0xD7A3
_ONSETS: Final = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS: Final = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_CODAS: Final = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

_CLUSTERS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "ㄳ": ("ㄱ", "ㅅ"), "ㄵ": ("ㄴ", "ㅈ"), "ㄶ": ("ㄴ", "ㅎ"), "ㄺ": ("ㄹ", "ㄱ"), "ㄻ": ("ㄹ", "ㅁ"), "ㄼ": ("ㄹ", "ㅂ"),
        "ㄽ": ("ㄹ", "ㅅ"), "ㄾ": ("ㄹ", "ㅌ"), "ㄿ": ("ㄹ", "ㅍ"), "ㅀ": ("ㄹ", "ㅎ"), "ㅄ": ("ㅂ", "ㅅ"),
    }
)  # fmt: skip
_NEUTRAL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ㄲ": "ㄱ", "ㅋ": "ㄱ", "ㄳ": "ㄱ", "ㄺ": "ㄱ", "ㅅ": "ㄷ", "ㅆ": "ㄷ", "ㅈ": "ㄷ", "ㅊ": "ㄷ", "ㅌ": "ㄷ", "ㅎ": "ㄷ", "ㅍ": "ㅂ", "ㅄ": "ㅂ",
        "ㄿ": "ㅂ", "ㄵ": "ㄴ", "ㄶ": "ㄴ", "ㄼ": "ㄹ", "ㄽ": "ㄹ", "ㄾ": "ㄹ", "ㅀ": "ㄹ", "ㄻ": "ㅁ",
    }
)  # fmt: skip
_TENSE: Final[Mapping[str, str]] = MappingProxyType({"ㄱ": "ㄲ", "ㄷ": "ㄸ", "ㅂ": "ㅃ", "ㅅ": "ㅆ", "ㅈ": "ㅉ"})
_BREATHED: Final[Mapping[str, str]] = MappingProxyType({"ㄱ": "ㅋ", "ㄷ": "ㅌ", "ㅂ": "ㅍ", "ㅈ": "ㅊ"})
_NASAL: Final[Mapping[str, str]] = MappingProxyType({"ㄱ": "ㅇ", "ㄷ": "ㄴ", "ㅂ": "ㅁ"})
_PLAIN_AFTER_J: Final[Mapping[str, str]] = MappingProxyType(
    {"ㅑ": "ㅏ", "ㅕ": "ㅓ", "ㅖ": "ㅔ", "ㅛ": "ㅗ", "ㅠ": "ㅜ", "ㅒ": "ㅐ"}
)
_INSERTING: Final = frozenset("ㅣㅑㅕㅛㅠ")
"""Vowels before which a compound may get an ㄴ."""
MAX_VARIANTS: Final = 3


@dataclass(slots=True)
class _Syllable:
    """A syllable on its way from spelling to sound."""

    onset: str
    vowel: str
    coda: str


def split(text: str) -> list[_Syllable]:
    """Return the letters of each hangul syllable of a text; everything else has no sound."""
    found = []
    for letter in text:
        code = ord(letter) - _FIRST
        if 0 <= code <= _LAST - _FIRST:
            found.append(_Syllable(_ONSETS[code // 588], _VOWELS[code % 588 // 28], _CODAS[code % 28]))
    return found


def _join_h(one: _Syllable, two: _Syllable) -> None:
    """Join ㅎ to a neighbour as an aspirated consonant, or lose it (제12항): 놓고 [노코], 축하 [추카], 많이 [마니]."""
    if one.coda in ("ㅎ", "ㄶ", "ㅀ"):
        rest = {"ㅎ": "", "ㄶ": "ㄴ", "ㅀ": "ㄹ"}[one.coda]
        if two.onset in _BREATHED and two.onset != "ㅂ":
            one.coda, two.onset = rest, _BREATHED[two.onset]
        elif two.onset == "ㅅ":
            one.coda, two.onset = rest, "ㅆ"
        elif two.onset == "ㄴ":
            one.coda = rest or "ㄴ"
        elif two.onset == "ㅇ":
            one.coda = rest
    elif two.onset == "ㅎ":
        _breathe(one, two)


def _breathe(one: _Syllable, two: _Syllable) -> None:
    """Give ㅎ to the stop before it: 입학 [이팍], 맏형 [마텽], 앉히다 [안치다], 굳히다 [구치다]."""
    rest, last = _CLUSTERS.get(one.coda, ("", one.coda))
    if one.coda == "ㅄ":
        rest, last = "", "ㅂ"
    # 닫혀 [다처], but 맏형 [마텽].
    if last in ("ㄷ", "ㅌ") and (two.vowel == "ㅣ" or (two.vowel == "ㅕ" and two.coda in ("", "ㅆ"))):
        one.coda, two.onset = rest, "ㅊ"
    elif last in _BREATHED:
        one.coda, two.onset = rest, _BREATHED[last]
    elif _NEUTRAL.get(one.coda) in _BREATHED:
        one.coda, two.onset = "", _BREATHED[_NEUTRAL[one.coda]]


def _link(one: _Syllable, two: _Syllable) -> None:
    """Move a coda to the vowel after it (제13, 14, 17항): 옷이 [오시], 닭을 [달글], 값이 [갑씨], 굳이 [구지]."""
    if two.onset != "ㅇ" or one.coda in ("", "ㅇ"):
        return
    rest, moved = _CLUSTERS.get(one.coda, ("", one.coda))
    if two.vowel == "ㅣ" and moved in ("ㄷ", "ㅌ") and rest in ("", "ㄹ"):
        moved = {"ㄷ": "ㅈ", "ㅌ": "ㅊ"}[moved]
    elif two.vowel == "ㅕ" and moved == "ㅌ":
        moved = "ㅊ"
    if moved == "ㅅ" and rest:
        moved = "ㅆ"
    one.coda, two.onset = rest, moved


def _meet(one: _Syllable, two: _Syllable) -> None:
    """Let a coda and the next onset change each other (제9-11, 18-20, 23-25항)."""
    stem_l = one.coda in ("ㄼ", "ㄾ")
    if one.coda == "ㄺ" and two.onset == "ㄱ":
        coda, tense = "ㄹ", True
    elif one.coda == "ㄼ" and (one.onset, one.vowel) == ("ㅂ", "ㅏ") and two.onset != "ㅇ":
        coda, tense = "ㅂ", True
    else:
        coda = _NEUTRAL.get(one.coda, one.coda)
        tense = coda in _NASAL or one.coda == "ㄵ" or (stem_l and two.onset in "ㄱㄷㅅㅈ")
    if tense:
        two.onset = _TENSE.get(two.onset, two.onset)
    if two.onset in ("ㄴ", "ㅁ"):
        coda = _NASAL.get(coda, coda)
    elif two.onset == "ㄹ" and coda in (*_NASAL, "ㅁ", "ㅇ"):
        coda, two.onset = _NASAL.get(coda, coda), "ㄴ"
    if (coda, two.onset) in (("ㄴ", "ㄹ"), ("ㄹ", "ㄴ")):
        coda = two.onset = "ㄹ"
    one.coda = coda


def _soften(syllables: Sequence[_Syllable]) -> None:
    """Say vowels more simply than written (제5항): 가져 [가저], 희망 [히망], 지혜 [지헤]."""
    for syllable in syllables:
        if syllable.onset in ("ㅈ", "ㅉ", "ㅊ"):
            syllable.vowel = _PLAIN_AFTER_J.get(syllable.vowel, syllable.vowel)
        if syllable.vowel == "ㅢ" and syllable.onset != "ㅇ":
            syllable.vowel = "ㅣ"
        if syllable.vowel == "ㅖ" and syllable.onset not in ("ㅇ", "ㄹ"):
            syllable.vowel = "ㅔ"


def _insert_n(one: _Syllable, two: _Syllable) -> None:
    """Put an ㄴ between the parts of a compound (제29항): 색연필 [생년필], 솜이불 [솜니불]."""
    if one.coda and two.onset == "ㅇ" and two.vowel in _INSERTING:
        two.onset = "ㄴ"


def _said(syllables: Sequence[_Syllable]) -> None:
    for one, two in pairwise(syllables):
        _join_h(one, two)
        _link(one, two)
        _meet(one, two)
    if syllables:
        syllables[-1].coda = _NEUTRAL.get(syllables[-1].coda, syllables[-1].coda)
    _soften(syllables)


def _ways(text: str) -> list[list[_Syllable]]:
    usual = split(text)
    places = [
        index
        for index, (one, two) in enumerate(pairwise(usual))
        if one.coda and two.onset == "ㅇ" and two.vowel in _INSERTING
    ]
    ways = [usual]
    # A word that ends here ("사람이") is no compound: its ㄴ would stand before the last, single syllable.
    for index in [place for place in places if place + 2 < len(usual) or usual[-1].coda][: MAX_VARIANTS - 1]:
        compound = split(text)
        _insert_n(compound[index], compound[index + 1])
        ways.append(compound)
    for way in ways:
        _said(way)
    return ways


def spoken(text: str) -> str:
    """Return the usual sound of a text written in hangul, as dictionaries do: 국물 -> 궁물."""
    return "".join(
        chr(_FIRST + _ONSETS.index(one.onset) * 588 + _VOWELS.index(one.vowel) * 28 + _CODAS.index(one.coda))
        for one in _ways(text)[0]
    )


def pronounce(text: str) -> tuple[Pronunciation, ...]:
    """Return how a text in hangul may sound, the usual way first; none where there is no hangul."""
    found: dict[Pronunciation, None] = {}
    for way in _ways(text):
        names: list[str] = []
        for one in way:
            names.extend(name for name in (one.onset, one.vowel) if name != "ㅇ")
            if one.coda:
                names.append("." + one.coda)
        if names:
            found[parse(names)] = None
    return tuple(found)
