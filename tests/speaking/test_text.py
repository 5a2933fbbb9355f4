"""Texts: whatever a player's name or a transcript holds, the voice gets one clean line in bounded pieces."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from voice_host.speaking.text import LONGEST_CHARACTERS, clean, pieces, speakable


@given(st.text(st.characters(exclude_categories=[]), max_size=80))
def test_a_clean_text_has_one_line_and_no_character_that_ends_it(text: str) -> None:
    cleaned = clean(text)
    assert not {unicodedata.category(character) for character in cleaned} & {"Cc", "Cf", "Cs", "Co", "Cn"}
    assert cleaned == cleaned.strip()
    assert "  " not in cleaned
    assert clean(cleaned) == cleaned
    cleaned.encode()  # no lone surrogate is left


@given(st.text("ab .!。 ,", max_size=200), st.integers(1, 40))
def test_pieces_are_short_and_lose_no_letter(text: str, longest: int) -> None:
    cut = pieces(clean(text), longest)
    assert all(len(piece) <= longest and speakable(piece) for piece in cut)
    letters = [character for character in "".join(cut) if character.isalpha()]
    assert letters == [character for character in text if character.isalpha()]


def test_a_text_is_cut_after_its_sentences() -> None:
    assert pieces("It is night. Amy dreams. Ben begins.", 26) == ("It is night. Amy dreams.", "Ben begins.")
    assert pieces("夜晚來臨。小明做夢。", 5) == ("夜晚來臨。", "小明做夢。")


def test_a_runaway_text_is_cut_short() -> None:
    assert len(clean("word " * 1_000_000)) == LONGEST_CHARACTERS


def test_only_letters_and_digits_have_a_sound() -> None:
    assert not any(speakable(text) for text in ("", " ", "…", "?!", "😀", "—"))
    assert all(speakable(text) for text in ("a", "7", "龍", "용", "é!"))
