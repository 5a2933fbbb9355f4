"""The guess is found in what a recogniser writes."""

from __future__ import annotations

import pytest

from voice_host.matching.english_text import is_only_hesitation, number_words, phrases, spoken_guess, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fire-engine!", ("fire", "engine")),
        ("Don’t you?", ("don't", "you")),
        ("8, 8,", ("eight", "eight")),
        ("A café", ("a", "cafe")),
        ("42 cats", ("forty", "two", "cats")),
        ("啊啊", ()),
        ("  ... ", ()),
    ],
)
def test_a_text_is_its_words(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("number", "spoken"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (40, "forty"),
        (110, "one hundred ten"),
        (2026, "two thousand twenty six"),
        (12345, "one two three four five"),
    ],
)
def test_numbers_are_said(number: int, spoken: str) -> None:
    assert " ".join(number_words(number)) == spoken


@pytest.mark.parametrize(
    ("reading", "guess"),
    [
        ("Dragon.", "dragon"),
        ("a dragon", "dragon"),
        ("Um, maybe a dragon", "dragon"),
        ("the, uh, dragon", "dragon"),
        ("dragon or maybe a lizard", "dragon"),
        ("A dragon. No, a lizard!", "dragon"),
        ("a fire engine please", "fire engine"),
        ("Dog. Dog.", "dog"),
        ("Five, five, five, five", "five"),
        ("fire engine fire engine", "fire engine"),
        ("my dog I think", "dog"),
        ("It's a butterfly", "butterfly"),
        ("or", "or"),
        ("", ""),
        ("Um... the", ""),
    ],
)
def test_the_first_noun_phrase_is_the_guess(reading: str, guess: str) -> None:
    assert spoken_guess([reading]) == guess


def test_the_echo_is_the_first_reading_that_holds_a_guess() -> None:
    assert spoken_guess(["um", "the dragon", "wagon"]) == "dragon"
    assert spoken_guess([]) == ""


def test_an_article_may_be_part_of_the_word() -> None:
    read = {phrase.words: phrase.cost for phrase in phrases("a corn")}
    assert read[("corn",)] < read["a", "corn"]


def test_hesitation_is_no_guess() -> None:
    assert is_only_hesitation("Um, well, uh...")
    assert not is_only_hesitation("um, a well-dressed man")
    assert phrases("Hmm.") == ()
