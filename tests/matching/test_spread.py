"""Words are chosen far apart, and the code words of a language are."""

from __future__ import annotations

from voice_host.commands.lint import EnglishSounds
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.spread import nearest_pair, spread
from voice_host.program import CODE_WORDS
from voice_host.resources import language_folder

FAR_APART = 1.5
"""Cost between two code words at least; bear and pear have 0.33, and from 0.6 on a table does not quarrel."""


def _between(one: str, other: str) -> float:
    return abs(float(one) - float(other))


def test_each_is_as_far_as_possible_from_those_before() -> None:
    assert spread(("0", "1", "2", "9", "10"), 3, _between) == ("0", "10", "2")
    assert spread(("0", "1"), 5, _between) == ("0", "1")
    assert spread((), 2, _between) == ()


def test_the_nearest_pair_is_found() -> None:
    assert nearest_pair(("0", "5", "7", "20"), _between) == (2.0, "7", "5")


def test_no_two_english_code_words_sound_alike(measures: EnglishMeasures) -> None:
    words = (language_folder("en") / CODE_WORDS).read_text(encoding="utf-8").split()
    assert len(set(words)) == 144
    assert EnglishSounds(measures).nearest(words, FAR_APART) == {}
