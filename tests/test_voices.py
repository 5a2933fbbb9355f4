"""The recorded evening that comes with the program is whole, small, and made of words of the deck."""

from __future__ import annotations

import pytest

from voice_host.commands.demo import DemoRequest, load_evening
from voice_host.decks import load_dreams
from voice_host.program import read_cards
from voice_host.resources import folder
from voice_host.tables.robot import Bell, Line

VOICES = folder("voices") / "en"


def test_every_line_of_the_evening_has_a_clip() -> None:
    acts, clips, cards = load_evening(DemoRequest(lang="en"))
    assert {act for act in acts if isinstance(act, Line)} == set(clips)
    assert cards == VOICES / "cards.txt"


def test_the_evening_has_four_people_and_four_nights() -> None:
    acts, _, _ = load_evening(DemoRequest(lang="en"))
    assert {act.person for act in acts if isinstance(act, Line)} == {"Amy", "Ben", "Cleo", "Dan"}
    assert sum(isinstance(act, Bell) for act in acts) == 4


def test_every_clip_is_speech_of_sensible_length_and_loudness() -> None:
    _, clips, _ = load_evening(DemoRequest(lang="en"))
    for line, samples in clips.items():
        assert 0.4 < len(samples) / 16_000 < 8, line
        assert abs(samples).max() < 1, line
        assert float((samples**2).mean() ** 0.5) == pytest.approx(0.06, rel=0.25), line


def test_the_words_that_come_up_are_words_of_the_deck() -> None:
    deck = {word.text for card in load_dreams("en") for word in card}
    words = read_cards(VOICES / "cards.txt")
    assert set(words) <= deck
    assert len(set(words)) == len(words)


def test_the_voices_take_little_room() -> None:
    assert sum(path.stat().st_size for path in VOICES.rglob("*") if path.is_file()) < 2.5e6
