"""How Chinese text sounds: by a dictionary of phrases, then character by character, for both scripts and both standards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from voice_host.matching.mandarin_phones import Syllable, parse_syllable
from voice_host.matching.mandarin_text import numbers_said, plain
from voice_host.matching.phones import Pronunciation

MAX_VARIANTS: Final = 6
_LONGEST_PHRASE: Final = 4
TAIWAN_READINGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "垃圾": ("le4", "se4"), "蝸牛": ("gua1", "niu2"), "蜗牛": ("gua1", "niu2"), "和": ("han4",), "液": ("yi4",),
        "曝": ("pu4",), "暴露": ("pu4", "lu4"), "攜": ("xi1",), "携": ("xi1",), "血": ("xie3",), "熟": ("shou2",),
        "核": ("hu2",), "堤": ("ti2",), "角色": ("jue2", "se4"), "肋": ("le4",), "薄": ("bao2",), "殼": ("ke2",), "壳": ("ke2",),
        "癌": ("yan2",), "夾克": ("jia2", "ke4"), "期": ("qi2",), "企": ("qi4",), "帆": ("fan2",), "亞": ("ya4",), "微": ("wei2",),
        "危": ("wei2",), "擊": ("ji2",), "質": ("zhi2",), "俄": ("e4",), "識": ("shi4",), "播": ("bo4",), "跌": ("die2",),
        "研究": ("yan2", "jiu4"), "星期": ("xing1", "qi2"), "法國": ("fa4", "guo2"), "橘子": ("ju2", "zi5"), "鯨": ("jing1",),
    }
)  # fmt: skip
"""Readings of Taiwan's standard that the dictionary, which is the mainland's, lacks; they are added to its own."""

_LETTERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "A": "ei1", "B": "bi4", "C": "xi1", "D": "di4", "E": "yi4", "F": "ai4 fu2", "G": "ji4", "H": "ai4 qu1", "I": "ai4",
        "J": "zhei4", "K": "kai4", "L": "ai4 lou2", "M": "ai4 mu3", "N": "en1", "O": "ou1", "P": "pi4", "Q": "kou4", "R": "a4 er2",
        "S": "ai4 si2", "T": "ti4", "U": "you1", "V": "wei1", "W": "da2 bu4 liu2", "X": "ai4 ke4 si2", "Y": "wai4", "Z": "zei4",
    }
)  # fmt: skip
_LONGEST_ABBREVIATION: Final = 4
"""More letters in a row are a foreign word, whose sound is not known."""

_STANDING_ALONE: Final = frozenset("女嬰婴孩孤胎男健少幼")
"""After one of these 兒 is a child, not the curl of the tongue."""
_CURL: Final = parse_syllable("er2").units


@dataclass(frozen=True, slots=True, eq=False)
class MandarinPronouncer:
    """Says Chinese text; immutable."""

    characters: Mapping[str, tuple[Pronunciation, ...]]
    """Readings in use of a character, the usual one first."""
    phrases: Mapping[str, tuple[Pronunciation, ...]]
    """Words that say more than their characters alone."""
    simplified: Mapping[str, str]
    """Traditional character -> Simplified one, to find phrases by."""

    def phrase(self, text: str) -> tuple[Pronunciation, ...]:
        """Return how a text may sound, the usual way first; none when it has no sound we know.

        Spaces and punctuation have no sound.
        """
        return self.plain_phrase(plain(text))

    def plain_phrase(self, text: str) -> tuple[Pronunciation, ...]:
        """Return how a text without spaces and punctuation may sound; as `phrase`, but quicker."""
        other = "".join([self.simplified.get(letter, letter) for letter in text])
        ways: list[Pronunciation] = [()]
        at = 0
        while at < len(text):
            size, options = self._piece(text, other, at)
            if not options:
                return ()
            at += size
            if len(options) == 1:
                ways = [way + options[0] for way in ways]
            else:
                ways = [way + option for option in options for way in ways][:MAX_VARIANTS]
        return tuple(dict.fromkeys(way for way in ways if way))

    def _piece(self, text: str, other: str, at: int) -> tuple[int, tuple[Pronunciation, ...]]:
        """Return the length of the piece of a text that begins here, and the ways to say it."""
        letter = text[at]
        if letter.isascii():
            kind = str.isdigit if letter.isdigit() else str.isalpha
            end = next(
                (end for end in range(at, len(text)) if not (text[end].isascii() and kind(text[end]))), len(text)
            )
            return end - at, self._foreign(text[at:end])
        if letter in "兒儿" and at and text[at - 1] not in _STANDING_ALONE:
            return 1, ((), _CURL)
        for size in range(min(_LONGEST_PHRASE, len(text) - at), 1, -1):
            found = self.phrases.get(text[at : at + size]) or self.phrases.get(other[at : at + size])
            if found:
                return size, found
        return 1, self.characters.get(letter) or self.characters.get(other[at], ())

    def _foreign(self, text: str) -> tuple[Pronunciation, ...]:
        if text.isdigit():
            return tuple(way for said in numbers_said(text) for way in self.plain_phrase(said)[:1])
        if len(text) > _LONGEST_ABBREVIATION:
            return ()
        names = (name for letter in text for name in _LETTERS[letter.upper()].split())
        return (tuple(unit for name in names for unit in parse_syllable(name).units),)


def build_pronouncer(
    characters: Mapping[str, str], phrases: Mapping[str, str], simplified: Mapping[str, str]
) -> MandarinPronouncer:
    """Build a pronouncer from the readings of characters and the syllables of phrases, as the tables write them."""
    known: dict[str, Pronunciation] = {}

    def read(name: str) -> Pronunciation:
        if name not in known:
            known[name] = Syllable.read(name).units
        return known[name]

    single = {letter: tuple(map(read, names.split())) for letter, names in characters.items()}
    said: dict[str, tuple[Pronunciation, ...]] = {
        text: (sum(map(read, names.split()), ()),) for text, names in phrases.items()
    }
    for text, names in TAIWAN_READINGS.items():
        reading = sum((parse_syllable(name).units for name in names), ())
        if len(text) == 1:
            single[text] = tuple(dict.fromkeys((*single.get(text, ()), reading)))
        else:
            usual = said.get(text) or (sum((single[letter][0] for letter in text), ()),)
            said[text] = tuple(dict.fromkeys((*usual, reading)))
    return MandarinPronouncer(single, said, simplified)
